"""One slot: a task's search proposes, its candidates are tried, the search learns."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from engine.jobs.candidates import try_candidate
from engine.jobs.context import RunContext
from engine.jobs.search_pool import SearchPool
from engine.jobs.together import all_of
from engine.records.errors import TuningError
from engine.records.events import TaskChanged
from engine.records.task import TaskState
from engine.records.trial import ErrorKind

_HOPELESS_AFTER = 32


async def run_slot(
    context: RunContext,
    searches: SearchPool,
    task: int,
    slot: int,
    reserve: Callable[[int], int],
    ending: Callable[[], bool],
) -> str:
    """Spend one slot. The reason why the task is finished, empty where it is not.

    `reserve` says how many of the wanted trials the budget still has.
    """
    if not context.runner.serves(task):
        return _failed(context, task, "its device is lost")
    context.emit(TaskChanged(task, TaskState.SEARCHING))
    try:
        candidates = await searches.propose(task)
    except TuningError as error:
        return _failed(context, task, error.what)
    if not candidates:
        context.emit(TaskChanged(task, TaskState.FINISHED, "every schedule was tried"))
        return "every schedule was tried"
    granted = reserve(len(candidates))
    context.emit(TaskChanged(task, TaskState.BUILDING))
    trials = await all_of(
        partial(try_candidate, context, task, slot, item, ending) for item in candidates[:granted]
    )
    pairs = [
        (candidate, trial)
        for candidate, trial in zip(candidates, trials, strict=False)
        if trial is not None and trial.error is not ErrorKind.DEVICE_LOST
    ]
    if pairs and not ending():
        try:
            await searches.learn(task, pairs)
        except TuningError as error:
            return _failed(context, task, error.what)
    return _verdict(context, task)


def _failed(context: RunContext, task: int, reason: str) -> str:
    context.emit(TaskChanged(task, TaskState.FAILED, reason))
    return reason


def _verdict(context: RunContext, task: int) -> str:
    history = context.history
    count, errors = history.trials(task), history.errors(task)
    if errors == count and count >= _HOPELESS_AFTER:
        reason = f"all {count} candidates failed, mostly with a {history.commonest_error(task)}"
        return _failed(context, task, reason)
    context.emit(TaskChanged(task, TaskState.WAITING))
    return ""
