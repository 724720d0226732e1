"""The cores of one simulated machine, shared evenly where stages ask for more than there are."""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import count


class _Device:
    """Stages on one device, in its own virtual seconds: each has its share of the group's."""

    __slots__ = ("at", "busy_s", "ends", "since_s", "version", "work")

    def __init__(self) -> None:
        self.ends: list[tuple[float, int]] = []
        self.work = self.at = self.busy_s = self.since_s = 0.0
        self.version = 0

    def advance(self, virtual: float) -> None:
        if self.ends:
            self.work += (virtual - self.at) / len(self.ends)
        self.at = virtual


class SharedCores:
    """Processor sharing on a virtual clock; the cost of an event grows with the logarithm.

    A stage runs at the speed 1 while no more cores are asked for than there are, and otherwise at
    cores over cores asked for; stages on one device share that once more. `measured_s` sums the
    seconds of stages with a device, `disturbed_s` those of them in which cores were short or the
    device was shared. What else disturbs a measurement is not in the model.
    """

    def __init__(self, cores: int) -> None:
        self.cores, self.asked = cores, 0
        self.now_s = self.virtual = 0.0
        self.core_s = self.measured_s = self.disturbed_s = 0.0
        self.devices: dict[str, _Device] = {}
        self._ends: list[tuple[float, int, int, str, int]] = []
        self._stages: dict[int, tuple[int, str]] = {}
        self._measuring = self._sharing = 0
        self._count = count()

    def start(self, order: int, cores: int, device: str, seconds: float, now_s: float) -> None:
        """A stage starts that would take `seconds` alone."""
        self._advance(now_s)
        self._stages[order] = cores, device
        self.asked += cores
        if not device:
            heappush(self._ends, (self.virtual + seconds, next(self._count), order, "", 0))
            return
        found = self.devices.setdefault(device, _Device())
        found.advance(self.virtual)
        if not found.ends:
            found.since_s = now_s
        heappush(found.ends, (found.work + seconds, order))
        self._measuring += 1
        self._changed(device, found, len(found.ends) - 1)

    def next_end_s(self) -> float | None:
        """When the next stage ends, if nothing else happens; None where none runs."""
        while self._ends:
            virtual, _, _, device, version = self._ends[0]
            if not device or version == self.devices[device].version:
                slower = max(1.0, self.asked / self.cores)
                return self.now_s + max(0.0, virtual - self.virtual) * slower
            heappop(self._ends)
        return None

    def end(self, now_s: float) -> int:
        """The stage that ends at `now_s`, which `next_end_s` gave; its order."""
        self._advance(now_s)
        virtual, _, order, device, _ = heappop(self._ends)
        self.virtual = max(self.virtual, virtual)
        if device:
            found = self.devices[device]
            found.advance(self.virtual)
            done, order = heappop(found.ends)
            found.work = max(found.work, done)
            self._measuring -= 1
            if not found.ends:
                found.busy_s += now_s - found.since_s
            self._changed(device, found, len(found.ends) + 1)
        cores, _ = self._stages.pop(order)
        self.asked -= cores
        return order

    def _changed(self, device: str, found: _Device, before: int) -> None:
        """Other stages share a device from now on."""
        held = len(found.ends)
        self._sharing += (held if held > 1 else 0) - (before if before > 1 else 0)
        found.version += 1
        if held:
            ends = self.virtual + (found.ends[0][0] - found.work) * held
            heappush(self._ends, (ends, next(self._count), 0, device, found.version))

    def _advance(self, now_s: float) -> None:
        passed_s = now_s - self.now_s
        if passed_s > 0:
            short = self.asked > self.cores
            self.virtual += passed_s * (self.cores / self.asked if short else 1.0)
            self.core_s += passed_s * min(self.asked, self.cores)
            self.measured_s += passed_s * self._measuring
            self.disturbed_s += passed_s * (self._measuring if short else self._sharing)
            self.now_s = now_s
