"""Candidates of a pass: a trace from elsewhere, replayed on a task, built and measured."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from enum import StrEnum

from engine.jobs.candidates import Provenance, try_candidate
from engine.jobs.context import RunContext
from engine.jobs.steps.spending import Spending
from engine.jobs.together import all_of
from engine.records.events import Progress, SlotStarted, TaskChanged
from engine.records.outstanding import StageKind
from engine.records.snapshot import SlotInfo
from engine.records.task import TaskState
from engine.records.trial import Trial
from engine.search.replayer import NotReplayable, Replayer, code_key
from engine.search.task_search import Candidate


class Miss(StrEnum):
    """Why a trace came to no trial: it does not replay, its schedule was tried, it is over."""

    REFUSED = "refused"
    KNOWN = "known"
    OVER = "over"


class Tries:
    """Tries candidates while the spending lasts, a few at once; none twice on a task."""

    def __init__(self, context: RunContext, spending: Spending) -> None:
        self._context = context
        self._spending = spending
        self._replayers: dict[int, Replayer] = {}
        self._locks: dict[int, asyncio.Lock] = {}
        self._known: dict[int, set[str | int]] = {}
        # One more than can be built, so that a core finds the next one ready.
        self._turn = asyncio.Semaphore(context.resources.cores + 1)
        self.refused: dict[int, list[str]] = {}

    def begin(self, task: int, reason: str) -> int:
        """A slot of the pass on a task: its number."""
        context = self._context
        slot = context.project.add_slot(
            SlotInfo(0, context.run, task, context.clock.project_s, reason)
        )
        context.emit(SlotStarted(slot))
        context.emit(TaskChanged(task, TaskState.BUILDING))
        return slot.number

    def end(self, tasks: Collection[int]) -> None:
        for task in tasks:
            self._context.emit(TaskChanged(task, TaskState.WAITING))

    async def take_all(self, works: Sequence[Callable[[], Awaitable[None]]], text: str) -> None:
        """Do the works, begun in their order; `text` says what goes on meanwhile."""
        try:
            await all_of(works, lambda done: self._context.emit(Progress(text, done, len(works))))
        finally:
            self._context.emit(Progress(""))

    async def attempt(
        self, task: int, slot: int | Callable[[], int], trace: str, provenance: Provenance
    ) -> Trial | Miss:
        """The trial of a trace on a task, its own trace in it; or why there is none.

        A `slot` that is to begin with its first trial is what begins it.
        """
        context, spending = self._context, self._spending
        async with self._turn:
            if spending.over:
                return Miss.OVER
            candidate = await self._replay(task, trace)
            if isinstance(candidate, Miss):
                return candidate
            if not spending.reserve(1):
                return Miss.OVER
            trial = None
            try:
                number = slot() if callable(slot) else slot
                trial = await try_candidate(
                    context, task, number, candidate, lambda: bool(spending.reason), provenance
                )
            finally:
                if trial is None:
                    spending.give_back(1)
            return trial or Miss.OVER

    async def _replay(self, task: int, trace: str) -> Candidate | Miss:
        context = self._context
        async with self._locks.setdefault(task, asyncio.Lock()):
            await context.gate.wait()

            def work() -> tuple[Candidate, int]:
                made = self.replayer(task).replay(trace)
                return made, code_key(made)

            try:
                candidate, code = await context.resources.run(
                    context.needs_update(task, StageKind.REPLAY),
                    context.threads,
                    context.outstanding.during(StageKind.REPLAY, task, work),
                )
            except NotReplayable as error:
                self.refused.setdefault(task, []).append(str(error))
                return Miss.REFUSED
        known = self._known.setdefault(task, set())
        known |= context.project.trace_keys(task)  # a search may have tried others meanwhile
        if known & {candidate.trace_key, code}:  # two traces may lead to one code
            return Miss.KNOWN
        known |= {candidate.trace_key, code}
        return candidate

    def replayer(self, task: int) -> Replayer:
        """The task's replayer, made at its first use."""
        program = self._context.model.program
        if task not in self._replayers:
            self._replayers[task] = Replayer(
                program.tasks[task], program.workloads[task], program.target
            )
        return self._replayers[task]
