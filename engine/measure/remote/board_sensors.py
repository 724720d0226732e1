"""What a board says of its heat and its cores' frequency, by the files in which Linux tells it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TypeAlias

from engine.records.trial import COLDEST, HOTTEST, BoardState

Read: TypeAlias = Callable[[str], bytes | None]
"""What is in a file of the board's, by its path; None where it is not there or cannot be read."""

_ZONES, _TRIPS, _CORES = 16, 8, 64  # that are looked at
_LONGEST = 256  # bytes of a file that says one thing
_FASTEST_KHZ = 20_000_000
_LOWERED = 0.99  # of what cores may have had at most, below which they are held back
_FIRMWARE = "devices/platform/soc/soc:firmware/get_throttled"  # a Raspberry Pi's
_NOW = 0xF  # its bits for now: too low a voltage, capped, throttled, at the soft limit of heat


class Sensors:
    """The sensors that a board has, found once. Whatever a file says is a stranger's.

    `root` is where the board has the system's files. A board is throttled where a zone has come
    to its last trip point that cools it down, where cores may have less than they had in an earlier
    state, or where its firmware says so; unknown where it tells none of these. A governor's choice
    is no throttling, nor is a lower limit that was there from the beginning.
    """

    def __init__(self, read: Read, root: str = "/sys") -> None:
        self._read, self._root = read, root
        self._zones = list(self._find_zones())
        self._policies = list(self._find_policies())
        self._has_firmware = self._words(_FIRMWARE) is not None
        self._most: dict[str, int] = {}

    def state(self, read: Read) -> BoardState:
        """How the board is now; `read` is of the session that there is."""
        self._read, began = read, time.perf_counter()
        asked = max(1, len(self._zones) + 2 * len(self._policies) + self._has_firmware)
        heats = [(self._number(f"{zone}/temp", *_MILLI), trip) for zone, trip in self._zones]
        known = [heat for heat, _ in heats if heat is not None]
        speeds = [self._kilohertz(f"{policy}/scaling_cur_freq") for policy in self._policies]
        slowest = min((speed for speed in speeds if speed is not None), default=None)
        told = [heat >= trip for heat, trip in heats if heat is not None and trip is not None]
        told += [held for policy in self._policies if (held := self._held(policy)) is not None]
        if self._has_firmware and (bits := self._bits()) is not None:
            told.append(bits & _NOW != 0)
        if not self._zones and not self._policies and not self._has_firmware:
            self._words("class/thermal/thermal_zone0/type")  # that it answers is said all the same
        answer_ms = 1000 * (time.perf_counter() - began) / asked
        return BoardState(
            float(f"{answer_ms:.1g}"),
            None if not known else round(max(known) / 1000),
            None if slowest is None else round(slowest / 10_000) * 10,
            any(told) if told else None,
        )

    def _find_zones(self) -> Iterator[tuple[str, int | None]]:
        """Zones of heat, each with the last trip point at which it is cooled down, in 0.001 C."""
        for number in range(_ZONES):
            zone = f"class/thermal/thermal_zone{number}"
            if self._words(f"{zone}/type") is None:
                return
            trips = []
            for trip in range(_TRIPS):
                kind = self._words(f"{zone}/trip_point_{trip}_type")
                if kind is None:
                    break
                heat = self._number(f"{zone}/trip_point_{trip}_temp", *_MILLI)
                if kind == ["passive"] and heat is not None and heat > 0:
                    trips.append(heat)
            yield zone, max(trips, default=None)

    def _find_policies(self) -> Iterator[str]:
        """One place for all cores that share a frequency."""
        seen: set[str] = set()
        for core in range(_CORES):
            place = f"devices/system/cpu/cpu{core}/cpufreq"
            if str(core) in seen:
                continue
            together = self._words(f"{place}/related_cpus")
            if together is None:
                return
            seen.update(together)
            yield place

    def _held(self, policy: str) -> bool | None:
        """Whether cores may have less than before; None where they do not say."""
        limit = self._kilohertz(f"{policy}/scaling_max_freq")
        if limit is None:
            return None
        most = self._most[policy] = max(limit, self._most.get(policy, 0))
        return limit < _LOWERED * most

    def _bits(self) -> int | None:
        words = self._words(_FIRMWARE) or []
        try:
            return int(words[0], 16) if len(words) == 1 and len(words[0]) <= 10 else None
        except ValueError:
            return None

    def _kilohertz(self, path: str) -> int | None:
        return self._number(path, 1, _FASTEST_KHZ)

    def _number(self, path: str, low: int, high: int) -> int | None:
        words = self._words(path)
        if words is None or len(words) != 1 or len(words[0]) > 12:
            return None
        digits = words[0].removeprefix("-")
        if not (digits.isascii() and digits.isdecimal()):
            return None
        value = int(words[0])
        return value if low <= value <= high else None

    def _words(self, path: str) -> list[str] | None:
        """What a file says; None where it is not there, or says nothing or too much."""
        found = self._read(f"{self._root}/{path}")
        text = None if found is None else bytes(found).rstrip(b"\0")
        if not text or len(text) > _LONGEST:
            return None
        return text.decode("ascii", "replace").split() or None


_MILLI = 1000 * COLDEST, 1000 * HOTTEST
