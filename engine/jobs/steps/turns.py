"""Trials of one task measured again, a sample of each in turn."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from engine.jobs.candidates import build_candidate, run_request
from engine.jobs.context import RunContext
from engine.jobs.measuring import on_device
from engine.jobs.together import all_of
from engine.measure.runner import RunRequest, RunResult
from engine.records.outstanding import StageKind
from engine.records.trial import Protocol, Trial
from engine.search.task_search import NotApplied, scheduled_module


async def measure_in_turns(
    context: RunContext, trials: Sequence[Trial], protocol: Protocol
) -> list[tuple[Trial, RunResult]]:
    """Build the trials (traces included) again and measure them in turns.

    Those that cannot be built are left out; with fewer than two nothing is measured.
    """
    built = await all_of(partial(_rebuild, context, trial, protocol) for trial in trials)
    entries = [(trial, made) for trial, made in zip(trials, built, strict=True) if made]
    results = await _in_turns(context, trials[0].task, [made for _, made in entries])
    return [(trial, result) for (trial, _), result in zip(entries, results, strict=False)]


async def measure_beside_untuned(
    context: RunContext, trials: Sequence[Trial], protocol: Protocol
) -> tuple[RunResult | None, list[tuple[Trial, RunResult]]]:
    """The same, with the task's untuned kernel as one more in the turns: its result first, None
    where it cannot be built."""
    task = trials[0].task
    first = await _untuned(context, task, protocol)
    if first is None:
        return None, await measure_in_turns(context, trials, protocol)
    built = await all_of(partial(_rebuild, context, trial, protocol) for trial in trials)
    entries = [(trial, made) for trial, made in zip(trials, built, strict=True) if made]
    results = await _in_turns(context, task, [first, *(made for _, made in entries)])
    found = [(trial, result) for (trial, _), result in zip(entries, results[1:], strict=False)]
    return (results[0] if results else None), found


async def _in_turns(
    context: RunContext, task: int, requests: Sequence[RunRequest]
) -> Sequence[RunResult]:
    """The results of kernels of a task measured in turns; none where they are fewer than two."""
    if len(requests) < 2:
        return ()
    async with on_device(context, task) as place:
        if place is None:
            return ()
        placed = tuple(replace(request, place=place) for request in requests)
        return await asyncio.wrap_future(context.runner.confirm(placed))


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


async def _untuned(context: RunContext, task: int, protocol: Protocol) -> RunRequest | None:
    from engine.deploy.untuned import untuned_kernel

    program = context.model.program

    def kernel() -> str:
        try:
            return untuned_kernel(program, task)
        except Exception:  # TVM raises whatever its rules do
            return ""

    call = context.outstanding.during(StageKind.REPLAY, task, kernel)
    need = context.needs_update(task, StageKind.REPLAY)
    module = await context.resources.run(need, context.threads, call)
    built = await build_candidate(context, task, module) if module else None
    if built is None or built.artifact is None:
        return None
    return run_request(context, task, built.artifact, program.tasks[task].args, protocol)


async def _rebuild(context: RunContext, trial: Trial, protocol: Protocol) -> RunRequest | None:
    """A trial built again; None where it cannot be, as one of a damaged file."""
    workload = context.model.program.workloads[trial.task]
    call = context.outstanding.during(
        StageKind.REPLAY, trial.task, partial(scheduled_module, workload, trial.trace)
    )
    need = context.needs_update(trial.task, StageKind.REPLAY)
    try:
        module, args = await context.resources.run(need, context.threads, call)
    except NotApplied:
        return None
    built = await build_candidate(context, trial.task, module)
    if built.artifact is None:
        return None
    return run_request(context, trial.task, built.artifact, args, protocol)
