"""What a job waits for, where none of its stages runs: read off the stages of all jobs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from engine.records.stage import Stage
from engine.scheduling.free import Free


@dataclass(frozen=True, slots=True)
class Wait:
    """What the first waiting stage of a job lacks: a `device`, or else so many `cores`, or else
    (neither) its turn. `held_by` names the jobs that have it, the one with the most first.
    """

    cores: int = 0
    device: str = ""
    held_by: tuple[str, ...] = ()


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


def wait_sentence(wait: Wait, name_of: Callable[[str], str]) -> str:
    """The wait in words; `name_of` gives a job its name."""
    holders = ", ".join(dict.fromkeys(map(name_of, wait.held_by)))
    if wait.device:
        what = f"waits for {wait.device}"
    elif wait.cores:
        what = f"waits for {wait.cores} core{'' if wait.cores == 1 else 's'}"
    else:
        return f"waits for its turn, after {holders}" if holders else "waits for its turn"
    return f"{what}, held by {holders}" if holders else what


def _places(stage: Stage) -> tuple[str, ...]:
    return (*stage.needs.devices, stage.needs.group)


def _by_cores(stages: Iterable[Stage]) -> tuple[str, ...]:
    held: dict[str, int] = {}
    for stage in stages:
        held[stage.job] = held.get(stage.job, 0) + stage.needs.cores
    return tuple(sorted(held, key=lambda job: -held[job]))
