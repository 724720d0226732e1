"""The row above the trials: what to show of them, and where to go."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QToolButton,
    QWidget,
)

from engine.records.trial import ErrorKind, Source
from engine.records.units import whole_number
from widgets.look.language import tr
from widgets.look.states import source_word
from widgets.parts.pieces import text_label, tool_button
from widgets.tasks.trial_columns import TrialFilter

GO_WIDTH, TEXT_WIDTH, LETTERS = 72, 64, 10
MOST_NUMBER = 999_999_999
HINT_EDGES = 24  # of a line, its hint apart


class TrialFilterBar(QWidget):
    """Choices of a TrialFilter; `changed` tells of a new one.

    `go_wanted` carries a trial's number that was typed, `compare_wanted` asks for the two that are
    marked.
    """

    changed = Signal()
    go_wanted = Signal(int)
    compare_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.only_selected = QCheckBox(tr("Selected task only"))
        self.only_selected.setChecked(True)
        self.outcome = _choice(tr("Outcome"), tr("Which outcome to show"))
        self.outcome.addItem(any_outcome := tr("Any outcome"), None)
        self.outcome.setMinimumContentsLength(max(LETTERS, len(any_outcome)))
        self.outcome.addItem(tr("Measured"), False)
        self.outcome.addItem(tr("Failed"), True)
        for kind in ErrorKind:
            self.outcome.addItem(_capital(tr(kind.value)), kind)
        self.source = _choice(tr("Source"), tr("Which source to show"))
        self.source.addItem(any_source := tr("Any source"), None)
        self.source.setMinimumContentsLength(max(LETTERS, len(any_source)))
        for source in Source:
            self.source.addItem(_capital(source_word(source)), source)
        self.text = _line(
            tr("Find text"), tr("Words in the task's name, in the error or in the source")
        )
        self.text.setMinimumWidth(max(TEXT_WIDTH, _room(self.text)))
        self.text.setClearButtonEnabled(True)
        for button in self.text.findChildren(QToolButton):
            button.setAccessibleName(tr("Clear the text"))
        self.go = _line(tr("Go to #"), tr("Go to a trial by its number (Enter)"))
        self.go.setFixedWidth(max(GO_WIDTH, _room(self.go)))
        self.compare = tool_button(
            tr("Compare"), tr("Mark two rows (Ctrl and click) to see what differs")
        )
        self.compare.setEnabled(False)
        self.count = text_label(role="muted", wraps=False)
        self._arrange()

    def filter(self, task: int | None) -> TrialFilter:
        """What is chosen; `task` is the selected one."""
        outcome, source = self.outcome.currentData(), self.source.currentData()
        return TrialFilter(
            task=task if self.only_selected.isChecked() else None,
            failed=outcome if isinstance(outcome, bool) else None,
            error=ErrorKind(outcome) if isinstance(outcome, str) else None,
            source=None if source is None else Source(source),
            text=self.text.text(),
        )

    def show_all(self) -> None:
        """Ask nothing of a trial; tells once."""
        self.blockSignals(True)
        self.only_selected.setChecked(False)
        self.outcome.setCurrentIndex(0)
        self.source.setCurrentIndex(0)
        self.text.clear()
        self.blockSignals(False)
        self.changed.emit()

    def _arrange(self) -> None:
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 4, 8, 0)
        row.setSpacing(4)
        for choice in (self.only_selected, self.outcome, self.source):
            row.addWidget(choice)
        row.addWidget(self.text, 1)
        for widget in (self.go, self.compare, self.count):
            row.addWidget(widget)
        self.only_selected.toggled.connect(self.changed)
        self.outcome.currentIndexChanged.connect(self.changed)
        self.source.currentIndexChanged.connect(self.changed)
        self.text.textChanged.connect(self.changed)
        self.go.returnPressed.connect(self._go)
        self.compare.clicked.connect(self.compare_wanted)

    def _go(self) -> None:
        digits = self.go.text().strip().lstrip("#").replace(",", "")
        if (number := whole_number(digits, MOST_NUMBER)) is not None:
            self.go_wanted.emit(number)
        self.go.selectAll()


def _capital(text: str) -> str:
    """A text that begins a line; what else is large in it stays so."""
    return text[:1].upper() + text[1:]


def _room(line: QLineEdit) -> int:
    """The width in which a line's hint can be read."""
    return line.fontMetrics().horizontalAdvance(line.placeholderText()) + HINT_EDGES


def _choice(name: str, tip: str) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    box.setToolTip(tip)
    box.setMinimumContentsLength(LETTERS)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return box


def _line(hint: str, tip: str) -> QLineEdit:
    line = QLineEdit()
    line.setPlaceholderText(hint)
    line.setAccessibleName(hint)
    line.setToolTip(tip)
    return line
