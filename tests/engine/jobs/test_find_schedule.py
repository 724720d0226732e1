"""Schedules of stages of a tiny model, for real: searched, gone on with, merged, exported."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.deploy import export as exporting
from engine.deploy import ways_bench
from engine.deploy.stage_bench import StageLatency
from engine.deploy.stage_meter import StageMeter
from engine.jobs import find_schedule, schedule_work
from engine.jobs.find_schedule import Ended
from engine.project.repository import Project
from engine.records.errors import TargetError, UsageError
from engine.records.events import ScheduleFound, StageSearch
from engine.records.schedule import IosOptions, Stage, Strategy
from engine.targets.targets import cuda_devices
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import model
from tests.engine.project.support import have_models, new_project

pytestmark = pytest.mark.slow

OPTIONS = IosOptions(r=2, s=4)


def fire_model(channels: int = 8, size: int = 6) -> ModelProto:
    """x -> Conv, Relu -> two times Conv, Relu -> Concat -> y."""
    rng = np.random.default_rng(0)
    shape = (channels, channels, 3, 3)
    weights = {f"w{index}": 0.1 * rng.standard_normal(shape, np.float32) for index in range(3)}
    nodes = []
    for index, source in enumerate(("x", "r0", "r0")):
        conv = helper.make_node("Conv", [source, f"w{index}"], [f"c{index}"], pads=[1] * 4)
        nodes += [conv, helper.make_node("Relu", [f"c{index}"], [f"r{index}"])]
    nodes.append(helper.make_node("Concat", ["r1", "r2"], ["y"], axis=1))
    x = ("x", TensorProto.FLOAT, (1, channels, size, size))
    y = ("y", TensorProto.FLOAT, (1, 2 * channels, size, size))
    return model(nodes, [x], [y], weights)


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """All is timed as briefly as it gets, whole programs in this process."""
    monkeypatch.setattr(find_schedule, "Protocol", lambda: QUICK.protocol)
    monkeypatch.setattr(ways_bench, "run_fresh", lambda call, *args: call(*args))
    monkeypatch.setattr(schedule_work, "_SECONDS", 0.02)
    monkeypatch.setattr(exporting, "_SECONDS", 0.01)


@pytest.fixture
def merging(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Stage]]:
    """Merged operators seem fast, so that they are chosen; those that were measured."""
    measured = list[Stage]()
    measure = StageMeter._measure

    def faster(meter: StageMeter, stage: Stage) -> StageLatency:
        found = measure(meter, stage)
        if stage.strategy is Strategy.MERGE:
            assert math.isfinite(found.latency_s), found.reason
            measured.append(stage)
            return replace(found, latency_s=found.latency_s / 100)
        return found

    monkeypatch.setattr(StageMeter, "_measure", faster)
    monkeypatch.setattr(schedule_work, "fastest", lambda rounds: "ios_merge")
    yield measured


@pytest.mark.usefixtures("short")
def test_operators_are_merged_compared_stored_exported_and_never_measured_twice(
    console: Console, tmp_path: Path, merging: list[Stage]
) -> None:
    path = console.open(tmp_path, fire_model())
    found = console.engine.find_schedule(OPTIONS).result(120)
    assert found.ended == "exact"
    assert {way.way for way in found.ways} == {
        "sequential_eager", "sequential", "greedy", "ios_parallel", "ios_merge", "ios_both",
    }  # fmt: skip
    assert all(way.measured_s and way.peak_bytes for way in found.ways)
    assert Strategy.MERGE in [stage.strategy for stage in found.schedule.stages]
    assert len(set(merging)) == len(merging) > 0
    with Project.open(path, read_only=True) as project:
        assert project.snapshot().schedule == found
        rows = project.stage_costs()
    assert {row["strategy"] for row in rows} == {"concurrent", "merge"}
    assert len(rows) == found.search.measured
    assert len(console.of(ScheduleFound)) == 1
    assert console.of(StageSearch)

    again = console.engine.find_schedule(replace(OPTIONS, s=3)).result(120)
    assert again.search.measured == 0
    assert again.schedule == found.schedule

    manifest = console.engine.export(tmp_path / "out").result(120)
    schedule = manifest["schedule"]
    assert schedule["merged"] == 1
    assert schedule["latency_s"] and schedule["sequential_latency_s"]
    kernels = [name for name, _ in json.loads((tmp_path / "out/plan.json").read_text())["steps"]]
    assert any(name.startswith("split") for name in kernels) == schedule["used"]
    assert manifest["max_abs_diff"] < 1e-4


def test_a_run_and_a_search_exclude_each_other_and_stop_ends_either(
    console: Console, tmp_path: Path
) -> None:
    path = console.open(tmp_path)
    search = console.engine.find_schedule(IosOptions(strategies="parallel"))
    refused = (
        console.engine.find_schedule(OPTIONS),
        console.engine.resume_run(),
        console.engine.find_spaces(),
        console.engine.pause(),
    )
    for future in refused:
        with pytest.raises(UsageError, match="A search for a schedule"):
            future.result(10)
    console.engine.stop().result(60)  # nothing was measured yet: it ends all
    with pytest.raises(Ended):
        search.result(10)
    with Project.open(path, read_only=True) as project:
        assert project.snapshot().schedule is None
    console.engine.close_project().result(10)


def test_a_project_for_a_device_that_is_not_here_is_refused_with_a_sentence(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    have_models(monkeypatch)
    target = '{"kind":"cuda","arch":"sm_90"}'
    new_project(tmp_path / "a.tune", target=target, target_title="cuda NVIDIA H200").close()
    console.engine.open_project(tmp_path / "a.tune").result(10)
    if cuda_devices():
        pytest.skip("there is a GPU here")
    with pytest.raises(TargetError, match="no CUDA device"):
        console.engine.find_schedule(OPTIONS).result(60)
