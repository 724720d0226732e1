"""The contract of a scheduling policy: it is told what comes and ends, and says what starts."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from engine.records.options import Checked
from engine.records.stage import Job, Stage
from engine.scheduling.free import Free
from engine.scheduling.stage_times import StageTimes


@dataclass(frozen=True, slots=True)
class Waiting:
    """A stage that waits, since when."""

    stage: Stage
    since_s: float


@dataclass(slots=True)
class Running:
    """A stage that runs: since when, on how many cores, and whether it counts as long."""

    stage: Stage
    since_s: float
    cores: int
    long: bool


class SchedulingPolicy(ABC):
    """Starts stages. It neither sleeps nor reads a clock: `now_s` never falls from call to call.

    Its owner calls `add`, `withdraw`, `ended`, `lasts` and `put_job` as things happen, then
    `start`, and carries out what that returns. Not safe to share between threads.

    `exclusive` is whether no more is held than there is, so that no measurement is disturbed.
    `work_conserving` is whether nothing that fits is left to wait, but for a stage ahead of it
    that waits for more cores. `Options` is a frozen dataclass with defaults.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    exclusive: ClassVar[bool] = True
    work_conserving: ClassVar[bool] = False

    @dataclass(frozen=True)
    class Options(Checked):
        """No options."""

    def __init__(self, free: Free, options: Any = None, times: StageTimes | None = None) -> None:
        self.free = free
        self.options: Any = options or self.Options()
        self.times = times or StageTimes()
        self._jobs: dict[str, Job] = {}
        self._waiting: dict[int, Waiting] = {}
        self._running: dict[int, Running] = {}
        self._of_job: dict[str, dict[int, Stage]] = {}
        self._last_place = -1

    # Jobs

    @property
    def jobs(self) -> tuple[Job, ...]:
        """All jobs that have not ended, in the order in which a person sees them."""
        return tuple(sorted(self._jobs.values(), key=lambda job: (job.priority, job.place)))

    def put_job(self, job: Job) -> None:
        """Make a job known, or change it: pause it, give it another priority or place.

        Its device stays what it was first.
        """
        known = self._jobs.get(job.name)
        self._jobs[job.name] = replace(job, device=known.device) if known else job
        self._last_place = max(self._last_place, job.place)
        self._job_changed(job.name)

    def reorder(self, names: Sequence[str]) -> None:
        """Give these jobs each other's places, in this order."""
        places = sorted(self._jobs[name].place for name in names)
        for name, place in zip(names, places, strict=True):
            self.put_job(replace(self._jobs[name], place=place))

    def end_job(self, name: str) -> tuple[Stage, ...]:
        """Forget a job that is over or cancelled; its stages that waited and will not start."""
        dropped = tuple(self._of_job.get(name, {}).values())
        for stage in dropped:
            self.withdraw(stage)
        self._jobs.pop(name, None)
        self._of_job.pop(name, None)
        self._job_changed(name)
        return dropped

    # Stages

    @property
    def waiting(self) -> int:
        """How many stages wait."""
        return len(self._waiting)

    @property
    def running(self) -> tuple[Stage, ...]:
        """The stages that run."""
        return tuple(item.stage for item in self._running.values())

    def runs(self, stage: Stage) -> bool:
        """Whether this stage runs."""
        return stage.order in self._running

    def add(self, stage: Stage, now_s: float) -> None:
        """A stage waits. Its job is made known, behind the others, where it is not.

        ValueError where the machine has nothing like what it needs.
        """
        self.free.check(stage.needs)
        if stage.job not in self._jobs:
            self.put_job(Job(stage.job, place=self._last_place + 1))
        self._waiting[stage.order] = Waiting(stage, now_s)
        self._of_job.setdefault(stage.job, {})[stage.order] = stage
        self._enqueue(stage, now_s)

    def withdraw(self, stage: Stage) -> None:
        """A stage that waits is given up; nothing happens where it does not wait."""
        if self._waiting.pop(stage.order, None) is not None:
            del self._of_job[stage.job][stage.order]
            self._dequeue(stage)

    @abstractmethod
    def start(self, now_s: float) -> list[Stage]:
        """The stages that start now, most urgent first; they hold what they need from now on."""

    def ended(self, stage: Stage, now_s: float, *, learn: bool = True) -> None:
        """A stage that ran is over. `learn` its seconds unless it was cut short."""
        running = self._running.pop(stage.order)
        self.free.give_back(stage.needs, running.cores)
        if learn:
            self.times.add(stage.kind, stage.task, now_s - running.since_s)
        self._freed(running)

    def lasts(self, stage: Stage) -> None:
        """A brief stage that runs has turned out long: others need not wait for it to end."""
        running = self._running.get(stage.order)
        if running is not None and not running.long:
            running.long = True
            self._turned_long(running)

    def _begin(self, stage: Stage, now_s: float) -> None:
        """Book a stage as running."""
        del self._waiting[stage.order]
        del self._of_job[stage.job][stage.order]
        cores = self.free.take(stage.needs)
        self._running[stage.order] = Running(stage, now_s, cores, stage.long)

    # What a policy does about it

    @abstractmethod
    def _enqueue(self, stage: Stage, now_s: float) -> None:
        """A stage came."""

    @abstractmethod
    def _dequeue(self, stage: Stage) -> None:
        """A stage that waited is gone."""

    @abstractmethod
    def _job_changed(self, name: str) -> None:
        """A job came, changed or is gone."""

    @abstractmethod
    def _freed(self, running: Running) -> None:
        """What a stage held is free again."""

    def _turned_long(self, running: Running) -> None:  # noqa: B027 - some take no notice
        """A brief stage is a long one from now on."""
