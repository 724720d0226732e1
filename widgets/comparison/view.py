"""Runs and replayed policies on one plot, with the time that one saves against another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QSplitter,
    QWidget,
)

from engine.allocation.policies.registry import POLICIES, REPLAY_POLICIES
from engine.allocation.recording import Recording
from engine.history.open_project import OpenProject
from engine.records.events import Event, ProjectSaved, RunChanged, SlotStarted
from engine.records.snapshot import RunInfo
from engine.records.task import Task
from engine.records.units import format_ratio, format_seconds
from engine.replay.replay_series import ReplayWish
from engine.replay.side_by_side import Contender, Verdict, judge, run_contender
from widgets.comparison.choice import CompareChoice, scrolled_choice
from widgets.comparison.look import HEIGHT, WIDTH, line_pen, line_swatch
from widgets.comparison.series import compare_columns, has_oracle, verdict_text
from widgets.look.elided import ElidedLabel
from widgets.look.engine_words import step_title
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme, theme_notifier
from widgets.look.units import clock, known
from widgets.parts.column_model import Column, ColumnModel
from widgets.parts.pieces import beside, divide, stacked, text_label
from widgets.parts.table import Table
from widgets.parts.view import View

if TYPE_CHECKING:
    from widgets.comparison.plot import ComparePlot


OFFERED = {kind.name: kind.title for kind in (*POLICIES.values(), *REPLAY_POLICIES.values())}
TICKED = ("dynatune", "gradient", "round-robin", "sequential", "oracle")
HINT = QT_TR_NOOP(
    "A run counts by its own trials alone. A replay plays recorded trials; it measures nothing."
)
MORE = QT_TR_NOOP("A later run of a project knew what the earlier ones had measured.")


class ComparisonView(View):
    """Shows contenders; replays are asked for with `replay_wanted(ReplayWish)`.

    Who replays tells `show_progress`, `add_replay`, and `end_replays` at the end.
    """

    replay_wanted = Signal(object)
    cancel_wanted = Signal()
    recording_wanted = Signal()

    def __init__(self, project: OpenProject, parent: QWidget | None = None) -> None:
        super().__init__(project, parent)
        self._shown: tuple[str, tuple[Task, ...]] = "", ()
        self._runs = 0
        self._replays: dict[str, Contender] = {}
        self._loaded: Path | None = None
        self.verdict = Verdict(None, ())
        self.choice = CompareChoice(OFFERED, TICKED)
        self._made: ComparePlot | None = None
        self._split = QSplitter(Qt.Orientation.Vertical)
        self.model = CompareModel(self)
        self.table = CompareTable(self.model)
        self.sentence = text_label(name=tr("Time saved"))
        self._arrange()
        self._join()

    @property
    def plot(self) -> ComparePlot:
        """The plot, made at the first call: its library takes long to load."""
        if self._made is None:
            from widgets.comparison.plot import ComparePlot

            self._made = ComparePlot()
            self._made.picked.connect(self._choose)
            self._split.insertWidget(0, self._made)
            self._split.setStretchFactor(0, 3)
        return self._made

    # The view protocol

    def show_project(self) -> None:
        """Compare the runs of this project."""
        head, before = self.project.head, self._shown
        self._shown = head.path, head.tasks
        if self._shown != before:
            self._forget_replays()
            if self._made is not None:
                self._made.follow.setChecked(True)
        self._runs = len(head.runs)
        self.choice.show_measuring(bool(head.runs) and head.runs[-1].state.active)
        self._show_source()
        self._show_runs()
        self._refresh()

    def apply(self, events: Sequence[Event]) -> None:
        """Follow a run, a slot at a time."""
        changed = False
        for event in events:
            match event:
                case SlotStarted():
                    changed = True
                case RunChanged():
                    self._take_run(event)
                    changed = True
                case ProjectSaved(path=path):
                    self._shown = path, self.project.head.tasks
                    self._show_source()
        if changed:
            self._show_runs()
            self._refresh()

    def select_task(self, task: int | None) -> None:
        """Tasks are not told apart here."""

    # Replays

    def load_recording(self, path: Path) -> None:
        """Replay this recording from now on."""
        self._forget_replays()
        self._loaded = path
        self._show_source()
        self._refresh()

    def show_progress(self, share: float, text: str) -> None:
        self.choice.show_progress(share, text)

    def add_replay(self, contender: Contender) -> None:
        self._replays[contender.key] = contender
        self._refresh()

    def end_replays(self, recording: Recording | None, text: str = "") -> None:
        """All of them have, or one failed, as the text says."""
        if recording is not None:
            count = sum(len(task.latency_s) for task in recording.tasks)
            text = tr(
                "Replayed %n trials of {model}, recorded on {device}.",
                "",
                count,
                model=recording.model,
                device=recording.device,
            )
        self.choice.show_end(text)

    # How it is kept up

    def _take_run(self, event: RunChanged) -> None:
        self.choice.show_measuring(event.state.active)
        if len(self.project.head.runs) != self._runs:
            self._runs = len(self.project.head.runs)
            if self._loaded is None:
                self._forget_replays()  # they lack the trials to come

    def _forget_replays(self) -> None:
        self._replays.clear()
        if self.choice.busy:
            self._cancel()

    def _show_source(self) -> None:
        if self._loaded is not None:
            text = tr("They replay {file}.", file=self._loaded.name)
            self.choice.show_source(self._loaded, text)
        elif self.project.head.path and len(self.project):
            text = tr("They replay what this project measured.")
            self.choice.show_source(Path(self.project.head.path), text)
        else:
            self.choice.show_source(None, "")

    def _show_runs(self) -> None:
        runs, trials = self.project.head.runs, self.project.run_trials
        self.choice.show_runs({f"run {run.id}": run_name(run) for run in runs if trials[run.id]})
        if self._loaded is None:
            self._show_source()

    def _contenders(self) -> list[Contender]:
        ticked, head = self.choice.runs.keys(), self.project.head
        trials, slots = self.project.trials(), self.project.slots
        made = [
            run_contender(head.tasks, run.id, trials, slots, run_name(run))
            for run in head.runs
            if f"run {run.id}" in ticked
        ]
        runs = [contender for contender in made if contender is not None]
        order = [f"replay {name}" for name in OFFERED]
        replays = sorted(self._replays.values(), key=lambda replay: order.index(replay.key))
        return [*runs, *replays]

    def _refresh(self) -> None:
        if self._is_hidden():
            return
        within = float(self.choice.within.currentData())
        contenders = self._contenders()
        self.verdict = judge(contenders, within)
        colors = self._colors()
        self.sentence.setText(verdict_text(self.verdict, within))
        self.plot.show_verdict(self.verdict, within, colors)
        self.model.show_verdict(self.verdict, colors)
        self.table.show_regret(has_oracle(contenders))

    def _colors(self) -> list[QColor]:
        return [theme().category(place) for place in range(len(self.verdict.rows))]

    def _ask_replay(self) -> None:
        path = self._loaded or Path(self.project.head.path)
        if path != Path() and not self.choice.seed.problem():
            policies = self.choice.policies.keys()
            self._replays = {
                key: found
                for key, found in self._replays.items()
                if key.removeprefix("replay ") not in policies
            }
            self.choice.show_progress(0.0, tr("Starting"))
            self.replay_wanted.emit(ReplayWish(path, policies, self.choice.seed.value()))

    def _cancel(self) -> None:
        self.cancel_wanted.emit()
        self.choice.show_end(tr("Cancelled."))

    def _choose(self, place: int | None) -> None:
        self.plot.choose(place)
        self.table.select(place)

    def _join(self) -> None:
        self.choice.runs_changed.connect(self._refresh)
        self.choice.replay_wanted.connect(self._ask_replay)
        self.choice.cancel_wanted.connect(self._cancel)
        self.choice.recording_wanted.connect(self.recording_wanted)
        self.choice.within.currentIndexChanged.connect(lambda _: self._refresh())
        self.table.row_picked.connect(self._choose)
        theme_notifier().changed.connect(self._refresh)

    def _arrange(self) -> None:
        self.setAccessibleName(tr("Comparison"))
        hint = ElidedLabel(tr(HINT))
        hint.setToolTip(f"{tr(HINT)} {tr(MORE)}")
        hint.setProperty("role", "muted")
        head = beside((self.sentence, 1), margins=(8, 8, 8, 4), spacing=12)
        divide(self._split, self.table, weights=(2,))
        right = stacked(head, (self._split, 1), margins=0, spacing=0)
        foot = beside(hint, margins=(8, 2, 8, 2))
        right.addLayout(foot)
        beside(scrolled_choice(self.choice), (right, 1), on=self, margins=0, spacing=0)


def run_name(run: RunInfo) -> str:
    """A run by its number and its policy; one with passes by its steps, which no policy chose."""
    kinds = [step.kind for step in run.settings.steps]
    if kinds != ["search"]:
        steps = ", ".join(dict.fromkeys(map(step_title, kinds)))
        return tr("Run {number}: {policy}", number=run.id, policy=steps)
    policy = POLICIES.get(run.settings.policy)
    title = policy.title if policy else tr("unknown policy")
    return tr("Run {number}: {policy}", number=run.id, policy=title)


EMPTY = QT_TR_NOOP("Nothing to compare yet: tick policies and press Replay, or tune once more.")
Role = Qt.ItemDataRole


def _reached(seconds: Any) -> str:
    return tr("not reached") if math.isnan(seconds) else clock(float(seconds))


COLUMNS = (
    Column("name", QT_TR_NOOP("Policy"),
           QT_TR_NOOP("A run that was measured, or a replay of recorded trials"), str,
           numeric=False),
    Column("reached", QT_TR_NOOP("Reached"),
           QT_TR_NOOP("Tuning time until it was at the threshold"), _reached),
    Column("saved", QT_TR_NOOP("Saved"),
           QT_TR_NOOP("Tuning time saved against the slowest that reached the threshold"), clock),
    Column("ratio", QT_TR_NOOP("Ratio"), QT_TR_NOOP("Its time over that of the fastest"),
           known(format_ratio)),
    Column("final", QT_TR_NOOP("Final"),
           QT_TR_NOOP("The model's estimated latency at its end"),
           known(lambda s: format_seconds(s, 4)), exact=known(lambda s: format_seconds(s, 6))),
    Column("lasted", QT_TR_NOOP("Lasted"), QT_TR_NOOP("Tuning time in all"), clock),
    Column("regret", QT_TR_NOOP("Regret"),
           QT_TR_NOOP("What its slots brought less than the best slots would have, over the "
                      "reduction that was possible"), known(lambda value: f"{value:.2f}")),
)  # fmt: skip
WIDTHS = (250, 92, 64, 64, 80, 64, 64)


class CompareModel(ColumnModel):
    """Contenders with the strokes and the colours of their curves."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(COLUMNS, parent)
        self.ratio = 1.0  # device pixels to a pixel, where it is shown
        self._colors: Sequence[QColor] = ()
        self._replayed: Sequence[bool] = ()

    def show_verdict(self, verdict: Verdict, colors: Sequence[QColor]) -> None:
        """Show these; the identity of a row is its place in the verdict."""
        self._colors = colors
        self._replayed = [row.contender.replayed for row in verdict.rows]
        self.reset_columns(np.arange(len(verdict.rows)), compare_columns(verdict))

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = Role.DisplayRole) -> Any:
        """As of any column model; the name has a swatch."""
        if role == Role.DecorationRole and index.isValid() and index.column() == 0:
            place = self.id_at(index.row())
            pen = line_pen(self._colors[place], place, self._replayed[place])
            return line_swatch(pen, self.ratio)
        return super().data(index, role)


class CompareTable(Table):
    """Shows a CompareModel; regret only where the oracle is among the contenders."""

    def __init__(self, model: CompareModel) -> None:
        super().__init__(model, tr("Comparison"), tr(EMPTY), WIDTHS)
        model.ratio = self.devicePixelRatioF()
        self.setIconSize(QSize(WIDTH, HEIGHT))
        self.show_regret(False)

    def show_regret(self, shown: bool) -> None:
        """Show the regret, or leave it out."""
        self.setColumnHidden(len(COLUMNS) - 1, not shown)
