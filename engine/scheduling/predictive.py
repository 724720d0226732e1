"""Predictive: shortest first by learned seconds, and with age every stage gets its turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.records.options import Real
from engine.records.stage import Job, Needs, Stage
from engine.scheduling.free import Free
from engine.scheduling.interleaved import Interleaved, InterleavedOptions
from engine.scheduling.policy import Waiting
from engine.scheduling.queues import Rank
from engine.scheduling.stage_times import StageTimes


class Predictive(Interleaved):
    """As interleaved, with an order and with gaps that are filled by expected seconds.

    A stage's rank is a time: when its job came, or `job_late_s` ago where that is longer; plus
    `stretch` times its expected seconds but at most `late_s`; plus, unless it needs a device, what
    its job has left but at most `job_late_s`; plus `priority_s` for each step of the job's
    priority. What is unknown counts as short, and is known then. While a stage waits for cores,
    another starts if it is expected to end before that one could, until one has waited
    `patience_s`; only the first of those that need the same is asked.

    Nothing starves: while its devices are free, no stage that came later than `bound_s` after
    another starts before it, however many come, whatever is expected and however wrong that is.
    For it would have to go ahead by rank, which differs from the time of arrival by no more than
    the options say, or to pass it or one that is ahead of it by rank, which `patience_s` limits.
    """

    name = "predictive"
    title = "Shortest first"
    only_brief = False

    @dataclass(frozen=True)
    class Options(InterleavedOptions):
        """How much shorter stages go before longer ones, and more urgent jobs before others."""

        stretch: Real = 5.0
        late_s: Real = 60.0
        job_late_s: Real = 3600.0
        priority_s: Real = 7200.0

    def __init__(self, free: Free, options: Any = None, times: StageTimes | None = None) -> None:
        super().__init__(free, options, times)
        self._came: dict[str, float] = {}

    def end_job(self, name: str) -> tuple[Stage, ...]:
        """Forget a job, and when it came."""
        self._came.pop(name, None)
        return super().end_job(name)

    def expected_s(self, stage: Stage) -> float | None:
        """The seconds that a stage should take; None where nothing is known."""
        if stage.expected_s is not None:
            return stage.expected_s
        return self.times.expected(stage.kind, stage.task)

    def _own_rank(self, stage: Stage, now_s: float) -> Rank:
        options: Any = self.options
        came_s = max(self._came.setdefault(stage.job, now_s), now_s - options.job_late_s)
        late_s = min(options.stretch * (self.expected_s(stage) or 0.0), options.late_s)
        # Rounded, so that what is added to it by job keeps the order.
        return round(came_s + late_s, 6), stage.order

    def _rank(self, job: Job, needs: Needs, own: Rank) -> Rank:
        due_s, order = own
        options: Any = self.options
        due_s += options.priority_s * job.priority
        if not needs.devices:
            due_s += min(max(0.0, job.left_s), options.job_late_s)
        return due_s, job.place, order

    def _may_any_pass(self, group: str, blocked: list[Waiting], now_s: float) -> bool:
        patient = all(now_s - item.since_s < self.options.patience_s for item in blocked)
        return patient and self._room_s(group, blocked[0], now_s) > 0

    def _may_pass(self, stage: Stage, group: str, blocked: list[Waiting], now_s: float) -> bool:
        expected_s = self.expected_s(stage)
        if expected_s is None or not self._leaves_devices(stage, blocked):
            return False
        return expected_s <= self._room_s(group, blocked[0], now_s)

    def _room_s(self, group: str, blocked: Waiting, now_s: float) -> float:
        """The seconds until a blocked stage should have its cores."""
        short = self.free.wanted(blocked.stage.needs) - self.free.free_cores(group)
        ends = []
        for item in self._in_group.get(group, {}).values():
            left_s = item.since_s + (self.expected_s(item.stage) or 0.0) - now_s
            ends.append((max(0.0, left_s), item.cores))
        for left_s, cores in sorted(ends):
            short -= cores
            if short <= 0:
                return left_s
        return 0.0
