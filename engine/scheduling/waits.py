"""What a job waits for, where none of its stages runs: read off the stages of all jobs."""

from __future__ import annotations

from collections.abc import Iterable

from engine.records.outstanding import Wait
from engine.records.stage import Stage
from engine.scheduling.free import Free


def wait_of(waiting: Iterable[Stage], running: Iterable[Stage], free: Free) -> Wait | None:
    """The wait of a job whose stages `waiting` are; None where it has none.

    `running` are the stages of all jobs.
    """
    first = min(waiting, key=lambda stage: (stage.urgency, stage.order), default=None)
    if first is None:
        return None
    needs, held = first.needs, list(running)
    device = needs.group or free.busy(needs)
    holding = [stage for stage in held if device and device in _places(stage)]
    if device and (holding or not needs.group):
        return Wait(0, device, _by_cores(holding))
    beside = [stage for stage in held if stage.needs.group == needs.group]
    wanted = free.wanted(needs)
    if wanted > free.free_cores(needs.group):
        return Wait(wanted, "", _by_cores(beside))
    return Wait(0, "", _by_cores(beside))


def _places(stage: Stage) -> tuple[str, ...]:
    return (*stage.needs.devices, stage.needs.group)


def _by_cores(stages: Iterable[Stage]) -> tuple[str, ...]:
    held: dict[str, int] = {}
    for stage in stages:
        held[stage.job] = held.get(stage.job, 0) + stage.needs.cores
    return tuple(sorted(held, key=lambda job: -held[job]))
