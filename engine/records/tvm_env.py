"""The environment TVM needs, set before anything imports it."""

from __future__ import annotations

import logging
import os
import sys
import warnings

THREADS = "TVM_NUM_THREADS"


def usable_cores() -> int:
    """Cores this process may use."""
    return len(os.sched_getaffinity(0))


def prepare_environment(threads: int | None = None) -> None:
    """Give TVM's kernels `threads` threads (default: every usable core) and quieten its noise.

    TVM takes half of the hardware threads unless told otherwise. A value that is set already
    stays. Call it before the first import of tvm: worker processes inherit the environment.
    Raises RuntimeError where tvm was imported before its thread count was set.
    """
    wanted = os.environ.get(THREADS) or str(threads or usable_cores())
    if os.environ.get(THREADS) != wanted and "tvm" in sys.modules:
        raise RuntimeError(
            f"tvm was imported before {THREADS} was set to {wanted}: "
            "call engine.records.tvm_env.prepare_environment() first."
        )
    os.environ[THREADS] = wanted
    _silence()


def _silence() -> None:
    """Keep TVM's deprecations and its searches' chatter from a person's terminal."""
    warnings.filterwarnings("ignore", category=DeprecationWarning, module=r"tvm(\.|$)")
    logging.getLogger("tvm").setLevel(logging.ERROR)
