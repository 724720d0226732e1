"""Where crashes and errors of our own are written, and what sessions that died left there."""

from __future__ import annotations

import faulthandler
import fcntl
import logging
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import IO

import platformdirs

from app.process.log_lines import LogLines
from engine.workers.faults import write_faults
from widgets.look.language import tr

logger = logging.getLogger("tunewright")
LOG = "tunewright.log"
PREVIOUS = "crash-previous.log"
_BYTES_KEPT = 1_000_000
_CRASH_BYTES = 200_000


@dataclass(frozen=True, slots=True)
class Crash:
    """A session that died of a signal: what its last words were, and when."""

    path: Path
    words: str
    at: float


class CrashLog:
    """Writes `crash-PID.log` when the process dies of a signal, `tunewright.log` for everything
    else.

    The file is locked as long as its process lives and removed at an orderly end, so one without
    a lock is of a session that died; `previous` is the last crash among those. A session that was
    killed leaves an empty file and is no crash.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or platformdirs.user_state_path("tunewright")
        self.name = f"{os.getpid()}"
        self.previous: Crash | None = None
        self._file: IO[str] | None = None
        self._handler: logging.Handler | None = None
        self._hook = sys.excepthook

    @property
    def log(self) -> Path:
        """The log of everything that is no crash."""
        return self.folder / LOG

    def open(self, tell: Callable[[str, str], object]) -> None:
        """Begin to write; `tell(what, todo)` is called for errors that nobody caught."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._look_back()
            self._file = self._own.open("w", encoding="utf-8")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self._handler = RotatingFileHandler(self.log, maxBytes=_BYTES_KEPT, backupCount=1)
        except OSError:
            return  # a full disk or a read-only home must not keep the window from opening
        self._handler.setFormatter(LogLines())
        logging.getLogger().addHandler(self._handler)
        write_faults(self._file)

        def hook(
            kind: type[BaseException], error: BaseException, trace: TracebackType | None
        ) -> None:
            logger.error("uncaught", exc_info=(kind, error, trace))
            tell(
                tr("Tunewright met an error of its own ({kind}).", kind=kind.__name__),
                tr("Results so far are kept; {log} has the details.", log=self.log),
            )

        sys.excepthook = hook

    def close(self) -> None:
        """Stop writing; an orderly end leaves no crash log."""
        sys.excepthook = self._hook
        if self._handler is not None:
            logging.getLogger().removeHandler(self._handler)
            self._handler.close()
            self._handler = None
        if self._file is not None:
            faulthandler.disable()
            with suppress(OSError):
                self._own.unlink()
            self._file.close()
            self._file = None

    def lives(self, session: str) -> bool:
        """Whether the session of this name has not ended."""
        path = self._path(session)
        return path.exists() and not _is_orphan(path)

    @property
    def _own(self) -> Path:
        return self._path(self.name)

    def _path(self, session: str) -> Path:
        return self.folder / f"crash-{session}.log"

    def _look_back(self) -> None:
        """Take up what sessions that died left; each is taken up once."""
        for path in sorted(self.folder.glob("crash-*.log"), key=_changed):
            if path.name == PREVIOUS or not _is_orphan(path):
                continue
            if path.stat().st_size:
                at = _changed(path)
                kept = path.replace(self.folder / PREVIOUS)
                self.previous = Crash(kept, _tail(kept, _CRASH_BYTES), at)
            else:
                path.unlink()


def crash_report(crash: Crash, log: Path) -> str:
    """What a person may copy into a report of a bug: versions, the crash, the end of the log.

    Names of the person's folders are left out.
    """
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(crash.at))
    parts = [
        f"Tunewright ended in a crash on {when}.",
        versions(),
        crash.words.strip(),
        f"The end of {log.name}:",
        "\n".join(_tail(log, 8_000).splitlines()[-40:]),
    ]
    text = "\n\n".join(part for part in parts if part)
    return text.replace(str(Path.home()), "~")


def versions() -> str:
    """What this is and runs on."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    names = {"Tunewright": "tunewright", "PySide6": "PySide6-Essentials", "TVM": "apache-tvm"}
    found = []
    for title, package in names.items():
        with suppress(PackageNotFoundError):
            found.append(f"{title} {version(package)}")
    return ", ".join([*found, f"Python {platform.python_version()}", platform.platform()])


def _is_orphan(path: Path) -> bool:
    """Whether the process that wrote a file is dead."""
    try:
        with path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def _tail(path: Path, size: int) -> str:
    """The end of a file, at most `size` bytes of it."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - size))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""
