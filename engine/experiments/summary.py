"""Cells that differ in their seeds only, as one row: the median and how sure it is."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.experiments.outcome import Outcome

CONFIDENCE = 0.95
WHY = (
    "The interval is that of the median between two order statistics: the narrowest that holds the "
    f"true median with at least {CONFIDENCE:.0%}, by the binomial distribution, whatever the "
    "distribution of the latencies, which is neither known nor normal. With fewer than six seeds "
    "no interval is so sure: it is then from the lowest to the highest value, and its own "
    "confidence is shown."
)


@dataclass(frozen=True, slots=True)
class Interval:
    """A median, and an interval that holds the true one with a probability of `confidence`."""

    median: float
    low: float
    high: float
    confidence: float


@dataclass(frozen=True, slots=True)
class Group:
    """One row: what its cells have in common, and their finished figures, in seconds."""

    model: str
    target: str
    policy: str
    plan: str
    budget: str
    cells: int
    done: int
    failed: int
    tuned_s: Interval | None
    untuned_s: float | None
    gain: float | None
    elapsed_s: float | None
    values_s: tuple[float, ...]
    further: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Round:
    """Cells that shared the machine: under which conditions, in words, and with which seed.

    The makespan is from the beginning of the first run to the end of the last, the mean end is
    that of each run, in seconds, both None until all are done. An interruption is in them.
    """

    scheduling: str
    concurrency: str
    cores: str
    seed: int
    cells: int
    done: int
    makespan_s: float | None
    mean_end_s: float | None


def interval(values: Sequence[float]) -> Interval:
    """The median of at least one value, with the order statistics around it.

    The true median lies outside of the k-th lowest and the k-th highest of n values with a
    probability of 2 P(B < k), where B is binomial with n and 1/2 (David and Nagaraja, "Order
    Statistics", 7.1); the greatest k is taken that leaves `CONFIDENCE`, or 1.
    """
    ordered, count = sorted(values), len(values)
    outside = [2 * sum(math.comb(count, i) for i in range(k)) / 2**count for k in range(count + 1)]
    fits = [k for k in range(1, count // 2 + 1) if 1 - outside[k] >= CONFIDENCE]
    k = max(fits, default=1)
    confidence = max(0.0, 1 - outside[k]) if count > 1 else 0.0
    return Interval(statistics.median(ordered), ordered[k - 1], ordered[-k], confidence)


def groups(outcomes: Iterable[Outcome]) -> tuple[Group, ...]:
    """The rows, in the order in which their first cells come. Only finished cells count."""
    found: dict[tuple[str, ...], list[Outcome]] = {}
    for outcome in outcomes:
        cell = outcome.cell
        found.setdefault((*cell.group, *cell.further), []).append(outcome)
    return tuple(map(_group, found.values()))


def rounds(outcomes: Iterable[Outcome]) -> tuple[Round, ...]:
    """The rounds in their order; none of an experiment without conditions."""
    found: dict[tuple[int, str, str, str], list[Outcome]] = {}
    for outcome in outcomes:
        if (shared := outcome.cell.round) is not None:
            found.setdefault(shared, []).append(outcome)
    return tuple(map(_round, found.values()))


def _round(members: list[Outcome]) -> Round:
    cell = members[0].cell
    spans = [
        (each.began_at, each.ended_at)
        for each in members
        if each.done and each.began_at is not None and each.ended_at is not None
    ]
    first_s = min((began for began, _ in spans), default=0.0)
    ends = [ended - first_s for _, ended in spans] if len(spans) == len(members) else []
    return Round(
        *cell.conditions.words,
        seed=cell.seed,
        cells=len(members),
        done=sum(each.done for each in members),
        makespan_s=max(ends, default=None),
        mean_end_s=statistics.mean(ends) if ends else None,
    )


def _group(members: list[Outcome]) -> Group:
    done = [each for each in members if each.done and each.tuned_s is not None]
    values = tuple(each.tuned_s for each in done if each.tuned_s is not None)
    return Group(
        *members[0].cell.group,
        cells=len(members),
        done=sum(each.done for each in members),
        failed=sum(each.state == "failed" for each in members),
        tuned_s=interval(values) if values else None,
        untuned_s=_median(each.untuned_s for each in done),
        gain=_median(each.gain for each in done),
        elapsed_s=_median(each.elapsed_s for each in done),
        values_s=values,
        further=members[0].cell.further,
    )


def _median(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return statistics.median(known) if known else None
