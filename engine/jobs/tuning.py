"""A tuning run: baselines, slots in flight until the budget ends, finals."""

from __future__ import annotations

import asyncio
import math
import time
from functools import partial
from typing import Any

from engine.allocation.board import Board, slots_so_far
from engine.allocation.policy import Choice, Policy
from engine.allocation.registry import make_policy
from engine.allocation.wishes import Wishes, choose
from engine.errors import TuningError
from engine.events import (
    Event,
    Message,
    Progress,
    ProjectOpened,
    RunChanged,
    Scores,
    SlotStarted,
    TaskChanged,
)
from engine.jobs.baseline import measure_baseline, measure_module, measure_reference
from engine.jobs.context import RunContext
from engine.jobs.finals import confirm_finalists
from engine.jobs.libraries import settle_memory
from engine.jobs.records import best_records
from engine.jobs.settings import RunState
from engine.jobs.slots import SearchPool, run_slot
from engine.project.snapshot import SlotInfo
from engine.tasks.peak import peak_flops
from engine.tasks.task import TaskState

_SCORES_EVERY_S = 0.5


class Tuning:
    """Runs once. `run` is the coroutine; the other methods may be called while it goes on."""

    def __init__(self, context: RunContext) -> None:
        self._context = context
        settings = context.settings
        self._policy: Policy = make_policy(settings.policy, settings.policy_options, settings.seed)
        state = context.project.run_policy_state(context.run)
        if state:
            self._policy.restore(state)
        self._wishes = Wishes.from_dict(settings.wishes)
        self._searches = SearchPool(context)
        snapshot = context.project.snapshot()
        self._untuned_s = snapshot.untuned_latency_s
        self._reference_s = snapshot.reference_latency_s
        self._measured_s: float | None = None
        self._board = Board(
            context.model.program.tasks,
            # A policy reads them in another thread while results come in.
            lambda task: tuple(context.history.log(task).latency_s),
            context.history.untuned,
            batch=settings.search.batch,
            earlier=slots_so_far(snapshot.slots, snapshot.trials),
        )
        self._reserved = sum(trial.run == context.run for trial in snapshot.trials)
        self._reason = ""
        self._changed = asyncio.Condition()
        self.state = RunState.PREPARING

    @property
    def reason(self) -> str:
        """Why the run ended, empty while it goes on."""
        return self._reason

    async def run(self) -> None:
        """Tune until the budget ends. Cancelling it stops the run; every result is kept."""
        context = self._context
        self._enter(RunState.PREPARING)
        ticker = asyncio.create_task(self._tell_scores())
        try:
            await self._measure_baselines()
            await self._find_peak()
            settle_memory()
            self._enter(RunState.RUNNING)
            context.clock.start()
            await self._allocate()
            await confirm_finalists(context)
            context.clock.stop()
            await self._measure_tuned()
            self._finish(RunState.FINISHED, self._reason)
        finally:
            context.clock.stop()
            ticker.cancel()
            self._tell()

    def pause(self) -> None:
        """Start no further stage; what is being measured is finished."""
        if self.state is RunState.RUNNING:
            self._context.gate.clear()
            self._context.clock.stop()
            self._enter(RunState.PAUSED)

    def unpause(self) -> None:
        """Go on."""
        if self.state is RunState.PAUSED:
            self._enter(RunState.RUNNING)
            self._context.clock.start()
            self._context.gate.set()

    def stopped(self, state: RunState, reason: str) -> None:
        """Record an end that came from outside: a stop or a failure."""
        self._finish(state, reason)

    # Baselines and the tuned module

    async def _measure_baselines(self) -> None:
        context, project = self._context, self._context.project
        whole = context.needs_run()
        if self._untuned_s is None:
            context.emit(Progress("Compiling and measuring the untuned model"))
            call = partial(measure_baseline, context.model)
            found = await context.resources.run(whole, context.threads, call)
            project.set_untuned(found.untuned_s, found.tasks)
            self._untuned_s = found.untuned_s
            context.history.reset(project.snapshot())
            self._emit_snapshot()
        if self._reference_s is None:
            context.emit(Progress("Measuring ONNX Runtime"))
            refer = partial(measure_reference, context.model)
            self._reference_s = await context.resources.run(whole, context.threads, refer)
            project.set_reference(self._reference_s)
        context.emit(Progress(""))

    async def _find_peak(self) -> None:
        context = self._context
        if not self._policy.wants_peak:
            return
        context.emit(Progress("Looking up the target's peak speed"))
        call = partial(peak_flops, context.model.program.target)
        try:
            self._board.peak_flops = await context.resources.run(
                context.needs_run(), context.threads, call
            )
        except TuningError as error:
            context.emit(Message("warning", f"The target's peak speed is unknown: {error.what}"))
        context.emit(Progress(""))

    def _emit_snapshot(self) -> None:
        self._context.emit(ProjectOpened(self._context.project.snapshot()))

    async def _measure_tuned(self) -> None:
        context = self._context
        context.emit(Progress("Compiling and measuring the tuned model"))
        records = {task: trial.trace for task, trial in best_records(context.project).items()}
        call = partial(measure_module, context.model, records, False)
        result = await context.resources.run(context.needs_run(), context.threads, call)
        self._measured_s = result.latency_s
        context.project.set_run(context.run, tuned_latency_s=result.latency_s)
        context.emit(Progress(""))

    # Slots

    async def _allocate(self) -> None:
        target = self._context.model.program.target
        lanes = max(2, min(6, self._context.resources.cores // 3)) if target.is_gpu else 2
        watch = asyncio.create_task(self._watch_budget())
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(lanes):
                    group.create_task(self._lane())
        finally:
            watch.cancel()
        spent = self._left() <= 0
        self._reason = self._reason or (
            "the trials are spent" if spent else "nothing is left to try"
        )

    async def _lane(self) -> None:
        """Give slots, one after another, beside the other lanes."""
        while True:
            await self._context.gate.wait()
            async with self._changed:
                choice = await self._choose()
                while choice is None:
                    if self._reason or not self._board.busy:
                        return
                    await self._changed.wait()
                    choice = await self._choose()
                state = self._policy.state()
            await self._spend(choice, state)

    async def _choose(self) -> Choice | None:
        """The next slot's task, which is in flight from then on. Called under the lock.

        It is thought out in another thread: a policy may fit curves for a while.
        """
        if self._reason or self._left() <= 0:
            return None
        views = self._board.views()
        choice = await asyncio.to_thread(choose, self._policy, self._wishes, views)
        if choice is None or self._reason:
            return None
        self._board.give(choice.task)
        return choice

    async def _spend(self, choice: Choice, state: dict[str, Any]) -> None:
        """Carry out a slot; `state` is the policy's after it chose it."""
        context, task = self._context, choice.task
        slot = context.project.add_slot(
            SlotInfo(0, context.run, task, context.clock.project_s, choice.reason, choice.scores)
        )
        context.project.set_run(context.run, policy_state=state)
        context.emit(SlotStarted(slot))
        reserved = 0

        def reserve(wanted: int) -> int:
            nonlocal reserved
            reserved = min(wanted, self._left())
            self._reserved += reserved
            return reserved

        before, finished = context.history.trials(task), ""
        try:
            finished = await run_slot(
                context, self._searches, task, slot.number, reserve, lambda: bool(self._reason)
            )
        finally:
            # A candidate that was dropped when the run ended gives its trial back.
            results = context.history.trials(task) - before
            self._reserved -= reserved - results
            seconds = context.clock.project_s - slot.elapsed_s if results else None
            self._board.take_back(task, seconds, finished=bool(finished))
        if finished:
            context.emit(Message("info", f"{self._name(task)}: {finished}."))
        async with self._changed:
            self._changed.notify_all()

    def _name(self, task: int) -> str:
        return self._context.model.program.tasks[task].name

    # Budget

    def _left(self) -> int:
        limit = self._context.settings.budget.trials
        return 1 << 30 if limit is None else limit - self._reserved

    async def _watch_budget(self) -> None:
        budget, history = self._context.settings.budget, self._context.history
        while not self._reason:
            await asyncio.sleep(0.05)
            now_s = history.now_s()
            if budget.seconds is not None and self._context.clock.run_s >= budget.seconds:
                self._end("the time is spent")
            elif budget.trials is not None and self._reserved >= budget.trials:
                self._end_when_idle()
            elif budget.latency_s is not None and now_s is not None and now_s <= budget.latency_s:
                self._end("the latency objective is met")
        async with self._changed:
            self._changed.notify_all()

    def _end(self, reason: str) -> None:
        self._reason = reason

    def _end_when_idle(self) -> None:
        if not self._board.busy:
            self._end("the trials are spent")

    # What the console is told

    def _enter(self, state: RunState, reason: str = "") -> None:
        self.state = state
        self._context.project.set_run(self._context.run, state=state, reason=reason)
        self._context.emit(RunChanged(self._context.run, state, reason))

    def _finish(self, state: RunState, reason: str) -> None:
        context = self._context
        context.clock.stop()
        context.project.set_run(context.run, elapsed_s=context.clock.run_s, ended_at=time.time())
        context.emit(Progress(""))
        for task in context.model.program.tasks:
            if context.history.best(task.index) is not None and state is RunState.FINISHED:
                self._tell_task(TaskChanged(task.index, TaskState.FINISHED))
        self._enter(state, reason)

    def _tell_task(self, event: TaskChanged) -> None:
        self._context.history.apply([event])
        self._context.emit(event)

    async def _tell_scores(self) -> None:
        while True:
            self._tell()
            await asyncio.sleep(_SCORES_EVERY_S)

    def _tell(self) -> None:
        self._context.emit(self.scores())

    def scores(self) -> Event:
        """The scoreboard now."""
        context, history = self._context, self._context.history
        run_s = context.clock.run_s
        rate = self._reserved / run_s if run_s > 1 else 0.0
        return Scores(
            elapsed_s=context.clock.project_s,
            untuned_s=self._untuned_s,
            now_s=history.now_s(),
            measured_s=self._measured_s,
            reference_s=self._reference_s,
            share=history.share_tuned(),
            trials=history.trial_count,
            trials_per_s=rate,
            time_left_s=self._time_left(rate),
        )

    def _time_left(self, rate: float) -> float | None:
        budget = self._context.settings.budget
        estimates = []
        if budget.seconds is not None:
            estimates.append(budget.seconds - self._context.clock.run_s)
        if budget.trials is not None and rate > 0:
            estimates.append((budget.trials - self._reserved) / rate)
        return max(0.0, min(estimates)) if estimates and math.isfinite(min(estimates)) else None
