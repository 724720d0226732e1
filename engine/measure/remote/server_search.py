"""The search for one of several servers: the one had before, where it comes back in time."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from engine.records.addresses import Server

LOOK_S = 0.25

_T = TypeVar("_T")


class NoServer(Exception):
    """No server could be had in time; the text is a sentence without its full stop."""


class Unreachable(Exception):
    """What knows the servers does not answer; the text is a sentence without its full stop."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A session to work in for `work_s` seconds at least, to be had within `wait_s`.

    `server` is the one to come back to; another one takes its place only when it has been missed
    for `return_s`. With none to come back to, and none known, `return_s` is all the waiting. Those
    `refused` are never taken.
    """

    work_s: float
    wait_s: float
    return_s: float = 3.0
    server: Server | None = None
    refused: frozenset[Server] = frozenset()


class Search(ABC, Generic[_T]):
    """One search; `problem` is what to say where nothing was found, and may change meanwhile."""

    def __init__(
        self, wanted: Wanted, problem: str, over: Callable[[], bool] = lambda: False
    ) -> None:
        self.wanted = wanted
        self.problem = problem
        self.until = time.monotonic() + wanted.wait_s
        self._over = over
        self._missed_at: float | None = None

    @abstractmethod
    def look(self) -> _T | None:
        """What was found, or None to look again soon. Unreachable."""

    def run(self) -> _T:
        """What was found. NoServer says why there is none."""
        while True:
            try:
                if (found := self.look()) is not None:
                    return found
            except Unreachable as error:
                self.problem = error.args[0]
                self._miss()
            late = time.monotonic() >= self.until or self._over()
            if late or self._is_new_and_missed():
                raise NoServer(self.problem)
            time.sleep(LOOK_S)

    def choose(self, servers: Sequence[Server]) -> Server | None:
        """The server to ask for now, of those that are known."""
        wanted = self.wanted.server
        others = [one for one in servers if one not in self.wanted.refused]
        if wanted in servers or (wanted is None and others):
            self._missed_at = None
            return wanted or others[0]
        awaited = self._miss() < self.wanted.return_s
        return None if awaited or not others else others[0]

    def _miss(self) -> float:
        """Seconds since no server to take has been known."""
        now = time.monotonic()
        self._missed_at = self._missed_at or now
        return now - self._missed_at

    def _is_new_and_missed(self) -> bool:
        missing = self.wanted.server is None and self._missed_at is not None
        return missing and self._miss() >= self.wanted.return_s
