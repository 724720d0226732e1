"""What a person prefers of the window itself: notices, and when silence is worth a word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout

from app.notify import KEY as NOTIFY_KEY
from app.notify import wants_notices
from app.silence import LEAST_S
from app.work import SILENCE_KEY
from widgets.field_form import FieldForm, FieldText

if TYPE_CHECKING:
    from app.main_window import MainWindow

TEXTS = {
    "notices": FieldText(
        "Notify when work ends",
        "A message of the desktop after more than ten seconds, where another window is in front",
    ),
    "silence_s": FieldText(
        "Say when no result comes",
        "After so long at the earliest; where results come slowly, later. 0 is never.",
        "s",
    ),
}


@dataclass(frozen=True, slots=True)
class Preferences:
    """What the dialog asks."""

    notices: bool = True
    silence_s: float = LEAST_S


class PreferencesDialog(QDialog):
    """The form; what is chosen holds at once when it is accepted."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setWindowTitle("Preferences")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._window = window
        self.form = FieldForm(Preferences, TEXTS)
        settings = window.settings
        silence_s = settings.get(SILENCE_KEY, LEAST_S)
        self.form.set_value(Preferences(wants_notices(settings), silence_s))
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.accepted.connect(self._keep)
        self.buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(self.form)
        column.addWidget(self.buttons)

    def _keep(self) -> None:
        chosen = self.form.value()
        window = self._window
        window.settings.set(NOTIFY_KEY, chosen.notices)
        window.settings.set(SILENCE_KEY, chosen.silence_s)
        window.aids.works.silence.least_s = chosen.silence_s
        window.actions_table.refresh()
        self.accept()
