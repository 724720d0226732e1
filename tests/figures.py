"""Figures of a model for tests."""

from __future__ import annotations

from engine.records.snapshot import Figure
from engine.records.trial import Measured


def figure(
    untuned_s: float | None = None, now_s: float | None = None, measured_s: float | None = None
) -> Figure:
    """That of a tuned model: measured where that is given, an estimate otherwise."""
    return Figure(
        latency_s=now_s if measured_s is None else measured_s,
        measured=measured_s is not None,
        sum_s=now_s,
        basis=None if measured_s is None else Measured(measured_s),
        tuned=True,
        untuned=None if untuned_s is None else Measured(untuned_s),
    )
