"""Which stage starts when: a scheduling policy at work on the stages of one process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from engine.records.outstanding import StageKind, Wait
from engine.records.stage import Job, Needs, Stage
from engine.scheduling.free import Free
from engine.scheduling.policy import SchedulingPolicy
from engine.scheduling.registry import make_scheduling
from engine.scheduling.stage_times import StageTimes
from engine.scheduling.waits import wait_of

ALONE = "in-order"
"""The policy of a process that runs no queue."""

NO_JOB = "window"
"""Whose the stages are that no job of a queue has; a policy wants a name."""


@dataclass(eq=False, slots=True)
class Own:
    """The stages of one job, by order of arrival."""

    waiting: dict[int, Stage] = field(default_factory=dict)
    running: dict[int, Stage] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Need:
    """What a stage uses while it runs: `cores`, and a `device` alone where it names one.

    Stages of a lower `priority` number start first. `long` marks a stage of seconds: while one
    runs, `brief` stages go on in spite of a more urgent one that waits for it to end. A brief
    stage that takes over a second counts as long. `group` names a device of another machine: the
    stage has it alone and uses no core here. `task` is its name for a person; the
    seconds of a kind of stage are learned by kind, `target` and `key`.
    """

    cores: int
    device: str = ""
    priority: int = 0
    long: bool = False
    brief: bool = False
    kind: StageKind | None = None
    task: str = ""
    target: str = ""
    key: str = ""
    group: str = ""


class StageListener(Protocol):
    """Hears of every stage, at `at_s` of time.monotonic(). It must be quick."""

    def began(self, number: int, job: str, need: Need, cores: int, at_s: float) -> None:
        """A stage holds what it needs."""

    def ended(self, number: int, at_s: float) -> None:
        """It gave it back."""


@dataclass(eq=False, slots=True)
class _Known:
    """A job that has stages: which wait and run, and who wants to know its share."""

    own: Own = field(default_factory=Own)
    tell: Callable[[float], None] | None = None
    listed: bool = False


@dataclass(eq=False, slots=True)
class _Waiting:
    stage: Stage
    need: Need
    granted: asyncio.Future[None]
    since_s: float


class Granting:
    """Asks a policy what may start, and lets it start. One loop's own.

    A job that nobody put is known to the policy while it has stages.
    """

    def __init__(self, cores: int, policy: SchedulingPolicy | None = None) -> None:
        self.cores = cores
        self.policy = policy or make_scheduling(ALONE, Free({"": cores}))
        self.listener: StageListener | None = None
        self._next: SchedulingPolicy | None = None
        self._count = 0
        self._waiting: dict[int, _Waiting] = {}
        self._known: dict[str, _Known] = {}

    # Stages

    async def acquire(self, need: Need, job: str) -> Stage:
        """Wait until a stage may start; it holds what it needs from then on."""
        job = job or NO_JOB
        stage = self._stage(need, job)
        loop = asyncio.get_running_loop()
        waiting = _Waiting(stage, need, loop.create_future(), self._now())
        self._waiting[stage.order] = waiting
        self._known.setdefault(job, _Known()).own.waiting[stage.order] = stage
        self.policy.add(stage, self._now())
        self.grant()
        try:
            await waiting.granted
        except asyncio.CancelledError:
            if self._waiting.pop(stage.order, None) is None:
                self.release(stage, learn=False)
            else:
                self.policy.withdraw(stage)
                self._forget(stage)
                self.grant()
            raise
        return stage

    def release(self, stage: Stage, learn: bool = True) -> None:
        """A stage that ran is over."""
        now_s = self._now()
        self.policy.ended(stage, now_s, learn=learn and bool(stage.kind))
        if self.listener is not None:
            self.listener.ended(stage.order, now_s)
        self._forget(stage)
        self.grant()

    def lasts(self, stage: Stage) -> None:
        """A brief stage turned out long: others go on beside it."""
        self.policy.lasts(stage)
        self.grant()

    def grant(self) -> None:
        """Start what may start; after every change of the policy's jobs, too."""
        if self._next is not None and not self.policy.running:
            self._replace(self._next)
        if self._next is None:
            now_s = self._now()
            for stage in self.policy.start(now_s):
                self._start(stage, now_s)
        for name, known in self._known.items():
            if known.tell is not None:
                known.tell(share_of(known.own, self.cores, self._fills(name)))

    # Policies and jobs

    def use(self, policy: str, options: dict[str, object], times: StageTimes) -> None:
        """Follow another policy as soon as nothing runs; until then nothing starts."""
        free = Free({"": self.cores})
        for group, cores in self.policy.free.cores.items():
            free.put_group(group, cores)
        self._next = make_scheduling(policy, free, options, times)
        self.grant()

    def put_job(self, job: Job) -> None:
        """Make a job known, or change it."""
        self._known.setdefault(job.name, _Known()).listed = True
        for policy in self._policies():
            policy.put_job(job)
        self.grant()

    def end_job(self, name: str) -> None:
        """A job is over; a stage of it that still waits never starts."""
        known = self._known.get(name)
        if known is None:
            return
        known.listed, known.tell = False, None
        for order in list(known.own.waiting):
            if (waiting := self._waiting.get(order)) is not None:
                waiting.granted.cancel()
        self._leave(name)
        self.grant()

    def tell_share(self, job: str, tell: Callable[[float], None] | None) -> None:
        """Tell which share a job has of what it would have alone, from 0 to 1; None ends it."""
        if tell is not None:
            self._known.setdefault(job, _Known()).tell = tell
        elif job in self._known:
            self._known[job].tell = None
            self._leave(job)

    def wait(self, job: str, least_s: float = 0.0) -> Wait | None:
        """What a job waits for where it has no stage that runs, and one has waited `least_s`."""
        known = self._known.get(job)
        if known is None or known.own.running or not known.own.waiting:
            return None
        began_s = max(self._waiting[order].since_s for order in known.own.waiting)
        if self._now() - began_s < least_s:
            return None
        return wait_of(known.own.waiting.values(), self.policy.running, self.policy.free)

    # Within

    def _stage(self, need: Need, job: str) -> Stage:
        self._count += 1
        if need.group and need.group not in self.policy.free.cores:
            for policy in self._policies():
                policy.free.put_group(need.group, 1)
        kind = need.kind or ""
        devices = (need.device,) if need.device and not need.group else ()
        return Stage(
            self._count,
            job,
            f"{kind} on {need.target}" if need.target else kind,
            Needs(1 if need.group else max(1, need.cores), devices, need.group),
            need.key,
            need.priority,
            need.long,
            need.brief,
        )

    def _start(self, stage: Stage, now_s: float) -> None:
        waiting = self._waiting.pop(stage.order)
        own = self._known[stage.job].own
        del own.waiting[stage.order]
        own.running[stage.order] = stage
        if self.listener is not None:
            cores = 0 if waiting.need.group else min(stage.needs.cores, self.cores)
            self.listener.began(stage.order, stage.job, waiting.need, cores, now_s)
        if not waiting.granted.done():  # one that was cancelled gives it back itself
            waiting.granted.set_result(None)

    def _replace(self, policy: SchedulingPolicy) -> None:
        for job in self.policy.jobs:
            if self._known[job.name].listed:
                policy.put_job(job)
        self.policy, self._next = policy, None
        for waiting in self._waiting.values():
            policy.add(waiting.stage, self._now())

    def _policies(self) -> list[SchedulingPolicy]:
        return [self.policy] if self._next is None else [self.policy, self._next]

    def _forget(self, stage: Stage) -> None:
        own = self._known[stage.job].own
        own.waiting.pop(stage.order, None)
        own.running.pop(stage.order, None)
        self._leave(stage.job)

    def _leave(self, name: str) -> None:
        """A job without stages, which nobody put, would keep its turn."""
        known = self._known[name]
        if known.listed or known.own.waiting or known.own.running:
            return
        for policy in self._policies():
            policy.end_job(name)
        if known.tell is None:
            del self._known[name]

    def _fills(self, name: str) -> bool:
        """Whether a stage of the job that waits for a device alone lets others go ahead."""
        return not getattr(self.policy, "waits_for_device", False)

    @staticmethod
    def _now() -> float:
        return asyncio.get_running_loop().time()


def share_of(own: Own, cores: int, fills: bool = True) -> float:
    """The cores that the job's stages hold, over those that they would hold alone: 0 to 1.

    Alone, what waits would start in order until the machine's `cores` are full or a stage lacks
    cores that the job itself holds; with `fills`, one that lacks only a device which the job
    holds is passed. A device of another machine counts as a core. A job that has no stage at all
    thinks, and has its whole share.
    """
    held = sum(min(stage.needs.cores, cores) for stage in own.running.values())
    if not own.waiting:
        return 1.0
    left = cores - sum(
        min(stage.needs.cores, cores) for stage in own.running.values() if not stage.needs.group
    )
    devices = {place for stage in own.running.values() for place in _places(stage)}
    more = 0
    for stage in sorted(own.waiting.values(), key=lambda stage: (stage.urgency, stage.order)):
        wanted = min(stage.needs.cores, cores)
        if not devices.isdisjoint(_places(stage)):
            if stage.needs.group or fills:
                continue
            break
        if not stage.needs.group:
            if wanted > left:
                break
            left -= wanted
        devices.update(_places(stage))
        more += wanted
    return held / (held + more) if more else 1.0


def _places(stage: Stage) -> tuple[str, ...]:
    """What only one stage at a time has."""
    needs = stage.needs
    return (*needs.devices, needs.group) if needs.group else needs.devices
