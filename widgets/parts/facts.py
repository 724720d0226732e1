"""Names and values in two columns, updated in place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QSizePolicy, QWidget

from widgets.look.theme import tabular
from widgets.parts.pieces import text_label

Fact: TypeAlias = tuple[str, str]


class FactList(QWidget):
    """Rows of a muted name and a value that can be selected and copied."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: list[tuple[QLabel, QLabel]] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(1, 1)

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """Show these; labels that exist are used again, so that nothing flickers."""
        while len(self._rows) < len(facts):
            self._add_row()
        for row, (name, value) in enumerate(self._rows):
            used = row < len(facts)
            name.setVisible(used)
            value.setVisible(used)
            if used:
                name.setText(facts[row][0])
                value.setText(facts[row][1])
                value.setAccessibleName(": ".join(facts[row]))

    def facts(self) -> list[Fact]:
        return [(n.text(), v.text()) for n, v in self._rows if not v.isHidden()]

    def _add_row(self) -> None:
        name = text_label(role="muted", wraps=False)
        value = text_label()
        name.setAlignment(Qt.AlignmentFlag.AlignTop)
        value.setFont(tabular(value.font()))
        value.setAlignment(Qt.AlignmentFlag.AlignTop)
        value.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        row = len(self._rows)
        self._grid.addWidget(name, row, 0)
        self._grid.addWidget(value, row, 1)
        self._rows.append((name, value))
