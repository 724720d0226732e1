"""The benchmark of the CPU recipe, on tiny things."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from engine.measure import build_worker
from engine.measure.runner import BuildRequest
from engine.targets.targets import resolve
from tests.benchmarks.cpu_steps import tables
from tests.benchmarks.parts import cpu_recipe
from tests.benchmarks.parts.cpu_model import WAYS, whole_model
from tests.benchmarks.parts.cpu_recipe import PARTS, TINY, search
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import joined_branches_model

pytestmark = pytest.mark.slow


@pytest.mark.long
@pytest.mark.parametrize("part", PARTS)
def test_a_convolution_is_searched_without_any_part(part: str) -> None:
    speed, seconds = search(TINY[0], part, seed=0, trials=2)
    assert speed > 0
    assert seconds > 0


@pytest.mark.long
def test_a_model_runs_in_every_way(tmp_path: Path) -> None:
    console = Console()
    path = console.open(tmp_path, joined_branches_model())
    console.engine.start_run(QUICK).result(60)
    console.engine.wait().result(120)
    console.engine.shutdown()
    latencies = whole_model(path, rounds=1)
    assert tuple(latencies) == WAYS
    assert min(latencies.values()) > 0


def hang(request: BuildRequest) -> None:
    time.sleep(600)


def crash(request: BuildRequest) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fail(request: BuildRequest) -> None:
    raise ValueError


@pytest.mark.parametrize("work", [hang, crash, fail])
def test_what_is_not_built_costs_itself_alone(
    work: Callable[[BuildRequest], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(build_worker, "build_candidate", work)
    monkeypatch.setattr(cpu_recipe, "CPU_BUILD_S", 0.2)
    children = psutil.Process().children()
    assert not cpu_recipe._built("", resolve("cpu"), tmp_path / "kernel.so")
    assert psutil.Process().children() == children


def test_a_library_in_time_is_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def build(request: BuildRequest) -> None:
        Path(request.artifact).write_text("a library")

    monkeypatch.setattr(build_worker, "build_candidate", build)
    assert cpu_recipe._built("", resolve("cpu"), tmp_path / "kernel.so")


def test_the_tables_hold_every_seed_and_way() -> None:
    rows = [
        {"name": "1x1", "part": part, "flops_per_s": [2e9, 1e9], "seconds": [1.0, 2.0]}
        for part in PARTS
    ]
    latencies = dict.fromkeys(WAYS, 2e-3)
    found = list(tables({"rows": rows, "project": "net.tune", "latencies_s": latencies}))
    assert found[0].splitlines()[2] == "| everything | 1, 2 |"
    assert found[1].splitlines()[-1] == f"| {WAYS[-1]} | 2 |"
