"""The end of a run: the best few of each task are measured again, in turns; the best is checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from engine.history.history import History
from engine.jobs.context import RunContext
from engine.jobs.steps.turns import measure_beside_untuned, measure_in_turns
from engine.jobs.together import all_of
from engine.jobs.verifying.checks import Tally, check_record
from engine.measure.runner import RunResult, were_disturbed
from engine.records.events import Event, Message, Progress, ProjectOpened, TrialConfirmed
from engine.records.sentences import Sentence, together
from engine.records.trial import Trial, measured_of, typical_latency
from engine.records.units import format_share
from engine.records.words import Doing

_DOUBT = 2.0  # an untuned kernel that was this many times slower in its module is slower
_BRIEF_S = 50e-6  # what is as short was measured with overheads that tuned kernels have not
_AGAIN_S = 0.5  # to build a kernel for a GPU again, whose compiled code is kept
_NEAR = 1.15  # a candidate this much slower than the best does not win by a second look


async def confirm_finalists(context: RunContext) -> None:
    """Measure the best few of each task that had trials in this run again, and check the best.

    A task's record of earlier runs is among them, which stays unless one is surely faster. A best
    one whose result is wrong is a failed trial, and the next best takes its place and is checked.
    Records of tasks without trials in this run are checked, too, where they never were. Where a
    best one is not clearly faster than the untuned kernel was in its module, that is measured in
    the same turns, and keeps its place where it is as fast.
    """
    snapshot = context.project.snapshot()
    moves = [move for move in snapshot.moves if move.run == context.run]
    ends = {move.task: move.end for move in moves if move.accepted}
    before = History(replace(snapshot, unused=snapshot.unused | {context.run}))
    tasks = [task.index for task in context.model.program.tasks if context.history.best(task.index)]
    tally, finals = Tally(), Finals()
    await all_of(
        (partial(_settle, context, task, ends.get(task), before, finals) for task in tasks),
        lambda done: context.emit(Progress(Doing.FINALS, done, len(tasks))),
    )
    finals.tell(context.emit)
    if finals.untuned:
        context.project.set_untuned(None, finals.untuned)
        snapshot = context.project.snapshot()
        context.history.reset(snapshot)
        context.emit(ProjectOpened(snapshot))
    context.emit(Progress(Doing.VALUES))
    await all_of(partial(check_record, context, task, tally) for task in tasks)
    context.emit(Progress(""))
    tally.tell(context.emit)


def expected_s(context: RunContext) -> float:
    """Seconds that the finals and their checks would take now, by what trials took so far."""
    pace = context.pace
    builds = runs = 0
    for task in pace.tasks:
        best_s, latencies_s = context.history.best(task), context.history.log(task).latency_s
        if best_s is None:
            continue
        near = sum(latency_s <= _NEAR * best_s for latency_s in latencies_s)
        again = min(near, context.settings.finalists) if near > 1 else 0
        builds += again + 2  # the winner and the untuned kernel, to be compared
        runs += again + 1
    here = context.builder.is_here
    width = context.resources.cores if here else context.builder.width
    kept = here and context.model.program.target.is_gpu
    build_s = min(pace.build_s, _AGAIN_S) if kept else pace.build_s
    return builds * build_s / width + runs * pace.run_s


@dataclass(slots=True)
class Finals:
    """What the finals of all tasks gave: latencies of untuned kernels in seconds, by task, the
    loads of those that stayed disturbed, and whether a board was hot."""

    untuned: dict[int, float] = field(default_factory=dict)
    disturbed: list[float] = field(default_factory=list)
    throttled: bool = False

    def tell(self, emit: Callable[[Event], None]) -> None:
        """Say how many were disturbed, and by what."""
        if not self.disturbed:
            return
        load = max(self.disturbed)
        disturbed = (
            Sentence(
                "The finals of {count:,} tasks were disturbed, other programs had up to {load} of "
                "the cores.",
                count=len(self.disturbed),
                load=format_share(load),
            )
            if load
            else Sentence(
                "The finals of {count:,} tasks were disturbed.", count=len(self.disturbed)
            )
        )
        if self.throttled:
            hot = Sentence("The board was hot and held its cores back.")
            disturbed = together(disturbed, hot)
        kept = Sentence("Latencies that were confirmed before stay as they are.")
        emit(Message("warning", together(disturbed, kept)))


async def _settle(
    context: RunContext, task: int, polished: int | None, before: History, finals: Finals
) -> None:
    """Measure a task's finalists, and the untuned kernel where it is in doubt.

    Where that is disturbed to the last, no good confirmation of before is replaced: a record would
    look slower than it is.
    """
    trials, protocol = _finalists(context, task, polished, before), context.settings.protocol
    first: RunResult | None = None
    results: list[tuple[Trial, RunResult]] = []
    if trials and _in_doubt(context, task):
        first, results = await measure_beside_untuned(context, trials, protocol)
    elif len(trials) > 1:
        results = await measure_in_turns(context, trials, protocol)
    known: set[int] = set()
    if were_disturbed([result for _, result in results]):
        finals.disturbed.append(max((result.load or 0.0 for _, result in results), default=0.0))
        finals.throttled |= any(result.measured.throttled for _, result in results)
        known = {trial.number for trial in trials if _is_sure(trial)}
    for trial, result in results:
        if trial.number not in known:
            _store(context, trial, result)
    if first is not None and first.samples and not known:
        finals.untuned[task] = typical_latency(first.samples)


def _is_sure(trial: Trial) -> bool:
    """Whether a trial was confirmed before, by samples that agree."""
    return bool(trial.confirmed) and not measured_of(trial.confirmed).disturbed


def _in_doubt(context: RunContext, task: int) -> bool:
    """Whether the untuned kernel may be as fast as the best: their latencies are of two ways."""
    best_s, untuned_s = context.history.best(task), context.history.untuned(task)
    if best_s is None or untuned_s is None:
        return False
    return untuned_s < _BRIEF_S or untuned_s < _DOUBT * best_s


def _finalists(
    context: RunContext, task: int, polished: int | None, before: History
) -> list[Trial]:
    """The best few, the record of now and of before the run, and where Droplet ended."""
    trials = [
        trial
        for trial in context.project.trials_of(task)
        if trial.error is None and trial.samples and not trial.cut
    ]
    if not any(trial.run == context.run for trial in trials):
        return []
    trials.sort(key=lambda trial: trial.latency_s)
    limit = _NEAR * trials[0].latency_s
    chosen = [trial for trial in trials if trial.latency_s <= limit][: context.settings.finalists]
    kept = {context.history.record(task), before.record(task), polished}
    return chosen + [trial for trial in trials if trial.number in kept and trial not in chosen]


def _store(context: RunContext, trial: Trial, result: RunResult) -> None:
    if result.error is not None or not result.samples:
        return
    stored = context.project.confirm_trial(trial.number, result.samples)
    event = TrialConfirmed(replace(stored, trace=""))
    context.history.apply([event])
    context.emit(event)
