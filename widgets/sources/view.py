"""Sources: which of search, sharing, transfer and Droplet gave each improvement."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QSizePolicy,
    QSplitter,
    QStackedWidget,
    QWidget,
)

from engine.history.improvements import Improvements, improvements
from engine.history.open_project import OpenProject
from engine.records.units import format_ratio, format_seconds, format_share
from widgets.look.focus_ring import RINGED
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import tabular
from widgets.look.units import known
from widgets.parts.column_model import Column, ColumnModel, whole
from widgets.parts.notice import NO_MODEL, OPEN, Notice
from widgets.parts.pieces import divide, pages, stacked, surface, switch, text_label
from widgets.parts.table import Table
from widgets.parts.view import FiguresView
from widgets.plots.convergence_series import Across, progress_end
from widgets.sources.look import SOURCES, SWATCH_HEIGHT, SWATCH_WIDTH, swatch
from widgets.sources.series import (
    NOTHING,
    source_columns,
    sources_sentence,
)

if TYPE_CHECKING:
    from widgets.sources.plot import ImprovementPlot


NO_GAINS = QT_TR_NOOP(
    "No improvements yet: press Start, and each gain appears here by its source: "
    "search, shared, transferred or polished."
)
TABLE_WIDTH = 490
LEAST_PLOT = 280


class ImprovementView(FiguresView):
    """Follows the gains.

    The improvements are found anew only when the model's curve changes. `trial_picked` carries
    the trial of the improvement that a person chose.
    """

    trial_picked = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._task: int | None = None
        self._made: ImprovementPlot | None = None
        self.found: Improvements = NOTHING
        self.bar = ImprovementBar(self)
        self.model = SourcesModel(self)
        self.table = sources_table(self.model)
        self.notice = Notice()
        self._pages = QStackedWidget()
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._arrange()

    @property
    def plot(self) -> ImprovementPlot:
        """The plot, made at the first call: its library takes long to load."""
        if self._made is None:
            from widgets.plots.keys import PlotKeys
            from widgets.sources.plot import ImprovementPlot

            self._made = ImprovementPlot(self._task_name)
            self._made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            PlotKeys(self._made, self)
            self._made.picked.connect(self.trial_picked)
            self._made.setMinimumWidth(LEAST_PLOT)
            self._split.insertWidget(0, self._made)
            self._split.setStretchFactor(0, 1)
            self._split.setSizes([TABLE_WIDTH, TABLE_WIDTH])
        return self._made

    # The view protocol

    def _forget(self) -> None:
        self._state, self.found = None, NOTHING

    def select_task(self, task: int | None) -> None:
        self._task = task
        if self._made is not None:
            self._made.select(task)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """T and R are the switches, 0 shows all."""
        keys: dict[int, Callable[[], None]] = {
            Qt.Key.Key_T: self.bar.other_axis,
            Qt.Key.Key_R: self.bar.other_measure,
            Qt.Key.Key_0: self._fit,
        }
        if event.key() in keys:
            keys[event.key()]()
        else:
            super().keyPressEvent(event)

    # How it is kept up

    def _refresh(self) -> None:
        if self._is_hidden():
            return
        state = self._history.steps()
        if state != self._state:
            self._state = state
            self.found = improvements(self.project.snapshot())
        self._show_found()

    def _show_found(self) -> None:
        known = bool(self._history.tasks)
        self.notice.offer(tr(NO_GAINS if known else NO_MODEL), "start" if known else OPEN)
        self._pages.setCurrentIndex(1 if self.found.items else 0)
        if not self.found.items:
            return
        self.bar.say(sources_sentence(self.found))
        ids, columns = source_columns(self.found, self.project.tried)
        if len(ids) == len(self.model.ids) and (ids == self.model.ids).all():
            self.model.update_columns(columns)
        else:
            self.model.reset_columns(ids, columns)
        self._draw()

    def _draw(self) -> None:
        if not self.found.items:
            return
        end = progress_end(self._history, self.bar.across)
        self.plot.show_found(self.found, self.bar.across, self.bar.ratio, end)
        self.plot.select(self._task)

    def _fit(self) -> None:
        if self._made is not None:
            self._made.fit()

    def _arrange(self) -> None:
        self.setAccessibleName(tr("Sources of improvements"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty(RINGED, True)
        split = divide(self._split, self.table)
        page = surface(stacked(self.bar, (split, 1), margins=0, spacing=0))
        pages(self._pages, self.notice, page, on=self)
        self.bar.changed.connect(self._draw)


EMPTY = QT_TR_NOOP("No trials yet: press Start to tune.")
_WIDTHS = (120, 76, 64, 68, 80, 64)
Role = Qt.ItemDataRole


COLUMNS = (
    Column("source", QT_TR_NOOP("Source"), QT_TR_NOOP("What proposed the candidates"), tr,
           plain=str,
           numeric=False),
    Column("gained", QT_TR_NOOP("Gained"),
           QT_TR_NOOP("What it took off the model's latency, all its improvements"),
           known(format_seconds), exact=known(lambda s: format_seconds(s, 6))),
    Column("share", QT_TR_NOOP("Share"), QT_TR_NOOP("Part of all that was gained"),
           known(format_share), bar=True),
    Column("factor", QT_TR_NOOP("Factor"),
           QT_TR_NOOP("How many times faster it made the model; the factors multiply"),
           known(format_ratio), exact=known(lambda r: f"{r:.5f}x")),
    Column("improvements", QT_TR_NOOP("Improved"),
           QT_TR_NOOP("How often it was better than all before"), whole),
    Column("trials", QT_TR_NOOP("Trials"), QT_TR_NOOP("Candidates tried"), whole),
)  # fmt: skip


class SourcesModel(ColumnModel):
    """Sources with a piece of their areas."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(COLUMNS, parent)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Role.DisplayRole) -> Any:
        """As of any column model; the word has a swatch."""
        if role == Role.DecorationRole and index.isValid() and index.column() == 0:
            return swatch(SOURCES[self.id_at(index.row())], 2.0)
        return super().data(index, role)


def sources_table(model: SourcesModel) -> Table:
    """The table of the sources."""
    table = Table(model, tr("Gains by source"), tr(EMPTY), _WIDTHS)
    table.setIconSize(QSize(SWATCH_WIDTH, SWATCH_HEIGHT))
    return table


GAP = 4


class ImprovementBar(QWidget):
    """Time or trials across, seconds or factors upwards."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.seconds = switch(tr("Time"), tr("Horizontal axis: tuning time (T)"))
        self.trials = switch(tr("Trials"), tr("Horizontal axis: trials (T)"))
        self.gained = switch(tr("Gained"), tr("Vertical axis: seconds taken off the latency (R)"))
        self.factor = switch(
            tr("Factor"), tr("Vertical axis: factors, so that late gains show too (R)")
        )
        self.sentence = text_label(wraps=False, name=tr("Gains by source, in words"))
        self.sentence.setFont(tabular(self.font()))
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.sentence.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        row = QHBoxLayout(self)
        row.setContentsMargins(GAP, GAP, 2 * GAP, 0)
        row.setSpacing(GAP)
        for pair in ((self.seconds, self.trials), (self.gained, self.factor)):
            group = QButtonGroup(self)
            for button in pair:
                group.addButton(button)
                row.addWidget(button)
            pair[0].setChecked(True)
            pair[1].toggled.connect(lambda _: self.changed.emit())
            row.addSpacing(2 * GAP)
        row.addWidget(self.sentence, 1)

    @property
    def across(self) -> Across:
        """What the horizontal axis counts."""
        return Across.TRIALS if self.trials.isChecked() else Across.SECONDS

    @property
    def ratio(self) -> bool:
        return self.factor.isChecked()

    def say(self, text: str) -> None:
        """All sources in one line; on hover where it has no room."""
        self.sentence.setToolTip(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say as much as there is room for."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        metrics, room = self.sentence.fontMetrics(), self.sentence.width()
        text = self.sentence.toolTip()
        self.sentence.setText(metrics.elidedText(text, Qt.TextElideMode.ElideRight, room))

    def other_axis(self) -> None:
        """From time to trials, or back."""
        (self.seconds if self.trials.isChecked() else self.trials).setChecked(True)

    def other_measure(self) -> None:
        """From seconds to factors, or back."""
        (self.gained if self.factor.isChecked() else self.factor).setChecked(True)
