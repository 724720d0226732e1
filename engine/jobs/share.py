"""How much of the machine a job has, measured by what it would have if it were alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.records.stage import Stage


@dataclass(eq=False, slots=True)
class Own:
    """The stages of one job, by order of arrival."""

    waiting: dict[int, Stage] = field(default_factory=dict)
    running: dict[int, Stage] = field(default_factory=dict)


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
