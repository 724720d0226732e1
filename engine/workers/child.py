"""What every worker process does first, and how it words its failures."""

from __future__ import annotations

import fcntl
import os
import signal
import sys
from contextlib import suppress
from multiprocessing import connection, current_process, parent_process
from pathlib import Path

TEXT_LIMIT = 500
PAUSES_S = (0.1, 1.0, 3.0, 9.0)  # before what a killed process was at is done once more
UNKNOWN = 255  # the exit code of a process whose fork server died
_STDOUT, _STDERR = 1, 2


def settle(log_dir: str) -> None:
    """Make this worker deaf to Ctrl+C, mortal with its parent, and quiet.

    What it prints, TVM's and LLVM's last words included, goes to a log in `log_dir`. The system's
    list of processes shows it by its name.
    """
    with suppress(OSError):
        Path("/proc/self/comm").write_text(current_process().name)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)  # a handler would wait for the compiler's end
    die_with_parent()
    _redirect(log_path(log_dir, os.getpid()))


def die_with_parent() -> None:
    """Have the kernel end this process when its parent is gone, however it went.

    The parent holds the other end of a pipe; its end raises SIGIO here, which is fatal. Unlike a
    watching thread this works while native code holds the interpreter, and unlike
    PR_SET_PDEATHSIG it does not fire when only the thread that started us ends.
    """
    parent = parent_process()
    if parent is None:
        return
    pipe = parent.sentinel
    signal.signal(signal.SIGIO, signal.SIG_DFL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(pipe, fcntl.F_SETFL, fcntl.fcntl(pipe, fcntl.F_GETFL) | os.O_ASYNC)
    if connection.wait([pipe], 0):  # it went before we listened
        os._exit(1)


def log_path(log_dir: str, pid: int) -> Path:
    """Where the worker with this process id prints."""
    return Path(log_dir) / f"{pid}.log"


def forget_log() -> None:
    """Drop what this worker has printed, so that the log is about the current candidate."""
    _flush()
    os.ftruncate(_STDERR, 0)


def last_words(log_dir: str, pid: int | None) -> str:
    """The first meaningful line that a dead worker left in its log, or nothing."""
    try:
        text = log_path(log_dir, pid or 0).read_text(errors="replace")
    except OSError:
        return ""
    return first_line(text)


def exit_text(code: int | None) -> str:
    """How a process ended: the signal that killed it, or its exit code."""
    if code is None or code == UNKNOWN:
        return "killed"
    try:
        return signal.Signals(-code).name
    except ValueError:
        return f"exit code {code}"


def was_killed(code: int | None) -> bool:
    """Whether a process was ended from outside, by somebody or by a system out of memory, so that
    what it was at may be no reason; also where nobody knows how it ended."""
    outside = (signal.SIGKILL, signal.SIGTERM, signal.SIGHUP, signal.SIGIO)
    return code is None or code == UNKNOWN or -code in outside


def is_halted(pid: int | None) -> bool:
    """Whether somebody stopped a process (SIGSTOP) and has not let it go on."""
    import psutil

    with suppress(psutil.Error):
        return bool(psutil.Process(pid).status() == psutil.STATUS_STOPPED)
    return False


def error_text(error: BaseException) -> str:
    """One short line for a person: the kind of the error and the first thing it says."""
    line = first_line(str(error))
    return f"{type(error).__name__}: {line}"[:TEXT_LIMIT] if line else type(error).__name__


def first_line(text: str) -> str:
    """The first line that says something, at most `TEXT_LIMIT` characters of it."""
    lines = (line.strip() for line in text.splitlines())
    noise = ("Traceback (most recent", 'File "', "!!!!", "----", "Stack trace")
    return next((line for line in lines if line and not line.startswith(noise)), "")[:TEXT_LIMIT]


def _redirect(path: Path) -> None:
    _flush()
    log = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_TRUNC, 0o600)
    os.dup2(log, _STDOUT)
    os.dup2(log, _STDERR)
    os.close(log)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:  # a windowed application has none
            stream.flush()
