"""Search: a policy gives slots to tasks, a few of them at once, until it is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from engine.allocation.board import Board, lanes_on
from engine.allocation.policy import Choice, Policy, TaskView
from engine.allocation.wishes import Wishes, choose
from engine.jobs.candidates import try_candidate
from engine.jobs.context import RunContext
from engine.jobs.search_pool import SearchPool
from engine.jobs.steps.peers import Peers
from engine.jobs.steps.spending import Spending
from engine.jobs.together import all_of, beside
from engine.records.errors import TuningError
from engine.records.events import Message, SlotStarted, TaskChanged
from engine.records.sentences import Sentence
from engine.records.snapshot import SlotInfo
from engine.records.task import TaskState
from engine.records.trial import ErrorKind
from engine.records.words import ALL_TRIED, AT_FLOOR

_LOOK_EVERY_S = 0.05
_HOPELESS_AFTER = 32


class Allocation:
    """Runs once, over the tasks that `board` knows; wishes come before the policy."""

    def __init__(
        self,
        context: RunContext,
        spending: Spending,
        policy: Policy,
        board: Board,
        wishes: Wishes,
    ) -> None:
        self._context = context
        self._spending = spending
        self._policy = policy
        self._board = board
        self._wishes = wishes
        self._searches = SearchPool(context)
        self._peers = Peers(context, spending)
        self._changed = asyncio.Condition()
        self._resting: set[int] = set()

    async def run(self) -> None:
        """Give slots until the spending is over, or nothing is left to try."""
        context = self._context
        lanes = lanes_on(context.model.program.target.is_gpu, context.resources.cores)
        async with beside(self._wake()):
            await all_of([self._lane] * lanes)

    async def _wake(self) -> None:
        """Lanes that wait for another one's slot look again when it is over."""
        while not self._spending.over:
            await asyncio.sleep(_LOOK_EVERY_S)
        async with self._changed:
            self._changed.notify_all()

    async def _lane(self) -> None:
        """Give slots, one after another, beside the other lanes."""
        while True:
            await self._context.gate.wait()
            async with self._changed:
                choice = await self._choose()
                while choice is None:
                    if self._spending.over or not self._board.busy:
                        return
                    await self._changed.wait()
                    choice = await self._choose()
                state = self._policy.state()
            await self._spend(choice, state)

    async def _choose(self) -> Choice | None:
        """The next slot's task, which is in flight from then on. Called under the lock.

        It is thought out in another thread: a policy may fit curves for a while.
        """
        if self._spending.over:
            return None
        views = self._board.views()
        choice = await asyncio.to_thread(choose, self._policy, self._wishes, views)
        self._rest(views)
        if choice is None or self._spending.over:
            return None
        self._board.give(choice.task)
        self._resting.discard(choice.task)
        return choice

    def _rest(self, views: Sequence[TaskView]) -> None:
        """Tell, once, which tasks get no slots as their kernels cannot become shorter."""
        for view in views:
            if view.at_floor and view.open and view.index not in self._resting:
                self._resting.add(view.index)
                self._context.emit(TaskChanged(view.index, TaskState.FINISHED, AT_FLOOR))

    async def _spend(self, choice: Choice, state: dict[str, Any]) -> None:
        """Carry out a slot; `state` is the policy's after it chose it."""
        context, spending, task = self._context, self._spending, choice.task
        slot = context.project.add_slot(
            SlotInfo(0, context.run, task, context.clock.project_s, choice.reason, choice.scores)
        )
        context.project.set_run(context.run, policy_state=state)
        context.emit(SlotStarted(slot))
        reserved = 0

        def reserve(wanted: int) -> int:
            nonlocal reserved
            reserved = spending.reserve(wanted)
            return reserved

        before, finished = None, ""
        try:
            await self._peers.give(task, slot.number)
            before = context.history.trials(task)
            finished = await run_slot(
                context, self._searches, task, slot.number, reserve, lambda: bool(spending.reason)
            )
        except asyncio.CancelledError:
            context.emit(TaskChanged(task, TaskState.WAITING))
            raise
        finally:
            # A candidate that was dropped when the run ended gives its trial back.
            results = 0 if before is None else context.history.trials(task) - before
            spending.give_back(reserved - results)
            seconds = context.clock.project_s - slot.elapsed_s if results else None
            self._board.take_back(task, seconds, finished=bool(finished))
        if finished:
            name = context.model.program.tasks[task].name
            context.emit(
                Message("info", Sentence("{name}: {finished}.", name=name, finished=finished))
            )
        async with self._changed:
            self._changed.notify_all()


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
        return _failed(context, task, Sentence("its device is lost"))
    context.emit(TaskChanged(task, TaskState.SEARCHING))
    try:
        candidates = await searches.propose(task)
    except TuningError as error:
        return _failed(context, task, error.what)
    if not candidates:
        context.emit(TaskChanged(task, TaskState.FINISHED, ALL_TRIED))
        return ALL_TRIED
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
    context.emit(TaskChanged(task, TaskState.FAILED, Sentence.of(reason)))
    context.failed[task] = reason
    context.project.set_failed(context.run, context.failed)
    return reason


def _verdict(context: RunContext, task: int) -> str:
    history = context.history
    count, errors = history.trials(task), history.errors(task)
    if errors == count and count >= _HOPELESS_AFTER:
        return _failed(context, task, history.all_failed(task))
    context.emit(TaskChanged(task, TaskState.WAITING))
    return ""
