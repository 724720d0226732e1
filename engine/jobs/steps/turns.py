"""Trials of one task measured again, a sample of each in turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from engine.jobs.candidates import build_candidate
from engine.jobs.context import RunContext
from engine.jobs.measuring import on_device
from engine.jobs.together import all_of
from engine.measure.runner import RunRequest, RunResult
from engine.records.outstanding import StageKind
from engine.records.trial import Protocol, Trial
from engine.search.task_search import scheduled_module


async def measure_in_turns(
    context: RunContext, trials: Sequence[Trial], protocol: Protocol
) -> list[tuple[Trial, RunResult]]:
    """Build the trials (traces included) again and measure them in turns.

    Those that cannot be built are left out; with fewer than two nothing is measured.
    """
    built = await all_of(partial(_rebuild, context, trial, protocol) for trial in trials)
    entries = [(trial, made) for trial, made in zip(trials, built, strict=True) if made]
    if len(entries) < 2:
        return []
    async with on_device(context, trials[0].task) as place:
        if place is None:
            return []
        requests = tuple(replace(made, place=place) for _, made in entries)
        results = await asyncio.wrap_future(context.runner.confirm(requests))
    return [(trial, result) for (trial, _), result in zip(entries, results, strict=True)]


async def measure_again(context: RunContext, trial: Trial, protocol: Protocol) -> tuple[float, ...]:
    """New samples of a trial (trace included), in seconds; none where it fails now."""
    request = await _rebuild(context, trial, protocol)
    if request is None:
        return ()
    async with on_device(context, trial.task) as place:
        if place is None:
            return ()
        placed = replace(request, place=place)
        result = await asyncio.wrap_future(context.runner.submit(placed))
    return () if result.error else result.samples


async def _rebuild(context: RunContext, trial: Trial, protocol: Protocol) -> RunRequest | None:
    workload = context.model.program.workloads[trial.task]
    call = context.outstanding.during(
        StageKind.REPLAY, trial.task, partial(scheduled_module, workload, trial.trace)
    )
    need = context.needs_update(trial.task, StageKind.REPLAY)
    module, args = await context.resources.run(need, context.threads, call)
    built = await build_candidate(context, trial.task, module)
    return None if built.artifact is None else RunRequest(built.artifact, args, protocol)
