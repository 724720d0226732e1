"""What tuned kernels compute, compared with their tasks' untuned kernels on the device."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from engine.jobs.candidates import build_candidate
from engine.jobs.context import RunContext
from engine.jobs.measuring import on_device
from engine.jobs.together import all_of
from engine.measure.comparing import DRAWS, Comparison
from engine.measure.runner import RunRequest, RunResult
from engine.records.events import Event, Message, TrialConfirmed
from engine.records.outstanding import StageKind
from engine.records.sentences import counting
from engine.records.trial import Check, ErrorKind, Trial

_UNTUNED_TIMES = 4 * DRAWS  # calls that the untuned kernel's time allows for

_FAULTS = (ErrorKind.WRONG_RESULT, ErrorKind.RUN_ERROR, ErrorKind.RUN_TIMEOUT, ErrorKind.RUN_CRASH)
"""What fails a trial: on these arguments the untuned kernel runs."""
_UNFIT = RunResult((), 0.0, error=ErrorKind.RUN_ERROR, error_text="It does not fit its task.")


@dataclass(slots=True)
class Tally:
    """What came of the checks of a run or an export."""

    right: int = 0
    wrong: int = 0
    not_compared: int = 0

    def tell(self, emit: Callable[[Event], None]) -> None:
        """Say what was wrong, and what is not known."""
        if self.wrong:
            text = counting(
                self.wrong,
                "{n:,} of {all:,} tuned kernel computes something else than the untuned one. Such "
                "trials have failed, and the next best take their place.",
                "{n:,} of {all:,} tuned kernels compute something else than the untuned one. Such "
                "trials have failed, and the next best take their place.",
                all=self.right + self.wrong,
            )
            emit(Message("warning", text))
        if self.not_compared:
            text = counting(
                self.not_compared,
                "{n:,} tuned kernel cannot be compared with the untuned one.",
                "{n:,} tuned kernels cannot be compared with the untuned one.",
            )
            emit(Message("info", text))


async def check_record(context: RunContext, task: int, tally: Tally) -> None:
    """See to it that the record of a task is of a kernel that was checked, whichever it becomes."""
    while (number := context.history.record(task)) is not None:
        trial = context.project.trial(number)
        if trial.error is not None:  # another check was faster
            _tell(context, trial)
        elif trial.checked or not await check_trials(context, [trial], tally):
            return


async def check_trials(context: RunContext, trials: Sequence[Trial], tally: Tally) -> bool:
    """Compare kernels of one task (traces included) with its untuned one, and store what is found.

    False where nothing could be found out now, as the device is lost.
    """
    task = trials[0].task
    prepare = context.outstanding.during(
        StageKind.REPLAY, task, partial(_prepared, context, task, [one.trace for one in trials])
    )
    need = context.needs_update(task, StageKind.REPLAY)
    comparison, modules = await context.resources.run(need, context.threads, prepare)
    if comparison is None:
        results: Sequence[RunResult | None] = [None] * len(trials)
    else:
        fitting = [module for module in modules if module]
        found = await _compare(context, task, comparison, fitting)
        if found is None:
            return False
        rest = iter(found)
        results = [next(rest) if module else _UNFIT for module in modules[1:]]
    for trial, result in zip(trials, results, strict=True):
        _store(context, trial, result, tally)
    return True


def _prepared(
    context: RunContext, task: int, traces: Sequence[str]
) -> tuple[Comparison | None, list[str]]:
    """How to compare, and the modules (TVM's JSON text): the untuned one, then those of traces.

    None where TVM has no untuned kernel for the device; "" for a trace that does not apply, as
    one of a damaged file.
    """
    from engine.deploy.untuned import untuned_kernel
    from engine.tasks.comparable import comparison_of

    program = context.model.program
    workload = program.workloads[task]
    try:
        comparison, untuned = comparison_of(workload), untuned_kernel(program, task)
    except Exception:  # TVM raises whatever its rules do
        return None, []
    return comparison, [untuned, *(_scheduled(workload, trace) for trace in traces)]


def _scheduled(workload: Any, trace: str) -> str:
    from engine.search.task_search import NotApplied, scheduled_module

    try:
        return scheduled_module(workload, trace)[0]
    except NotApplied:
        return ""


async def _compare(
    context: RunContext, task: int, comparison: Comparison, modules: Sequence[str]
) -> list[RunResult | None] | None:
    """A result for each module but the first; None for one of which nothing can be known, and
    for all of them where the device is lost."""
    built = await all_of(
        partial(build_candidate, context, task, module, whole=True) for module in modules
    )
    first, *others = [one.artifact for one in built]
    if first is None:
        return [None] * len(others)
    args = context.model.program.tasks[task].args
    seconds = _UNTUNED_TIMES * (context.history.untuned(task) or 0.0)
    protocol = context.settings.protocol
    patient = replace(protocol, timeout_s=protocol.timeout_s + seconds)
    async with on_device(context, task) as place:
        if place is None:
            return None
        requests = [
            RunRequest(artifact, args, patient, place=place)
            for artifact in (first, *others)
            if artifact is not None
        ]
        found = await asyncio.wrap_future(context.runner.check(tuple(requests), comparison))
    if any(one.error is ErrorKind.DEVICE_LOST for one in found):
        return None
    if found[0].error is not None:
        return [None] * len(others)
    rest = iter(found[1:])
    return [None if artifact is None else next(rest) for artifact in others]


def _store(context: RunContext, trial: Trial, result: RunResult | None, tally: Tally) -> None:
    if result is None:
        tally.not_compared += 1
        _tell(context, context.project.check_trial(trial.number, Check.NOT_COMPARED))
    elif result.error in _FAULTS:
        tally.wrong += 1
        _tell(context, context.project.check_trial(trial.number, None, result.error_text))
    else:
        tally.right += 1
        _tell(context, context.project.check_trial(trial.number, Check.AGREES))


def _tell(context: RunContext, trial: Trial) -> None:
    event = TrialConfirmed(replace(trial, trace=""))
    context.history.apply([event])
    context.emit(event)
