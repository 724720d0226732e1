"""What a person prefers of the window itself: notices, silence, and the language."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox

from app.process.languages import KEY as LANGUAGE_KEY
from app.process.languages import LANGUAGES, SYSTEM, chosen
from app.window.aids.notify import KEY as NOTIFY_KEY
from app.window.aids.notify import wants_notices
from app.window.aids.silence import LEAST_S
from app.window.aids.work import SILENCE_KEY
from app.window.console import Console
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.field_form import FieldForm, FieldText
from widgets.parts.pieces import stacked

TEXTS = {
    "notices": FieldText(
        QT_TR_NOOP("Notify when work ends"),
        QT_TR_NOOP(
            "A message of the desktop after more than ten seconds, where another window is in front"
        ),
    ),
    "silence_s": FieldText(
        QT_TR_NOOP("Say when no result comes"),
        QT_TR_NOOP("After so long at the earliest; where results come slowly, later. 0 is never."),
        "s",
    ),
    "language": FieldText(
        QT_TR_NOOP("Language"),
        QT_TR_NOOP("Of menus, views and notes, from the next start on"),
        choices=LANGUAGES,
    ),
}


@dataclass(frozen=True, slots=True)
class Preferences:
    """What the dialog asks."""

    notices: bool = True
    silence_s: float = LEAST_S
    language: str = SYSTEM


class PreferencesDialog(QDialog):
    """The form; what is chosen holds at once when it is accepted."""

    def __init__(self, console: Console) -> None:
        super().__init__(console.window)
        self.setWindowTitle(tr("Preferences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._console = console
        self.form = FieldForm(Preferences, TEXTS)
        settings = console.settings
        silence_s = settings.get(SILENCE_KEY, LEAST_S)
        self.form.set_value(Preferences(wants_notices(settings), silence_s, chosen(settings)))
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.accepted.connect(self._keep)
        self.buttons.rejected.connect(self.reject)
        stacked(self.form, self.buttons, on=self)

    def _keep(self) -> None:
        wanted = self.form.value()
        settings = self._console.settings
        settings.set(NOTIFY_KEY, wanted.notices)
        settings.set(SILENCE_KEY, wanted.silence_s)
        self._console.works.silence.least_s = wanted.silence_s
        if wanted.language != chosen(settings):
            settings.set(LANGUAGE_KEY, wanted.language)
            text = tr("The language changes with the next start.")
            self._console.messages.show_message("info", text)
        self.accept()
