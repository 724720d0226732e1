"""What the policies that hold beliefs share: whom they consider, and what they say of it."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from engine.allocation.forecast import Forecast, Forecaster, Situation
from engine.allocation.policy import Choice, Policy, TaskView
from engine.allocation.progress import Patience, cost_first, unfinished
from engine.allocation.wording import short
from engine.records.options import Checked
from engine.records.sentences import Sentence, counting, together
from engine.records.units import format_seconds

_WORTH_SAYING = 1.2


@dataclass(frozen=True)
class BeliefOptions(Checked):
    """Whom a policy that holds beliefs considers, and what it weighs.

    `first_pass`: every task gets its first valid result before any gets more. `per_second`: gains
    are weighed by the seconds that a slot of the task takes. `peers`: what slots have taught is
    scaled by how much slower the task is than its class at its size. After `finish_after` trials
    without improvement a task leaves (0: never).
    """

    first_pass: bool = False
    per_second: bool = True
    peers: bool = True
    finish_after: Patience = 200


@dataclass(frozen=True, slots=True)
class Pick:
    """The forecast that was picked, the end of the sentence why, and columns of scores.

    `columns` have an entry for each of the forecasts, in their order.
    """

    forecast: Forecast
    why: str
    columns: dict[str, list[float]]


class BeliefPolicy(Policy):
    """Forecasts what a slot gives each unfinished task; a subclass picks one of them.

    The scores hold the decision's seconds, the model's latency, the slots so far, and under
    "tasks" columns with an entry for each task considered: its index, its slots, the gain that
    is expected in seconds of the model's latency, how unsure that expectation is (its standard
    deviation), the seconds of its slot, and what the subclass adds. "stuck" are the tasks that
    left because they stopped improving; the others that are not there are in flight or finished.
    """

    @dataclass(frozen=True)
    class Options(BeliefOptions):
        """How beliefs are held."""

    def __init__(self, options: Any = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self.forecaster = self.make_forecaster()

    def make_forecaster(self) -> Forecaster:
        """What the options ask for."""
        return Forecaster(per_second=self.options.per_second, peers=self.options.peers)

    def choose(self, tasks: Sequence[TaskView]) -> Choice | None:
        """The task that `pick` picks, but first those whose latency nobody knows."""
        started = time.perf_counter()
        situation = self.forecaster.situation(tasks)
        candidates = unfinished(tasks, situation.progress, self.options.finish_after)
        if not candidates:
            return None
        first = self._first(candidates, situation)
        if first is not None:
            taken = {"decision_s": short(time.perf_counter() - started)}
            return Choice(first.index, self._why_first(first, situation), taken)
        forecasts = self.forecaster.of(situation, candidates)
        pick = self.pick(forecasts, situation)
        scores: dict[str, Any] = {
            "latency_s": short(situation.latency_s, 6),
            "slots": situation.slots,
            "tasks": _columns(forecasts) | pick.columns,
            "stuck": sorted(
                {view.index for view in tasks if view.open} - {view.index for view in candidates}
            ),
            "decision_s": short(time.perf_counter() - started),
        }
        return Choice(pick.forecast.view.index, _why(pick, situation), scores)

    @abstractmethod
    def pick(self, forecasts: Sequence[Forecast], situation: Situation) -> Pick:
        """One of the forecasts, of which there is at least one."""

    def _first(self, candidates: Sequence[TaskView], situation: Situation) -> TaskView | None:
        """The costliest task that must have a result before the others can be weighed.

        That is one without any latency, and with `first_pass` one without a result. One whose
        slots all failed waits until the others had as many.
        """
        progress = situation.progress
        fewest = min(view.slots for view in candidates)
        waiting = [
            view
            for view in candidates
            if not progress[view.index].valid
            and (self.options.first_pass or progress[view.index].now_s is None)
            and view.slots <= fewest
        ]
        order = {view.index: cost_first(view, progress[view.index]) for view in waiting}
        return max(waiting, key=lambda view: (order[view.index], -view.index), default=None)

    def _why_first(self, view: TaskView, situation: Situation) -> Sentence:
        now_s = situation.progress[view.index].now_s
        if now_s is None:
            return counting(
                view.slots,
                "no result yet after {n} slot, and no untuned latency",
                "no result yet after {n} slots, and no untuned latency",
            )
        part = view.weight * now_s / situation.latency_s
        whole = format_seconds(situation.latency_s)
        return Sentence(
            "its first result, for it is {part:.1%} of the model's {whole}", part=part, whole=whole
        )


def _columns(forecasts: Sequence[Forecast]) -> dict[str, list[Any]]:
    return {
        "task": [forecast.view.index for forecast in forecasts],
        "slots": [forecast.view.slots for forecast in forecasts],
        "gain_s": [short(forecast.gain_s) for forecast in forecasts],
        "spread_s": [short(forecast.cost_s * forecast.spread) for forecast in forecasts],
        "slot_s": [
            None if forecast.view.slot_s is None else short(forecast.view.slot_s)
            for forecast in forecasts
        ],
    }


def _why(pick: Pick, situation: Situation) -> Sentence:
    forecast = pick.forecast
    slot_s = forecast.view.slot_s
    pace = ""
    if slot_s and forecast.pace != 1.0:
        pace = Sentence(", at {time} a slot", time=format_seconds(slot_s))
    saving = counting(
        forecast.view.slots,
        "one more slot is expected to save {gain} (give or take {spread}) of {whole} after {n} "
        "slot",
        "one more slot is expected to save {gain} (give or take {spread}) of {whole} after {n} "
        "slots",
        gain=format_seconds(forecast.gain_s),
        spread=format_seconds(forecast.cost_s * forecast.spread),
        whole=format_seconds(situation.latency_s),
    )
    return together(saving, pace, _behind(forecast), pick.why, by="")


def _behind(forecast: Forecast) -> str:
    if forecast.headroom < _WORTH_SAYING:
        return ""
    return Sentence(
        ", for it takes {times:.1f} times as long as its peers", times=forecast.headroom
    )
