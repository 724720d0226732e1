"""A tuning run whose stages only take the time that a recording says."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from engine.allocation.board import lanes_on
from engine.allocation.policy import Choice, Policy
from engine.allocation.recording import Recording
from engine.allocation.wishes import NO_WISHES, Wishes, choose
from engine.jobs.resources import Need, Resources
from engine.jobs.together import all_of
from engine.records.task import TaskState
from engine.records.words import RunEnd
from engine.replay.tape import USED_UP, Tape

_SPARE_CORES = 2  # a GPU's host keeps these from its builds


@dataclass(frozen=True, slots=True)
class Given:
    """A slot that was given: to which task, when (s of the run), and what deciding cost (s)."""

    number: int
    task: int
    start_s: float
    reason: str
    scores: dict[str, object]
    decision_s: float


class Listener:
    """Is told what happens, in order, with the run's clock in seconds. Does nothing itself."""

    def slot_given(self, slot: Given) -> None:
        """A policy gave a slot."""

    def task_entered(self, task: int, state: TaskState, reason: str = "") -> None:
        """A task is in another state."""

    def trial_done(self, slot: Given, row: int, latency_s: float, now_s: float) -> None:
        """The recorded trial `row` of the slot's task was shown."""

    def slot_over(self, slot: Given, now_s: float) -> None:
        """All trials of a slot were shown."""


class _GoalMet(Exception):
    """The model is as fast as it should be."""


class ReplayRun:
    """Plays a tape under a policy with the live pipeline's rules, in the loop that runs it.

    The same `Resources` decide which stage runs: a search and a build take a core each, a
    measurement on a CPU all of them, so that it and builds exclude each other; on a GPU it takes
    the device and a core, and builds go on. A slot is the next trials of its task, as many as the
    tape has in a batch: first their search seconds together, then each is built and run. The k-th
    of them to come out shows the k-th recorded result, so a task's curve is the same whoever
    allocates.

    `script` holds slots of an interrupted run: they are given first, without asking the policy.
    """

    def __init__(
        self,
        tape: Tape,
        policy: Policy,
        *,
        lanes: int | None = None,
        trials: int | None = None,
        latency_s: float | None = None,
        script: Sequence[Choice] = (),
        first_slot: int = 1,
        listener: Listener | None = None,
        wishes: Wishes = NO_WISHES,
    ) -> None:
        recording = tape.recording
        cores = recording.cores + (_SPARE_CORES if recording.is_gpu else 0)
        self._tape = tape
        self._policy = policy
        self._wishes = wishes
        self._lanes = lanes or lanes_on(recording.is_gpu, cores)
        self._left: float = math.inf if trials is None else trials
        self._goal_s = 0.0 if latency_s is None else latency_s
        self._script = list(reversed(script))
        self._number = first_slot
        self._listener = listener or Listener()
        self._resources = Resources(cores)
        self._builders = asyncio.Semaphore(recording.cores)
        self._search, self._build, self._run = _needs(recording, cores)

    async def run(self, seconds: float | None = None) -> str:
        """Play until the tape or the budget is used up, and say why it ended."""
        self._began_s = asyncio.get_running_loop().time()
        self._changed = asyncio.Condition()
        try:
            async with asyncio.timeout(seconds):
                await all_of([self._lane] * self._lanes)
        except TimeoutError:
            return RunEnd.TIME
        except _GoalMet:
            return RunEnd.OBJECTIVE
        return RunEnd.TRIALS if self._left <= 0 else RunEnd.EXHAUSTED

    def _now_s(self) -> float:
        return asyncio.get_running_loop().time() - self._began_s

    async def _lane(self) -> None:
        while True:
            async with self._changed:
                while (slot := self._give()) is None:
                    if self._left <= 0 or not self._tape.board.busy:
                        return
                    await self._changed.wait()
            await self._spend(slot)

    def _give(self) -> Given | None:
        if self._left <= 0:
            return None
        began = time.perf_counter()
        board = self._tape.board
        scripted = self._script.pop() if self._script else None
        choice = scripted or choose(self._policy, self._wishes, board.views())
        cost_s = time.perf_counter() - began
        if choice is None:
            return None
        board.give(choice.task)
        slot = Given(self._number, choice.task, self._now_s(), choice.reason, choice.scores, cost_s)
        self._number += 1
        self._listener.slot_given(slot)
        return slot

    async def _spend(self, slot: Given) -> None:
        before, finished = self._tape.row(slot.task), False
        seconds: float | None = None
        try:
            await self._play(slot)
            finished = not self._tape.left(slot.task)
            if self._tape.row(slot.task) > before:
                seconds = self._now_s() - slot.start_s
        finally:
            self._tape.board.take_back(slot.task, seconds, finished=finished)
        self._listener.slot_over(slot, self._now_s())
        if finished:
            self._listener.task_entered(slot.task, TaskState.FINISHED, USED_UP)
        else:
            self._listener.task_entered(slot.task, TaskState.WAITING)
        async with self._changed:
            self._changed.notify_all()

    async def _play(self, slot: Given) -> None:
        tape, task = self._tape, slot.task
        column, first = tape.recording.tasks[task], tape.row(task)
        count = min(tape.batch, tape.left(task))
        self._listener.task_entered(task, TaskState.SEARCHING)
        async with self._resources.hold(self._search):
            await asyncio.sleep(float(column.search_s[first : first + count].sum()))
        granted = int(min(count, self._left))
        self._left -= granted
        self._listener.task_entered(task, TaskState.BUILDING)
        await all_of(partial(self._try, slot, first + place) for place in range(granted))

    async def _try(self, slot: Given, row: int) -> None:
        column = self._tape.recording.tasks[slot.task]
        build_s, run_s = float(column.build_s[row]), float(column.run_s[row])
        async with self._builders, self._resources.hold(self._build):
            await asyncio.sleep(build_s)
        if run_s > 0:
            self._listener.task_entered(slot.task, TaskState.MEASURING)
            async with self._resources.hold(self._run):
                await asyncio.sleep(run_s)
        shown = self._tape.row(slot.task)
        self._listener.trial_done(slot, shown, self._tape.show(slot.task), self._now_s())
        if self._tape.model_s <= self._goal_s:
            raise _GoalMet


def _needs(recording: Recording, cores: int) -> tuple[Need, Need, Need]:
    """What a search, a build and a measurement hold, as in a live run."""
    run_cores = 1 if recording.is_gpu else cores
    return (
        Need(cores=1, priority=3, long=True),
        Need(cores=1, priority=2, brief=True),
        Need(cores=run_cores, device="device", priority=0),
    )
