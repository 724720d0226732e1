"""One candidate's way through build and measurement into the project file."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

from engine.events import TaskChanged, TrialDone
from engine.jobs.context import RunContext
from engine.measure.runner import BuildRequest, BuildResult, RunRequest, RunResult
from engine.measure.trial import Source, Trial
from engine.search.task_search import Candidate
from engine.tasks.task import TaskState


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a candidate comes from: `Trial.source` and `Trial.origin`."""

    source: Source = Source.SEARCH
    origin: dict[str, Any] = field(default_factory=dict)


SEARCHED = Provenance()


async def build_candidate(context: RunContext, module: str) -> BuildResult:
    """Have a scheduled module (TVM's JSON text) built."""
    request = BuildRequest(
        module=module,
        target=context.build_target,
        artifact=context.artifacts.fresh(".so"),
    )
    async with context.stage(context.needs_build()):
        return await asyncio.wrap_future(context.builder.submit(request))


async def try_candidate(
    context: RunContext,
    task: int,
    slot: int,
    candidate: Candidate,
    ending: Callable[[], bool],
    provenance: Provenance = SEARCHED,
) -> Trial | None:
    """Build and measure one candidate and store its trial; None where the run ends first."""
    if ending():
        return None
    built = await build_candidate(context, candidate.module)
    ran: RunResult | None = None
    if built.artifact is not None:
        async with context.stage(context.needs_run()):
            context.emit(TaskChanged(task, TaskState.MEASURING))
            ran = await asyncio.wrap_future(
                context.runner.submit(
                    RunRequest(
                        artifact=built.artifact,
                        args=candidate.args,
                        protocol=context.settings.protocol,
                        best_s=context.history.best(task),
                    )
                )
            )
    return _store(context, _trial(context, task, slot, candidate, built, ran, provenance))


def _trial(
    context: RunContext,
    task: int,
    slot: int,
    candidate: Candidate,
    built: BuildResult,
    ran: RunResult | None,
    provenance: Provenance,
) -> Trial:
    last = ran or built
    return Trial(
        number=0,
        task=task,
        trace=candidate.trace,
        trace_key=candidate.trace_key,
        samples=ran.samples if ran else (),
        cut=ran.cut if ran else False,
        error=last.error,
        error_text=last.error_text,
        build_s=built.seconds,
        run_s=ran.seconds if ran else 0.0,
        slot=slot,
        run=context.run,
        elapsed_s=context.clock.project_s,
        at=time.time(),
        protocol=context.settings.protocol.as_dict(),
        source=provenance.source,
        origin=provenance.origin,
    )


def _store(context: RunContext, trial: Trial) -> Trial:
    stored = context.project.add_trial(trial)
    event = TrialDone(replace(stored, trace=""))  # views need no trace, and memory stays flat
    context.history.apply([event])
    context.emit(event)
    return stored
