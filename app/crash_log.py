"""Where crashes and errors of our own are written, and what the last session left there."""

from __future__ import annotations

import faulthandler
import logging
import sys
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import TracebackType
from typing import IO

import platformdirs

logger = logging.getLogger("tunewright")
_BYTES_KEPT = 1_000_000


class CrashLog:
    """Writes `crash.log` when the process dies of a signal, `tunewright.log` for everything else.

    `previous` is the file of a crash of an earlier session, None where there was none.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or platformdirs.user_state_path("tunewright")
        self.previous: Path | None = None
        self._file: IO[str] | None = None
        self._handler: logging.Handler | None = None
        self._hook = sys.excepthook

    def open(self, tell: Callable[[str, str], object]) -> None:
        """Begin to write; `tell(what, todo)` is called for errors that nobody caught."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._keep_previous()
            self._file = (self.folder / "crash.log").open("w", encoding="utf-8")
            self._handler = RotatingFileHandler(
                self.folder / "tunewright.log", maxBytes=_BYTES_KEPT, backupCount=1
            )
        except OSError:
            return  # a full disk or a read-only home must not keep the window from opening
        form = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._handler.setFormatter(form)
        logging.getLogger().addHandler(self._handler)
        faulthandler.enable(self._file)

        def hook(
            kind: type[BaseException], error: BaseException, trace: TracebackType | None
        ) -> None:
            logger.error("uncaught", exc_info=(kind, error, trace))
            tell(
                f"Tunewright met an error of its own ({kind.__name__}).",
                f"Results so far are kept; {self.folder / 'tunewright.log'} has the details.",
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
            self._file.close()
            self._file = None

    def _keep_previous(self) -> None:
        path = self.folder / "crash.log"
        if path.is_file() and path.stat().st_size:
            self.previous = path.replace(self.folder / "crash-previous.log")
