"""What a run waits for at this moment: its stages that go on, or what its first stage lacks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from engine.records.sentences import Sentence, counting

_T = TypeVar("_T")


class StageKind(StrEnum):
    """What a stage does."""

    SEARCH = "search"
    REPLAY = "replay"
    BUILD = "build"
    MEASUREMENT = "measurement"
    LEARNING = "learning"
    READING = "reading"
    SPACES = "spaces"
    STARTING = "starting"
    WHOLE = "whole"


@dataclass(frozen=True, slots=True)
class OutstandingStage:
    """A stage of a task (None where it is none's) that has begun and not ended.

    `since` is time.monotonic() at its begin: what waits for cores or a device has not begun.
    """

    kind: StageKind
    task: int | None
    since: float


class Outstanding:
    """The stages that go on; may be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._stages: dict[int, OutstandingStage] = {}
        self._count = 0

    @contextmanager
    def stage(self, kind: StageKind, task: int | None = None) -> Iterator[None]:
        """A stage goes on inside the block."""
        with self._lock:
            self._count += 1
            number = self._count
            self._stages[number] = OutstandingStage(kind, task, time.monotonic())
        try:
            yield
        finally:
            with self._lock:
                del self._stages[number]

    def during(self, kind: StageKind, task: int | None, call: Callable[[], _T]) -> Callable[[], _T]:
        """The call as a stage, for a thread that gets to it later."""

        def staged() -> _T:
            with self.stage(kind, task):
                return call()

        return staged

    def now(self) -> tuple[OutstandingStage, ...]:
        """All that go on, the oldest first."""
        with self._lock:
            return tuple(self._stages.values())


@dataclass(frozen=True, slots=True)
class Wait:
    """What the first waiting stage of a job lacks: a `device`, or else so many `cores`, or else
    (neither) its turn. `held_by` names the jobs that have it, the one with the most first.
    """

    cores: int = 0
    device: str = ""
    held_by: tuple[str, ...] = ()


def wait_sentence(wait: Wait, name_of: Callable[[str], str]) -> Sentence:
    """The wait in words; `name_of` gives a job its name."""
    holders = ", ".join(dict.fromkeys(map(name_of, wait.held_by)))
    if wait.device:
        what = Sentence("waits for {device}", device=wait.device)
    elif wait.cores:
        what = counting(wait.cores, "waits for {n} core", "waits for {n} cores")
    elif holders:
        return Sentence("waits for its turn, after {jobs}", jobs=holders)
    else:
        return Sentence("waits for its turn")
    held = Sentence("{waits}, held by {jobs}", waits=what, jobs=holders)
    return held if holders else what
