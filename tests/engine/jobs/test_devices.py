"""The devices that a person lists, and a run on two GPUs."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from engine.jobs import devices
from engine.jobs.devices import places_of
from engine.project.repository import Project
from engine.records.errors import TargetError, TunewrightError, UsageError
from engine.records.machine import TargetSpec, cuda_devices
from engine.records.settings import Budget, SearchSettings
from engine.records.source import ModelSource
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import conv_relu_model, save

CPU = TargetSpec('{"kind": "llvm"}', "cpu x2", "cpu", 2)
BOARD = "rpc://127.0.0.1:9190/board"
REMOTE = replace(CPU, remote=BOARD)
ARCHS = ("sm_90", "sm_90", "sm_80")


def gpu(index: int) -> TargetSpec:
    """One of three GPUs, of two kinds."""
    if index >= len(ARCHS):
        raise TargetError(f"There is no CUDA device {index} on this machine.", "Choose cpu.")
    text = json.dumps({"kind": "cuda", "arch": ARCHS[index]})
    return TargetSpec(text, f"cuda {ARCHS[index]}", f"cuda:{index}", 2)


@pytest.fixture
def gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "local_cuda", gpu)


@pytest.mark.parametrize("listed", ["cuda:1,cuda:0", " cuda:1 , cuda ", "cuda:0,cuda:1,"])
@pytest.mark.usefixtures("gpus")
def test_devices_are_those_listed_the_targets_own_first(listed: str) -> None:
    places = places_of(gpu(1), listed)
    assert [(place.name, place.device) for place in places] == [
        ("cuda:1", "cuda:1"),
        ("cuda:0", "cuda:0"),
    ]
    assert {place.model for place in places} == {"cuda sm_90"}


@pytest.mark.usefixtures("gpus")
def test_a_gpu_that_is_not_there_is_told_and_left_out() -> None:
    said: list[str] = []
    places = places_of(gpu(0), "cuda:0,cuda:3,cuda:1", said.append)
    assert [place.name for place in places] == ["cuda:0", "cuda:1"]
    assert said == ["There is no CUDA device 3 on this machine. The run goes on without it."]


@pytest.mark.parametrize("listed", ["", " ", ",", "cpu"])
def test_one_device_is_what_the_target_says(listed: str) -> None:
    assert [place.name for place in places_of(CPU, listed)] == ["cpu"]


def test_servers_of_one_key_are_of_one_model() -> None:
    other = "rpc://127.0.0.1:9190/other"
    places = places_of(REMOTE, f"{other},{BOARD},{BOARD}")
    assert [place.name for place in places] == [BOARD, f"{BOARD} #2", other]
    assert [place.model for place in places] == ["board", "board", "other"]
    assert [place.remote for place in places] == [BOARD, BOARD, other]


def test_a_clusters_address_that_is_listed_twice_stands_for_two_workers() -> None:
    address = "dask://127.0.0.1:8786"
    places = places_of(replace(CPU, remote=address), f"{address},{address}")
    assert [place.name for place in places] == [address, f"{address} #2"]
    assert {place.model for place in places} == {"127.0.0.1:8786"}


@pytest.mark.parametrize(
    ("target", "listed"),
    [
        (gpu(0), "cuda:1"),
        (gpu(0), "cuda:0,cuda:2"),
        (gpu(0), "cuda:0,cuda:0"),
        (gpu(0), "cuda:0,cuda:x"),
        (gpu(0), "cuda:0,cpu"),
        (gpu(0), f"cuda:0,{BOARD}"),
        (CPU, "cuda:0"),
        (REMOTE, "cpu"),
        (REMOTE, "rpc://127.0.0.1:9190/other"),
    ],
)
@pytest.mark.usefixtures("gpus")
def test_devices_that_cannot_share_a_run_are_refused(target: TargetSpec, listed: str) -> None:
    with pytest.raises((UsageError, TargetError)) as caught:
        places_of(target, listed)
    assert isinstance(caught.value, TunewrightError)
    assert caught.value.todo


@pytest.mark.gpu
@pytest.mark.skipif(len(cuda_devices()) < 2, reason="there are not two CUDA devices here")
def test_a_run_spreads_over_two_gpus(console: Console, tmp_path: Path) -> None:
    model, path = save(conv_relu_model(channels=32), tmp_path / "tiny.onnx"), tmp_path / "tiny.tune"
    console.engine.open_model(ModelSource("file", str(model)), "cuda:1", path).result(120)
    settings = replace(QUICK, budget=Budget(trials=16), search=SearchSettings(batch=8))
    console.engine.start_run(replace(settings, devices="cuda:0,cuda:1")).result(60)
    console.engine.wait().result(300)
    console.engine.close_project().result(30)
    with Project.open(path, read_only=True) as project:
        kept = project.devices()
        assert project.device == "cuda:1"
        measured = [trial for trial in project.snapshot().trials if trial.samples]
    assert {trial.protocol["device"] for trial in measured} == {"cuda:0", "cuda:1"}
    assert kept is not None
    assert {device.name for device in kept.probed} == {"cuda:0", "cuda:1"}
