"""What is asked before jobs end: when the last window closes, and when one is cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from widgets.look.language import tr

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

Role = QDialogButtonBox.ButtonRole


class Question(QDialog):
    """A sentence with buttons; not modal, and gone when it is answered."""

    def __init__(self, title: str, text: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        label = QLabel(text)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        self.buttons = QDialogButtonBox()
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(label)
        layout.addWidget(self.buttons)


class JobsQuestion(Question):
    """Go on without a window, stop the queue and close, or stay.

    Where a later start could not find this process again, the window is minimised instead.
    """

    def __init__(self, window: MainWindow, reachable: bool) -> None:
        text = tr(
            "The queue still runs. It can go on without a window: start Tunewright again to see "
            "it. If it stops, every result is kept, and jobs that are under way go on next time."
        )
        if not reachable:
            text = tr(
                "The queue still runs. If it stops, every result is kept, and jobs that are "
                "under way go on next time."
            )
        super().__init__(tr("Jobs go on"), text, window)
        self._window = window
        keep = tr("Go on in the background") if reachable else tr("Keep running, minimised")
        self.keep_button = self.buttons.addButton(keep, Role.AcceptRole)
        self.stop_button = self.buttons.addButton(tr("Stop and close"), Role.DestructiveRole)
        self.cancel_button = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.stop_button.clicked.connect(self._stop)
        self.keep_button.clicked.connect(self._keep if reachable else self._minimise)

    def _keep(self) -> None:
        self.accept()
        if self._window.windows is not None:
            self._window.windows.stay()
        self._window.close_now()

    def _minimise(self) -> None:
        self.accept()
        self._window.showMinimized()

    def _stop(self) -> None:
        self.accept()
        self._window.close_now()  # the queue ends with the process


class CancelQuestion(Question):
    """Whether a job that is under way is to end; `accepted` says that it is."""

    def __init__(self, window: MainWindow, title: str) -> None:
        text = tr("{job} is being tuned. If it ends now, every result so far is kept.", job=title)
        super().__init__(tr("End this job"), text, window)
        self.end_button = self.buttons.addButton(tr("End it"), Role.DestructiveRole)
        self.stay_button = self.buttons.addButton(tr("Let it go on"), Role.RejectRole)
        self.end_button.clicked.connect(self.accept)
