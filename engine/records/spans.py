"""What ran where and when: one record a stage."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StageSpan:
    """A stage that holds, or held, cores and perhaps a device.

    `number` counts the stages of a process. `job` is the queued job's id, or a text for work that
    is no job of the queue. `kind` and `task` are as a person reads them. `lane` is the device, or
    "" for the cores of this machine; a stage on a device holds `cores` cores of this machine
    beside it, 0 where the device is elsewhere. Seconds are those of time.monotonic(); `until_s`
    is None while it runs.
    """

    number: int
    job: int | str
    kind: str
    task: str
    lane: str
    cores: int
    since_s: float
    until_s: float | None = None
