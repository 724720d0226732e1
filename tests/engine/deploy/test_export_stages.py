"""Exports that carry a schedule, and the reasons for which they do not."""

from __future__ import annotations

import functools
import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.deploy import export as exporting
from engine.deploy import export_stages, ways_bench
from engine.deploy.compare import SINGLE
from engine.deploy.export import export_module
from engine.deploy.export_stages import Staging, obstacle, put_stages
from engine.deploy.staged import compile_with
from engine.deploy.ways_bench import Candidate, WayBench
from engine.ios.keys import kernel_keys
from engine.jobs.opening.open_worker import OpenedModel
from engine.judge.examining import examine
from engine.models.reference import random_inputs
from engine.records.schedule import FoundSchedule, Schedule, Stage, Strategy
from tests.engine.deploy.compiled import output_names
from tests.engine.deploy.test_export import task_records
from tests.engine.models.build import branches_model
from tests.engine.project.ios_data import FOUND
from tests.engine.tasks.programs import opened

HERE = (FOUND.kernels, FOUND.schedule.batch, FOUND.schedule.device)


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (FOUND, ""),
        (replace(FOUND, schedule=replace(FOUND.schedule, device="cuda")), "it was made for cuda"),
        (replace(FOUND, schedule=replace(FOUND.schedule, batch=32)), "batch size 32"),
        (replace(FOUND, kernels=("k0", "k1", "other")), "kernels have changed"),
        (replace(FOUND, way="sequential"), "one operator after another was the fastest"),
    ],
)
def test_a_schedule_is_for_one_device_batch_and_set_of_kernels(
    found: FoundSchedule, reason: str
) -> None:
    said = obstacle(found, *HERE)
    assert reason in said
    assert bool(said) == bool(reason)


STAGES = (
    Stage(Strategy.CONCURRENT, ((0, 1), (2, 3))),
    Stage(Strategy.CONCURRENT, ((4,),)),
)


@functools.cache
def model() -> OpenedModel:
    """Two branches; nobody changes it."""
    return opened(branches_model())


def staging() -> Staging:
    """A schedule of the model's five operators, untuned."""
    program = model().program
    keys = kernel_keys(program.operators, program.tasks, {})
    schedule = Schedule(STAGES, 1e-4, 1, program.target.title)
    return Staging(replace(FOUND, schedule=schedule, kernels=keys), {})


def export(folder: Path, wanted: Staging | None) -> dict[str, Any]:
    """The model's manifest."""
    records = task_records(model(), {})
    return export_module(
        model().prepared, model().program, records, 0.5, None, folder, examine, staging=wanted
    )


def answering(staged_s: float, off_by: float = 0.0, reason: str = "") -> Any:
    """In place of a measurement: the staged program's latency, against one second."""

    def bench(candidates: list[Candidate], *_: Any) -> dict[str, WayBench]:
        assert [item.way for item in candidates] == ["sequential", "staged"]
        y = np.ones(3, np.float32)
        return {
            "sequential": WayBench(({"y": y},), (1.0,)),
            "staged": WayBench(reason=reason)
            if reason
            else WayBench(({"y": y + np.float32(off_by)},), (staged_s,)),
        }

    return bench


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "_SECONDS", 0.01)


def test_a_schedule_that_is_no_slower_is_carried_and_runs_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_stages, "bench_ways", answering(1.0))
    found = export(tmp_path / "out", staging())["schedule"]
    assert found == {
        "used": True, "reason": "", "way": "ios_parallel", "stages": 2, "merged": 0, "batch": 1,
        "device": model().program.target.title, "latency_s": 1.0, "sequential_latency_s": 1.0,
    }  # fmt: skip
    plan = json.loads((tmp_path / "out" / "plan.json").read_text())
    assert plan["stages"] == [[[0, 1], [2, 3]], [[4]]]
    inputs = random_inputs(model().prepared.inputs, 7)
    np.savez(tmp_path / "in.npz", x=inputs["x"])
    command = [sys.executable, "out/run.py", "in.npz", "--save", "out.npz"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    with np.load(tmp_path / "out.npz") as saved:
        expected = model().prepared.reference_outputs(inputs)["y"]
        np.testing.assert_allclose(saved["y"], expected, rtol=1e-4, atol=1e-5)


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model compiled, one operator after another."""
    folder = tmp_path_factory.mktemp("compiled")
    compile_with(model().program, {}, output_names(model()), folder)
    return folder


def put(folder: Path, wanted: Staging) -> dict[str, Any]:
    """Give a compiled folder the schedule."""
    inputs = random_inputs(model().prepared.inputs, 1)
    return put_stages(model().prepared, model().program, wanted, folder, inputs, SINGLE, 0.01)


def stages_in(folder: Path) -> Any:
    """Those of its plan."""
    return json.loads((folder / "plan.json").read_text())["stages"]


def test_both_are_measured_in_turns_and_the_faster_one_stays(
    compiled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ways_bench, "run_fresh", lambda call, *args: call(*args))
    folder = Path(shutil.copytree(compiled, tmp_path / "out"))
    found = put(folder, staging())
    assert 0 < found["latency_s"] < 1
    assert 0 < found["sequential_latency_s"] < 1
    assert found["used"] == (found["latency_s"] <= found["sequential_latency_s"])
    assert bool(found["reason"]) != found["used"]
    assert len(stages_in(folder)) == (2 if found["used"] else 5)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (answering(1.01), "it was slower than one operator after another"),
        (answering(0.5, off_by=1e-6), "its outputs differ"),
        (answering(0.5, reason="CUDA failed."), "it does not run: CUDA failed"),
    ],
)
def test_a_schedule_that_is_slower_or_wrong_is_left_out(
    compiled: Path, monkeypatch: pytest.MonkeyPatch, answer: Any, reason: str
) -> None:
    monkeypatch.setattr(export_stages, "bench_ways", answer)
    found = put(compiled, staging())
    assert found["used"] is False
    assert found["reason"] == reason
    assert stages_in(compiled) == [[[step]] for step in range(5)]


def test_a_schedule_of_other_kernels_is_not_even_measured(
    compiled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_stages, "bench_ways", lambda *_: pytest.fail("measured"))
    wanted = staging()
    found = put(compiled, replace(wanted, found=replace(wanted.found, kernels=("k",) * 5)))
    assert "kernels have changed" in found["reason"]
    assert found["latency_s"] is found["sequential_latency_s"] is None
