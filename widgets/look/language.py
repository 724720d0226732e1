"""The texts of the console in the language that a person reads."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import cache
from importlib import resources
from pathlib import Path

from PySide6.QtCore import QTranslator

from engine.records.errors import TunewrightError
from engine.records.sentences import Sentence

ENGLISH = "en"
_in_use: list[QTranslator] = []


def QT_TR_NOOP(text: str) -> str:
    """Marks a text of a table, which `tr` shows, for lupdate; Qt's own has no type to speak of."""
    return text


def tr(text: str, note: str = "", n: int = -1, /, **values: object) -> str:
    """A text in the language in use, with its named fields filled in; "%n" becomes `n`.

    `note` tells equal texts of different meaning apart. All texts share the nameless context, which
    is where Qt's lupdate puts a call of this name. What no translation has stays English.
    """
    said = _said(text, note, n)
    if n >= 0:
        said = said.replace("%n", f"{n:,}")
    return said.format(**values) if values else said


def told(text: str) -> str:
    """What the engine says, in the language in use: a Sentence with what stands in it, or a text of
    its own that has no values. What no translation has stays as it is."""
    if not isinstance(text, Sentence):
        return _said(text) if text else ""
    if not text.values:
        return _said(text.template)
    return _said(text.template).format(
        **{
            name: told(value) if isinstance(value, Sentence | Enum) else value
            for name, value in text.values.items()
        }
    )


def refusal(error: TunewrightError) -> str:
    """What went wrong and what to do, in the language in use."""
    return f"{told(error.what)} {told(error.todo)}".strip()


def plain(text: str) -> str:
    """The text of an action without its mnemonic mark and dots."""
    return text.replace("&", "").rstrip("…")


def use(translators: Sequence[QTranslator]) -> None:
    """Take texts from these from now on, the first that has one; from none: English."""
    _in_use[:] = translators


def is_english() -> bool:
    return not _in_use


def translation(language: str) -> QTranslator:
    """The texts of a language; empty where there is no such translation."""
    made = QTranslator()
    made.load(str(folder() / f"tunewright_{language}.qm"))
    return made


def folder() -> Path:
    return Path(str(resources.files("resources") / "translations"))


def _said(text: str, note: str = "", n: int = -1) -> str:
    for translator in _in_use:
        if found := translator.translate("", text, note or None, n):
            return found
    if n >= 0:
        return _english().translate("", text, note or None, n) or text
    return text


@cache
def _english() -> QTranslator:
    """The singulars of English: texts in the source have the plural."""
    return translation(ENGLISH)
