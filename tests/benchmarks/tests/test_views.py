"""The benchmarks of plots, tables and the graph measure what they say; no test asserts a time."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from tests.benchmarks import canvas, plots, tables


@pytest.fixture
def bench(qtbot: QtBot) -> Iterator[plots.Bench]:
    """A hundred curves of twenty trials."""
    made = plots.Bench(20, always_better=False)
    yield made
    made.close()


@pytest.mark.parametrize("kind", plots.FRAMES)
def test_each_kind_of_frame_is_painted_as_often_as_asked(bench: plots.Bench, kind: str) -> None:
    painted: list[object] = []
    bench.plots.scene().sigPrepareForPaint.connect(lambda: painted.append(kind))
    assert len(getattr(bench, kind)(4)) == 4
    assert len(painted) >= 4


def test_the_plots_have_a_curve_a_task_and_the_trials_of_the_middle_one(bench: plots.Bench) -> None:
    drawn = bench.plots.tasks
    assert len(set(drawn.steps.owner)) == plots.CURVES
    assert len(drawn.trials.x) + len(drawn.errors.x) == 20


def test_the_tables_figures_are_of_every_column_and_every_filter(qtbot: QtBot) -> None:
    bench = tables.Bench(500)
    assert len(bench.sorts()) == 2 * len(bench.view.model.columns)
    assert "two words of an error" in bench.filters()
    assert bench.view.model.rowCount() == 500
    assert len(bench.grow()) == 60
    assert bench.view.model.rowCount() == 500 + 60 * tables.BATCH
    bench.close()


def test_the_graphs_network_is_drawn_whole_and_every_frame_is_painted(qtbot: QtBot) -> None:
    made = canvas.irregular(200)
    bench = canvas.Bench(made)
    assert bench.nodes == len(made)
    assert 0 < bench.first_s <= bench.open_s
    for kind in canvas.FRAMES:
        assert len(getattr(bench, kind)(3)) == 3
    bench.close()
    folded = canvas.Bench(canvas.repeated(400))
    assert folded.nodes < 30
    folded.close()
