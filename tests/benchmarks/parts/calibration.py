"""Whether what comes lies where the belief says: the default policy's slots, one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from engine.allocation.forecast import Forecast, Situation
from engine.allocation.policies.belief_policy import Pick
from engine.allocation.policies.dynatune import DynaTune
from engine.allocation.pooled import Outlook
from engine.allocation.recording import Recording
from engine.replay.regret import best_final
from engine.replay.replay import replay


@dataclass(frozen=True, slots=True)
class Slot:
    """A slot that was given: what was believed of it, and what part of the latency came off.

    `first` is whether it was its task's first one.
    """

    first: bool
    believed: Outlook
    came: float


@dataclass(frozen=True, slots=True)
class Calibration:
    """How often what came lay in the central 80 % range, below it and above it: parts of 1.

    `expected` and `came` are mean parts of the latency. In a calibrated belief `within` is 0.8 or
    more: where nothing is likelier than a tenth, the range begins at nothing, and none is below it.
    """

    slots: int
    within: float
    below: float
    above: float
    expected: float
    came: float

    def as_dict(self) -> dict[str, float]:
        """JSON-ready."""
        return {name: getattr(self, name) for name in self.__slots__}


def calibration(slots: Sequence[Slot]) -> Calibration | None:
    """What these slots come to; None for none."""
    if not slots:
        return None
    below = fmean(slot.came < slot.believed.low - _NEAR for slot in slots)
    above = fmean(slot.came > slot.believed.high + _NEAR for slot in slots)
    expected = fmean(slot.believed.gain for slot in slots)
    came = fmean(slot.came for slot in slots)
    return Calibration(len(slots), 1.0 - below - above, below, above, expected, came)


def table(rows: Mapping[str, Mapping[str, float]]) -> str:
    """What `as_dict` gave, by name, in Markdown."""
    lines: list[tuple[str, ...]] = [
        ("slots of", "slots", "in the range", "below", "above", "expected", "came"),
        ("---", *("---:",) * 6),
    ]
    for name, row in rows.items():
        parts = [row[key] for key in ("within", "below", "above", "expected", "came")]
        lines.append((name, f"{row['slots']}", *(f"{part:.1%}" for part in parts)))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def slots_of(recording: Recording) -> list[Slot]:
    """Every slot that DynaTune weighs in a replay until the model is within 1 % of the end."""
    policy = _Noting()
    played = replay(recording, policy, latency_s=1.01 * best_final(recording))
    found, done = [], dict.fromkeys(range(len(recording.tasks)), 0)
    for slot in played.slots:
        start, done[slot.task] = done[slot.task], done[slot.task] + slot.trials
        noted = policy.noted.get((slot.task, start))
        if noted is not None and slot.trials:
            ends = recording.tasks[slot.task].latency_s[: done[slot.task]].min()
            came = 1.0 - min(ends, noted.now_s) / noted.now_s
            found.append(Slot(noted.first, noted.believed, float(came)))
    return found


_NEAR = 1e-9


@dataclass(frozen=True, slots=True)
class _Noted:
    first: bool
    believed: Outlook
    now_s: float


class _Noting(DynaTune):
    """Notes what is believed of each slot that it gives, by task and trials so far."""

    def __init__(self, options: Any = None, seed: int = 0) -> None:
        super().__init__(options, seed)
        self.noted: dict[tuple[int, int], _Noted] = {}

    def pick(self, forecasts: Sequence[Forecast], situation: Situation) -> Pick:
        picked = super().pick(forecasts, situation)
        view = picked.forecast.view
        now_s = situation.progress[view.index].now_s
        if now_s is not None and np.isfinite(now_s):
            believed = self.forecaster.ahead(situation, view)[0]
            key = view.index, len(view.latencies)
            self.noted[key] = _Noted(view.slots == 0, believed, now_s)
        return picked
