"""The texts of the console in the language that a person reads."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def tr(text: str, note: str = "", n: int = -1, /, **values: object) -> str:
    """A text in the language in use, with its named fields filled in; "%n" becomes `n`.

    `note` tells equal texts of different meaning apart. All texts share the nameless context, which
    is where Qt's lupdate puts a call of this name.
    """
    said = QCoreApplication.translate("", text, note or None, n)
    return said.format(**values) if values else said
