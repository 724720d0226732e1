"""The figures of a project that a person is shown, and how each compares with a quiet one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.history.figure import figure_of
from engine.records.snapshot import Snapshot
from engine.records.trial import Measured

NEAR = 0.05
BASELINE, SUM, WHOLE, REFERENCE, EXPORT = "baseline", "sum", "whole", "reference", "export"


class Answer(StrEnum):
    """What is to be said of a figure that was taken beside other programs."""

    NEAR = "within 5 %"
    MARKED = "marked"
    NEITHER = "neither"
    UNKNOWN = "no quiet one"  # to compare with: there is none, or the machine was not quiet


@dataclass(frozen=True, slots=True)
class Shown:
    """A latency (s), whether a person is told that it is disturbed, and when it was taken."""

    latency_s: float
    marked: bool
    at: float = 0.0


def shown(snapshot: Snapshot) -> dict[str, Shown]:
    """What the scoreboard and `info` say of a project. The sum is what kernels take together, each
    by itself: it has no mark of its own, so it counts as marked where the figure is."""
    figure = figure_of(snapshot)
    found: dict[str, Shown] = {}
    if figure.untuned is not None:
        found[BASELINE] = _of(figure.untuned)
    if figure.sum_s is not None:
        found[SUM] = Shown(figure.sum_s, figure.disturbed)
    if figure.latency_s is not None and figure.tuned:
        at = figure.basis.at if figure.basis else 0.0
        found[WHOLE] = Shown(figure.latency_s, figure.disturbed or not figure.measured, at)
    if figure.reference is not None:
        found[REFERENCE] = _of(figure.reference)
    return found


def exported(manifest: Mapping[str, Any]) -> Shown:
    """What an export says of its own latency."""
    found = Measured(manifest["latency_s"], manifest["latency_spread_s"], manifest["latency_load"])
    return _of(found)


def kernels_s(snapshot: Snapshot) -> float | None:
    """What the kernels took together, each timed by itself, when the whole was last measured."""
    basis = figure_of(snapshot).basis
    return sum(seconds for _, seconds in basis.kernels) if basis and basis.kernels else None


def answer(busy: Shown | None, quiet: Shown | None) -> Answer:
    """What is to be said of a figure, beside the one of the same schedules when it was quiet."""
    if busy is None or quiet is None or quiet.marked or (quiet.at and quiet.at == busy.at):
        return Answer.UNKNOWN
    if abs(busy.latency_s / quiet.latency_s - 1) <= NEAR:
        return Answer.NEAR
    return Answer.MARKED if busy.marked else Answer.NEITHER


def _of(measured: Measured) -> Shown:
    return Shown(measured.latency_s, measured.disturbed, measured.at)
