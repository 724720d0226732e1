"""How the Stages view is laid out, and the progress of a search above it."""

from __future__ import annotations

from enum import StrEnum
from functools import partial

from PySide6.QtCore import QObject, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QWidget,
)

from engine.records.schedule import Schedule, SearchState
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.plain_label import PlainLabel, plain_tip
from widgets.look.theme import tabular
from widgets.parts.notice import Notice
from widgets.parts.pieces import beside, divide, scrolled, stacked, surface, switch, text_label
from widgets.parts.table import Table
from widgets.stages.timeline import StageTimeline
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
        self.sentence = PlainLabel(tr(WAITING))
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
                label.setToolTip(plain_tip(tip))
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
        name, value = PlainLabel(), PlainLabel()
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


NOTE = QT_TR_NOOP(
    "To scale: each stage, and each operator above. In a stage of several groups a bar has its "
    "operator's latency alone, scaled to fit the stage. Hatched: merged into one."
)
MORE = QT_TR_NOOP(
    "When an operator really starts within its stage is not measured. The wheel zooms, a drag "
    "moves, 0 or a double click shows all; a click selects operators, on a latency the whole stage."
)
ROOMY = 400  # pixels of height from which on all parts are shown
WITH_NOTE = 250
LEAST_BELOW, SHARE_BELOW, HEAD_PIXELS, NOTE_SPACE = 150, 0.42, 60, 8
TABLE_PIXELS, SHARE_TABLE = 580, 0.6


class Part(StrEnum):
    """What may be shown below the sentence."""

    TIMELINE = QT_TR_NOOP("Timeline")
    WAYS = QT_TR_NOOP("Ways")
    TRADEOFF = QT_TR_NOOP("Limits")


_TIPS = {
    Part.TIMELINE: QT_TR_NOOP("The stages over time, against the sequential program"),
    Part.WAYS: QT_TR_NOOP("Every way to schedule the program, measured"),
    Part.TRADEOFF: QT_TR_NOOP("Latency by the limits r and s of the search"),
}


class StageLayout(QObject):
    """The parts of a Stages view and where they are."""

    def __init__(self, timeline: StageTimeline, table: Table) -> None:
        super().__init__(timeline)
        self.progress, self.notice = StageProgress(), Notice(tr("Find s&tages…"))
        self.sentence = text_label(name=tr("Schedule"))
        self.ended = text_label(role="muted", name=tr("How the search ended"))
        self.stale = text_label(role="warning", name=tr("Warning"))
        self.note = text_label(tr(NOTE), "muted", margins=(12, 2, 12, 4))
        self.again_button = QPushButton(tr("Find s&tages…"))
        self._timeline, self._table = timeline, table
        self._plot: QWidget | None = None
        self._scroll = scrolled(timeline)
        self._above = QWidget()
        self._below = QSplitter(Qt.Orientation.Horizontal)
        self._split = QSplitter(Qt.Orientation.Vertical)
        self._pages = QStackedWidget()
        self._switches: dict[Part, QToolButton] = {}
        self._has = {Part.TIMELINE: True, Part.WAYS: True, Part.TRADEOFF: False}
        self._chosen = Part.TIMELINE
        self._moved: set[QSplitter] = set()
        self._searching = False
        self._size = QSize(0, 0)

    def fill(self, view: QWidget) -> None:
        """Put the parts into a view."""
        self._dress()
        content = surface(stacked(self._head(), (self._split, 1), margins=0, spacing=0))
        self._pages.setProperty("role", "surface")
        self._pages.addWidget(self.notice)
        self._pages.addWidget(content)
        stacked(self.progress, (self._pages, 1), on=view, margins=0, spacing=0)
        self.progress.hide()

    def add_plot(self, plot: QWidget) -> None:
        """Put the plot of limits beside the table."""
        self._plot = plot
        plot.setMinimumSize(180, 100)
        self._below.addWidget(plot)
        self._below.setStretchFactor(1, 2)

    # What is shown

    def say(self, sentence: str, ended: str, stale: str) -> None:
        """The schedule, how its search ended, and what is different since."""
        self.sentence.setText(sentence)
        self.ended.setText(ended)
        self.stale.setText(f"▲ {stale}" if stale else "")
        self.stale.setVisible(bool(stale))

    def show_searching(self, searching: bool) -> None:
        """A search goes on, or not."""
        self._searching = searching
        self.progress.setVisible(searching)

    def show_found(self, found: bool) -> None:
        """A schedule is there, or not."""
        self._pages.setCurrentIndex(1 if found else 0)
        self.fit(self._size)

    def show_parts(self, ways: bool, tradeoff: bool) -> None:
        """Which of the lower parts have something to show."""
        self._has[Part.WAYS], self._has[Part.TRADEOFF] = ways, tradeoff
        if not self._has[self._chosen]:
            self.choose(Part.TIMELINE)

    def choose(self, part: Part) -> None:
        """Show this part where there is room for one."""
        self._chosen = part
        self._switches[part].setChecked(True)
        self.fit(self._size)

    def fit(self, size: QSize) -> None:
        """Arrange the parts for a view of this size."""
        self._size = size
        roomy = size.height() >= ROOMY
        for part, button in self._switches.items():
            button.setVisible(not roomy and self._has[part] and any(self._lower()))
        self._above.setVisible(roomy or self._chosen is Part.TIMELINE)
        self._table.setVisible(self._shows(Part.WAYS, roomy))
        if self._plot is not None:
            self._plot.setVisible(self._shows(Part.TRADEOFF, roomy))
        self._below.setVisible(any(self._shows(part, roomy) for part in (Part.WAYS, Part.TRADEOFF)))
        self.progress.set_compact(not roomy and self._pages.currentIndex() == 1)
        self.ended.setVisible(roomy)
        self.again_button.setVisible(roomy and not self._searching)
        self.sentence.setToolTip(plain_tip("" if roomy else self.ended.text()))
        self.note.setVisible(size.height() >= WITH_NOTE)
        if roomy:
            self._proportion(size)

    def _proportion(self, size: QSize) -> None:
        """Give the parts their shares, those that a person has not moved."""
        if self._split not in self._moved:
            note = self.note.heightForWidth(size.width())
            wanted = self._timeline.sizeHint().height() + note + NOTE_SPACE
            below = max(LEAST_BELOW, round(SHARE_BELOW * size.height()))
            self._split.setSizes([wanted, max(below, size.height() - wanted - HEAD_PIXELS)])
        if self._below not in self._moved and self._plot is not None:
            table = min(TABLE_PIXELS, round(SHARE_TABLE * size.width()))
            self._below.setSizes([table, size.width() - table])

    def _shows(self, part: Part, roomy: bool) -> bool:
        return self._has[part] and (roomy or self._chosen is part)

    def _lower(self) -> list[bool]:
        return [self._has[Part.WAYS], self._has[Part.TRADEOFF]]

    # Making

    def _dress(self) -> None:
        self.note.setToolTip(tr(MORE))
        self.stale.hide()
        stacked((self._scroll, 1), self.note, on=self._above, margins=0, spacing=0)
        divide(self._below, self._table, weights=(3,))
        divide(self._split, self._above, self._below, weights=(0, 1))
        for split in (self._split, self._below):
            split.splitterMoved.connect(partial(self._keep, split))

    def _keep(self, split: QSplitter, *_: int) -> None:
        self._moved.add(split)

    def _head(self) -> QHBoxLayout:
        texts = stacked(self.sentence, self.ended, self.stale, spacing=2)
        head = beside((texts, 1), margins=(12, 6, 12, 4), spacing=4)
        group = QButtonGroup(self)
        for part in Part:
            button = _switch(part)
            button.clicked.connect(lambda _=False, part=part: self.choose(part))
            group.addButton(button)
            self._switches[part] = button
            head.addWidget(button, alignment=Qt.AlignmentFlag.AlignTop)
        head.addSpacing(4)
        head.addWidget(self.again_button, alignment=Qt.AlignmentFlag.AlignTop)
        return head


def _switch(part: Part) -> QToolButton:
    button = switch(tr(part.value), tr(_TIPS[part]))
    button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
    return button
