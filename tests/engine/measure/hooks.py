"""Worker functions that misbehave on demand; a worker process imports them by name."""

from __future__ import annotations

import os
import signal
import sys
import time

from engine.measure.build_worker import bounded, build_candidate
from engine.measure.runner import BuildRequest, BuildResult

CRASH, HANG, WHOAMI, RAISE, SPIN = "crash", "hang", "who am I", "raise", "spin"


def build_or_misbehave(request: BuildRequest) -> BuildResult:
    """Build, or do what the request's module text asks for instead."""
    if request.module == CRASH:
        print("LLVM ERROR: cannot select this", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    if request.module == HANG:
        time.sleep(3600)
    if request.module == SPIN:
        with bounded(0.1):
            while True:
                pass
    if request.module == RAISE:
        raise ValueError("a worker's own mistake")
    if request.module == WHOAMI:
        return BuildResult(str(os.getpid()), 0.0)
    return build_candidate(request)
