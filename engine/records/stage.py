"""What the scheduler knows of stages and jobs, and what ran where and when."""

from __future__ import annotations

from dataclasses import dataclass

from engine.records.outstanding import StageKind

ALL_CORES = 1 << 30
"""As `Needs.cores`: the whole core group, whatever its size."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a stage holds while it runs: cores of one core group, and devices by name, alone.

    A core group is a machine's cores, or the part of them that disturbs nothing outside it.
    More cores than the group has are all of them.
    """

    cores: int = 1
    devices: tuple[str, ...] = ()
    group: str = ""

    def __post_init__(self) -> None:
        if self.cores < 1 or len(set(self.devices)) < len(self.devices):
            raise ValueError(f"A stage cannot need {self.cores} cores and {self.devices}.")


@dataclass(frozen=True, slots=True)
class Stage:
    """A piece of a job's work that starts at once or waits, and is never interrupted.

    `order` is that of arrival, each stage's own. `urgency` orders the stages of one job: lower
    numbers first. `long` marks a stage of seconds, `brief` one that may pass a stage that waits
    for a long one to end. `kind` and `task` are what its seconds are learned by; `expected_s`
    takes the place of what was learned.
    """

    order: int
    job: str
    kind: str
    needs: Needs
    task: str = ""
    urgency: int = 0
    long: bool = False
    brief: bool = False
    expected_s: float | None = None


@dataclass(frozen=True, slots=True)
class Job:
    """A job in the queue: a lower `priority` number is more urgent, then a lower `place`.

    No stage of a `paused` job starts; those that run go on. `device` is the one that it
    measures on: its turn is about it where one job follows another, and only jobs of it wait
    where one of its measurements waits for it. Empty is the whole machine. `left_s` are the seconds
    that its work should still take, 0 where nobody knows.
    """

    name: str
    priority: int = 0
    place: int = 0
    paused: bool = False
    device: str = ""
    left_s: float = 0.0


@dataclass(frozen=True, slots=True)
class StageSpan:
    """A stage that holds, or held, cores and perhaps a device.

    `number` counts the stages of a process. `job` is the queued job's id, or a text for work that
    is no job of the queue. `task` is as a person reads it. `lane` is the device, or
    "" for the cores of this machine; a stage on a device holds `cores` cores of this machine
    beside it, 0 where the device is elsewhere. Seconds are those of time.monotonic(); `until_s`
    is None while it runs.
    """

    number: int
    job: int | str
    kind: StageKind
    task: str
    lane: str
    cores: int
    since_s: float
    until_s: float | None = None
