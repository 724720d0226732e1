"""Sequential: one job after another."""

from __future__ import annotations

from collections import Counter
from heapq import heappop, heappush
from typing import Any

from engine.records.stage import Job, Stage
from engine.scheduling.free import Free
from engine.scheduling.in_order import InOrder
from engine.scheduling.policy import Running
from engine.scheduling.stage_times import StageTimes


class Sequential(InOrder):
    """A job has its device, or the machine, until it ends; then it is the next one's turn.

    A paused job gives its turn away once nothing of it runs. A more urgent one waits for the end
    of the job whose turn it is.
    """

    name = "sequential"
    title = "One job after another"

    def __init__(self, free: Free, options: Any = None, times: StageTimes | None = None) -> None:
        super().__init__(free, options, times)
        self._turns: dict[str, str] = {}
        self._devices: dict[str, str] = {}
        self._next: dict[str, list[tuple[int, int, str]]] = {}
        self._busy: Counter[str] = Counter()

    def put_job(self, job: Job) -> None:
        """Make a job known or change it; its device stays what it was first."""
        device = self._devices.setdefault(job.name, job.device)
        heappush(self._next.setdefault(device, []), (job.priority, job.place, job.name))
        super().put_job(job)
        self._pass_turn(device)

    def end_job(self, name: str) -> tuple[Stage, ...]:
        """Forget a job; the turn passes on once nothing of it runs."""
        dropped = super().end_job(name)
        device = self._devices.get(name)
        if device is not None and self._turns.get(device) == name:
            self._pass_turn(device)
        else:
            self._devices.pop(name, None)
        return dropped

    def _held(self, job: Job) -> bool:
        return job.paused or self._turns.get(self._devices[job.name]) != job.name

    def _begin(self, stage: Stage, now_s: float) -> None:
        self._busy[stage.job] += 1
        super()._begin(stage, now_s)

    def _freed(self, running: Running) -> None:
        super()._freed(running)
        job = running.stage.job
        self._busy[job] -= 1
        if not self._busy[job]:
            del self._busy[job]
            self._pass_turn(self._devices[job])

    def _pass_turn(self, device: str) -> None:
        """Give the turn to the first job that may have it, where the last one is done with it."""
        last = self._turns.get(device)
        job = self._jobs.get(last) if last else None
        if last and (self._busy[last] or (job and not job.paused)):
            return
        if last and job is None:
            self._devices.pop(last, None)
        self._turns.pop(device, None)
        name = self._first(device)
        if name:
            self._turns[device] = name
            self._job_changed(name)

    def _first(self, device: str) -> str:
        """The first job in the queue that is not paused, taken out of it; empty for none."""
        queue = self._next.get(device, [])
        while queue:
            priority, place, name = heappop(queue)
            job = self._jobs.get(name)
            if job and not job.paused and (priority, place) == (job.priority, job.place):
                return name
        return ""
