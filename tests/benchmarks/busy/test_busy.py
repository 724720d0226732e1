"""The benchmark beside a load generator: what it says of a figure, without any run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.records.trial import Measured
from tests.benchmarks.busy.__main__ import QUIET, compared, report_of
from tests.benchmarks.busy.figures import (
    BASELINE,
    EXPORT,
    SUM,
    WHOLE,
    Answer,
    Shown,
    answer,
    exported,
    shown,
)
from tests.benchmarks.busy.load import GUSTY, STEADY, loaded
from tests.samples import squeezenet_like_snapshot

QUIET_ONE = Shown(1e-3, False, 2.0)


@pytest.mark.parametrize(
    ("busy", "quiet", "said"),
    [
        (Shown(1.049e-3, False), QUIET_ONE, Answer.NEAR),
        (Shown(0.951e-3, True), QUIET_ONE, Answer.NEAR),
        (Shown(1.2e-3, True), QUIET_ONE, Answer.MARKED),
        (Shown(1.2e-3, False), QUIET_ONE, Answer.NEITHER),
        (Shown(0.8e-3, False), QUIET_ONE, Answer.NEITHER),
        (Shown(1.2e-3, False), Shown(1e-3, True), Answer.UNKNOWN),
        (Shown(1e-3, False, 2.0), QUIET_ONE, Answer.UNKNOWN),  # it was not measured again
        (Shown(1.2e-3, False), None, Answer.UNKNOWN),
    ],
)
def test_a_figure_is_near_or_marked_or_neither(
    busy: Shown, quiet: Shown | None, said: Answer
) -> None:
    assert answer(busy, quiet) is said


@pytest.mark.parametrize(("load", "spread_s"), [(0.4, 1e-5), (0.0, 1e-3), (0.0, 1e-5)])
def test_an_export_is_marked_by_its_load_and_its_spread(load: float, spread_s: float) -> None:
    manifest = {"latency_s": 1e-3, "latency_spread_s": spread_s, "latency_load": load}
    assert exported(manifest).marked == Measured(1e-3, spread_s, load).disturbed


def test_each_figure_of_a_run_has_a_row_and_faults_are_counted() -> None:
    snapshot = squeezenet_like_snapshot(300)
    assert {BASELINE, SUM, WHOLE} <= set(shown(snapshot))
    slower = replace(snapshot, untuned_latency_s=2 * (snapshot.untuned_latency_s or 1.0))
    rows, _ = compared((slower, Shown(1e-3, False)), (snapshot, Shown(1e-3, False)), STEADY, 1.0)
    found = {row["figure"]: row["answer"] for row in rows}
    assert (found[BASELINE], found[EXPORT]) == (Answer.NEITHER, Answer.NEAR)
    made = report_of([{"round": 0, "load": STEADY, **row} for row in rows])
    assert made.goals[0].value == sum(answer == Answer.NEITHER for answer in found.values())
    assert report_of([{"round": 0, "load": QUIET, **row} for row in rows]).goals[0].value == 0


@pytest.mark.parametrize("kind", ["", STEADY, GUSTY])
def test_the_load_ends_with_its_block(kind: str) -> None:
    with loaded(kind, 1):
        pass
