"""A target in data: whatever its title says, only TVM's description of it counts."""

from __future__ import annotations

import json

import pytest

from engine.records.snapshot import Hardware, hardware_of

CPU = {"kind": "llvm", "mcpu": "znver4", "num-cores": 2}
CUDA = {"kind": "cuda", "arch": "sm_90"}
AWAY = {"tag": "rpc://pi:9190/cuda"}


@pytest.mark.parametrize(
    ("fields", "title", "found"),
    [
        (CPU, "cpu znver4 x2", Hardware("", "cpu znver4 x2", is_cpu=True, cores=2)),
        (CPU | AWAY, "cuda at home x2", Hardware("", "cuda at home x2", True, True, 2)),
        (CUDA, "cuda NVIDIA H200", Hardware("", "cuda NVIDIA H200")),
        (CUDA, "cuda NVIDIA H200 as sm_90", Hardware("", "cuda NVIDIA H200")),
        (CUDA | AWAY, "cpu", Hardware("", "", is_remote=True)),
        ({"kind": "llvm", "tag": "my/cpu"}, "cpu x9", Hardware("", "cpu x9", is_cpu=True)),
        ({"kind": "llvm", "num-cores": "9"}, "", Hardware("", is_cpu=True)),
    ],
)
def test_a_target_is_read_from_its_description(
    fields: dict[str, object], title: str, found: Hardware
) -> None:
    read = hardware_of(json.dumps(fields), title)
    assert read.text == json.dumps(fields)
    assert Hardware("", read.device, read.is_cpu, read.is_remote, read.cores) == found


@pytest.mark.parametrize("text", ["", "llvm -mcpu=znver4", "[]", "{}", '"llvm"', "[" * 100_000])
def test_what_is_no_description_says_nothing(text: str) -> None:
    assert hardware_of(text, "cpu znver4 x2") == Hardware()
