"""Policies that start stages in an order, where a blocked one may hold back those behind it."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any, ClassVar

from engine.records.stage import Job, Needs, Stage
from engine.scheduling.free import Free
from engine.scheduling.policy import Running, SchedulingPolicy, Waiting
from engine.scheduling.queues import GroupQueue, NeedQueue, Rank
from engine.scheduling.stage_times import StageTimes


class OrderedPolicy(SchedulingPolicy):
    """Looks only at core groups where something changed, and there at the first of each need.

    `only_brief`: no other stage may pass a blocked one. `waits_for_device`: a stage that waits
    for a device alone is blocked, too, and holds back the jobs of its job's device, where that is
    known, or all; otherwise it stands aside until the device is free.
    """

    only_brief: ClassVar[bool] = True
    waits_for_device: ClassVar[bool] = False

    def __init__(self, free: Free, options: Any = None, times: StageTimes | None = None) -> None:
        super().__init__(free, options, times)
        self._groups: dict[str, GroupQueue] = {}
        self._changed: dict[str, None] = {}
        self._queues_of: dict[str, dict[int, tuple[str, NeedQueue]]] = {}
        self._parked: dict[str, list[tuple[str, NeedQueue]]] = {}
        self._in_group: dict[str, dict[int, Running]] = {}

    # The order

    @abstractmethod
    def _own_rank(self, stage: Stage, now_s: float) -> Rank:
        """A stage's rank among those of its job, its order of arrival last."""

    @abstractmethod
    def _rank(self, job: Job, needs: Needs, own: Rank) -> Rank:
        """The rank among the stages of all jobs, increasing in `own`, with its end."""

    def _held(self, job: Job) -> bool:
        """Whether none of the job's stages may start."""
        return job.paused

    def _holds(self, blocked: Waiting, now_s: float) -> bool:
        """Whether a stage that waits for cores holds back those behind it.

        `since_s` of the blocked ones is when the oldest of those that need the same came.
        """
        return True

    def _may_any_pass(self, group: str, blocked: list[Waiting], now_s: float) -> bool:
        """Whether stages may still pass those that hold them back."""
        return self._groups[group].long > 0

    def _may_pass(self, stage: Stage, group: str, blocked: list[Waiting], now_s: float) -> bool:
        """Whether this one may, where any may."""
        return stage.brief

    # The work

    def start(self, now_s: float) -> list[Stage]:
        """The stages that start now."""
        started: list[Stage] = []
        changed, self._changed = self._changed, {}
        for group in changed:
            self._scan(group, now_s, started)
        return started

    def _scan(self, group: str, now_s: float, started: list[Stage]) -> None:
        """Start what may start in one core group."""
        queues, free = self._group(group), self.free
        blocked: list[Waiting] = []  # which hold back all
        by_lane: dict[str, list[Waiting]] = {}
        aside: list[NeedQueue] = []
        while free.free_cores(group) > 0:
            if blocked and not self._may_any_pass(group, blocked, now_s):
                break
            found = queues.take(bool(blocked) and self.only_brief)
            if found is None:
                break
            queue, stage = found
            device = free.busy(queue.needs)
            if device and not self.waits_for_device:
                queue.parked = True
                self._parked.setdefault(device, []).append((group, queue))
                continue
            ahead = [*blocked, *by_lane.get(queue.lane, ())]
            if ahead and not self._passes(stage, group, ahead, now_s):
                aside.append(queue)
            elif device or free.wanted(queue.needs) > free.free_cores(group):
                aside.append(queue)
                waiting = Waiting(stage, queue.oldest_s())
                if device and queue.lane:
                    by_lane.setdefault(queue.lane, []).append(waiting)
                elif device or self._holds(waiting, now_s):
                    blocked.append(waiting)
            else:
                queue.pop()
                queues.show(queue)
                queues.long += stage.long
                self._begin(stage, now_s)
                started.append(stage)
        for queue in aside:
            queues.show(queue)

    def _passes(self, stage: Stage, group: str, ahead: list[Waiting], now_s: float) -> bool:
        """Whether a stage may pass those that hold it back."""
        return self._may_any_pass(group, ahead, now_s) and self._may_pass(
            stage, group, ahead, now_s
        )

    def _begin(self, stage: Stage, now_s: float) -> None:
        super()._begin(stage, now_s)
        running = self._running[stage.order]
        self._in_group.setdefault(stage.needs.group, {})[stage.order] = running

    def _enqueue(self, stage: Stage, now_s: float) -> None:
        group = stage.needs.group
        queues = self._group(group)
        queue = queues.queue(stage, self._lane(stage))
        queue.add(self._own_rank(stage, now_s), stage, now_s)
        queues.show(queue)
        self._queues_of.setdefault(stage.job, {})[id(queue)] = (group, queue)
        self._changed[group] = None

    def _dequeue(self, stage: Stage) -> None:
        group = stage.needs.group
        queue = self._groups[group].queue(stage, self._lane(stage))
        queue.drop(stage)
        self._groups[group].show(queue)
        self._changed[group] = None

    def _job_changed(self, name: str) -> None:
        for group, queue in self._queues_of.get(name, {}).values():
            queue.refresh(name)
            self._groups[group].show(queue)
            self._changed[group] = None
        if name not in self._jobs:
            self._queues_of.pop(name, None)

    def _freed(self, running: Running) -> None:
        needs = running.stage.needs
        del self._in_group[needs.group][running.stage.order]
        self._groups[needs.group].long -= running.long
        self._changed[needs.group] = None
        for device in needs.devices:
            self._device_freed(device)

    def _turned_long(self, running: Running) -> None:
        self._groups[running.stage.needs.group].long += 1
        self._changed[running.stage.needs.group] = None

    def _device_freed(self, device: str) -> None:
        """Look again at what waits for a device."""
        for group, queue in self._parked.pop(device, ()):
            queue.parked = False
            self._groups[group].show(queue)
            self._changed[group] = None
        if self.waits_for_device:
            self._changed.update(dict.fromkeys(self._groups))

    def _lane(self, stage: Stage) -> str:
        """Whose stages one that waits for its device holds back; empty for all."""
        return self._jobs[stage.job].device if self.waits_for_device else ""

    def _group(self, group: str) -> GroupQueue:
        if group not in self._groups:
            self._groups[group] = GroupQueue(self._place)
        return self._groups[group]

    def _place(self, name: str, needs: Needs, own: Rank) -> Rank | None:
        job = self._jobs.get(name)
        return None if job is None or self._held(job) else self._rank(job, needs, own)
