"""What a worker of a Dask cluster keeps for each run: processes that start once and end with it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from engine.records.errors import TuningError

_FORGOTTEN_S = 600.0  # after which a run that does nothing has died without a word


class Bench(Protocol):
    """Processes of one run."""

    def close(self) -> None:
        """End them."""


_B = TypeVar("_B", bound=Bench)


@dataclass(eq=False, slots=True)
class _Kept(Generic[_B]):
    bench: _B
    used: float = field(default_factory=time.monotonic)
    busy: int = 0


class Benches(Generic[_B]):
    """Those of all runs, by the runs' names; safe to call from any thread."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept[_B]] = {}
        self._over: set[str] = set()
        self._lock = threading.Lock()

    @contextmanager
    def use(self, run: str, make: Callable[[], _B]) -> Iterator[_B]:
        """A run's bench, which is made where it is new. TuningError where the run is over."""
        kept, left = self._enter(run, make)
        for old in left:
            with suppress(OSError):
                old.close()
        try:
            yield kept.bench
        finally:
            with self._lock:
                kept.busy -= 1
                kept.used = time.monotonic()

    def leave(self, run: str) -> None:
        """End a run's processes here, whatever they do; it is over."""
        with self._lock:
            self._over.add(run)
        self.restart(run)

    def restart(self, run: str) -> None:
        """End a run's processes here, whatever they do; its next use makes new ones."""
        with self._lock:
            kept = self._kept.pop(run, None)
        if kept is not None:
            kept.bench.close()

    def _enter(self, run: str, make: Callable[[], _B]) -> tuple[_Kept[_B], list[_B]]:
        """The run's, one more user in it, and those of runs that died."""
        now = time.monotonic()
        with self._lock:
            if run in self._over:
                raise TuningError("The run is over.")
            dead = [
                name
                for name, kept in self._kept.items()
                if not kept.busy and now - kept.used > _FORGOTTEN_S and name != run
            ]
            left = [self._kept.pop(name).bench for name in dead]
            kept = self._kept.get(run)
            if kept is None:
                kept = self._kept[run] = _Kept(make())
            kept.busy += 1
        return kept, left
