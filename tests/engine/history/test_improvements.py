"""Which source gave what, and that it adds up to what the history shows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.history.history import History
from engine.history.improvements import improvements
from engine.records.trial import Source
from tests.engine.passes.pass_data import random_snapshot, snapshot, trial, two_tasks
from tests.samples import make_task, squeezenet_like_snapshot

SEARCH, SHARED, TRANSFERRED, DROPLET, STARTER, READY, LIBRARY = Source


def test_each_improvement_has_its_trial_its_source_and_its_seconds() -> None:
    found = improvements(
        snapshot(
            *two_tasks(),
            trials=(
                trial(1, 0, 3e-3, elapsed_s=1.0),
                trial(2, 0, 3.5e-3, source=SHARED),
                trial(3, 1, 2e-3, source=TRANSFERRED, elapsed_s=5.0),
                trial(4, 0, None, source=DROPLET),
                trial(5, 0, 1e-3, source=DROPLET, elapsed_s=9.0),
            ),
        )
    )
    assert [(i.trial, i.task, i.source) for i in found.items] == [
        (1, 0, SEARCH),
        (3, 1, TRANSFERRED),
        (5, 0, DROPLET),
    ]
    assert [i.gained_s for i in found.items] == pytest.approx([3e-3, 6e-3, 6e-3])
    assert not any(i.confirmed for i in found.items)
    assert found.start_s == pytest.approx(20e-3)
    assert found.trials.tolist() == [0, 1, 3, 5]
    assert found.elapsed_s.tolist() == [0.0, 1.0, 5.0, 9.0]
    assert list(found.by_source) == [SEARCH, TRANSFERRED, DROPLET]
    assert found.by_source[TRANSFERRED].tolist() == pytest.approx([0.0, 0.0, 6e-3, 6e-3])
    assert found.totals == pytest.approx({SEARCH: 3e-3, TRANSFERRED: 6e-3, DROPLET: 6e-3})


def test_what_is_slower_than_untuned_improves_nothing() -> None:
    found = improvements(snapshot(*two_tasks(), trials=(trial(1, 0, 5e-3), trial(2, 1, 9e-3))))
    assert found.items == ()
    assert found.by_source == found.totals == {}
    assert found.trials.tolist() == [0]


def test_a_lucky_measurement_is_taken_back_from_the_source_that_had_it() -> None:
    """Search 4 -> 2 ms; Droplet 1.5 ms by luck, confirmed at 1.8 ms beside search's 2.1 ms."""
    task = make_task(0, "a", 4e-3)
    found = improvements(
        snapshot(
            task,
            trials=(
                trial(1, 0, 2e-3, confirmed=(2.1e-3,)),
                trial(2, 0, 1.5e-3, source=DROPLET, confirmed=(1.8e-3,)),
            ),
        )
    )
    assert found.totals == pytest.approx({SEARCH: 1.9e-3, DROPLET: 0.3e-3})
    assert [i.trial for i in found.items if i.confirmed] == [2, 2]


def test_a_source_whose_record_does_not_hold_ends_at_nothing_not_below() -> None:
    task = make_task(0, "a", 10e-3)
    first, second = trial(1, 0, 8e-3), trial(2, 0, 5e-3, source=DROPLET)
    lucky = improvements(snapshot(task, trials=(first, second)))
    assert lucky.totals == pytest.approx({SEARCH: 2e-3, DROPLET: 3e-3})
    confirmed = (replace(first, confirmed=(8.5e-3,)), replace(second, confirmed=(9e-3,)))
    found = improvements(snapshot(task, trials=(*confirmed, trial(3, 0, 9e-3))))
    assert found.totals[SEARCH] == pytest.approx(1.5e-3)
    assert found.totals.get(DROPLET, 0.0) == pytest.approx(0.0)


def test_a_source_keeps_its_credit_when_only_a_later_ones_finalists_are_confirmed() -> None:
    task = make_task(0, "a", 10e-3)
    found = improvements(
        snapshot(
            task,
            trials=(
                trial(1, 0, 5e-3),
                trial(2, 0, 4e-3, source=DROPLET, confirmed=(4.5e-3,)),
            ),
        )
    )
    assert found.totals == pytest.approx({SEARCH: 5e-3, DROPLET: 0.5e-3})


def test_a_run_that_a_person_left_out_improves_nothing() -> None:
    trials = (trial(1, 0, 3e-3), trial(2, 0, 1e-3, run=2, source=DROPLET))
    found = improvements(snapshot(*two_tasks(), trials=trials, unused=frozenset({2})))
    assert [i.trial for i in found.items] == [1]


def test_the_model_starts_where_its_last_unknown_task_got_its_first_latency() -> None:
    tasks = (make_task(0, "a", None), make_task(1, "b", 8e-3))
    trials = [trial(1, 1, 6e-3), trial(2, 0, 5e-3), trial(3, 0, 4e-3, source=DROPLET)]
    assert improvements(snapshot(*tasks, trials=tuple(trials[:1]))).start_s is None
    found = improvements(snapshot(*tasks, trials=tuple(trials)))
    assert found.start_s == pytest.approx(11e-3)
    assert found.trials.tolist() == [2, 3]
    assert found.totals == pytest.approx({DROPLET: 1e-3})


def test_a_project_without_trials_or_without_tasks_has_no_improvements() -> None:
    assert improvements(snapshot()).start_s is None
    assert improvements(snapshot(*two_tasks())).items == ()
    assert improvements(snapshot(*two_tasks())).start_s == pytest.approx(20e-3)


def test_the_gains_of_a_whole_network_are_untuned_less_now() -> None:
    made = squeezenet_like_snapshot(800)
    history, found = History(made), improvements(made)
    untuned_s, now_s = history.untuned_s(), history.now_s()
    assert untuned_s is not None
    assert now_s is not None
    assert sum(found.totals.values()) == pytest.approx(untuned_s - now_s)
    assert list(found.by_source) == [SEARCH]


@settings(max_examples=300, deadline=None, database=None)
@given(seed=st.integers(0, 10**9))
def test_the_gains_follow_the_models_curve_and_no_source_ends_below_zero(seed: int) -> None:
    made = random_snapshot(seed)
    curve, found = History(made).model_curve(), improvements(made)
    if not len(curve.trials):
        assert (found.items, found.start_s) == ((), None)
        return
    gained = sum((series for series in found.by_source.values()), np.zeros(len(found.trials)))
    assert found.start_s is not None
    latency_s = found.start_s - gained
    last = np.searchsorted(found.trials, curve.trials, side="right") - 1
    np.testing.assert_allclose(latency_s[last], curve.latency_s, atol=1e-9)
    assert found.trials.tolist() == sorted(found.trials.tolist())
    assert set(found.trials.tolist()) <= {*curve.trials.tolist(), found.trials[0]}
    known = all(task.untuned_latency_s is not None for task in made.tasks)
    if known:
        assert all(series.min() > -1e-9 for series in found.by_source.values())
