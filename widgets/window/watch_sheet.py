"""Asks which project on which other machine is to be watched."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QWidget

from engine.records.errors import UsageError
from engine.watching.address import parse_watched
from widgets.look.language import tr
from widgets.parts.pieces import stacked, text_label

_EXAMPLE = "ssh://USER@HOST/~/model.tune"


class WatchSheet(QDialog):
    """An address, or one of those `known`; `address_given` carries it. Not modal."""

    address_given = Signal(str)

    def __init__(self, known: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Watch a run"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(520)
        title = text_label(tr("Which project on which machine?"), "title")
        hint = text_label(
            tr(
                "It is read by ssh while it is tuned there, and never changed. A login by ssh must "
                "ask for nothing: neither for a password nor about the machine's key. The help "
                "(F1) says how."
            ),
            "muted",
        )
        self.address = QComboBox()
        self.address.setEditable(True)
        self.address.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.address.addItems(known)
        self.address.setAccessibleName(tr("Address"))
        line = self.address.lineEdit()
        if line is not None:
            line.setPlaceholderText(_EXAMPLE)
        form = QFormLayout()
        form.addRow(tr("Address"), self.address)
        self.problem = text_label(role="error")
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Cancel)
        self.watch_button = self.buttons.addButton(
            tr("Watch"), QDialogButtonBox.ButtonRole.AcceptRole
        )
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        stacked(title, hint, form, self.problem, self.buttons, on=self)
        self.address.editTextChanged.connect(self._check)
        self._check()
        self.address.setFocus()

    def _check(self) -> None:
        text = self.address.currentText().strip()
        problem = ""
        try:
            parse_watched(text)
        except UsageError:
            problem = tr("Write {example}.", example="ssh://USER@HOST/FOLDER/FILE.tune")
        self.problem.setText(problem if text else "")
        self.watch_button.setEnabled(not problem)

    def _accept(self) -> None:
        self.address_given.emit(self.address.currentText().strip())
        self.accept()
