"""Worker functions that misbehave on demand; a worker process imports them by name."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from multiprocessing.connection import Connection
from pathlib import Path

from engine.measure.build_worker import build_candidate
from engine.measure.runner import BuildRequest, BuildResult

CRASH, HANG, WHOAMI, RAISE, SPIN = "crash", "hang", "who am I", "raise", "spin"
CHILD_SPINS, NAP, LONG_NAP, KILLED = "a child spins", "nap", "long nap", "killed"
CHILD_HANGS, HANGING = "a child hangs", "3607"
_ONCE = "once:"


def once(path: Path) -> str:
    """A request that hangs where `path` does not exist: it is written with the process id."""
    return f"{_ONCE}{path}"


def refuse_to_start(pipe: Connection, *_: object) -> None:
    """A worker that finds no TVM."""
    pipe.send("ImportError: no TVM")


def build_or_misbehave(request: BuildRequest) -> BuildResult:
    """Build, or do what the request's module text asks for instead."""
    text = request.module
    if text == CRASH:
        print("LLVM ERROR: cannot select this", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    if text == KILLED:
        os.kill(os.getpid(), signal.SIGKILL)
    if text == HANG:
        time.sleep(3600)
    if text == SPIN:
        while True:
            pass
    if text == CHILD_SPINS:
        subprocess.run([sys.executable, "-c", "while True: pass"], check=False)
    if text == CHILD_HANGS:
        subprocess.run(["sleep", HANGING], check=False)
    if text == RAISE:
        raise ValueError("a worker's own mistake")
    if text in (NAP, LONG_NAP):
        time.sleep(0.05 if text == NAP else 2.5)
        return BuildResult(request.artifact, 0.0)
    if text.startswith(_ONCE):
        return _once(Path(text.removeprefix(_ONCE)))
    if text == WHOAMI:
        return BuildResult(str(os.getpid()), 0.0)
    return build_candidate(request)


def _once(path: Path) -> BuildResult:
    if not path.exists():
        path.write_text(str(os.getpid()))
        time.sleep(3600)
    return BuildResult(str(os.getpid()), 0.0)
