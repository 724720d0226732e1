"""How near two workloads of one class are, by the extents of their arguments."""

from __future__ import annotations

import math

from engine.records.task import TensorSpec

FAR = 8.0  # what arguments count that cannot be compared: another rank, dtype or number of them
_LOST = 1.0  # what an extent counts, in doublings, that shares no factor with the donor's
_WORK = 0.1  # what a doubling of the FLOPs counts


def extents_apart(donor: tuple[TensorSpec, ...], ours: tuple[TensorSpec, ...]) -> float | None:
    """The mean of |log2| of the ratios of the extents; None where they cannot be compared."""
    pairs = _pairs(donor, ours)
    if pairs is None:
        return None
    return sum(abs(math.log2(b / a)) for a, b in pairs) / max(1, len(pairs))


def distance(
    donor: tuple[TensorSpec, ...],
    ours: tuple[TensorSpec, ...],
    donor_flops: float,
    our_flops: float,
) -> float:
    """How far a donor's workload is from ours, from 0 (equal extents), in doublings.

    The mean over all axes of |log2| of the ratio and of the factors lost: a tile of the donor's
    keeps those of its factors that divide our extent. The FLOPs count a little. The weights were
    chosen on 608 tries of convolutions' records on 32 others, on a CPU, half of which replayed:
    there the best of the first three was 1.24 times as slow as the best of all twenty of its task,
    the best of three random ones 3 times.
    """
    pairs = _pairs(donor, ours)
    if pairs is None:
        return FAR
    apart = sum(abs(math.log2(b / a)) + _LOST * _lost(a, b) for a, b in pairs)
    work = 0.0
    if donor_flops > 0 and our_flops > 0:
        work = abs(math.log2(our_flops / donor_flops))
    return apart / max(1, len(pairs)) + _WORK * work


def _lost(donor: int, ours: int) -> float:
    """The part, in [0, 1], of the donor's extent (by its logarithm) that does not divide ours."""
    return 1.0 - math.log(math.gcd(donor, ours)) / math.log(donor) if donor > 1 else 0.0


def _pairs(
    donor: tuple[TensorSpec, ...], ours: tuple[TensorSpec, ...]
) -> list[tuple[int, int]] | None:
    """The extents side by side; those of nothing (an empty tensor) cannot be compared."""
    if [_form(spec) for spec in donor] != [_form(spec) for spec in ours]:
        return None
    pairs = [
        pair
        for theirs, mine in zip(donor, ours, strict=True)
        for pair in zip(theirs.shape, mine.shape, strict=True)
    ]
    return pairs if all(a > 0 and b > 0 for a, b in pairs) else None


def _form(spec: TensorSpec) -> tuple[int, str]:
    return len(spec.shape), spec.dtype
