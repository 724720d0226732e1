"""Targets of remote devices: how a person names them, and how a project remembers them."""

from __future__ import annotations

import json

import pytest

from engine.records.errors import TargetError
from engine.targets import cluster_target
from engine.targets.remote_target import without_scheduler
from engine.targets.targets import resolve, to_tvm

BOARD = "rpc://10.1.1.1:9190/board"
ARM = {"kind": "llvm", "mcpu": "cortex-a72", "mtriple": "aarch64-linux-gnu", "num-cores": 4}
TEXTS = [
    "rpc://127.0.0.1:9190/board",
    "rpc://localhost:9190/board cpu",
    f"{BOARD} {json.dumps(ARM)}",
    f"{BOARD} " + json.dumps({"kind": "cuda", "arch": "sm_80"}),
    f"{BOARD} nvidia/nvidia-a100",
    "dask://10.1.1.1:8786 " + json.dumps(ARM),
    "dask+tls://cluster:8786 " + json.dumps({"kind": "cuda", "arch": "sm_80"}),
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_target_means_the_same_when_its_text_is_resolved_again(text: str) -> None:
    spec = resolve(text)
    assert spec.remote == spec.place == text.partition(" ")[0]
    assert resolve(spec.text) == spec
    assert str(to_tvm(spec).tag) == spec.remote


@pytest.mark.parametrize("scheme", ["dask", "dask+tls"])
def test_a_cluster_finds_what_is_found_here_whatever_its_address(scheme: str) -> None:
    here = resolve("cpu")
    there = resolve(f"{scheme}://cluster:8786 {here.text}")
    assert there.title.replace(" at cluster:8786", "") == here.title
    assert str(to_tvm(without_scheduler(there))) == str(to_tvm(here))


def test_a_key_of_tvms_servers_tells_devices_apart() -> None:
    there = resolve(f"{BOARD} {json.dumps(ARM)}")
    assert without_scheduler(there) == there


@pytest.mark.parametrize(("word", "asked"), [("", "auto"), (" cpu", "cpu"), (" cuda:1", "cuda:1")])
def test_a_clusters_worker_is_asked_what_a_word_means(
    monkeypatch: pytest.MonkeyPatch, word: str, asked: str
) -> None:
    words: list[str] = []

    def answer(address: object, word: str) -> dict[str, object]:
        words.append(word)
        return dict(ARM)

    monkeypatch.setattr(cluster_target, "ask_target", answer)
    assert resolve(f"dask://10.1.1.1:8786{word}").cores == ARM["num-cores"]
    assert words == [asked]


def test_the_processor_of_another_kind_is_taken_as_it_is_given() -> None:
    spec = resolve(f"{BOARD} {json.dumps(ARM)}")
    assert (spec.title, spec.device, spec.cores) == ("cpu cortex-a72 at board x4", "cpu", 4)
    assert not spec.is_gpu


def test_the_host_of_a_remote_gpu_is_not_this_machines_processor() -> None:
    spec = resolve(f"{BOARD} " + json.dumps({"kind": "cuda", "arch": "sm_80"}))
    assert (spec.title, spec.device, spec.is_gpu) == ("cuda sm_80 at board", "cuda:0", True)
    assert not str(to_tvm(spec).host.attrs.get("mcpu", ""))


def test_behind_loopback_a_device_is_presumed_to_be_this_machines() -> None:
    here, there = resolve("cpu"), resolve("rpc://127.0.0.1:9190/board")
    assert (there.device, there.cores) == ("cpu", here.cores)
    assert json.loads(there.text)["mcpu"] == json.loads(here.text)["mcpu"]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (BOARD, "cannot be found out"),
        (f"{BOARD} cuda:0", "cannot be found out"),
        ("rpc://board cpu", "no remote device"),
        (f"{BOARD} llvm", "How many cores"),
        (f"{BOARD} " + json.dumps({**ARM, "mcpu": "nonsense"}), "no processor"),
        (f"{BOARD} " + json.dumps({**ARM, "mattr": ["+nonsense"]}), "no feature"),
        (f"{BOARD} " + '{"kind": "opencl"}', "must be llvm or cuda"),
        (f"{BOARD} nonsense", "does not know the target"),
        (f"{BOARD} {{", "not valid JSON"),
        ('{"kind": "llvm", "tag": "rpc://"}', "no remote device"),
    ],
)
def test_what_cannot_be_measured_on_is_refused_in_a_sentence(text: str, what: str) -> None:
    with pytest.raises(TargetError, match=what):
        resolve(text)
