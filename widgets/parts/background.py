"""Work in a thread, so that the window goes on: one piece at a time, the last one asked for."""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from typing import Any

from PySide6.QtCore import QObject, Signal

from engine.records.errors import TunewrightError
from widgets.look.language import told, tr

_log = logging.getLogger(__name__)


class Job:
    """What a piece of work is given: whether it shall stop, and a way to tell how far it is."""

    def __init__(self, tell: Callable[[Any], None]) -> None:
        self._stop = Event()
        self.tell = tell

    @property
    def stopped(self) -> bool:
        """Whether nobody waits for it any more."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Nobody waits for it any more."""
        self._stop.set()


class Background(QObject):
    """Runs one piece of work. All signals come in the GUI's thread, and only from the last one.

    `told` carries what it tells on the way, `done` its result, `failed` what went wrong and what
    to do. Work that was cancelled says nothing.
    """

    told = Signal(object)
    done = Signal(object)
    failed = Signal(str, str)
    _message = Signal(object, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._job: Job | None = None
        self._thread: Thread | None = None
        self._message.connect(self._hand_over)

    @property
    def busy(self) -> bool:
        """Whether work goes on that somebody waits for."""
        return self._job is not None

    def start(self, work: Callable[[Job], Any]) -> None:
        """Begin; what went on before is dropped."""
        self.cancel()
        job = Job(lambda value: self._send(job, "told", value))
        self._job = job
        self._thread = Thread(target=self._work, args=(work, job), name="view", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Drop the work under way: it ends when it next looks, and says nothing more."""
        if self._job is not None:
            self._job.stop()
            self._job = None

    def close(self) -> None:
        """Cancel and wait for the thread."""
        self.cancel()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _work(self, work: Callable[[Job], Any], job: Job) -> None:
        try:
            result = work(job)
        except TunewrightError as error:
            self._send(job, "failed", (told(error.what), told(error.todo)))
        except Exception:
            if not job.stopped:
                _log.exception("Work in the background failed")
            said = tr("That could not be worked out."), tr("See the log.")
            self._send(job, "failed", said)
        else:
            self._send(job, "done", result)

    def _send(self, job: Job, kind: str, value: Any) -> None:
        if not job.stopped:
            with suppress(RuntimeError):  # the view may be gone
                self._message.emit(job, (kind, value))

    def _hand_over(self, job: Job, message: tuple[str, Any]) -> None:
        if job is not self._job:
            return
        kind, value = message
        if kind == "told":
            self.told.emit(value)
            return
        self._job = None
        if kind == "failed":
            self.failed.emit(*value)
        else:
            self.done.emit(value)
