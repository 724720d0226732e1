"""The measurement protocol: how a latency is taken, and when it is known well enough."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Protocol:
    """Parameters of one measurement; all times in seconds.

    After `warmup` calls, samples are taken: each is the mean of enough calls to last
    `sample_s`. Sampling ends when the standard error of their mean is below `precision` of the
    mean (after at least `min_samples`), at `max_samples`, or when `max_s` is spent. A candidate
    whose first call, less 5 ms for a cold start, takes over `cut_ratio` times the best latency
    known is cut short after one sample.
    `timeout_s` bounds the whole measurement, loading included.
    """

    warmup: int = 2
    sample_s: float = 0.004
    min_samples: int = 4
    max_samples: int = 24
    precision: float = 0.01
    max_s: float = 0.3
    cut_ratio: float = 5.0
    timeout_s: float = 10.0

    def as_dict(self) -> dict[str, Any]:
        """The parameters, JSON-ready."""
        return asdict(self)
