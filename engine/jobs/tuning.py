"""A tuning run: baselines, slots in flight until the budget ends, finals."""

from __future__ import annotations

import asyncio
import math
import time
from functools import partial

from engine.allocation.policy import Choice, Policy, TaskView
from engine.allocation.registry import make_policy
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
from engine.jobs.records import best_records
from engine.jobs.settings import RunState
from engine.jobs.slots import SearchPool, run_slot
from engine.project.snapshot import SlotInfo
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
        self._searches = SearchPool(context)
        snapshot = context.project.snapshot()
        self._untuned_s = snapshot.untuned_latency_s
        self._reference_s = snapshot.reference_latency_s
        self._measured_s: float | None = None
        self._slots: dict[int, int] = {}
        for slot in snapshot.slots:
            self._slots[slot.task] = self._slots.get(slot.task, 0) + 1
        self._finished: dict[int, str] = {}
        self._in_flight: set[int] = set()
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
        self._reason = self._reason or "nothing is left to try"

    async def _lane(self) -> None:
        """Give slots, one after another, beside the other lanes."""
        while True:
            await self._context.gate.wait()
            async with self._changed:
                choice = self._choose()
                while choice is None:
                    if self._reason or not self._in_flight:
                        return
                    await self._changed.wait()
                    choice = self._choose()
            await self._spend(choice)

    def _choose(self) -> Choice | None:
        if self._reason or self._left() <= 0:
            return None
        choice = self._policy.choose(self._views())
        if choice is not None:
            self._in_flight.add(choice.task)
        return choice

    async def _spend(self, choice: Choice) -> None:
        context, task = self._context, choice.task
        slot = context.project.add_slot(
            SlotInfo(0, context.run, task, context.clock.project_s, choice.reason, choice.scores)
        )
        self._slots[task] = self._slots.get(task, 0) + 1
        context.project.set_run(context.run, policy_state=self._policy.state())
        context.emit(SlotStarted(slot))
        reserved = 0

        def reserve(wanted: int) -> int:
            nonlocal reserved
            reserved = min(wanted, self._left())
            self._reserved += reserved
            return reserved

        before = context.history.trials(task)
        try:
            finished = await run_slot(
                context, self._searches, task, slot.number, reserve, lambda: bool(self._reason)
            )
        finally:
            # A candidate that was dropped when the run ended gives its trial back.
            self._reserved -= reserved - (context.history.trials(task) - before)
            self._in_flight.discard(task)
        if finished:
            self._finished[task] = finished
            context.emit(Message("info", f"{self._name(task)}: {finished}."))
        async with self._changed:
            self._changed.notify_all()

    def _views(self) -> list[TaskView]:
        history = self._context.history
        return [
            TaskView(
                index=task.index,
                weight=task.weight,
                flops=task.flops,
                op_class=task.op_class,
                latencies=history.log(task.index).latency_s,
                untuned_s=history.tasks[task.index].untuned_latency_s,
                slots=self._slots.get(task.index, 0),
                in_flight=task.index in self._in_flight,
                finished=task.index in self._finished,
            )
            for task in self._context.model.program.tasks
        ]

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
        if not self._in_flight:
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
