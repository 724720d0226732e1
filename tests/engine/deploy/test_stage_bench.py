"""Latencies of stages: measured apart from this process, and a bad stage costs only itself."""

from __future__ import annotations

import math
import os
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from engine.deploy.executor import PlanExecutor
from engine.deploy.plan import Groups
from engine.deploy.stage_bench import CpuStage, CudaStage, StageBench, _loaded
from engine.measure.units import Streams
from engine.records.errors import TuningError
from engine.records.schedule import Stage, Strategy
from engine.records.trial import Protocol
from tests.engine.deploy.compiled import compiled
from tests.engine.fake_cuda import FakeCuda
from tests.engine.models.build import branches_model
from tests.engine.tasks.programs import opened

QUICK = Protocol(warmup=1, sample_s=1e-4, min_samples=2, max_samples=3, max_s=0.02)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two convolutions of one input and what joins them, compiled."""
    path = tmp_path_factory.mktemp("branches")
    compiled(opened(branches_model()), {}, path)
    return path


def test_stages_get_latencies_and_those_that_cannot_run_a_reason(folder: Path) -> None:
    stages: list[Stage | Groups] = [
        Stage(Strategy.CONCURRENT, ((0,),)),
        Stage(Strategy.CONCURRENT, ((0, 1), (2,))),
        [[99]],
        [[0], [2]],
    ]
    heard = list[int]()
    with StageBench(folder, "cpu", 2, QUICK) as bench:
        found = bench.measure(stages, heard.append)
    assert heard == [1, 2, 3, 4]
    assert found[2].latency_s == math.inf
    assert found[2].reason.startswith("IndexError")
    for stage in (found[0], found[1], found[3]):
        assert 0 < stage.latency_s < 1
        assert stage.reason == ""


def test_a_worker_that_dies_costs_one_stage(folder: Path) -> None:
    with StageBench(folder, "cpu", 1, QUICK) as bench:

        def kill(done: int) -> None:
            if done == 1:
                os.kill(bench._process.pid, signal.SIGKILL)

        first, killed, last = bench.measure([[[0]], [[1]], [[0]]], kill)
    assert killed.latency_s == math.inf
    assert "SIGKILL" in killed.reason
    assert math.isfinite(first.latency_s)
    assert math.isfinite(last.latency_s)


def test_a_stage_without_end_is_given_up(folder: Path) -> None:
    with StageBench(folder, "cpu", 1, Protocol(timeout_s=0.0)) as bench:
        (stage,) = bench.measure([[[0]]])
    assert stage.latency_s == math.inf
    assert stage.reason == "No end after 0 s."


def test_a_damaged_folder_is_refused_with_a_sentence(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes((folder / "plan.json").read_bytes())
    (tmp_path / "module.so").write_bytes(b"not a library")
    (tmp_path / "weights.bin").touch()
    with (
        StageBench(tmp_path, "cpu", 1, QUICK) as bench,
        pytest.raises(TuningError, match="The compiled module does not run") as caught,
    ):
        bench.measure([[[0]]])
    assert "\n" not in caught.value.what


def test_a_bench_that_was_not_used_closes_and_does_so_twice(folder: Path) -> None:
    bench = StageBench(folder, "cpu", 1)
    assert bench.measure([]) == []
    bench.close()
    bench.close()


def test_every_stage_finds_the_values_of_a_run_in_its_buffers(folder: Path) -> None:
    executor = _loaded(folder, "cpu")
    expected = executor.outputs()["y"]
    assert np.isfinite(expected).all()
    assert expected.any()
    _, _, last = executor.steps[-1]
    last[-1].copyfrom(np.zeros_like(expected))
    for step in reversed(range(len(executor.steps))):  # none needs another to run before it
        executor.program([[[step]]])()
    np.testing.assert_array_equal(executor.outputs()["y"], expected)


class Recorder:
    """An executor that notes which stages run."""

    def __init__(self) -> None:
        self.ran = list[Any]()

    def program(self, stages: list[Any]) -> Any:
        """What notes these stages."""
        return lambda: self.ran.extend(stages)


def test_on_a_cpu_all_cores_are_at_work_before_groups_run_side_by_side() -> None:
    recorder = Recorder()
    stage = CpuStage(cast(PlanExecutor, recorder), [[0, 1], [2]])
    samples = stage.batch(number=2, repeat=3)
    assert len(samples) == 3
    assert min(samples) > 0
    assert recorder.ran == [[[0, 1, 2]], [[0, 1], [2]]] * 7


def test_on_a_cpu_a_single_group_runs_alone() -> None:
    recorder = Recorder()
    assert CpuStage(cast(PlanExecutor, recorder), [[0, 1]]).call() > 0
    assert recorder.ran == [[[0, 1]]]


def test_on_a_gpu_copies_share_a_launch_and_the_device_keeps_the_time(
    cuda: FakeCuda, streams: Streams
) -> None:
    def program(stages: list[Any]) -> Any:
        return streams.program(
            [[[(cuda.kernel(str(i)), ()) for i in group] for group in groups] for groups in stages]
        )

    executor = cast(PlanExecutor, SimpleNamespace(program=program))
    stage = CudaStage(executor, [[0], [1, 2]])
    assert stage.call() == pytest.approx(3e-6)
    assert cuda.launched[0].nodes.count("1") == 8
    first, second = stage.batch(number=20, repeat=2)  # three launches of eight
    assert len(cuda.launched) == 1 + 1 + 2 * 3
    assert first == second == pytest.approx(3e-6)
    stage.close()
    assert cuda.destroyed == cuda.launched[:1]
