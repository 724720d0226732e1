"""One slot: a task's search proposes, its candidates are tried, the search learns."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from engine.errors import TuningError
from engine.events import TaskChanged
from engine.jobs.candidates import try_candidate
from engine.jobs.context import RunContext
from engine.jobs.outstanding import StageKind
from engine.measure.trial import ErrorKind
from engine.search.task_search import Candidate, Outcome, TaskSearch
from engine.tasks.task import TaskState

_HOPELESS_AFTER = 32


class SearchPool:
    """The searches of one run, each started at its task's first slot."""

    def __init__(self, context: RunContext) -> None:
        self._context = context
        self._searches: dict[int, TaskSearch] = {}

    async def propose(self, task: int) -> list[Candidate]:
        """The next candidates of a task; TuningError where it has no design space."""
        context = self._context
        search = self._searches.get(task)
        records = None if search else self._records(task)
        search = self._searches.setdefault(task, search or self._make(task))

        def work() -> list[Candidate]:
            if records is not None:
                search.start(records)
            return search.propose()

        await context.gate.wait()
        staged = context.outstanding.during(StageKind.SEARCH, task, work)
        return await context.resources.run(context.needs_search(), context.threads, staged)

    async def learn(self, task: int, outcomes: list[tuple[Candidate, Outcome]]) -> None:
        """Give a search its results."""
        context = self._context
        call = partial(self._searches[task].learn, outcomes)
        staged = context.outstanding.during(StageKind.LEARNING, task, call)
        await context.resources.run(context.needs_update(), context.threads, staged)

    def _make(self, task: int) -> TaskSearch:
        program, settings = self._context.model.program, self._context.settings
        return TaskSearch(
            program.tasks[task],
            program.workloads[task],
            program.target,
            settings.search,
            settings.seed,
        )

    def _records(self, task: int) -> list[tuple[str, tuple[float, ...]]]:
        trials = self._context.project.trials_of(task)
        return [
            (trial.trace, () if trial.error else trial.samples)
            for trial in trials
            if trial.error is not ErrorKind.DEVICE_LOST
        ]


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
    context.emit(TaskChanged(task, TaskState.SEARCHING))
    try:
        candidates = await searches.propose(task)
    except TuningError as error:
        context.emit(TaskChanged(task, TaskState.FAILED, error.what))
        return error.what
    if not candidates:
        context.emit(TaskChanged(task, TaskState.FINISHED, "every schedule was tried"))
        return "every schedule was tried"
    granted = reserve(len(candidates))
    context.emit(TaskChanged(task, TaskState.BUILDING))
    trials = await asyncio.gather(
        *(try_candidate(context, task, slot, item, ending) for item in candidates[:granted])
    )
    pairs = [
        (candidate, Outcome(() if trial.error else trial.samples))
        for candidate, trial in zip(candidates, trials, strict=False)
        if trial is not None and trial.error is not ErrorKind.DEVICE_LOST
    ]
    if pairs and not ending():
        await searches.learn(task, pairs)
    return _verdict(context, task)


def _verdict(context: RunContext, task: int) -> str:
    history = context.history
    count, errors = history.trials(task), history.errors(task)
    if errors == count and count >= _HOPELESS_AFTER:
        reason = f"all {count} candidates failed, mostly with a {history.commonest_error(task)}"
        context.emit(TaskChanged(task, TaskState.FAILED, reason))
        return reason
    context.emit(TaskChanged(task, TaskState.WAITING))
    return ""
