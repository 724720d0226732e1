"""The sheet of the search for stages: how large it is, its limits, then Start."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QVBoxLayout, QWidget

from engine.history.open_project import OpenProject
from engine.ios.blocks import cut
from engine.ios.endings import relaxed_bound
from engine.ios.keys import graph_of
from engine.records.errors import UsageError
from engine.records.network import Operator
from engine.records.schedule import IosOptions
from engine.records.units import UNKNOWN
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.plain_label import PlainLabel
from widgets.parts import field_texts
from widgets.parts.background import Background
from widgets.parts.facts import Fact, FactList
from widgets.parts.field_form import FieldForm
from widgets.stages.words import big_count

TITLE = QT_TR_NOOP("Find stages")
WHAT = QT_TR_NOOP(
    "Puts operators that do not wait for each other side by side, or merges them into one, and "
    "keeps the schedule of stages that is measured as the fastest."
)
HINT = QT_TR_NOOP(
    "It ends when nothing can be faster, or when the time is over; the best so far is kept. What "
    "was measured is stored: another search goes on from there."
)
GAIN = QT_TR_NOOP(
    "most on models with parallel branches of small operators on a large device; none on a chain. "
    "It is never slower than one after another"
)
UNTUNED = QT_TR_NOOP(
    "No task is tuned yet. Stages are found for the kernels of now: tune first, then search."
)


class StageSheet(QDialog):
    """Asks for IosOptions; not modal. `started` carries them."""

    started = Signal(object)

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.project = project
        self.setWindowTitle(tr(TITLE))
        self.setMinimumWidth(560)
        self.costs, self.note = FactList(), PlainLabel()
        self.form: FieldForm[IosOptions] = FieldForm(IosOptions, field_texts.IOS)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole
        self.start_button = self.buttons.addButton(tr("&Find stages"), role.ActionRole)
        self._job = Background(self)
        self._job.done.connect(self._show_size)
        self._arrange()
        self.show_project()

    def show_project(self) -> None:
        """Stand over the project as it is; the limits of its last search are offered again."""
        head, tuned = self.project.head, len(self.project) > 0
        if head.schedule is not None:
            self.form.set_value(head.schedule.options)
        self.note.setText("" if tuned else tr(UNTUNED))
        self.note.setVisible(not tuned)
        self.costs.show_facts(size_facts(None, tr(GAIN)))
        operators = head.operators
        self._job.start(lambda job: size_of(operators))

    def options(self) -> IosOptions:
        """The limits as they stand; UsageError where one is no number."""
        return self.form.value()

    def allow_start(self, allowed: bool) -> None:
        """Say whether a search can start now."""
        self.start_button.setEnabled(allowed)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave no thread behind."""
        self._job.close()
        super().closeEvent(event)

    def _show_size(self, size: ProgramSize) -> None:
        self.costs.show_facts(size_facts(size, tr(GAIN)))
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.resize(self.width(), max(self.height(), layout.totalHeightForWidth(self.width())))

    def _start(self) -> None:
        try:
            options = self.options()
        except UsageError:
            return  # the field says why
        self.started.emit(options)
        self.close()

    def _arrange(self) -> None:
        title, what, hint = PlainLabel(tr(TITLE)), PlainLabel(tr(WHAT)), PlainLabel(tr(HINT))
        title.setProperty("role", "title")
        hint.setProperty("role", "muted")
        self.note.setProperty("role", "warning")
        for label in (what, hint, self.note):
            label.setWordWrap(True)
        self.start_button.setDefault(True)
        self.start_button.clicked.connect(self._start)
        self.buttons.rejected.connect(self.close)
        self.finished.connect(self._job.close)
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        for widget in (title, what, self.costs, self.note, self.form, hint):
            layout.addWidget(widget)
        layout.addStretch()
        layout.addWidget(self.buttons)


@dataclass(frozen=True, slots=True)
class ProgramSize:
    """Operators; blocks that are searched by themselves; the largest one with its width; the bound
    (n/d + 1)^(2d) on pairs of sets, summed over the blocks."""

    operators: int
    blocks: int
    largest: int
    width: int
    bound: float


def size_of(operators: Sequence[Operator]) -> ProgramSize:
    """The size of the search; takes SciPy, which takes a while to load."""
    graph = graph_of(operators)
    blocks = [block.graph for block in cut(graph) if block.graph.n > 1]
    widths = [block.width() for block in blocks]
    largest = max(range(len(blocks)), key=lambda place: blocks[place].n, default=None)
    return ProgramSize(
        operators=graph.n,
        blocks=len(blocks),
        largest=0 if largest is None else blocks[largest].n,
        width=0 if largest is None else widths[largest],
        bound=math.fsum(
            relaxed_bound(block.n, width) for block, width in zip(blocks, widths, strict=True)
        ),
    )


def size_facts(size: ProgramSize | None, gain: str) -> list[Fact]:
    """A size as names and values; None while it is worked out."""
    operators = blocks = pairs = UNKNOWN
    if size is not None:
        operators, blocks = f"{size.operators:,}", _blocks_text(size)
        pairs = tr("at most {count} without limits", count=big_count(size.bound))
    return [
        (tr("Operators"), operators),
        (tr("Blocks"), blocks),
        (tr("Pairs"), pairs),
        (tr("Gain"), gain),
    ]


def _blocks_text(size: ProgramSize) -> str:
    if not size.blocks:
        return tr("none: all operators wait for each other")
    return tr(
        "{count} to search; the largest has {largest} operators, at most {width} of them side by "
        "side",
        count=f"{size.blocks:,}",
        largest=f"{size.largest:,}",
        width=f"{size.width:,}",
    )
