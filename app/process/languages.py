"""The language of the window: the desktop's, or a choice of the person's.

Texts are read when a window is made, so a choice holds from the next start. Numbers look as they do
in files and on the command line, with a point, in every language.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

from PySide6.QtCore import QLibraryInfo, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app.process.settings import Settings
from widgets.look.language import ENGLISH, QT_TR_NOOP, translation, use

KEY, VARIABLE, SYSTEM = "language", "TUNEWRIGHT_LANGUAGE", "system"
LANGUAGES = {SYSTEM: QT_TR_NOOP("As the system"), ENGLISH: "English", "de": "Deutsch"}


def chosen(settings: Settings) -> str:
    """The language of the next start; "system" where none was chosen, or none that is offered."""
    stored = settings.get(KEY, SYSTEM)
    return stored if stored in LANGUAGES else SYSTEM


def language(settings: Settings, environment: Mapping[str, str] = os.environ) -> str:
    """The language to speak now. What the person's environment says goes before."""
    wanted = environment.get(VARIABLE, "")
    found = wanted if wanted in LANGUAGES else chosen(settings)
    return of_desktop(QLocale.system().uiLanguages()) if found == SYSTEM else found


def of_desktop(wanted: list[str]) -> str:
    """The first of the desktop's languages, such as de-AT, that there is; else English."""
    offered = [name.replace("_", "-").partition("-")[0] for name in wanted]
    return next((name for name in offered if name in LANGUAGES and name != SYSTEM), ENGLISH)


def write_numbers_plainly() -> None:
    """Let controls show numbers as our own texts do: 1,234.5, whatever the desktop's language."""
    plain = QLocale(QLocale.c())
    plain.setNumberOptions(QLocale.NumberOption.DefaultNumberOptions)
    QLocale.setDefault(plain)


def speak(app: QApplication, language: str) -> None:
    """Show the texts of Qt and our own in a language, in every window from now on."""
    for before in app.findChildren(QTranslator):
        app.removeTranslator(before)
        before.deleteLater()
    if language == ENGLISH:
        use(())
        return
    use((translation(language),))
    of_qt = QTranslator(app)
    if of_qt.load(
        f"qtbase_{language}", QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
    ):
        app.installTranslator(of_qt)
