"""A tuning run: baselines, the steps of its plan until the budget ends, finals."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from engine.allocation.board import Board, slots_so_far
from engine.allocation.policies.registry import make_policy
from engine.allocation.policy import Policy
from engine.allocation.wishes import Wishes
from engine.history.figure import figure_of, known_latencies, schedules_key, with_measured
from engine.jobs.allocating import Allocation
from engine.jobs.baseline import kernel_times, measure_baseline, measure_module, measure_reference
from engine.jobs.context import RunContext
from engine.jobs.measuring import launch_floor
from engine.jobs.opening.open_worker import OpenedModel
from engine.jobs.records import Records
from engine.jobs.steps.droplet import polish
from engine.jobs.steps.merge import merge
from engine.jobs.steps.share import share
from engine.jobs.steps.spending import Search, Spending
from engine.jobs.steps.start import begin_with_known
from engine.jobs.steps.steps import options_of
from engine.jobs.steps.transfer import transfer
from engine.jobs.together import beside
from engine.jobs.verifying.finalists import confirm_finalists, expected_s
from engine.jobs.verifying.judging import joined_verdicts, keep_judged, require_right
from engine.jobs.verifying.whole import keep_each, keep_measured
from engine.records.errors import TuningError
from engine.records.events import (
    Event,
    Message,
    Progress,
    ProjectOpened,
    RunChanged,
    Scores,
    StagesOutstanding,
    StepStarted,
    TaskChanged,
)
from engine.records.machine import TargetSpec
from engine.records.outstanding import OutstandingStage
from engine.records.sentences import Sentence
from engine.records.settings import RunState, Step
from engine.records.snapshot import REFERENCE, UNTUNED
from engine.records.task import TaskState, own_tasks
from engine.records.trial import Measured, Trial
from engine.records.words import Doing, RunEnd
from engine.targets.peak import peak_flops
from engine.workers.memory import settle_memory

_T = TypeVar("_T")
_SCORES_EVERY_S = 0.5
_OTHERWISE = Sentence(
    "Kernels of earlier runs were timed with the launch from the host, up to "
    "5 us, those of this run without: short ones look faster now. Start a "
    "new project to have all timed alike."
)


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
        for step in settings.steps:
            options_of(step)
        snapshot = context.project.snapshot()
        self._otherwise = timed_otherwise(snapshot.trials, context.model.program.target)
        self._earlier = sum(trial.run != context.run for trial in snapshot.trials)
        known = known_latencies(snapshot, context.history)
        self._head = replace(snapshot, trials=(), slots=(), moves=(), measured=known)
        self._peak_flops: float | None = None
        done = len(snapshot.trials) - self._earlier
        ending_s = partial(expected_s, context)
        self._spending = Spending(context, done, self._latency_s, ending_s)
        self.state = RunState.PREPARING

    @property
    def reason(self) -> str:
        """Why the run ended, empty while it goes on."""
        return self._spending.reason

    async def run(self) -> None:
        """Tune until the budget ends. Cancelling it stops the run; every result is kept."""
        context = self._context
        self._enter(RunState.PREPARING)
        if self._otherwise:
            context.emit(Message("warning", _OTHERWISE))
        context.project.set_failed(context.run, {})  # one that is resumed tries all of them again
        try:
            async with beside(self._tell_scores()):
                await self._measure_baselines()
                await context.workers_started()
                context.floor_s = await launch_floor(context)
                await self._find_peak()
                settle_memory()
                await self._tune()
                while self._spending.missed(await self._measure_tuned()):
                    await self._tune()
                self._finish(RunState.FINISHED, self.reason)
        finally:
            context.clock.stop()
            self._tell()

    async def _tune(self) -> None:
        """Take the steps until the budget ends, and settle each task's best schedule."""
        context = self._context
        self._enter(RunState.RUNNING)
        context.clock.start()
        await self._spending.until_over(self._take_steps())
        await confirm_finalists(context)
        context.clock.stop()

    def _latency_s(self) -> float | None:
        """The whole model's by now, in seconds: measured, or expected by its kernels' sum."""
        return figure_of(self._head, self._context.history).latency_s

    def pause(self) -> None:
        """Start no further stage; what is being measured is finished."""
        if self.state is RunState.RUNNING:
            self._context.gate.clear()
            self._context.clock.stop()
            self._enter(RunState.PAUSED)

    def unpause(self) -> None:
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
        if self._head.untuned_latency_s is None:
            context.emit(Progress(Doing.UNTUNED))
            found = [await self._whole(measure_baseline, one) for one in context.model.each]
            tasks: dict[int, float] = {}
            for one in reversed(found):  # a task of several shapes is as in the first of them
                tasks |= one.tasks
            project.set_untuned(None, tasks)
            self._store(UNTUNED, [one.untuned for one in found])
            await keep_judged(
                context, joined_verdicts([one.judged for one in found], context.model)
            )
            context.history.reset(project.snapshot())
            self._emit_snapshot()
        await require_right(context)
        remote, reference = context.model.program.target.remote, context.model.prepared.reference
        known_s = self._head.reference_latency_s
        if known_s is None and reference is not None and not remote:
            context.emit(Progress(Doing.REFERENCE, about=reference.name))
            measured = [await self._whole(measure_reference, one) for one in context.model.each]
            if known := [one for one in measured if one is not None]:
                self._store(REFERENCE, known)
        context.emit(Progress(""))

    async def _whole(self, measure: Callable[[OpenedModel], _T], model: OpenedModel) -> _T:
        return await self._context.run_whole(partial(measure, model))

    def _store(self, kind: str, measured: Sequence[Measured], run: int = 0) -> Measured:
        """Keep a latency of the whole model in each of its shapes, and tell of it; their mean."""
        kept = keep_each(self._context.project, self._context.emit, kind, measured, run)
        self._head = with_measured(self._head, kind, kept)
        return kept

    async def _find_peak(self) -> None:
        context = self._context
        if not self._policy.wants_peak:
            return
        context.emit(Progress(Doing.PEAK))
        call = partial(peak_flops, context.model.program.target)
        try:
            self._peak_flops = await context.run_whole(call)
        except TuningError as error:
            context.emit(
                Message(
                    "warning",
                    Sentence("The target's peak speed is unknown: {what}", what=error.what),
                )
            )
        context.emit(Progress(""))

    def _emit_snapshot(self) -> None:
        self._context.emit(ProjectOpened(self._context.project.snapshot()))

    async def _measure_tuned(self) -> Measured:
        """Measure the module with the best schedules; the untuned one is known where none is."""
        context = self._context
        context.emit(Progress(Doing.TUNED))
        records = Records.of(context.project)
        key = schedules_key(records.history)
        known = self._head.measured.get(key) if key == UNTUNED else None
        if known is None or known.disturbed:
            found = []
            for model, sum_s in zip(context.model.each, records.sums_s(), strict=True):
                result = await context.run_whole(partial(measure_module, model, records.traces))
                kernels = kernel_times(model.program, result.steps)
                found.append(result.measured(sum_s if key != UNTUNED else None, kernels))
            known = self._store(key, found, context.run)
        else:
            keep_measured(context.project, context.emit, key, known, context.run)
        context.emit(Progress(""))
        return known

    # The plan

    async def _take_steps(self) -> None:
        """Take the plan's steps in order, and again where they repeat; then say why it ends."""
        context, settings = self._context, self._context.settings
        stored = context.project.run_progress(context.run) or {}
        first, turn = stored.get("step") or 0, stored.get("round") or 0
        since = stored.get("since")
        if settings.starter and settings.steps[first].kind == "search":
            await begin_with_known(context, self._spending)
        while True:
            before = context.history.trial_count
            for place in range(first, len(settings.steps)):
                await self._take_step(place, turn, since)
                since = None
                if self._spending.reason or self._spending.trials_left() == 0:
                    break
            again = settings.repeat and context.history.trial_count > before
            if not again or self._spending.over:
                break
            first, turn = 0, turn + 1
        spent = self._spending.trials_left() == 0
        searched = settings.steps[-1].kind == "search"
        left = RunEnd.EXHAUSTED if searched else RunEnd.PLAN
        self._spending.reason = self._spending.reason or (RunEnd.TRIALS if spent else left)

    async def _take_step(self, place: int, turn: int, since: int | None) -> None:
        context, spending = self._context, self._spending
        step = context.settings.steps[place]
        since = spending.trials if since is None else since
        context.project.set_run(
            context.run, progress={"step": place, "round": turn, "since": since}
        )
        context.emit(StepStarted(context.run, step.kind, place, turn))
        with spending.within(trials=step.trials, since=since):
            await take_step(context, spending, step, self._search)

    async def _search(
        self,
        weights: Mapping[int, float] | None = None,
        leave: frozenset[int] = frozenset(),
        batch: int | None = None,
    ) -> None:
        """Search all tasks but those in `leave`, weighted by `weights` instead of their own, with
        slots of `batch` trials instead of the settings'."""
        context = self._context
        if batch is not None:
            search = replace(context.settings.search, batch=batch)
            context = replace(context, settings=replace(context.settings, search=search))
        board = self._make_board(weights or {}, context.settings.search.batch)
        wishes = self._wishes
        if leave:
            wishes = wishes.leaving(leave)
        await Allocation(context, self._spending, self._policy, board, wishes).run()

    def _make_board(self, weights: Mapping[int, float], batch: int) -> Board:
        context = self._context
        snapshot = context.project.snapshot()
        tasks = context.model.program.tasks
        if not any(tasks[index].merged for index in weights):
            tasks = own_tasks(tasks)
        return Board(
            tasks,
            # A policy reads them in another thread while results come in.
            lambda task: tuple(context.history.log(task).latency_s),
            context.history.untuned,
            batch=batch,
            peak_flops=self._peak_flops,
            earlier=slots_so_far(snapshot.slots, snapshot.trials),
            weights=weights,
            floor_s=context.floor_s,
        )

    # What the console is told

    def _enter(self, state: RunState, reason: str = "") -> None:
        self.state = state
        self._context.project.set_run(self._context.run, state=state, reason=reason)
        self._context.emit(RunChanged(self._context.run, state, Sentence.of(reason)))

    def _finish(self, state: RunState, reason: str) -> None:
        context = self._context
        context.clock.stop()
        context.project.set_run(context.run, elapsed_s=context.clock.run_s, ended_at=time.time())
        context.emit(Progress(""))
        for task in context.model.program.tasks:
            done = context.history.best(task.index) is not None and task.index not in context.failed
            if done and state is RunState.FINISHED:
                self._tell_task(TaskChanged(task.index, TaskState.FINISHED))
        self._enter(state, reason)

    def _tell_task(self, event: TaskChanged) -> None:
        self._context.history.apply([event])
        self._context.emit(event)

    async def _tell_scores(self) -> None:
        told: tuple[OutstandingStage, ...] = ()
        while True:
            self._tell()
            if (stages := self._context.outstanding.now()) != told:
                told = stages
                self._context.emit(StagesOutstanding(stages))
            await asyncio.sleep(_SCORES_EVERY_S)

    def _tell(self) -> None:
        self._context.emit(self.scores())

    def scores(self) -> Event:
        context, history = self._context, self._context.history
        reference = context.model.prepared.reference
        run_s, done = context.clock.run_s, history.trial_count - self._earlier
        rate = done / run_s if run_s > 1 else 0.0
        return Scores(
            elapsed_s=context.clock.project_s,
            figure=figure_of(self._head, history),
            reference_s=self._head.reference_latency_s,
            reference=reference.name if reference else "",
            share=history.share_tuned(),
            trials=history.trial_count,
            trials_per_s=rate,
            time_left_s=self._time_left(done, rate),
        )

    def _time_left(self, done: int, rate: float) -> float | None:
        """By the trials that are finished, not by those that were begun."""
        budget = self._context.settings.budget
        trials, estimates = budget.trials, list[float]()
        if budget.seconds is not None:
            estimates.append(max(0.0, budget.seconds - self._context.clock.run_s))
        if trials is not None and rate > 0:
            estimates.append(max(0, trials - done) / rate)
        return min(estimates, default=None)


def timed_otherwise(trials: Sequence[Trial], target: TargetSpec) -> bool:
    """Whether a GPU's kernels of before have the host's launches in their latencies, which those
    of now have not."""
    if not target.is_gpu or target.remote:
        return False
    return any(trial.samples and "in_graph" not in trial.protocol for trial in trials)


async def take_step(context: RunContext, spending: Spending, step: Step, search: Search) -> None:
    """Carry out a step. UsageError where its options make no sense."""
    options = options_of(step)
    match step.kind:
        case "share":
            await share(context, spending, options, search)
        case "transfer":
            await transfer(context, spending, options)
        case "droplet":
            await polish(context, spending, options)
        case "merge":
            await merge(context, spending, options, search)
        case _:
            await search()
