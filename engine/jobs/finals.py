"""The end of a run: finalists measured again in turns; that decides the best."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from engine.history.history import History
from engine.jobs.context import RunContext
from engine.jobs.steps.turns import measure_in_turns
from engine.jobs.together import all_of
from engine.measure.runner import RunResult
from engine.records.events import Progress, TrialConfirmed
from engine.records.trial import Trial
from engine.records.words import Doing

_NEAR = 1.15  # a candidate this much slower than the best does not win by a second look


async def confirm_finalists(context: RunContext) -> None:
    """Measure the best few of each task that had trials in this run again.

    A task's record of earlier runs is among them, which stays unless one is surely faster.
    """
    contests = _contests(context)
    await all_of(
        (partial(_contest, context, trials) for trials in contests),
        lambda done: context.emit(Progress(Doing.FINALS, done, len(contests))),
    )
    context.emit(Progress(""))


def _contests(context: RunContext) -> list[list[Trial]]:
    """The finalists of each task that has more than one."""
    snapshot = context.project.snapshot()
    moves = [move for move in snapshot.moves if move.run == context.run]
    ends = {move.task: move.end for move in moves if move.accepted}
    before = History(replace(snapshot, unused=snapshot.unused | {context.run}))
    return [
        found
        for task in context.model.program.tasks
        if len(found := _finalists(context, task.index, ends.get(task.index), before)) > 1
    ]


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


async def _contest(context: RunContext, trials: list[Trial]) -> None:
    for trial, result in await measure_in_turns(context, trials, context.settings.protocol):
        _store(context, trial, result)


def _store(context: RunContext, trial: Trial, result: RunResult) -> None:
    if result.error is not None or not result.samples:
        return
    stored = context.project.confirm_trial(trial.number, result.samples)
    event = TrialConfirmed(replace(stored, trace=""))
    context.history.apply([event])
    context.emit(event)
