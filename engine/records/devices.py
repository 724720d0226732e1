"""Devices: their names, which a run measures on, which agree, which task is measured where."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from engine.records.errors import TargetError, UsageError
from engine.records.options import Index, Latency, made
from engine.records.sentences import Sentence
from engine.records.units import whole_number

_MOST = 999


def cuda_index(name: str) -> int:
    """N of the device's name "cuda:N", 0 of "cuda"; TargetError where it names no such device."""
    kind, colon, number = name.partition(":")
    index = whole_number(number, _MOST) if colon else 0
    if kind != "cuda" or index is None:
        raise TargetError(
            Sentence("{name!r} names no CUDA device.", name=name), "Write cuda or cuda:0."
        )
    return index


def device_parts(name: str) -> tuple[str, int]:
    """Kind and index of a device, as TVM's sessions take them: ("cuda", 1), ("cpu", 0)."""
    return (name, 0) if name == "cpu" else ("cuda", cuda_index(name))


@dataclass(frozen=True, slots=True)
class Probed:
    """A device of a run: its name among all that are tuned from here, its model, and the latency
    (s) of the probe kernel on it."""

    name: str
    model: str
    probe_s: Latency


@dataclass(frozen=True, slots=True)
class Devices:
    """The devices of a run, and the task (by index) that only one group of them measures.

    `groups` are the names of devices that agree with each other; each device is in one.
    A pin is the first device of its task's group.
    """

    probed: tuple[Probed, ...]
    groups: tuple[tuple[str, ...], ...]
    pins: Mapping[Index, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {
            "probed": [asdict(device) for device in self.probed],
            "groups": [list(group) for group in self.groups],
            "pins": {str(task): name for task, name in self.pins.items()},
        }

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> Devices:
        """What `as_dict` gave; UsageError where it does not fit together."""
        found = made(Devices, data, Sentence("The run"))
        names = [device.name for device in found.probed]
        grouped = [name for group in found.groups for name in group]
        whole = names and len(set(names)) == len(names) and sorted(grouped) == sorted(names)
        firsts = {group[0] for group in found.groups if group}
        if not whole or not all(found.groups) or not firsts.issuperset(found.pins.values()):
            raise UsageError("These devices do not fit together.", "Measure them again.")
        return found


def agreeing(probed: Sequence[Probed], tolerance: float) -> tuple[tuple[str, ...], ...]:
    """Groups of devices of one model whose probes all differ by at most `tolerance` (0.03: 3 %).

    Each device joins the first group that it agrees with, in the order given.
    """
    groups: list[list[Probed]] = []
    for device in probed:
        fitting = (group for group in groups if _fits(device, group, tolerance))
        group = next(fitting, None)
        if group is None:
            groups.append([device])
        else:
            group.append(device)
    return tuple(tuple(device.name for device in group) for group in groups)


def _fits(device: Probed, group: Sequence[Probed], tolerance: float) -> bool:
    seconds = [device.probe_s, *(other.probe_s for other in group)]
    return device.model == group[0].model and max(seconds) <= (1 + tolerance) * min(seconds)
