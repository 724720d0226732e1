"""How far the search for stages is, with a button that ends it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from engine.records.schedule import Schedule, SearchState
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import tabular
from widgets.parts.pieces import beside, stacked
from widgets.stages.words import search_facts

WAITING, FINDING = QT_TR_NOOP("Preparing …"), QT_TR_NOOP("Finding stages")
STOP, END = QT_TR_NOOP("S&top the search"), QT_TR_NOOP("End i&t now")
STOP_TIP = QT_TR_NOOP("End the search; the best schedule so far is measured as a whole, and kept")
END_TIP = QT_TR_NOOP("End without a schedule; every stage that was measured is kept")
CELL_PIXELS = 156
THOUSAND = 1000


class StageProgress(QWidget):
    """A strip of figures, as many beside each other as fit. `stop_wanted` ends the search."""

    stop_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.sentence = QLabel(tr(WAITING))
        self.stop_button = QPushButton(tr(STOP))
        self.bar = QProgressBar()
        self.bar.setAccessibleName(tr("Time of the search"))
        self.bar.setTextVisible(False)
        self._cells: list[tuple[QLabel, QLabel]] = []
        self._grid = QGridLayout()
        self._across, self._compact = 0, False
        self._arrange()

    def begin(self) -> None:
        """A search was asked for."""
        self.show_state(SearchState(), None)
        self.sentence.setText(tr(WAITING))
        self._offer(STOP, STOP_TIP)

    def say(self, text: str) -> None:
        """What else is done: compiling, measuring whole schedules."""
        self.sentence.setText(f"{text} …" if text else tr(FINDING))
        if text:
            self.bar.setRange(0, 0)

    def show_state(self, state: SearchState, best: Schedule | None) -> None:
        """Tell how far it is."""
        self.sentence.setText(tr(FINDING))
        facts = search_facts(state, best)
        while len(self._cells) < len(facts):
            self._add_cell()
        for (name, value), (title, text, tip) in zip(self._cells, facts, strict=True):
            name.setText(title)
            value.setText(text)
            value.setAccessibleName(tr("{name}: {value}", name=title, value=text))
            for label in (name, value):
                label.setToolTip(tip)
        self._show_time(state)

    def set_compact(self, compact: bool) -> None:
        """Show one row of figures, or all."""
        self._compact, self._across = compact, 0
        self._place_cells()

    def facts(self) -> dict[str, str]:
        """Names and values on show."""
        return {name.text(): value.text() for name, value in self._cells}

    def resizeEvent(self, event: QResizeEvent) -> None:
        """As many figures beside each other as there is room for."""
        super().resizeEvent(event)
        self._place_cells()

    def _stop(self) -> None:
        self._offer(END, END_TIP)
        self.stop_wanted.emit()

    def _offer(self, text: str, tip: str) -> None:
        self.stop_button.setText(tr(text))
        self.stop_button.setToolTip(tr(tip))

    def _show_time(self, state: SearchState) -> None:
        if state.seconds_left is None:
            self.bar.setRange(0, 0)
            return
        whole = state.seconds + state.seconds_left
        self.bar.setRange(0, THOUSAND)
        self.bar.setValue(round(THOUSAND * state.seconds / whole) if whole > 0 else 0)

    def _add_cell(self) -> None:
        name, value = QLabel(), QLabel()
        name.setProperty("role", "muted")
        value.setFont(tabular(value.font()))
        for label in (name, value):
            label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._cells.append((name, value))
        self._across = 0
        self._place_cells()

    def _place_cells(self) -> None:
        across = max(2, min(4, self.width() // CELL_PIXELS))
        if across == self._across:
            return
        self._across = across
        for place, (name, value) in enumerate(self._cells):
            row, column = divmod(place, across)
            self._grid.addWidget(name, 2 * row, column)
            self._grid.addWidget(value, 2 * row + 1, column)
            for label in (name, value):
                label.setVisible(row == 0 or not self._compact)
        for column in range(4):
            self._grid.setColumnStretch(column, 1 if column < across else 0)

    def _arrange(self) -> None:
        self.setAccessibleName(tr("Search for stages"))
        self.stop_button.clicked.connect(self._stop)
        head = beside(self.sentence, (self.bar, 1), self.stop_button, spacing=12)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(0)
        stacked(head, self._grid, on=self, margins=(12, 6, 12, 6), spacing=4)
        self.setProperty("role", "surface")
