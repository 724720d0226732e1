"""One candidate's way through build and measurement into the project file."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from engine.jobs.context import RunContext
from engine.jobs.measuring import measure
from engine.kernels.library import is_library
from engine.kernels.marks import text_in
from engine.measure.runner import BuildRequest, BuildResult, RunRequest, RunResult
from engine.records.addresses import again_todo
from engine.records.errors import DeviceMissing, TuningError
from engine.records.events import TaskChanged, TrialDone
from engine.records.outstanding import StageKind
from engine.records.sentences import Sentence
from engine.records.task import TaskState, TensorSpec
from engine.records.trial import ErrorKind, Protocol, Source, Trial
from engine.search.task_search import Candidate


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a candidate comes from: `Trial.source` and `Trial.origin`."""

    source: Source = Source.SEARCH
    origin: dict[str, Any] = field(default_factory=dict)


_LOSSES = 2  # of the device in a row that end a run


async def build_candidate(
    context: RunContext, task: int, module: str, *, whole: bool = False
) -> BuildResult:
    """Have a task's scheduled module (TVM's JSON text) built, `whole` to be checked."""
    request = BuildRequest(
        module=module,
        target=context.build_target,
        artifact=context.artifacts.fresh(".so"),
        whole=whole,
        kernel=context.model.kernel_of(task),
    )
    async with context.building(task):
        with context.outstanding.stage(StageKind.BUILD, task):
            return await asyncio.wrap_future(context.builder.submit(request))


def run_request(
    context: RunContext,
    task: int,
    artifact: str,
    args: tuple[TensorSpec, ...],
    protocol: Protocol,
) -> RunRequest:
    """What measures a built kernel of a task as it finds its weights in the model."""
    program = context.model.program
    own = task < len(program.weights)  # no merged operator
    return RunRequest(
        artifact,
        args,
        protocol,
        weights=program.weights[task] if own else (),
        model_bytes=program.weight_bytes,
    )


async def try_candidate(
    context: RunContext,
    task: int,
    slot: int,
    candidate: Candidate,
    ending: Callable[[], bool],
    provenance: Provenance | None = None,
) -> Trial | None:
    """Build and measure one candidate and store its trial; without a `provenance` a search
    proposed it.

    None where the run ends first, or the task's devices are lost and others are not.
    """
    if ending():
        return None
    built = await build_candidate(context, task, candidate.module)
    ran: RunResult | None = None
    if built.artifact is not None:

        async def again() -> str | None:
            return (await build_candidate(context, task, candidate.module)).artifact

        request = run_request(
            context, task, built.artifact, candidate.args, context.settings.protocol
        )
        begun = partial(context.emit, TaskChanged(task, TaskState.MEASURING))
        ran = await measure(context, task, request, again, begun)
        if ran is None:
            return None
    provenance = provenance or provenance_of(candidate)
    trial = _store(context, _trial(context, task, slot, candidate, built, ran, provenance))
    context.pace.add(trial)
    _require_device(context, trial)
    return trial


def provenance_of(candidate: Candidate) -> Provenance:
    """What a search's slot proposed: a schedule, a kernel that is ready, or a library's."""
    kernel = text_in(candidate.trace)
    if not kernel:
        return Provenance()
    source = Source.LIBRARY if is_library(kernel) else Source.READY
    return Provenance(source, {"kernel": kernel})


def _require_device(context: RunContext, trial: Trial) -> None:
    """TuningError where the device was lost for the second time in a row."""
    if trial.error is ErrorKind.DEVICE_LOST:
        context.losses += 1
    elif trial.samples:
        context.losses = 0
    if context.losses >= _LOSSES and context.runner.alone:
        remote = context.model.program.target.remote
        kind = DeviceMissing if remote else TuningError
        raise kind(
            Sentence("The device is lost. {error_text}", error_text=trial.error_text),
            Sentence("{todo}; resume the run.", todo=again_todo(remote)),
        )


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
    how: dict[str, Any] = {"device": ran.place} if ran and ran.place else {}
    if ran and ran.in_graph:
        how["in_graph"] = True
    if ran and ran.board:
        how |= ran.board.as_dict()
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
        protocol=context.settings.protocol.as_dict() | how,
        source=provenance.source,
        origin=provenance.origin,
    )


def _store(context: RunContext, trial: Trial) -> Trial:
    stored = context.project.add_trial(trial)
    event = TrialDone(replace(stored, trace=""))  # views need no trace, and memory stays flat
    context.history.apply([event])
    context.emit(event)
    return stored
