"""What sharing costs, what a representative is worth, and who is badly served by it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, prod

from engine.passes.factors import count_tiles
from engine.passes.work import work_ratio
from engine.records.clustering import Cluster, Clustering
from engine.records.space import DesignSpace, Knob, KnobKind, Sketch
from engine.records.task import Task

WEAK_SHARE = 0.75  # of the speed expected by its representative's: a dependant below is weak
# Expected latency grows with this power of the FLOPs. Well-tuned convolutions of SqueezeNet reach
# 86 % and more of each other's FLOP/s on a CPU; on an H100 small ones cannot fill the device, and
# the power was 0.4 to 0.7.
CPU_GROWTH = 1.0
GPU_GROWTH = 0.6
_FIRST = 2  # schedules for each dependant that time is kept for; a representative is worth more
_FOR_DEPENDANTS = 1 / 3  # of the time at most
_LEAST_S = 1.0


@dataclass(frozen=True, slots=True)
class Weak:
    """A dependant that is slow for its size. `gain_s`: what the model would gain, in seconds, if
    it were as fast as its representative lets expect."""

    task: int
    flops_per_s: float
    representative: int
    representative_flops_per_s: float
    gain_s: float


@dataclass(frozen=True, slots=True)
class Cost:
    """What a pass would take: the tasks that are tuned, all trials, and their seconds."""

    tasks_to_tune: int
    trials: int
    seconds: float


def effective_weights(tasks: Sequence[Task], clustering: Clustering) -> dict[int, float]:
    """For each representative, what one second of it is worth to the model, in seconds.

    A member counts by its weight, and by how much more it has to do than its representative.
    """
    known = {task.index: task for task in tasks}
    return {
        found.representative: sum(
            known[member].weight * work_ratio(known[member], known[found.representative])
            for member in found.members
        )
        for found in clustering.clusters
    }


def search_seconds(
    seconds: float, dependants: int, trial_s: float, slot_s: float, part: float = 1.0
) -> float:
    """How long representatives may be searched in a pass that has so many seconds left.

    Dependants keep the time for the best schedules of each, not for all. Slots that have begun are
    carried out, so that the last of them begins a slot's time earlier.
    """
    kept = min(_FIRST * dependants * trial_s, _FOR_DEPENDANTS * seconds)
    return max(_LEAST_S, part * (seconds - kept) - slot_s)


def weak_dependants(
    tasks: Sequence[Task],
    clustering: Clustering,
    latency_of: Callable[[int], float | None],
    share: float = WEAK_SHARE,
    growth: float = CPU_GROWTH,
) -> list[Weak]:
    """The dependants below `share` of the speed that their representative's lets expect, by what
    the model could gain, most first.

    On a CPU they should reach its FLOP/s; give GPU_GROWTH on a GPU. `latency_of` is in seconds.
    Tasks without a latency or FLOPs are left out.
    """
    known = {task.index: task for task in tasks}
    found = []
    for cluster in clustering.clusters:
        model = known[cluster.representative]
        model_s = _usable(model, latency_of(model.index))
        for task in map(known.__getitem__, cluster.dependants):
            latency_s = _usable(task, latency_of(task.index))
            if latency_s is None or model_s is None:
                continue
            expected_s = model_s * work_ratio(task, model) ** growth
            if latency_s > expected_s / share:
                found.append(_weak(task, latency_s, expected_s, model, model_s))
    return sorted(found, key=lambda weak: (-weak.gain_s, weak.task))


def predicted_cost(
    clustering: Clustering,
    trials_per_task: int,
    top_k: int,
    seconds_per_trial: float,
    spaces: Sequence[DesignSpace] = (),
) -> Cost:
    """What it takes to tune the representatives and to measure `top_k` schedules of each on its
    dependants. A task never takes more trials than its space, where that is given, has schedules.
    """
    limits = {space.task: most_schedules(space) for space in spaces}
    trials = sum(_trials(found, limits, trials_per_task, top_k) for found in clustering.clusters)
    return Cost(len(clustering.clusters), trials, trials * seconds_per_trial)


def most_schedules(space: DesignSpace) -> int | None:
    """How many schedules a design space has; None where it has places for blocks, which depend
    on the rest, and where it is unknown."""
    counts = [_schedules(sketch) for sketch in space.sketches]
    if not counts or None in counts:
        return None
    return sum(count for count in counts if count is not None)


def _schedules(sketch: Sketch) -> int | None:
    if any(knob.kind is KnobKind.LOCATION for knob in sketch.knobs):
        return None
    return prod(map(_candidates, sketch.knobs))


def _candidates(knob: Knob) -> int:
    if knob.kind is KnobKind.TILE:
        return count_tiles(knob.extent, knob.parts, knob.innermost) if knob.extent else 1
    return max(1, len(knob.choices))


def _trials(
    found: Cluster, limits: Mapping[int, int | None], trials_per_task: int, top_k: int
) -> int:
    limit = limits.get(found.representative)
    tuned = trials_per_task if limit is None else min(limit, trials_per_task)
    return tuned + min(top_k, tuned) * len(found.dependants)


def _weak(task: Task, latency_s: float, expected_s: float, model: Task, model_s: float) -> Weak:
    return Weak(
        task=task.index,
        flops_per_s=task.flops / latency_s,
        representative=model.index,
        representative_flops_per_s=model.flops / model_s,
        gain_s=task.weight * (latency_s - expected_s),
    )


def _usable(task: Task, latency_s: float | None) -> float | None:
    """A latency that says how fast a task is."""
    known = latency_s is not None and isfinite(latency_s) and latency_s > 0 and task.flops > 0
    return latency_s if known else None
