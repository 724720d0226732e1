"""Views and histories that the tests of policies build on."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.allocation.forecast import Forecast, Situation
from engine.allocation.policy import Choice, Policy, TaskView

PEAK = 1e12
FLOPS = 1e8


def task(index: int, latencies: Sequence[float] = (), **changes: Any) -> TaskView:
    """An open task of 1e8 FLOPs on a target of 1e12 FLOP/s; slots of 4 trials, all over."""
    made = TaskView(
        index=index,
        weight=1,
        flops=FLOPS,
        op_class="conv2d",
        latencies=tuple(latencies),
        untuned_s=1e-2,
        slots=-(-len(latencies) // 4),
        in_flight=False,
        finished=False,
        peak_flops=PEAK,
        slot_trials=4,
    )
    return dataclasses.replace(made, **changes)


def log_power_task(index: int, trials: int, *, top: float = 0.6, **changes: Any) -> TaskView:
    """A task whose best speed follows top / (1 + (x / 8)^-0.8) of the peak, with 1 % of noise."""
    x = np.arange(1, trials + 1)
    noise = np.random.default_rng(index).normal(0.0, 0.01, trials)
    speed = top / (1.0 + (x / 8.0) ** -0.8) * (1.0 + noise)
    latencies = (FLOPS / (PEAK * speed)).tolist()
    return task(index, latencies, **{"slots": -(-trials // 16), "slot_trials": 16, **changes})


def flat_task(index: int, trials: int, latency_s: float = 3e-4, **changes: Any) -> TaskView:
    """A task that found its best at once and nothing since."""
    return task(
        index,
        [latency_s] + [2 * latency_s] * (trials - 1),
        **{"slots": -(-trials // 16), "slot_trials": 16, **changes},
    )


def forecast(slots: int, gain: float, spread: float, cost_s: float, pace: float = 1.0) -> Forecast:
    return Forecast(task(0, slots=slots), cost_s, gain, spread, pace, valid=True)


def situation(latency_s: float, untuned_s: float, slots: int) -> Situation:
    return Situation([], {}, latency_s, untuned_s, slots)


def chosen(policy: Policy, *tasks: TaskView) -> Choice:
    choice = policy.choose(tasks)
    assert choice is not None
    return choice
