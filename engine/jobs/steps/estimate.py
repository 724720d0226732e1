"""What a pass would take, before it is started: tasks, trials, seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from engine.history.history import History
from engine.ios.likely_merges import likely_merges
from engine.jobs.steps.steps import STEPS
from engine.passes.sharing import predicted_cost
from engine.records.errors import UsageError
from engine.records.sentences import Sentence, counting, together
from engine.records.snapshot import Snapshot
from engine.records.space import DesignSpace, Knob, KnobKind

ASSUMED_TRIAL_S = 0.4  # about what convolutions took on two cores, and on a GPU with sixteen
PER_TASK = 64  # trials with which a search has found most of what it finds
_DROPLET_STEPS = 2  # so many times the neighbours of a point are tried, the last ones in vain


@dataclass(frozen=True, slots=True)
class Estimate:
    """A pass in figures: `tasks` it works on, the `trials` and `seconds` it takes if no budget
    ends it earlier, and in `note` what that rests on, for a person."""

    tasks: int
    trials: int
    seconds: float
    note: str


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds that one trial takes: one that was searched for, and one that was not."""

    searched_s: float
    given_s: float
    note: str


def estimate(
    kind: str,
    snapshot: Snapshot,
    options: Mapping[str, Any] | None = None,
    *,
    per_task: int = PER_TASK,
    found: Mapping[int, int] | None = None,
) -> Estimate:
    """What a step of this kind (`engine.jobs.steps.steps`) takes with these options.

    `per_task` are the trials of a search for one task. `found` counts the donors of each task, by
    index; without it, every task is taken to have as many as it may try. UsageError where there is
    no such kind.
    """
    if kind not in STEPS:
        raise UsageError(
            Sentence("There is no step '{kind}'.", kind=kind),
            Sentence("There are {names}.", names=", ".join(STEPS)),
        )
    default = STEPS[kind].Options()
    values = {name: getattr(default, name) for name in type(default).__dataclass_fields__}
    values |= dict(options or {})
    match kind:
        case "merge":
            return _merge(snapshot, int(values["per_task"]), int(values["per_input"]))
        case "share":
            return _share(snapshot, per_task, int(values["top_k"]))
        case "transfer":
            return _transfer(snapshot, int(values["per_task"]), found)
        case "droplet":
            return _droplet(snapshot, int(values["per_task"]))
    pace, tasks = pace_of(snapshot), len(snapshot.own_tasks)
    return _estimate(tasks, pace, tasks * per_task, 0)


def pace_of(snapshot: Snapshot) -> Pace:
    """How fast this project's trials came so far; a stated figure where it has none.

    A trial that is not searched for takes its build and its measurement, or less where several
    are built at once: then the whole tuning time is the better bound.
    """
    trials = snapshot.trials
    if not trials:
        text = Sentence(
            "{seconds:.2g} s a trial is assumed: this project has none yet.",
            seconds=ASSUMED_TRIAL_S,
        )
        return Pace(ASSUMED_TRIAL_S, ASSUMED_TRIAL_S, text)
    work_s = fmean(trial.build_s + trial.run_s for trial in trials)
    whole_s = snapshot.elapsed_s / len(trials)
    known = [seconds for seconds in (work_s, whole_s) if seconds > 0] or [ASSUMED_TRIAL_S]
    given_s = min(known)
    text = Sentence("{seconds:.2g} s a trial, as here so far.", seconds=given_s)
    return Pace(max(whole_s, given_s), given_s, text)


def neighbours(space: DesignSpace) -> int:
    """About how many neighbours a schedule has in the largest sketch of its space.

    A prime factor of a tile moves to each of the other levels, a categorical by one to each side.
    """
    return max((sum(map(_moves, sketch.knobs)) for sketch in space.sketches), default=0)


_NOTHING = Sentence("")


def _share(snapshot: Snapshot, per_task: int, top_k: int) -> Estimate:
    pace, clustering = pace_of(snapshot), snapshot.clustering
    if clustering is None:
        tasks = len(snapshot.own_tasks)
        note = Sentence("No clusters yet: all tasks are tuned.")
        return _estimate(tasks, pace, tasks * per_task, 0, note)
    whole, searched = (
        predicted_cost(clustering, per_task, count, pace.searched_s, snapshot.spaces).trials
        for count in (top_k, 0)
    )
    tasks = sum(len(cluster.members) for cluster in clustering.clusters)
    return _estimate(tasks, pace, searched, whole - searched)


def _transfer(snapshot: Snapshot, per_task: int, found: Mapping[int, int] | None) -> Estimate:
    counts = [
        per_task if found is None else min(per_task, found.get(task.index, 0))
        for task in snapshot.own_tasks
    ]
    without = 0 if found is None else counts.count(0)
    note = counting(without, "One task has no donor.", "{n} tasks have no donor.")
    note = note if without else _NOTHING
    return _estimate(sum(map(bool, counts)), pace_of(snapshot), 0, sum(counts), note)


def _droplet(snapshot: Snapshot, per_task: int) -> Estimate:
    history = History(snapshot)
    spaces = {space.task: space for space in snapshot.spaces}
    started = [task.index for task in snapshot.own_tasks if history.record(task.index) is not None]
    counts = [
        min(per_task, _DROPLET_STEPS * neighbours(spaces[task])) if task in spaces else per_task
        for task in started
    ]
    without = len(snapshot.own_tasks) - len(started)
    note = counting(
        without,
        "One task has no record to start from.",
        "{n} tasks have no record to start from.",
    )
    note = note if without else _NOTHING
    return _estimate(len(started), pace_of(snapshot), 0, sum(counts), note)


def _merge(snapshot: Snapshot, per_task: int, per_input: int) -> Estimate:
    known = len(snapshot.tasks) - len(snapshot.own_tasks)
    tasks = max(known, likely_merges(snapshot.operators, snapshot.own_tasks, per_input))
    none = Sentence("No operators of one input look as if they may be merged.")
    note = _NOTHING if tasks else none
    return _estimate(tasks, pace_of(snapshot), tasks * per_task, 0, note)


def _estimate(
    tasks: int, pace: Pace, searched: int, given: int, note: Sentence = _NOTHING
) -> Estimate:
    seconds = searched * pace.searched_s + given * pace.given_s
    return Estimate(tasks, searched + given, seconds, together(note, pace.note))


def _moves(knob: Knob) -> int:
    if knob.kind is KnobKind.TILE:
        held = (min(power, knob.parts) for power in _prime_powers(knob.extent))
        return sum(held) * max(0, knob.parts - 1)
    return min(2, max(0, len(knob.choices) - 1)) if knob.kind is KnobKind.CATEGORICAL else 2


def _prime_powers(extent: int) -> list[int]:
    """How often each prime divides an extent."""
    powers: Counter[int] = Counter()
    factor = 2
    while factor * factor <= extent:
        if extent % factor:
            factor += 1
        else:
            powers[factor] += 1
            extent //= factor
    if extent > 1:
        powers[extent] += 1
    return list(powers.values())
