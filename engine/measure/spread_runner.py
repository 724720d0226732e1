"""Measures on several devices: a runner over runners, each with a device of its own."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import partial

from engine.measure.comparing import Comparison
from engine.measure.runner import Runner, RunRequest, RunResult
from engine.records.devices import Devices, Probed, agreeing
from engine.records.errors import TuningError
from engine.records.sentences import Sentence, together
from engine.records.trial import ErrorKind
from engine.records.units import format_seconds

AGREE = 0.03  # by which the probe's latency may differ between devices that share a task
_REST_S = 60.0  # before a lost device is tried again


@dataclass(frozen=True, slots=True)
class Member:
    """A device by its name among all that are tuned from here, its model, and what measures."""

    name: str
    model: str
    runner: Runner


class SpreadRunner(Runner):
    """Spreads measurements over devices. Those of a task stay within one group of devices that
    agree: of one model, and as fast on a probe kernel.

    `settle` must come before the first task. A request goes to the device in its `place`;
    `reserve` says which that should be. `say` is told what was found and what is lost, from any
    thread; `keep` is given groups and pins whenever they change, by `settle` and `reserve`.
    """

    def __init__(
        self,
        members: Sequence[Member],
        *,
        say: Callable[[str], None] = lambda text: None,
        keep: Callable[[Devices], None] = lambda devices: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._members = {member.name: member for member in members}
        self._say, self._keep, self._clock = say, keep, clock
        self._lock = threading.Lock()
        self._reserved: Counter[str] = Counter()
        self._taken: Counter[str] = Counter()
        self._lost: dict[str, float] = {}
        self._devices = Devices((), (tuple(self._members),))

    @property
    def is_here(self) -> bool:  # type: ignore[override]
        """Whether one of the devices is disturbed by what else this machine does."""
        return any(member.runner.is_here for member in self._members.values())

    @property
    def alone(self) -> bool:
        """Whether every device is lost."""
        return not any(map(self._usable, self._members))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._members)

    # Groups

    def settle(
        self, seconds: Mapping[str, float], earlier: Devices | None, tuned: Sequence[int]
    ) -> None:
        """Group the devices that agree, by the probe kernel's latency (s) on each.

        Tasks keep the device of `earlier`; those of `tuned` without one were measured on the
        first of all.
        """
        probed = tuple(
            Probed(name, member.model, seconds[name]) for name, member in self._members.items()
        )
        groups = agreeing(probed, AGREE)
        self._set(Devices(probed, groups, _pins(groups, earlier, tuned)))
        self._tell()

    def _tell(self) -> None:
        devices = self._devices
        times = ", ".join(f"{one.name} {format_seconds(one.probe_s, 4)}" for one in devices.probed)
        probed = Sentence("The probe kernel took {times}.", times=times)
        if len(devices.groups) == 1:
            what = Sentence(
                "The devices agree within {share:.0%}: measurements are spread over them.",
                share=AGREE,
            )
        else:
            what = Sentence(
                "The devices do not all agree within {share:.0%}: each task stays on one of "
                "{groups}.",
                share=AGREE,
                groups="; ".join(", ".join(group) for group in devices.groups),
            )
        self._say(together(what, probed))

    def _set(self, devices: Devices) -> None:
        self._devices = devices
        self._keep(devices)

    def _group(self, task: int) -> tuple[str, ...]:
        """The devices that measure a task, which is given to a group now if it has none."""
        devices = self._devices
        if len(devices.groups) == 1:
            return devices.groups[0]
        if task not in devices.pins:
            given = Counter(devices.pins.values())
            usable = [group for group in devices.groups if any(map(self._usable, group))]
            chosen = min(usable or devices.groups, key=lambda one: given[one[0]] / len(one))
            self._set(replace(devices, pins={**devices.pins, task: chosen[0]}))
        pin = self._devices.pins[task]
        return next(group for group in devices.groups if group[0] == pin)

    # Places

    def reserve(self, task: int) -> str | None:
        """The device for a measurement of a task: the one that fewest wait for, then the one that
        had fewest."""
        with self._lock:
            usable = [name for name in self._group(task) if self._usable(name)]
            if not usable:
                return None
            name = min(usable, key=lambda name: (self._reserved[name], self._taken[name]))
            self._reserved[name] += 1
            self._taken[name] += 1
            return name

    def serves(self, task: int) -> bool:
        """Whether a device of the task's group is left."""
        with self._lock:
            return any(map(self._usable, self._group(task)))

    def release(self, place: str) -> None:
        """A reserved measurement is over."""
        with self._lock:
            self._reserved[place] -= 1

    def _usable(self, name: str) -> bool:
        lost_at = self._lost.get(name)
        return lost_at is None or self._clock() - lost_at > _REST_S

    # Measurements

    def submit(self, request: RunRequest) -> Future[RunResult]:
        """Queue one measurement on the device in its place."""
        member = self._member(request)
        future = member.runner.submit(request)
        future.add_done_callback(partial(self._look, member.name))
        return future

    def confirm(self, requests: tuple[RunRequest, ...]) -> Future[tuple[RunResult, ...]]:
        """Queue an interleaved measurement on the first one's device."""
        member = self._member(requests[0])
        future = member.runner.confirm(requests)
        future.add_done_callback(partial(self._look, member.name))
        return future

    def check(
        self, requests: tuple[RunRequest, ...], comparison: Comparison
    ) -> Future[tuple[RunResult, ...]]:
        """Queue a comparison on the first one's device."""
        member = self._member(requests[0])
        future = member.runner.check(requests, comparison)
        future.add_done_callback(partial(self._look, member.name))
        return future

    def close(self) -> None:
        """Stop the workers of all devices."""
        for member in self._members.values():
            member.runner.close()

    def wait_ready(self, timeout: float | None = None) -> bool:
        """Wait until each device measures. One that never will is told of and left out;
        TuningError where none is left."""
        ready = True
        for name, member in list(self._members.items()):
            try:
                ready = member.runner.wait_ready(timeout) and ready
            except TuningError as error:
                if len(self._members) == 1:
                    raise
                member.runner.close()
                del self._members[name]
                self._say(
                    together(error.what, Sentence("The run goes on without {name}.", name=name))
                )
        return ready

    def _member(self, request: RunRequest) -> Member:
        return self._members.get(request.place) or next(iter(self._members.values()))

    def _look(self, name: str, done: Future[RunResult] | Future[tuple[RunResult, ...]]) -> None:
        """Note whether a device was lost, or measures again."""
        if done.cancelled():
            return
        found = done.result()
        results = found if isinstance(found, tuple) else (found,)
        lost = [one for one in results if one.error is ErrorKind.DEVICE_LOST]
        known = name in self._lost
        if lost:
            self._lost[name] = self._clock()
        elif known:
            del self._lost[name]
        if lost and not known:
            rest = [other for other in self._members if self._usable(other)]
            end = (
                Sentence("the run goes on with {names}", names=", ".join(rest))
                if rest
                else Sentence("no other is left")
            )
            self._say(
                Sentence(
                    "The device {name} is lost: {error_text} So {end}.",
                    name=name,
                    error_text=lost[0].error_text,
                    end=end,
                )
            )
        elif known and not lost:
            self._say(Sentence("The device {name} measures again.", name=name))


def _pins(
    groups: Sequence[tuple[str, ...]], earlier: Devices | None, tuned: Sequence[int]
) -> dict[int, str]:
    """Where tasks stay that were measured before, where their device is still there."""
    first_of = {name: group[0] for group in groups for name in group}
    pins = dict.fromkeys(tuned, groups[0][0])
    if earlier is not None:
        known = {task: name for task, name in earlier.pins.items() if name in first_of}
        pins |= {task: first_of[name] for task, name in known.items()}
    return pins
