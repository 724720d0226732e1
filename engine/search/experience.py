"""What the searches of a run measured, which trains the cost models of all of them."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

Features: TypeAlias = np.ndarray  # one schedule's: [stores, features], float32


@dataclass(frozen=True, slots=True)
class Samples:
    """One workload's schedules with their latencies (s), [n]; a failed one's is huge."""

    features: tuple[Features, ...]
    latencies_s: np.ndarray

    def few(self, most: int) -> Samples:
        """At most so many of them, spread evenly from the fastest to the slowest."""
        count = len(self.features)
        if count <= most:
            return self
        order = np.argsort(self.latencies_s, kind="stable")
        places = order[np.linspace(0, count - 1, most).round().astype(int)]
        return Samples(tuple(self.features[place] for place in places), self.latencies_s[places])


class Experience:
    """The samples of a run's searches, by workload. Safe to use from several threads.

    `prior` are those of other runs, by workload, which stand in as long as the run has fewer.

    On the trials of networks that no model was trained on, ranks by 8 and 16 samples of a task's
    own correlate with the truth at 0.09 and 0.10, with 256 of its peers beside them at 0.30 and
    0.35; other classes of operators help as much as its own.
    """

    most = 256

    def __init__(self) -> None:
        self.prior: Mapping[str, Samples] = {}
        self._lock = threading.Lock()
        self._samples: dict[str, Samples] = {}

    def tell(self, workload: str, features: Sequence[Features], latencies_s: np.ndarray) -> None:
        """What is known of a workload by now."""
        with self._lock:
            self._samples[workload] = Samples(tuple(features), latencies_s.copy())

    def of_others(self, workload: str) -> dict[str, Samples]:
        """Of each other workload of the run an equal part of the `most` samples; what is left of
        those, of other runs'."""
        others = self._others(workload)
        each = max(4, self.most // max(1, len(others)))
        found = {name: samples.few(each) for name, samples in others.items()}
        left = self.most - _count(found)
        for name, samples in self.prior.items():
            if left < len(samples.features):
                break
            if name not in self._samples:
                found[name] = samples
                left -= len(samples.features)
        return found

    def count(self, workload: str) -> int:
        """How many samples there are of others, other runs' included where they stand in."""
        known = _count(self._others(workload))
        return max(known, min(self.most, known + _count(self.prior)))

    def _others(self, workload: str) -> dict[str, Samples]:
        with self._lock:
            return {name: found for name, found in self._samples.items() if name != workload}


def _count(samples: Mapping[str, Samples]) -> int:
    return sum(len(each.features) for each in samples.values())
