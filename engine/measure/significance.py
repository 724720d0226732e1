"""Whether one schedule is faster than another, by samples that were taken in turns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.records.trial import typical_latency

ENOUGH = 5  # samples of each side, of which the test leaves out the extremes
_TRIM = 0.2  # a sample in ten may be several times too slow, which blinds a test of plain means
_EXACT = 1e-9  # a relative spread below which samples count as equal


@dataclass(frozen=True, slots=True)
class Comparison:
    """`gain` is the first latency over the second, less 1, of medians; `p_value` that of the
    test that the second is faster, 1 where there is no test, with the reason in `note`."""

    gain: float
    p_value: float
    note: str = ""


def compare(start: Sequence[float], end: Sequence[float]) -> Comparison:
    """Test whether `end` is faster than `start`, both latency samples in seconds.

    A one-sided Welch t-test on trimmed means (Yuen 1974): the upper and lower fifth of each
    side are left out, their variances winsorised. With few outliers it is Welch's; where one
    sample in ten is several times too slow it still sees a difference of 3 % with 12 samples.
    No p-value is smaller than that of a permutation test, 1 / C(n + m, n): samples without
    spread would otherwise prove anything.
    """
    sides = [
        [value for value in side if math.isfinite(value) and value > 0] for side in (start, end)
    ]
    first, second = sides
    gain = typical_latency(first) / typical_latency(second) - 1 if first and second else 0.0
    fewest = min(map(len, sides))
    if fewest < ENOUGH:
        return Comparison(gain, 1.0, f"needs {ENOUGH} samples of each, and there are {fewest}")
    floor = 1 / math.comb(len(first) + len(second), len(first))
    if any(_flat(side) for side in sides):
        return Comparison(gain, floor if max(second) < min(first) else 1.0, "samples do not vary")
    return Comparison(gain, max(floor, _welch(first, second)))


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values of tests that were made together, corrected after Holm (1979).

    Where none of them has an effect, the chance that any corrected value is at most 0.05 is at
    most 5 %, whatever their dependence.
    """
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = largest
    return corrected


def _welch(start: list[float], end: list[float]) -> float:
    from scipy.stats import ttest_ind

    result = ttest_ind(start, end, equal_var=False, trim=_TRIM, alternative="greater")
    return float(result.pvalue)


def _flat(samples: list[float]) -> bool:
    """Whether what is left after trimming does not vary, so that no variance can be taken."""
    cut = int(_TRIM * len(samples))
    ordered = sorted(samples)
    lowest, highest = ordered[cut], ordered[-1 - cut]
    return highest - lowest <= _EXACT * highest
