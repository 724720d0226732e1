"""What a pass would take, from what trials took so far."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.jobs.steps.estimate import ASSUMED_TRIAL_S, PER_TASK, Estimate, estimate, neighbours
from engine.jobs.steps.steps import STEPS
from engine.passes.sharing import predicted_cost
from engine.records.clustering import Cluster, Clustering
from engine.records.errors import UsageError
from engine.records.network import Operator
from engine.records.snapshot import Snapshot
from engine.records.space import DesignSpace, Knob, KnobKind, Sketch
from engine.records.task import TensorSpec
from engine.records.trial import Trial
from tests.engine.passes.pass_data import snapshot, trial
from tests.samples import make_task

TASKS = tuple(make_task(index, f"t{index}", 4e-3) for index in range(5))
CLUSTERS = Clustering("test", 0.5, (Cluster(1, (0, 1, 3)), Cluster(2, (2,)), Cluster(4, (4,))))


def measured(*tasks: int, elapsed_s: float) -> tuple[Trial, ...]:
    """A record for each of the tasks: 0.3 s to build, 0.1 s to run."""
    return tuple(
        trial(n, task, 1e-3, build_s=0.3, run_s=0.1, elapsed_s=elapsed_s)
        for n, task in enumerate(tasks, 1)
    )


def project(**changes: Any) -> Snapshot:
    """Four tasks of five have a record; a trial took 0.5 s with its search, 0.4 s without."""
    return snapshot(*TASKS, trials=measured(0, 1, 2, 3, elapsed_s=2.0), **changes)


def test_sharing_tunes_the_representatives_and_tries_a_few_on_each_dependant() -> None:
    found = estimate("share", project(clustering=CLUSTERS), {"top_k": 4}, per_task=10)
    assert (found.tasks, found.trials) == (5, 3 * 10 + 2 * 4)
    assert found.seconds == pytest.approx(30 * 0.5 + 8 * 0.4)
    assert found.note == "0.4 s a trial, as here so far."


def test_sharing_is_estimated_as_the_clusters_predict_it() -> None:
    """A task of one schedule takes one trial, and so do its dependants."""
    knob = Knob("u", KnobKind.CATEGORICAL, choices=(1,))
    spaces = (DesignSpace(1, "t1", (Sketch("s", (knob,)),)),)
    found = estimate("share", project(clustering=CLUSTERS, spaces=spaces), {"top_k": 4}, per_task=9)
    assert found.trials == predicted_cost(CLUSTERS, 9, 4, 1.0, spaces).trials == 1 + 2 + 2 * 9
    assert found.seconds == pytest.approx(19 * 0.5 + 2 * 0.4)


def test_without_clusters_sharing_tunes_every_task_and_says_so() -> None:
    found = estimate("share", project())
    assert (found.tasks, found.trials) == (5, 5 * PER_TASK)
    assert found.note.startswith("No clusters yet")


def test_transfer_tries_the_donors_that_were_found_and_no_more_than_allowed() -> None:
    found = estimate("transfer", project(), {"per_task": 3}, found={0: 9, 2: 1})
    assert (found.tasks, found.trials) == (2, 4)
    assert found.seconds == pytest.approx(4 * 0.4)
    assert found.note.startswith("3 tasks have no donor.")
    assert estimate("transfer", project(), {"per_task": 3}).trials == 15


def test_droplet_starts_from_records_and_tries_the_neighbours_there_are() -> None:
    space = DesignSpace(0, "t0", (Sketch("s", (Knob("u", KnobKind.CATEGORICAL, choices=(1, 2)),)),))
    found = estimate("droplet", project(spaces=(space,)), {"per_task": 20})
    assert (found.tasks, found.trials) == (4, 2 + 3 * 20)
    assert found.note.startswith("One task has no record to start from.")


def test_a_search_takes_its_trials_for_each_task() -> None:
    found = estimate("search", project(), per_task=8)
    assert (found.tasks, found.trials) == (5, 40)
    assert found.seconds == pytest.approx(20.0)


def test_builds_that_overlap_make_a_trial_shorter_than_its_parts() -> None:
    made = snapshot(*TASKS, trials=measured(0, 1, 2, 3, elapsed_s=0.8))
    assert estimate("transfer", made, {"per_task": 1}).seconds == pytest.approx(5 * 0.2)


def test_a_project_without_trials_is_estimated_by_a_stated_figure() -> None:
    empty = snapshot(*TASKS)
    found = estimate("transfer", empty, {"per_task": 2})
    assert found.seconds == pytest.approx(10 * ASSUMED_TRIAL_S)
    assert "is assumed" in found.note
    assert estimate("droplet", empty).trials == 0


def test_trials_that_took_no_time_are_estimated_by_the_stated_figure() -> None:
    made = snapshot(*TASKS, trials=(replace(trial(1, 0, 1e-3), elapsed_s=0.0),))
    assert estimate("transfer", made, {"per_task": 1}).seconds == pytest.approx(5 * ASSUMED_TRIAL_S)


@pytest.mark.parametrize("kind", STEPS)
def test_a_project_without_tasks_takes_nothing(kind: str) -> None:
    assert replace(estimate(kind, snapshot()), note="") == Estimate(0, 0, 0.0, "")


def test_merging_takes_the_merged_operators_that_shapes_promise_or_the_project_has() -> None:
    image, bias = TensorSpec((1, 16, 8, 8), "float32"), TensorSpec((1, 8, 1, 1), "float32")
    weights, output = TensorSpec((8, 16, 1, 1), "float32"), TensorSpec((1, 8, 8, 8), "float32")
    conv = replace(TASKS[0], op_class="conv2d_add_relu", args=(image, weights, bias, output))
    source = Operator(0, "", "", None, (), image)
    pair = [Operator(number, "", "", 0, (0,), output) for number in (1, 2)]
    made = replace(snapshot(conv), operators=(source, *pair))
    found = estimate("merge", made, {"per_task": 10})
    assert (found.tasks, found.trials) == (1, 10)
    merged = [replace(conv, index=index, weight=0, merged=(1, 2)) for index in (1, 2)]
    assert estimate("merge", replace(made, tasks=(conv, *merged)), {"per_task": 10}).tasks == 2
    assert estimate("search", replace(made, tasks=(conv, *merged))).tasks == 1
    assert "No operators" in estimate("merge", snapshot(conv)).note


def test_a_kind_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="no step 'polish'"):
        estimate("polish", snapshot())


def test_neighbours_move_prime_factors_between_levels_and_categoricals_by_one() -> None:
    """56 = 2^3 x 7 over 4 levels: 2 is in at most 3 of them, 7 in one, each goes to 3 others."""
    knobs = (
        Knob("tile", KnobKind.TILE, extent=56, parts=4),
        Knob("one", KnobKind.TILE, extent=1, parts=4),
        Knob("unroll", KnobKind.CATEGORICAL, choices=(0, 16, 64, 512)),
        Knob("fixed", KnobKind.CATEGORICAL, choices=(1,)),
        Knob("place", KnobKind.LOCATION),
    )
    small, large = Sketch("small", knobs[2:3]), Sketch("large", knobs)
    assert neighbours(DesignSpace(0, "conv", (small, large))) == (3 + 1) * 3 + 2 + 2
    assert neighbours(DesignSpace(0, "conv", ())) == 0
