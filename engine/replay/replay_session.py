"""One recording that is being replayed, told in the engine's own events."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from engine.allocation.policy import Policy
from engine.allocation.recording import Recording
from engine.allocation.wishes import Wishes
from engine.history.figure import figure_of
from engine.history.history import History
from engine.jobs.together import beside
from engine.records.errors import TunewrightError, UsageError
from engine.records.events import (
    Event,
    Failure,
    Message,
    ProjectOpened,
    RunChanged,
    RunStarted,
    Scores,
    SlotStarted,
    TaskChanged,
    TrialDone,
)
from engine.records.network import Operator
from engine.records.sentences import Sentence
from engine.records.settings import Budget, RunSettings, RunState
from engine.records.snapshot import SlotInfo, Snapshot
from engine.records.task import TaskState, TensorSpec
from engine.records.trial import ErrorKind, Trial
from engine.records.words import REPLAYED, RunEnd, replayed
from engine.replay.paced_loop import PacedLoop
from engine.replay.replay import make_replay_policy
from engine.replay.replay_run import Given, Listener, ReplayRun
from engine.replay.tape import Tape

_SCORES_EVERY_S = 0.5


@dataclass(slots=True)
class _Run:
    id: int
    settings: RunSettings
    policy: Policy
    state: RunState = RunState.PREPARING
    job: asyncio.Task[None] | None = None


class ReplaySession(Listener):
    """Belongs to the thread of its loop. Runs go on where the last one ended, as live ones do.

    Every event's time is the recording's date plus the seconds played, so that two replays tell
    the same.
    """

    def __init__(
        self, recording: Recording, loop: PacedLoop, emit: Callable[[Event], None]
    ) -> None:
        self._recording = recording
        self._loop = loop
        self._emit = emit
        self._tape = Tape(recording)
        self._date_s = _seconds_of(recording.date)
        self._head = self._snapshot()
        self._history = History(self._head)
        self._run: _Run | None = None
        self._began_s = loop.time()
        self._before_s = 0.0
        self._slots = 0
        self._trials = 0
        self._run_trials = 0

    def show(self) -> Snapshot:
        """Tell that the recording is open."""
        snapshot = self._snapshot()
        self._emit(ProjectOpened(snapshot, at=self._date_s))
        where = f"{self._recording.device}, {self._recording.date}"
        self._say(
            Sentence(
                "This is a replay of a recorded run ({where}); nothing is measured.", where=where
            )
        )
        return snapshot

    def start(self, settings: RunSettings) -> int:
        """Begin a run; its id."""
        self._require_idle()
        if any(step.kind != "search" for step in settings.steps):
            raise UsageError(
                "A replay replays searches only.", "Tune the model itself to launch a pass."
            )
        policy = make_replay_policy(
            self._recording, settings.policy, settings.policy_options, settings.seed
        )
        run = _Run(self._run.id + 1 if self._run else 1, settings, policy)
        return self._launch(run)

    def resume(self, budget: Budget | None) -> int:
        """Go on with the last run, or begin another with its policy where it was finished."""
        self._require_idle()
        last = self._run
        if last is None:
            raise UsageError("There is no run to resume.", "Start one.")
        if budget is None and last.state is not RunState.FINISHED:
            return self._launch(last)
        settings = replace(last.settings, budget=budget or last.settings.budget)
        return self._launch(_Run(last.id + 1, settings, last.policy))

    def pause(self) -> None:
        run = self._require_run()
        if run.state is RunState.RUNNING:
            self._loop.hold()
            self._enter(RunState.PAUSED, REPLAYED)

    def unpause(self) -> None:
        run = self._require_run()
        if run.state is RunState.PAUSED:
            self._loop.let_go()
            self._enter(RunState.RUNNING, REPLAYED)

    async def stop(self) -> None:
        """End the run, if there is one."""
        self._loop.let_go()
        job = self._run.job if self._run else None
        if job is not None and not job.done():
            job.cancel()
            await asyncio.wait([job])
            if self._run and self._run.job is job:  # it was cancelled before it began
                self._end(RunState.STOPPED, RunEnd.STOPPED)

    async def wait(self) -> None:
        """Wait for the run, if there is one."""
        job = self._run.job if self._run else None
        if job is not None:
            await asyncio.shield(job)

    # A run

    def _launch(self, run: _Run) -> int:
        if self._run is not run:
            self._run_trials = 0
        self._run = run
        self._began_s = self._loop.time()
        self._emit(RunStarted(run.id, run.settings, at=self._at()))
        self._enter(RunState.PREPARING, REPLAYED)
        run.job = asyncio.create_task(self._play(run))
        run.job.add_done_callback(_take_error)
        return run.id

    async def _play(self, run: _Run) -> None:
        budget = run.settings.budget
        self._say(
            Sentence(
                "Replaying the recording under the policy {title}.", title=run.policy.title.lower()
            )
        )
        self._enter(RunState.RUNNING, REPLAYED)
        player = ReplayRun(
            self._tape,
            run.policy,
            trials=budget.trials,
            latency_s=budget.latency_s,
            first_slot=self._slots + 1,
            listener=self,
            wishes=Wishes.from_dict(run.settings.wishes),
        )
        state, reason = RunState.STOPPED, str(RunEnd.STOPPED)
        try:
            async with beside(self._tick()):
                reason = await player.run(budget.seconds)
            state = RunState.FINISHED
        except asyncio.CancelledError:
            pass
        except Exception as error:
            state, reason = RunState.FAILED, str(error)
            what = (
                error.what
                if isinstance(error, TunewrightError)
                else Sentence("A policy failed: {error}", error=error)
            )
            self._emit(Failure(what, "Choose another policy.", at=self._at()))
            raise
        finally:
            self._tell_scores()
            self._end(state, reason)

    def _end(self, state: RunState, reason: str) -> None:
        self._before_s = self._now_s()
        if self._run is not None:
            self._run.job = None
        self._enter(state, replayed(reason))

    async def _tick(self) -> None:
        """Tell the scores twice a real second; at infinite speed every slot's end has to do."""
        while math.isfinite(self._loop.speed):
            self._tell_scores()
            await asyncio.sleep(_SCORES_EVERY_S * self._loop.speed)

    # What the run tells

    def slot_given(self, slot: Given) -> None:
        self._slots = slot.number
        info = SlotInfo(
            slot.number, self._run_id, slot.task, self._now_s(), slot.reason, slot.scores
        )
        self._emit(SlotStarted(info, at=self._at()))

    def task_entered(self, task: int, state: TaskState, reason: str = "") -> None:
        event = TaskChanged(task, state, Sentence.of(reason), at=self._at())
        self._history.apply([event])
        self._emit(event)

    def trial_done(self, slot: Given, row: int, latency_s: float, now_s: float) -> None:
        self._trials += 1
        self._run_trials += 1
        column = self._recording.tasks[slot.task]
        failed = math.isinf(latency_s)
        trial = Trial(
            number=self._trials,
            task=slot.task,
            trace="",
            trace_key="",
            samples=() if failed else (latency_s,),
            error=_kind_of(float(column.run_s[row])) if failed else None,
            error_text="The recording does not say why." if failed else "",
            build_s=float(column.build_s[row]),
            run_s=float(column.run_s[row]),
            slot=slot.number,
            run=self._run_id,
            elapsed_s=self._now_s(),
            at=self._at(),
            protocol=dict(self._recording.protocol),
        )
        event = TrialDone(trial, at=self._at())
        self._history.apply([event])
        self._emit(event)

    def slot_over(self, slot: Given, now_s: float) -> None:
        self._tell_scores()

    def _tell_scores(self) -> None:
        history, run_s = self._history, self._now_s() - self._before_s
        rate = self._run_trials / run_s if run_s > 1 else 0.0
        self._emit(
            Scores(
                elapsed_s=self._now_s(),
                figure=figure_of(self._head, history),
                share=history.share_tuned(),
                trials=history.trial_count,
                trials_per_s=rate,
                time_left_s=self._time_left(run_s, rate),
                at=self._at(),
            )
        )

    def _time_left(self, run_s: float, rate: float) -> float | None:
        budget = self._run.settings.budget if self._run else Budget()
        estimates = []
        if budget.seconds is not None:
            estimates.append(budget.seconds - run_s)
        if budget.trials is not None and rate > 0:
            estimates.append((budget.trials - self._run_trials) / rate)
        return max(0.0, min(estimates)) if estimates else None

    def _enter(self, state: RunState, reason: str) -> None:
        if self._run is not None:
            self._run.state = state
            event = RunChanged(self._run.id, state, Sentence.of(reason), at=self._at())
            self._history.apply([event])
            self._emit(event)

    def _say(self, text: str) -> None:
        self._emit(Message("info", Sentence.of(text), at=self._at()))

    def _now_s(self) -> float:
        """Tuning time of the recording that was played, in seconds."""
        if self._run is None or self._run.job is None:
            return self._before_s
        return self._before_s + self._loop.time() - self._began_s

    def _at(self) -> float:
        return self._date_s + self._now_s()

    @property
    def _run_id(self) -> int:
        return self._run.id if self._run else 0

    def _require_run(self) -> _Run:
        if self._run is None or self._run.job is None:
            raise UsageError("No run goes on.", "Start one.")
        return self._run

    def _require_idle(self) -> None:
        if self._run is not None and self._run.job is not None:
            raise UsageError("A run goes on.", "Stop it first.")

    def _snapshot(self) -> Snapshot:
        recording, unknown = self._recording, TensorSpec((), "float32")
        operators = tuple(
            Operator(
                id=task.index,
                name=task.name,
                op_class=task.op_class,
                task=task.index,
                inputs=(task.index - 1,) if task.index else (),
                output=unknown,
                flops=task.flops,
            )
            for task in self._tape.tasks
        )
        return Snapshot(
            path="",
            model_name=recording.model,
            model_source=f"replay of a recording made on {recording.device}",
            target=f"replay of {recording.target}",
            tasks=self._tape.tasks,
            operators=operators,
            trials=(),
            untuned_latency_s=self._tape.model_s,
        )


def _kind_of(run_s: float) -> ErrorKind:
    """A recording only says that a trial failed: one that was never run failed in its build."""
    return ErrorKind.RUN_ERROR if run_s > 0 else ErrorKind.BUILD_ERROR


def _seconds_of(date: str) -> float:
    """A recording's date in seconds since the epoch, 0 where it is no date."""
    try:
        return max(0.0, datetime.fromisoformat(date).timestamp())
    except (ValueError, OverflowError):
        return 0.0


def _take_error(job: asyncio.Task[Any]) -> None:
    """Nobody else may ask for it, and asyncio would complain."""
    if not job.cancelled():
        job.exception()
