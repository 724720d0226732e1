"""What is compared: the runs of the project, and policies to replay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from engine.replay.side_by_side import WITHIN
from widgets.comparison.series import near
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.plain_label import PlainLabel, plain_tip
from widgets.parts.number_box import WholeBox
from widgets.parts.pieces import beside, scrolled, text_label

WIDTH = 230
KEY = Qt.ItemDataRole.UserRole
NO_SOURCE = QT_TR_NOOP("Open a tuned project or load a recording to replay it.")
MEASURING = QT_TR_NOOP(
    "A run is measuring, which a replay would disturb: wait until it has ended, or stop it."
)


_ONE_ROW = 28  # less than Qt's own least: the window must fit 1024 x 640


class Ticks(QListWidget):
    """Names with a tick each. `ticked` tells that a person changed one."""

    ticked = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setAccessibleName(name)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumHeight(_ONE_ROW)
        self.itemChanged.connect(lambda _: self.ticked.emit())

    def show_names(self, names: Mapping[str, str], ticked: Iterable[str]) -> None:
        """Offer these, by key; ticks of those that were there stay."""
        before = {self.key_at(row): self.item(row).checkState() for row in range(self.count())}
        wanted = set(ticked)
        self.blockSignals(True)
        self.clear()
        for key, name in names.items():
            item = QListWidgetItem(name)
            item.setData(KEY, key)
            item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
            state = Qt.CheckState.Checked if key in wanted else Qt.CheckState.Unchecked
            item.setCheckState(before.get(key, state))
            item.setToolTip(plain_tip(name))
            self.addItem(item)
        self.blockSignals(False)
        self.updateGeometry()

    def key_at(self, row: int) -> str:
        """The key of a row."""
        return str(self.item(row).data(KEY))

    def keys(self) -> tuple[str, ...]:
        """The keys that are ticked, in their order."""
        rows = range(self.count())
        return tuple(
            self.key_at(r) for r in rows if self.item(r).checkState() is Qt.CheckState.Checked
        )

    def tick(self, keys: Iterable[str]) -> None:
        wanted = set(keys)
        for row in range(self.count()):
            on = self.key_at(row) in wanted
            self.item(row).setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)

    def sizeHint(self) -> QSize:
        height = sum(self.sizeHintForRow(row) for row in range(self.count())) + 8
        return QSize(WIDTH - 16, max(28, height))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, min(64, self.sizeHint().height()))


class CompareChoice(QWidget):
    """Ticks for runs and policies, and what starts and ends replays."""

    runs_changed = Signal()
    replay_wanted = Signal()
    cancel_wanted = Signal()
    recording_wanted = Signal()

    def __init__(self, policies: Mapping[str, str], ticked: Sequence[str]) -> None:
        super().__init__()
        self.runs, self.policies = Ticks(tr("Runs to compare")), Ticks(tr("Policies to replay"))
        self.policies.show_names(policies, ticked)
        self.source = text_label(role="muted")
        self.load = QPushButton(tr("Load recording…"))
        self.load.setToolTip(tr("Replay a recording (.npz) instead of this project"))
        self.seed = WholeBox()
        self.seed.setAccessibleName(tr("Seed of the replayed policies"))
        self.seed.setRange(0, 2**31 - 1)
        self.within = QComboBox()
        self.within.setAccessibleName(tr("Threshold"))
        self.within.setToolTip(tr("How near to the best latency of all it must be"))
        for value in WITHIN:
            self.within.addItem(near(value), value)
        self.replay, self.cancel = QPushButton(tr("Replay")), QPushButton(tr("Cancel"))
        self.replay.setToolTip(tr("Play the recorded trials in the order each policy would choose"))
        self.progress = QProgressBar()
        self.progress.setAccessibleName(tr("Progress of the replays"))
        self.progress.setRange(0, 1000)
        self.progress.setTextVisible(False)
        self.state = text_label(role="muted")
        self.no_runs = text_label(tr("No run has results yet: press Start."), "muted")
        self._path: Path | None = None
        self._busy = self._measuring = False
        self._arrange()
        self.setFixedWidth(max(WIDTH, self.minimumSizeHint().width()))
        self.policies.ticked.connect(self._refresh)
        self.show_runs({})
        self.show_source(None, "")

    def show_runs(self, runs: Mapping[str, str]) -> None:
        """Offer these runs, all of them ticked at first."""
        self.runs.show_names(runs, runs)
        self.runs.setVisible(bool(runs))
        self.no_runs.setVisible(not runs)

    def show_source(self, path: Path | None, text: str) -> None:
        """Say what a replay would play."""
        self._path = path
        self.source.setText(text or tr(NO_SOURCE))
        self._refresh()

    def show_measuring(self, measuring: bool) -> None:
        """Whether a run goes on, which a replay would disturb."""
        self._measuring = measuring
        self._refresh()

    def show_progress(self, share: float, text: str) -> None:
        self._busy = True
        self.progress.setValue(round(1000 * share))
        self._refresh()
        self.state.setText(f"{text} …")

    def show_end(self, text: str) -> None:
        self._busy = False
        self._refresh()
        self.state.setText(text)

    @property
    def busy(self) -> bool:
        return self._busy

    def _refresh(self) -> None:
        able = self._path is not None and bool(self.policies.keys())
        self.replay.setEnabled(able and not self._busy and not self._measuring)
        self.load.setEnabled(not self._busy)
        self.cancel.setVisible(self._busy)
        self.progress.setVisible(self._busy)
        if not self._busy:
            self.state.setText(tr(MEASURING) if self._measuring else "")

    def _arrange(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(4)
        for title, parts in (
            (tr("Runs of this project"), (self.runs, self.no_runs)),
            (tr("Policies to replay"), (self.policies, self.source)),
        ):
            label = PlainLabel(title)
            label.setProperty("role", "title")
            label.setWordWrap(True)
            column.addWidget(label)
            for part in parts:
                column.addWidget(part)
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.addRow(tr("Saved"), self.within)
        form.addRow(tr("Seed"), self.seed)
        column.addLayout(form)
        problem = text_label(role="error")
        self.seed.checked.connect(problem.setText)
        column.addWidget(problem)
        row = beside(self.replay, self.cancel)
        column.addLayout(row)
        column.addWidget(self.load)
        column.addWidget(self.progress)
        column.addWidget(self.state)
        column.addStretch(1)
        self.runs.ticked.connect(self.runs_changed)
        self.replay.clicked.connect(self.replay_wanted)
        self.cancel.clicked.connect(self.cancel_wanted)
        self.load.clicked.connect(self.recording_wanted)


def scrolled_choice(choice: CompareChoice) -> QScrollArea:
    """The choice where there may be less room than it needs: the window must fit 1024 x 640."""
    area = scrolled(choice)
    bar = area.style().pixelMetric(QStyle.PixelMetric.PM_ScrollBarExtent)
    area.setFixedWidth(choice.width() + bar)
    choice.setProperty("role", "surface")
    return area
