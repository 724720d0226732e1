"""Other programs, for a while: processes that compute as fast as they can, all the time or in turns
with rest."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

STEADY, GUSTY = "steady", "gusty"
_REST_S = {STEADY: 0.0, GUSTY: 1.5}  # after each second of work
# It streams through 64 MB, so that it takes the caches and the memory, too, and not only a core.
_WORK = """
import sys, time
import numpy as np
rest_s = float(sys.argv[1])
numbers = np.ones(1 << 23)
while True:
    until = time.monotonic() + 1.0
    while time.monotonic() < until:
        numbers *= 1.0000001
    time.sleep(rest_s)
"""


@contextmanager
def loaded(kind: str, processes: int) -> Iterator[None]:
    """So many of them during the block; none of an empty kind."""
    command = [sys.executable, "-c", _WORK, str(_REST_S.get(kind, 0.0))]
    running = [subprocess.Popen(command) for _ in range(processes if kind else 0)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()
