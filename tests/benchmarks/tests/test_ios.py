"""The benchmark of IOS on a tiny network: what it is made of, never a figure."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.ios.baselines import greedy
from engine.ios.keys import graph_of
from engine.models.reference import random_inputs, reference_outputs
from engine.project.repository import Project
from engine.records.schedule import FoundSchedule, IosOptions, Schedule, SearchState
from engine.records.settings import Budget, RunSettings, RunState, Step
from engine.records.task import TensorSpec
from tests.benchmarks import ios
from tests.benchmarks.passes.pass_options import Asked
from tests.benchmarks.passes.pass_runs import Result, Workshop
from tests.benchmarks.stages import ios_batches, ios_tuning
from tests.benchmarks.stages.ios_tuning import TINY, Effort, rebatched, tuned
from tests.engine.models.build import branches_model, model
from tests.engine.project.support import TASKS, new_project
from tests.stage_data import branched_snapshot

NARROW = IosOptions(r=1, s=2, strategies="parallel", seconds=60.0)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    """A tiny network whose projects are kept for all tests here."""
    keep = tmp_path_factory.mktemp("keep")
    return Asked((TINY,), target="cpu", trials=1, keep=keep, quick=True)


@pytest.fixture
def shop(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    """A workshop that tunes nothing."""

    def untuned(shop: Workshop, name: str, effort: Effort) -> Result:
        path = shop.folder / f"untuned-{Path(name).stem}.tune"
        if not path.exists():
            shop.create(name, path)
        return Result(name, path)

    for module in (ios, ios_batches):
        monkeypatch.setattr(module, "tuned", untuned)
    with Workshop(asked) as made:
        yield made


@pytest.mark.slow
def test_a_network_is_scheduled_once_and_every_way_is_in_the_table(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = ios.measure(shop, TINY, Effort(NARROW))
    assert set(row["ways"]) >= {"sequential_eager", "sequential", "greedy", "ios_parallel"}
    assert row["way"] in row["ways"]
    assert (row["n"], row["d"]) == (6, 3)
    assert row["over_baseline"] <= row["over_sequential"]
    details = {"rows": [row], "batches": []}
    assert TINY in "\n".join(ios.tables(json.loads(json.dumps(details))))
    monkeypatch.setattr(ios_tuning, "_search", None)
    assert ios.measure(shop, TINY, Effort(NARROW)) == row


@pytest.mark.slow
def test_schedules_of_two_batch_sizes_run_at_both(
    shop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def side_by_side(shop: Workshop, result: Result, options: IosOptions) -> FoundSchedule:
        assert options.strategies == "parallel"
        stages = greedy(graph_of(result.snapshot.operators))
        schedule = Schedule(stages, 1e-5, 1, "cpu")
        return FoundSchedule(
            schedule, "greedy", (), (), (), options, SearchState(), "exact", created_at=0.0
        )

    monkeypatch.setattr(ios_batches, "scheduled", side_by_side)
    found = ios_batches.compare_batches(shop, TINY, (2, 1), Effort())
    assert [row["batch"] for row in found["rows"]] == [1, 2]
    for row in found["rows"]:
        assert row["identical"]
        assert set(row["latency_s"]) == {"1", "2"}
    latencies, ratios = ios_batches.tables(json.loads(json.dumps(found)))
    assert "made for 2" in latencies
    assert "| 1 | 1 |" in ratios


# Without a device


def test_a_schedule_counts_until_the_project_is_tuned_again_or_asked_for_otherwise() -> None:
    snapshot = branched_snapshot()
    found = snapshot.schedule
    assert found is not None
    known: Callable[..., Any] = ios_tuning._known
    assert known(snapshot, found.options) is found
    assert known(snapshot, replace(found.options, seconds=5.0)) is found
    assert known(snapshot, replace(found.options, r=found.options.r + 1)) is None
    cut = replace(snapshot, schedule=replace(found, ended="time"))
    assert known(cut, found.options) is None


def test_goals_are_of_what_the_device_is_asked_for() -> None:
    row: dict[str, Any] = {
        "model": "inception_v1",
        "over_sequential": 1.4,
        "baseline": "greedy",
        "over_baseline": 1.1,
        "search": {"seconds": 71.0},
    }
    gpu, cpu = (ios._goals([row], is_gpu) for is_gpu in (True, False))
    assert [(goal.goal, goal.met) for goal in gpu] == [(1.3, True), (0.99, True), (300.0, True)]
    assert [goal.goal for goal in cpu] == [0.99, 0.99, 300.0]
    narrow = ios._goals([row | {"model": "squeezenet"}], True)
    assert [goal.goal for goal in narrow] == [0.99, 300.0]


def test_a_model_computes_the_same_for_each_of_a_batch() -> None:
    first = np.arange(1, 7, dtype=np.float32)
    nodes = [
        helper.make_node("Reshape", ["x", "sizes"], ["flat"]),
        helper.make_node("Reshape", ["w", "one"], ["row"]),
        helper.make_node("Mul", ["flat", "row"], ["y"]),
    ]
    weights = {"sizes": np.array([1, 6]), "one": np.array([1, 6]), "w": first}
    reshaping = model(
        nodes, [("x", TensorProto.FLOAT, (1, 2, 3))], [("y", TensorProto.FLOAT, (1, 6))], weights
    )
    for single in (reshaping, branches_model()):
        spec = TensorSpec(tuple(dim.dim_value for dim in _dims(single)), "float32")
        (value,) = random_inputs([("x", spec)]).values()
        alone = reference_outputs(single, {"x": value})["y"]
        double = rebatched(ModelProto.FromString(single.SerializeToString()), 2)
        both = reference_outputs(double, {"x": np.concatenate([value, -value])})["y"]
        assert both.shape == (2, *alone.shape[1:])
        np.testing.assert_allclose(both[:1], alone, rtol=1e-5)


def _dims(proto: ModelProto) -> Any:
    return proto.graph.input[0].type.tensor_type.shape.dim


def test_a_project_whose_merged_operators_are_tuned_gets_no_full_search(tmp_path: Path) -> None:
    path, settings = tmp_path / "project.tune", Asked((TINY,)).settings
    assert not ios_tuning._is_merged(path)
    with new_project(path) as project:
        project.set_run(project.start_run(settings(budget=Budget())), state=RunState.FINISHED)
        assert not ios_tuning._is_merged(path)
        merge = Step("merge", {"per_task": 1})
        run = project.start_run(settings(merge, budget=Budget()))
        assert not ios_tuning._is_merged(path)
        project.set_run(run, state=RunState.FINISHED)
    assert ios_tuning._is_merged(path)


def test_a_model_with_donors_starts_from_their_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def finish(path: Path, settings: RunSettings) -> None:
        with Project.open(path) as project:
            project.set_run(project.start_run(settings), state=RunState.FINISHED)

    shop = Workshop(Asked((TINY,), trials=5))
    shop.folder = tmp_path / "here"
    other = tmp_path / "other" / "full-resnet50.tune"
    for path in (shop.folder / "full-alexnet.tune", other):
        path.parent.mkdir()
        new_project(path).close()
    monkeypatch.setattr(shop, "create", lambda _, path: new_project(path).close())
    monkeypatch.setattr(shop, "carry_out", finish)
    effort = Effort(donors=("alexnet", "resnet50", "vgg19"), tune_s=7.0)
    heir = tuned(shop, "net", effort)
    assert heir.path.name == "inherited-net.tune"
    assert [step.kind for step in heir.run.settings.steps] == ["transfer", "search"]
    places = heir.run.settings.steps[0].options["places"]
    assert places == [str(shop.folder / "full-alexnet.tune"), str(other)]
    assert heir.run.settings.budget == Budget(trials=5 * len(TASKS), seconds=7.0)
    assert tuned(shop, "net", replace(effort, donors=())).run == heir.run
