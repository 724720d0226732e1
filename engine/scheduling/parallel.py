"""Parallel: every job as if it had the machine to itself."""

from __future__ import annotations

from typing import Any

from engine.records.stage import Stage
from engine.scheduling.free import Free
from engine.scheduling.in_order import InOrder
from engine.scheduling.policy import Running, SchedulingPolicy
from engine.scheduling.stage_times import StageTimes


class Parallel(SchedulingPolicy):
    """Shows what interference costs: jobs know nothing of each other and disturb each other.

    Within a job it is as "in order". A job's priority and place say nothing here.
    """

    name = "parallel"
    title = "Side by side, heedless"
    exclusive = False

    def __init__(self, free: Free, options: Any = None, times: StageTimes | None = None) -> None:
        super().__init__(free, options, times)
        self._alone: dict[str, InOrder] = {}
        self._changed: dict[str, None] = {}

    def start(self, now_s: float) -> list[Stage]:
        """What each job would start if it were alone."""
        started: list[Stage] = []
        for name in [name for name in self._changed if not self._paused(name)]:
            del self._changed[name]
            for stage in self._of(name).start(now_s):
                self._begin(stage, now_s)
                started.append(stage)
        return started

    def _enqueue(self, stage: Stage, now_s: float) -> None:
        self._of(stage.job).add(stage, now_s)
        self._changed[stage.job] = None

    def _dequeue(self, stage: Stage) -> None:
        self._of(stage.job).withdraw(stage)
        self._changed[stage.job] = None

    def _job_changed(self, name: str) -> None:
        if name in self._jobs:
            self._changed[name] = None
        else:
            self._alone.pop(name, None)
            self._changed.pop(name, None)

    def _freed(self, running: Running) -> None:
        stage = running.stage
        policy = self._alone.get(stage.job)
        if policy is not None and policy.runs(stage):
            policy.ended(stage, running.since_s, learn=False)
            self._changed[stage.job] = None

    def _turned_long(self, running: Running) -> None:
        stage = running.stage
        if stage.job in self._alone:
            self._alone[stage.job].lasts(stage)
            self._changed[stage.job] = None

    def _paused(self, name: str) -> bool:
        job = self._jobs.get(name)
        return job is None or job.paused

    def _of(self, name: str) -> InOrder:
        if name not in self._alone:
            self._alone[name] = InOrder(self.free.like())
        return self._alone[name]
