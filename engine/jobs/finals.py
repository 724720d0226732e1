"""The end of a run: finalists measured again in turns, then the tuned module as a whole."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial

from engine.events import Progress, TrialConfirmed
from engine.jobs.candidates import build_candidate
from engine.jobs.context import RunContext
from engine.measure.runner import RunRequest, RunResult
from engine.measure.trial import Trial
from engine.search.task_search import scheduled_module

_NEAR = 1.15  # a candidate this much slower than the best does not win by a second look


async def confirm_finalists(context: RunContext) -> None:
    """Measure each task's best few again, a sample of each in turn; that decides the best."""
    tasks = context.model.program.tasks
    contests = [found for task in tasks if len(found := _finalists(context, task.index)) > 1]
    running = [_contest(context, trials) for trials in contests]
    for done, contest in enumerate(asyncio.as_completed(running), start=1):
        await contest
        context.emit(Progress("Measuring the finalists again", done, len(contests)))
    context.emit(Progress(""))


def _finalists(context: RunContext, task: int) -> list[Trial]:
    trials = [
        trial
        for trial in context.project.trials_of(task)
        if trial.error is None and trial.samples and not trial.cut
    ]
    trials.sort(key=lambda trial: trial.latency_s)
    limit = _NEAR * trials[0].latency_s if trials else 0.0
    return [trial for trial in trials if trial.latency_s <= limit][: context.settings.finalists]


async def _contest(context: RunContext, trials: list[Trial]) -> None:
    built = await asyncio.gather(*(_rebuild(context, trial) for trial in trials))
    entries = [(trial, made) for trial, made in zip(trials, built, strict=True) if made]
    if len(entries) < 2:
        return
    requests = tuple(made for _, made in entries)
    async with context.stage(context.needs_run()):
        results = await asyncio.wrap_future(context.runner.confirm(requests))
    for (trial, _), result in zip(entries, results, strict=True):
        _store(context, trial, result)


async def _rebuild(context: RunContext, trial: Trial) -> RunRequest | None:
    workload = context.model.program.workloads[trial.task]
    call = partial(scheduled_module, workload, trial.trace)
    module, args = await context.resources.run(context.needs_update(), context.threads, call)
    built = await build_candidate(context, module)
    if built.artifact is None:
        return None
    return RunRequest(built.artifact, args, context.settings.protocol)


def _store(context: RunContext, trial: Trial, result: RunResult) -> None:
    if result.error is not None or not result.samples:
        return
    stored = context.project.confirm_trial(trial.number, result.samples)
    event = TrialConfirmed(replace(stored, trace=""))
    context.history.apply([event])
    context.emit(event)
