"""The processor that tests are to find here: TUNEWRIGHT_TEST_CPU, in LLVM's words, or this one.

Its code must run here: "znver3" on a machine with AVX-512. Forked workers find it, too; programs
that tests start find the real one.
"""

from __future__ import annotations

import os

from engine.records import machine


def pretend() -> None:
    """Let the targets of this process be the asked processor's."""
    if name := os.environ.get("TUNEWRIGHT_TEST_CPU"):
        machine.host_cpu = lambda: name
