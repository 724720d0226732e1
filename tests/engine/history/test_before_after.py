"""What one run gave, beside what was there before it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.history.before_after import before_after
from engine.history.history import History
from engine.records.trial import Source
from tests.engine.passes.pass_data import random_snapshot, snapshot, trial, two_tasks
from tests.samples import make_task


def test_a_runs_rows_start_from_the_best_of_before_or_untuned() -> None:
    made = snapshot(
        *two_tasks(),
        trials=(
            trial(1, 0, 2e-3),
            trial(2, 0, 1e-3, run=2, source=Source.DROPLET),
            trial(3, 0, 3e-3, run=2),
            trial(4, 1, 9e-3, run=2),
            trial(5, 1, 1e-3, run=3),
        ),
    )
    found = before_after(made, 2)
    first, second = found.rows
    assert (first.before_s, first.after_s, first.trials) == (2e-3, 1e-3, 2)
    assert first.gain == pytest.approx(1.0)
    assert (first.trial, first.source) == (2, Source.DROPLET)
    assert (second.before_s, second.after_s, second.gain) == (8e-3, 8e-3, 0.0)
    assert (second.trials, second.trial, second.source) == (1, None, None)
    assert (found.before_s, found.after_s) == pytest.approx((14e-3, 11e-3))


def test_a_task_that_the_run_left_as_it_was_names_no_source() -> None:
    made = snapshot(*two_tasks(), trials=(trial(1, 0, 2e-3), trial(2, 0, 3e-3, run=2)))
    row = before_after(made, 2).rows[0]
    assert (row.before_s, row.after_s, row.gain) == (2e-3, 2e-3, 0.0)
    assert (row.trial, row.source) == (None, None)


def test_a_confirmation_decides_what_the_run_left() -> None:
    lucky = trial(2, 0, 1e-3, run=2, source=Source.SHARED, confirmed=(1.9e-3,))
    steady = trial(3, 0, 1.5e-3, run=2, source=Source.DROPLET, confirmed=(1.6e-3,))
    made = snapshot(*two_tasks(), trials=(trial(1, 0, 2e-3), lucky, steady))
    row = before_after(made, 2).rows[0]
    assert (row.after_s, row.trial, row.source) == (1.6e-3, 3, Source.DROPLET)


def test_an_earlier_record_that_was_measured_again_counts_with_that() -> None:
    earlier = trial(1, 0, 2e-3, confirmed=(2.5e-3,))
    made = snapshot(*two_tasks(), trials=(earlier, trial(2, 0, 2.2e-3, run=2)))
    row = before_after(made, 2).rows[0]
    assert (row.before_s, row.after_s) == (2.5e-3, 2.2e-3)


def test_an_unknown_latency_is_no_gain_and_no_sum() -> None:
    tasks = (make_task(0, "a", None), make_task(1, "b", 2e-3))
    found = before_after(snapshot(*tasks, trials=(trial(1, 0, 1e-3),)), 1)
    assert (found.rows[0].before_s, found.rows[0].after_s) == (None, 1e-3)
    assert (found.rows[0].gain, found.rows[0].trial) == (None, 1)
    assert found.before_s is None
    assert found.after_s == pytest.approx(3e-3)


def test_a_run_without_trials_gave_nothing() -> None:
    made = snapshot(*two_tasks(), trials=(trial(1, 0, 2e-3), trial(2, 0, 1e-3, run=3)))
    for run, now_s in ((2, 2e-3), (4, 1e-3), (0, 4e-3)):
        row = before_after(made, run).rows[0]
        assert (row.before_s, row.after_s, row.trials) == (now_s, now_s, 0)


def test_a_run_that_is_left_out_is_judged_as_if_it_were_not_and_others_stay_out() -> None:
    trials = (trial(1, 0, 2e-3), trial(2, 0, 1e-3, run=2), trial(3, 0, 0.5e-3, run=3))
    made = snapshot(*two_tasks(), trials=trials, unused=frozenset({2, 3}))
    row = before_after(made, 3).rows[0]
    assert (row.before_s, row.after_s, row.trial) == (2e-3, 0.5e-3, 3)


@settings(max_examples=100, deadline=None, database=None)
@given(seed=st.integers(0, 10**9))
def test_runs_follow_on_each_other_from_untuned_to_now(seed: int) -> None:
    """Before of the first is untuned, after of the last is now."""
    made = replace(random_snapshot(seed), unused=frozenset[int]())
    history = History(made)
    first, last = before_after(made, 1), before_after(made, 3)
    assert [row.before_s for row in first.rows] == [task.untuned_latency_s for task in made.tasks]
    assert [row.after_s for row in last.rows] == [history.now(task.index) for task in made.tasks]
    assert sum(row.trials for run in (1, 2, 3) for row in before_after(made, run).rows) == len(
        made.trials
    )
    for run in (1, 2):
        after = [row.after_s for row in before_after(made, run).rows]
        assert [row.before_s for row in before_after(made, run + 1).rows] == after
