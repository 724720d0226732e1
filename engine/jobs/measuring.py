"""One measurement in its turn, on whichever device of the run may take it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

from engine.jobs.context import RunContext
from engine.measure import probe
from engine.measure.runner import BuildRequest, RunRequest, RunResult
from engine.records.errors import DeviceMissing, TuningError
from engine.records.outstanding import StageKind
from engine.records.trial import ErrorKind, typical_latency


@asynccontextmanager
async def on_device(context: RunContext, task: int) -> AsyncIterator[str | None]:
    """Hold a device that may measure a task: its name for `RunRequest.place`.

    None where all of them are lost while others of the run are not; TuningError where all are.
    """
    runner = context.runner
    place = runner.reserve(task)
    if place is None:
        if runner.alone:
            kind = DeviceMissing if context.model.program.target.remote else TuningError
            raise kind("All devices of the run are lost.", "See to them; resume the run.")
        yield None
        return
    try:
        async with context.stage(context.needs_run(task, place=place)):
            with context.outstanding.stage(StageKind.MEASUREMENT, task):
                yield place
    finally:
        runner.release(place)


async def measure(
    context: RunContext,
    task: int,
    request: RunRequest,
    again: Callable[[], Awaitable[str | None]],
    begun: Callable[[], None] = lambda: None,
) -> RunResult | None:
    """A library's result; once more on another device where the first was lost meanwhile.

    `again` builds the library anew, as a runner removes what it has had. None where no device is
    left for the task.
    """
    result = await _once(context, task, request, begun)
    lost = result is not None and result.error is ErrorKind.DEVICE_LOST
    if not lost or context.runner.alone or not context.runner.serves(task):
        return result
    artifact = await again()
    if artifact is None:
        return result
    return await _once(context, task, replace(request, artifact=artifact), begun) or result


async def launch_floor(context: RunContext) -> float | None:
    """Seconds of the shortest kernel, timed as trials are; None where those have other overheads
    in them, as on a CPU and elsewhere."""
    if not context.model.program.target.is_gpu or not context.runner.is_here:
        return None
    module = await asyncio.to_thread(probe.shortest_module)
    build = BuildRequest(module, context.build_target, context.artifacts.fresh(".so"))
    async with context.building():
        built = await asyncio.wrap_future(context.builder.submit(build))
    if built.artifact is None:
        return None
    protocol = context.settings.protocol
    async with on_device(context, 0) as place:
        request = RunRequest(built.artifact, probe.SHORTEST_ARGS, protocol, place=place or "")
        result = await asyncio.wrap_future(context.runner.submit(request))
    return typical_latency(result.samples) if result.samples and result.in_graph else None


async def _once(
    context: RunContext, task: int, request: RunRequest, begun: Callable[[], None]
) -> RunResult | None:
    async with on_device(context, task) as place:
        if place is None:
            return None
        begun()
        placed = replace(request, place=place, best_s=context.history.best(task))
        return replace(await asyncio.wrap_future(context.runner.submit(placed)), place=place)
