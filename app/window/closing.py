"""What is asked before a run or jobs end: when a window closes, and when one is cancelled."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QWidget

from app.window.console import Console
from widgets.look.language import tr
from widgets.parts.pieces import stacked, text_label

Role = QDialogButtonBox.ButtonRole


class Question(QDialog):
    """A sentence with buttons; not modal, and gone when it is answered."""

    def __init__(self, title: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        label = text_label(text)
        self.buttons = QDialogButtonBox()
        self.buttons.rejected.connect(self.reject)
        stacked(label, self.buttons, on=self)


class RunQuestion(Question):
    """Stop and close, keep running out of sight, or stay; `stop` is called for the first."""

    def __init__(self, parent: QWidget, stop: Callable[[], object]) -> None:
        text = tr("Tuning still runs. Every result so far is kept either way.")
        super().__init__(tr("A run goes on"), text, parent)
        self.stop_button = self.buttons.addButton(tr("Stop and close"), Role.DestructiveRole)
        self.keep_button = self.buttons.addButton(tr("Keep running, minimised"), Role.ActionRole)
        self.cancel_button = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        for button, act in ((self.stop_button, stop), (self.keep_button, parent.showMinimized)):
            button.clicked.connect(self.accept)
            button.clicked.connect(act)


class JobsQuestion(Question):
    """Go on without a window, stop the queue and close, or stay; `keep` and `stop` are called for
    the first two.

    Where a later start could not find this process again, the window is minimised instead.
    """

    def __init__(
        self,
        parent: QWidget,
        reachable: bool,
        keep: Callable[[], object],
        stop: Callable[[], object],
    ) -> None:
        text = tr(
            "The queue still runs. It can go on without a window: start Tunewright again to see "
            "it. If it stops, every result is kept, and jobs that are under way go on next time."
        )
        if not reachable:
            text = tr(
                "The queue still runs. If it stops, every result is kept, and jobs that are "
                "under way go on next time."
            )
        super().__init__(tr("Jobs go on"), text, parent)
        label = tr("Go on in the background") if reachable else tr("Keep running, minimised")
        self.keep_button = self.buttons.addButton(label, Role.AcceptRole)
        self.stop_button = self.buttons.addButton(tr("Stop and close"), Role.DestructiveRole)
        self.cancel_button = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        kept = keep if reachable else parent.showMinimized
        for button, act in ((self.stop_button, stop), (self.keep_button, kept)):
            button.clicked.connect(self.accept)
            button.clicked.connect(act)


class CancelQuestion(Question):
    """Whether a job that is under way is to end; `accepted` says that it is."""

    def __init__(self, parent: QWidget, title: str) -> None:
        text = tr("{job} is being tuned. If it ends now, every result so far is kept.", job=title)
        super().__init__(tr("End this job"), text, parent)
        self.end_button = self.buttons.addButton(tr("End it"), Role.DestructiveRole)
        self.stay_button = self.buttons.addButton(tr("Let it go on"), Role.RejectRole)
        self.end_button.clicked.connect(self.accept)


class Closing:
    """Asks what becomes of what goes on before a window closes; `close` closes it unasked."""

    def __init__(self, console: Console, close: Callable[[], object]) -> None:
        self._console, self._close = console, close

    def ask(self) -> bool:
        """Whether a person was asked: a run goes on, or the queue."""
        if self._console.document.runs_here:
            self.ask_of_run()
            return True
        return self.ask_of_jobs()

    def ask_of_run(self) -> RunQuestion:
        """Ask what becomes of a run; jobs that go on are asked about after that."""
        question = RunQuestion(self._console.window, lambda: self.ask_of_jobs() or self._close())
        question.show()
        return question

    def ask_of_jobs(self) -> bool:
        """Whether a person was asked: the queue runs, and this is the last window."""
        windows = self._console.windows
        if not windows.desk.busy or not windows.is_last:
            return False

        def keep() -> None:
            windows.stay()
            self._close()

        # the queue ends with the process
        JobsQuestion(self._console.window, windows.reachable, keep, self._close).show()
        return True
