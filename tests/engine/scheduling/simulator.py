"""A policy on a virtual clock, with stages that take what they took when they were recorded."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import count

from engine.records.stage import Stage
from engine.scheduling.policy import SchedulingPolicy
from tests.engine.scheduling.sharing import SharedCores
from tests.engine.scheduling.sim_jobs import LEARNING, JobRun, SimJob, Work

_NEWS = 0.2  # the share by which rounds must take longer or shorter for all jobs to be told anew
_LASTS_S = 1.0  # a brief stage that takes longer counts as long, as with the engine's runs


@dataclass(frozen=True, slots=True)
class Decisions:
    """What the policy's own work cost, by a stopwatch: one decision a stage that came or ended."""

    count: int
    mean_s: float
    p99_s: float
    worst_s: float
    most_waiting: int


@dataclass(frozen=True, slots=True)
class SimResult:
    """One simulation. `completion_s` is when each job ended, by name, since it arrived.

    `cores_used` and `devices_used` are shares of the makespan, by name. `measured_s` are the
    seconds of all measurements, `disturbed_s` those in which others had the same device or cores.
    """

    policy: str
    makespan_s: float
    completion_s: dict[str, float]
    cores_used: dict[str, float]
    devices_used: dict[str, float]
    measured_s: float
    disturbed_s: float
    stages: int
    decisions: Decisions

    @property
    def mean_completion_s(self) -> float:
        """The mean of all jobs' completion."""
        return sum(self.completion_s.values()) / max(1, len(self.completion_s))


def simulate(
    jobs: Sequence[SimJob],
    policy: SchedulingPolicy,
    stopwatch: Callable[[], float] = lambda: 0.0,
) -> SimResult:
    """Run all jobs to their ends on the machine that the policy's ledger describes.

    Without interference every stage takes its recorded seconds; where a policy lets stages share
    cores or a device, they are as much slower (`SharedCores`). `stopwatch` gives real seconds.
    """
    return _Simulation(jobs, policy, stopwatch).run()


class _Simulation:
    """Events in the order of their virtual time: a job comes, a stage ends or lasts."""

    def __init__(
        self, jobs: Sequence[SimJob], policy: SchedulingPolicy, stopwatch: Callable[[], float]
    ) -> None:
        self._policy, self._stopwatch = policy, stopwatch
        self._groups = {name: SharedCores(cores) for name, cores in policy.free.cores.items()}
        self._versions = dict.fromkeys(self._groups, 0)
        self._events: list[tuple[float, int, SimJob | Stage | None, str, int]] = []
        self._count, self._orders = count(), count()
        self._works: dict[int, tuple[Stage, Work]] = {}
        self._runs: dict[str, JobRun] = {}
        self._completion: dict[str, float] = {}
        self._last_end_s = 0.0
        self._rounds, self._rounds_s, self._said_s = 0, 0.0, 0.0
        self._spent = array("d")
        self._most_waiting = 0
        for job in jobs:
            heappush(self._events, (job.arrives_s, next(self._count), job, "", 0))

    def run(self) -> SimResult:
        """To the end of the last job."""
        while self._events:
            now_s, _, subject, group, version = heappop(self._events)
            if isinstance(subject, SimJob):
                self._arrive(subject, now_s)
            elif subject is not None:
                self._last(subject, now_s)
            elif version == self._versions[group]:
                self._end(group, now_s)
        if self._runs:
            raise RuntimeError(f"The policy {self._policy.name} left jobs unfinished.")
        return self._result()

    def _arrive(self, job: SimJob, now_s: float) -> None:
        run = self._runs[job.name] = JobRun(job)
        self._policy.put_job(replace(job.entry, left_s=run.left_s(self._said_s)))
        self._decide(None, run, run.begin(), now_s)

    def _end(self, group: str, now_s: float) -> None:
        order = self._groups[group].end(now_s)
        stage, work = self._works.pop(order)
        run = self._runs[stage.job]
        seconds = run.round_of(work).core_s
        coming = run.ended(work)
        if work.kind == LEARNING:
            self._learn(run, seconds)
        self._decide(stage, run, coming, now_s)
        self._renew(group)

    def _learn(self, run: JobRun, seconds: float) -> None:
        """Say anew what the job has left; of all jobs, where a round takes other than was said."""
        self._rounds += 1
        self._rounds_s += seconds
        peers_s = self._rounds_s / self._rounds
        if abs(peers_s - self._said_s) > _NEWS * self._said_s:
            self._said_s, told = peers_s, list(self._runs.values())
        else:
            told = [run]
        for each in told:
            self._policy.put_job(replace(each.job.entry, left_s=each.left_s(self._said_s)))

    def _last(self, stage: Stage, now_s: float) -> None:
        if self._policy.runs(stage):
            self._policy.lasts(stage)
            self._start(self._policy.start(now_s), now_s)

    def _decide(self, ended: Stage | None, run: JobRun, coming: list[Work], now_s: float) -> None:
        """Tell the policy what happened, time that, and carry out what it says."""
        policy, name = self._policy, run.job.name
        stages = [self._stage(name, work) for work in coming]
        over = not coming and run.over
        began = self._stopwatch()
        if ended is not None:
            policy.ended(ended, now_s)
        for stage in stages:
            policy.add(stage, now_s)
        if over:
            policy.end_job(name)
        self._most_waiting = max(self._most_waiting, policy.waiting)
        started = policy.start(now_s)
        self._spent.append(self._stopwatch() - began)
        if over:
            self._completion[name] = now_s - run.job.arrives_s
            self._last_end_s = now_s
            del self._runs[name]
        self._start(started, now_s)

    def _stage(self, job: str, work: Work) -> Stage:
        order = next(self._orders)
        stage = Stage(
            order, job, work.kind, work.needs, work.task, work.urgency, work.long, work.brief
        )
        self._works[order] = stage, work
        return stage

    def _start(self, stages: list[Stage], now_s: float) -> None:
        for stage in stages:
            needs, (_, work) = stage.needs, self._works[stage.order]
            device = needs.devices[0] if needs.devices else ""
            cores = self._policy.free.wanted(needs)
            self._groups[needs.group].start(stage.order, cores, device, work.seconds, now_s)
            if stage.brief and work.seconds > _LASTS_S:
                heappush(self._events, (now_s + _LASTS_S, next(self._count), stage, "", 0))
        for group in dict.fromkeys(stage.needs.group for stage in stages):
            self._renew(group)

    def _renew(self, group: str) -> None:
        """The end of a group's next stage may be at another time now."""
        self._versions[group] += 1
        end_s = self._groups[group].next_end_s()
        if end_s is not None:
            version = self._versions[group]
            heappush(self._events, (end_s, next(self._count), None, group, version))

    def _result(self) -> SimResult:
        groups, length_s = self._groups, self._last_end_s or math.inf
        spent = sorted(self._spent)
        decisions = Decisions(
            len(spent),
            sum(spent) / max(1, len(spent)),
            spent[int(0.99 * (len(spent) - 1))] if spent else 0.0,
            spent[-1] if spent else 0.0,
            self._most_waiting,
        )
        return SimResult(
            policy=self._policy.name,
            makespan_s=self._last_end_s,
            completion_s=self._completion,
            cores_used={
                name: group.core_s / group.cores / length_s for name, group in groups.items()
            },
            devices_used={
                name: device.busy_s / length_s
                for group in groups.values()
                for name, device in group.devices.items()
            },
            measured_s=sum(group.measured_s for group in groups.values()),
            disturbed_s=sum(group.disturbed_s for group in groups.values()),
            stages=next(self._orders),
            decisions=decisions,
        )
