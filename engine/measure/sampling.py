"""The measurement protocol at work: how many calls, how many samples, when to stop."""

from __future__ import annotations

import math
import statistics
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from engine.records.trial import Protocol

# A first call pays for page faults, sleeping threads and lazy loading; that must cut nobody.
FIRST_CALL_NOISE_S = 0.005
_LEAST_S = 1e-9  # a clock may not have moved at all
_MANY_CALLS = 8  # from here on one discarded call more a sample is cheap


class Kernel(ABC):
    """A loaded function with its arguments. `in_graph`: its batches ran in a CUDA Graph."""

    in_graph = False

    @abstractmethod
    def call(self) -> float:
        """Call once; seconds until the device is done, overheads included."""

    @abstractmethod
    def batch(self, number: int, repeat: int) -> tuple[float, ...]:
        """Call once unseen, then `repeat` times `number` calls; mean seconds of a call in each."""

    def close(self) -> None:  # noqa: B027  # most have nothing to give back
        """Give back what its batches were made with; never fails."""


@dataclass(slots=True)
class Sampler:
    """Takes one kernel's samples; `spent` counts the seconds since the warm-up."""

    kernel: Kernel
    protocol: Protocol
    best_s: float | None = None
    clock: Callable[[], float] = time.perf_counter
    samples: list[float] = field(default_factory=list)
    number: int = 1
    spent: float = 0.0

    def run(self) -> bool:
        """Measure; returns whether the kernel was cut short."""
        if self.warm_up():
            return True
        while (repeat := self._affordable()) > 0:
            self.take(repeat)
            if self.samples[0] > self._limit:
                return True
        return False

    def warm_up(self) -> bool:
        """Call the kernel until it is warm and find the calls of a sample; True: cut."""
        first = self.kernel.call()
        if first > self._limit + FIRST_CALL_NOISE_S:
            self.samples = [first]
            return True
        others = [self.kernel.call() for _ in range(self.protocol.warmup - 1)]
        self.number = self._calls(min([first, *others]))
        if self.number > 1:  # a lone call's overheads make short kernels look longer
            # Two, as something else may have the processor during one.
            self.number = self._calls(min(self.kernel.batch(self.number, 2)))
        return False

    def take(self, repeat: int = 1) -> None:
        """Take `repeat` samples."""
        began = self.clock()
        self.samples += self.kernel.batch(self.number, repeat)
        self.spent += self.clock() - began

    def begin_anew(self) -> list[float]:
        """Forget the samples, and give them."""
        samples, self.samples, self.spent = self.samples, [], 0.0
        return samples

    @property
    def done(self) -> bool:
        """Whether the mean is known well enough, or a cap is reached."""
        return self._affordable() < 1

    @property
    def _limit(self) -> float:
        return math.inf if self.best_s is None else self.protocol.cut_ratio * self.best_s

    def _calls(self, call_s: float) -> int:
        return max(1, math.ceil(self.protocol.sample_s / max(call_s, _LEAST_S)))

    def _affordable(self) -> int:
        """How many samples to take next within the caps; none when the mean is known."""
        taken = len(self.samples)
        if taken == 0:
            return 1
        if taken >= self.protocol.max_samples or self._precise():
            return 0
        call_s = max(statistics.fmean(self.samples), _LEAST_S)
        fitting = int(((self.protocol.max_s - self.spent) / call_s - 1) / self.number)
        wanted = self.protocol.min_samples - taken
        if wanted < 1:
            wanted = 1 if self.number >= _MANY_CALLS else self.protocol.min_samples
        return max(0, min(wanted, fitting, self.protocol.max_samples - taken))

    def _precise(self) -> bool:
        taken = len(self.samples)
        if taken < max(2, self.protocol.min_samples):
            return False
        error = statistics.stdev(self.samples) / math.sqrt(taken)
        return error <= self.protocol.precision * statistics.fmean(self.samples)


def interleave(samplers: Sequence[Sampler]) -> None:
    """Take samples of warm kernels in turns, round after round, until each is done."""
    while waiting := [sampler for sampler in samplers if not sampler.done]:
        for sampler in waiting:
            sampler.take()
