"""Tells a person who looks elsewhere that long work is over."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from app.document.document import Document
from app.process.queue_watch import QueueEnd, queue_sentence
from app.process.rescue import come_forward
from app.process.settings import Settings
from app.window.aids.work import WorkEnded, WorkKind
from app.window.console import Console
from engine.records.settings import RunState
from engine.records.snapshot import NO_FIGURE
from engine.records.units import format_duration, format_ratio, format_seconds
from widgets.look.icons import icon
from widgets.look.language import told, tr

KEY = "notify"
LEAST_S = 10.0
_SHOWN_MS = 10_000


class Desktop(Protocol):
    """Where messages outside the window go."""

    def tell(self, title: str, text: str, clicked: Callable[[], object]) -> bool:
        """Show a message; whether there is a way to."""
        ...


class Tray:
    """The desktop's own messages, through an icon that is there only as long as it is needed."""

    def __init__(self, parent: QObject) -> None:
        self._parent = parent
        self._icon: QSystemTrayIcon | None = None
        self._clicked: Callable[[], object] = lambda: None

    def tell(self, title: str, text: str, clicked: Callable[[], object]) -> bool:
        """Show a message; whether this desktop shows such."""
        able = QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()
        if not able:
            return False
        self._clicked = clicked
        if self._icon is None:
            self._icon = QSystemTrayIcon(icon("app"), self._parent)
            self._icon.setToolTip("Tunewright")
            self._icon.messageClicked.connect(self._was_clicked)
            self._icon.activated.connect(lambda _: self._was_clicked())
        self._icon.show()
        self._icon.showMessage(title, text, icon("app"), _SHOWN_MS)
        return True

    def hide(self) -> None:
        if self._icon is not None:
            self._icon.hide()

    def _was_clicked(self) -> None:
        self.hide()
        self._clicked()


class Notifier(QObject):
    """Hears of work that ended. Says nothing of short work, of what a person ended, and to a window
    that has the keyboard: there the end is plain to see."""

    def __init__(self, console: Console, desktop: Desktop | None = None) -> None:
        super().__init__(console.window)
        self._console, self._window = console, console.window
        self.desktop = desktop or Tray(self)
        console.works.ended.connect(self._ended)

    def _ended(self, end: WorkEnded) -> None:
        text = end_sentence(end, self._console.document)
        wanted = wants_notices(self._console.settings) and end.seconds >= LEAST_S
        if not wanted or not text or self._window.isActiveWindow():
            return
        if not self.desktop.tell("Tunewright", text, partial(come_forward, self._window)):
            self._console.messages.show_message("info", text, kind="end")
            QApplication.alert(self._window)

    def queue_ended(self, end: QueueEnd) -> None:
        """The queue of jobs is over: in this window, and where a person looks elsewhere there."""
        text = queue_sentence(end)
        self._console.messages.show_message("warning" if end.failed else "info", text, kind="queue")
        wanted = wants_notices(self._console.settings) and end.seconds >= LEAST_S
        if not wanted or self._window.isActiveWindow():
            return
        if not self.desktop.tell("Tunewright", text, self._show_jobs):
            QApplication.alert(self._window)

    def _show_jobs(self) -> None:
        come_forward(self._window)
        self._console.go_to("jobs")


def tell_unseen(
    desktop: Desktop, settings: Settings, end: QueueEnd, clicked: Callable[[], object]
) -> bool:
    """Tell the end of a queue that went on without a window; whether that was wanted and shown."""
    wanted = wants_notices(settings) and end.seconds >= LEAST_S
    return wanted and desktop.tell("Tunewright", queue_sentence(end), clicked)


def wants_notices(settings: Settings) -> bool:
    """Whether a person wants to be told."""
    return settings.get(KEY, True)


def toggle_notices(settings: Settings) -> None:
    """Tell from now on, or not any more."""
    settings.set(KEY, not wants_notices(settings))


def end_sentence(end: WorkEnded, document: Document) -> str:
    """What came of it, empty where a person knows because it was their doing."""
    if document.cancelled:
        return ""
    if end.kind is WorkKind.TUNING:
        return _run_sentence(document)
    work, time = tr(end.title), format_duration(end.seconds)
    if not end.whole:
        return tr("{work} failed after {time}.", work=work, time=time)
    if end.kind is WorkKind.STAGES and not document.head.schedule:
        return tr("{work} ended after {time}.", work=work, time=time)
    return end.text or tr("{work} is done after {time}.", work=work, time=time)


def _run_sentence(document: Document) -> str:
    run, scores = document.run, document.scores
    if run is None or run.state in (RunState.STOPPED, RunState.INTERRUPTED):
        return ""
    if run.state is RunState.FAILED:
        failed = tr("The run failed: {reason}", reason=told(run.reason))
        return failed if run.reason else tr("The run failed.")
    figure = scores.figure if scores else NO_FIGURE
    if figure.speedup is None:
        finished = tr("The run is finished: {reason}.", reason=told(run.reason))
        return finished if run.reason else tr("The run is finished.")
    return tr(
        "{model}: {before} untuned, {now} now ({ratio}).",
        model=document.head.model_name or tr("The model"),
        before=format_seconds(figure.untuned_s),
        now=format_seconds(figure.latency_s),
        ratio=format_ratio(figure.speedup),
    )
