"""Sharing: one task of each cluster is tuned, and the others get its best schedules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from engine.jobs.candidates import Provenance
from engine.jobs.context import RunContext
from engine.jobs.steps.spaces import find_spaces
from engine.jobs.steps.spending import ENDLESS, Spending
from engine.jobs.steps.steps import ShareOptions
from engine.jobs.steps.tries import Tries
from engine.passes.clusters import cluster
from engine.passes.fitting import candidates
from engine.passes.sharing import (
    CPU_GROWTH,
    GPU_GROWTH,
    Weak,
    effective_weights,
    search_seconds,
    weak_dependants,
)
from engine.records.clustering import Clustering
from engine.records.events import ClustersChanged, Message
from engine.records.outstanding import StageKind
from engine.records.sentences import Sentence
from engine.records.space import DesignSpace
from engine.records.task import own_tasks
from engine.records.trial import Source, Trial
from engine.records.words import Doing

if TYPE_CHECKING:
    from engine.jobs.steps.spending import Search

_TRIALS = 64  # of each representative, where the budget names neither trials nor seconds
_PARTS = (0.6, 0.9, 1.0)  # dependants get what is best so far early, and what became better
_LONG = 12  # slots' times that a search takes where it is worth to break it into parts
_FOR_WEAK = 0.3  # of what is left, where weak dependants are to be tuned


@dataclass(frozen=True, slots=True)
class _Pace:
    """What things take, in seconds, before this project knows: a trial without search, a trial
    with it, and a slot's search, which on a GPU lasts as long for few trials as for many."""

    trial_s: float
    searched_s: float
    slot_s: float
    fewest: int  # trials that are worth a slot


_CPU, _GPU = _Pace(0.2, 0.4, 1.0, 4), _Pace(0.2, 0.2, 8.0, 8)


async def share(
    context: RunContext, spending: Spending, options: ShareOptions, search: Search
) -> None:
    """Tune the representatives, then measure their best schedules on their dependants."""
    spaces = await find_spaces(
        context.project, context.model.program, context.resources, context.threads, context.emit
    )
    clustering = await _clustering(context, options, spaces)
    dependants = frozenset(task for item in clustering.clusters for task in item.dependants)
    tasks = own_tasks(context.model.program.tasks)
    weights, given = effective_weights(tasks, clustering), dict[int, list[int]]()
    kept = 1 - _FOR_WEAK if options.tune_weak else 1.0
    parts = iter([kept * part for part in _parts(context, spending)])
    while (part := next(parts, None)) is not None or _worth_more(context, spending, options):
        limits = _for_search(
            context, spending, len(dependants), options.top_k, len(weights), part or 1.0
        )
        tried = spending.trials
        with spending.within(*limits):
            await search(weights, dependants, _batch(context, limits, len(weights)))
        await _give(context, spending, clustering, spaces, options.top_k, given)
        if spending.over or (part is None and spending.trials == tried):
            break
    growth = GPU_GROWTH if context.model.program.target.is_gpu else CPU_GROWTH
    weak = weak_dependants(tasks, clustering, context.history.now, growth=growth)
    for item in weak:
        context.emit(Message("info", _weak_text(context, item)))
    if weak and options.tune_weak and not spending.over:
        chosen = {item.task for item in weak}
        await search(None, frozenset(task.index for task in tasks) - chosen)


async def _clustering(
    context: RunContext, options: ShareOptions, spaces: tuple[DesignSpace, ...]
) -> Clustering:
    stored = context.project.snapshot().clustering
    if stored is not None and options.stored:
        return stored
    tasks = own_tasks(context.model.program.tasks)
    call = partial(cluster, tasks, spaces[: len(tasks)], options.metric, options.threshold)
    need = context.needs_update(kind=StageKind.SPACES)
    made = await context.resources.run(need, context.threads, call)
    context.project.set_clustering(made)
    context.emit(ClustersChanged(made))
    return made


def _pace(context: RunContext) -> _Pace:
    return _GPU if context.model.program.target.is_gpu else _CPU


def _parts(context: RunContext, spending: Spending) -> tuple[float, ...]:
    """Where the search breaks off to give dependants what there is: nowhere in a short one."""
    seconds = spending.seconds_left()
    short = seconds is not None and seconds < _LONG * _pace(context).slot_s
    return _PARTS[-1:] if short else _PARTS


def _for_search(
    context: RunContext, spending: Spending, dependants: int, top_k: int, tuned: int, part: float
) -> tuple[int | None, float | None]:
    """Trials and seconds for the representatives: a part of what the dependants leave them."""
    left, seconds = spending.left(), spending.seconds_left()
    trials = None if left > ENDLESS // 2 else left
    if trials is None and seconds is None:
        return round(part * tuned * _TRIALS), None
    slot_s, trial_s = _pace(context).slot_s, _trial_s(context)
    return (
        None if trials is None else max(1, round(part * (trials - top_k * dependants))),
        None if seconds is None else search_seconds(seconds, dependants, trial_s, slot_s, part),
    )


def _worth_more(context: RunContext, spending: Spending, options: ShareOptions) -> bool:
    """Whether the dependants left time for another round of search."""
    seconds = spending.seconds_left()
    return (
        not options.tune_weak
        and seconds is not None
        and seconds > 3 * _pace(context).slot_s
        and not spending.over
    )


def _batch(context: RunContext, limits: tuple[int | None, float | None], tuned: int) -> int:
    """Trials of a slot: fewer than usual where each representative would not get one otherwise."""
    trials, seconds = limits
    usual = context.settings.search.batch
    expected = [usual * tuned] if trials is None else [trials]
    if seconds is not None:
        expected.append(round(seconds / _pace(context).searched_s))
    return max(min(_pace(context).fewest, usual), min(usual, min(expected) // max(1, tuned)))


def _trial_s(context: RunContext) -> float:
    """Seconds of a dependant's trial: as long as one of a search takes at most."""
    history, usual = context.history, _pace(context).trial_s
    if history.trial_count <= _TRIALS:
        return usual
    return min(usual, history.last_elapsed_s / history.trial_count)


async def _give(
    context: RunContext,
    spending: Spending,
    clustering: Clustering,
    spaces: tuple[DesignSpace, ...],
    top_k: int,
    given: dict[int, list[int]],
) -> None:
    """Try the representatives' best on their dependants; `given` says whose were tried before."""
    tries = Tries(context, spending)
    pairs = [
        (task, item.representative) for item in clustering.clusters for task in item.dependants
    ]
    pairs.sort(key=lambda pair: -(context.history.share(pair[0]) or 0.0))
    best = {task: _best(context.project.trials_of(task), top_k) for _, task in pairs}
    now = {task: [trial.number for trial in found] for task, found in best.items()}
    pairs = [(task, source) for task, source in pairs if now[source] != given.get(source)]
    given |= now
    fitted = {task: _fitted(best[source], spaces[task], top_k) for task, source in pairs}
    names = {task.index: task.name for task in context.model.program.tasks}
    slots = {
        task: tries.begin(task, Sentence("the best schedules of {task}", task=names[source]))
        for task, source in pairs
    }
    queue = [
        partial(_attempt, tries, task, slots[task], *fitted[task][turn])
        for turn in range(top_k)
        for task, _ in pairs
        if turn < len(fitted[task])
    ]
    try:
        await tries.take_all(queue, Doing.SHARING)
    finally:
        tries.end([task for task, _ in pairs])


async def _attempt(
    tries: Tries, task: int, slot: int, record: Trial, rank: int, trace: str
) -> None:
    origin = {"task": record.task, "trial": record.number, "rank": rank}
    await tries.attempt(task, slot, trace, Provenance(Source.SHARED, origin))


def _fitted(records: list[Trial], space: DesignSpace, count: int) -> list[tuple[Trial, int, str]]:
    """What a dependant measures: records, their ranks, and their traces fitted to its space."""
    made = candidates((record.trace for record in records), space)
    return [(records[rank], rank, trace) for rank, trace in islice(made, count)]


def _best(trials: Sequence[Trial], count: int) -> list[Trial]:
    valid = [trial for trial in trials if trial.error is None and trial.samples and not trial.cut]
    return sorted(valid, key=lambda trial: trial.latency_s)[:count]


def _weak_text(context: RunContext, weak: Weak) -> Sentence:
    name = context.model.program.tasks[weak.task].name
    return Sentence(
        "{name} stays far behind its representative: tuning it by itself may pay.", name=name
    )
