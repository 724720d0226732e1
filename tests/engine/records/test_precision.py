"""Precisions: what is stored of them, and which targets refuse them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from engine.records.errors import TargetError, UsageError
from engine.records.machine import TargetSpec
from engine.records.precision import PRECISIONS, refuse_precision, title_of
from engine.records.source import ModelSource

CPU = TargetSpec('{"kind": "llvm"}', "cpu", "cpu", 2)


def gpu(arch: str) -> TargetSpec:
    """A GPU of an architecture."""
    return TargetSpec(json.dumps({"kind": "cuda", "arch": arch}), f"cuda {arch}", "cuda:0", 2)


def test_a_source_is_stored_as_before_where_nothing_was_chosen() -> None:
    source = ModelSource("file", "/m.onnx")
    assert source.as_dict() == {"kind": "file", "location": "/m.onnx", "shapes": {}, "sha256": ""}
    assert ModelSource.from_dict(source.as_dict()) == source


@pytest.mark.parametrize("precision", PRECISIONS)
def test_a_choice_is_kept_with_the_source(precision: Any) -> None:
    source = replace(ModelSource("sample", "squeezenet"), precision=precision)
    assert ModelSource.from_dict(json.loads(json.dumps(source.as_dict()))) == source
    assert precision.lower() in title_of(precision).lower()


@pytest.mark.parametrize("value", ["float8", "", "FLOAT16", 16, None, ["tf32"]])
def test_an_unknown_precision_of_a_file_is_refused_in_a_sentence(value: Any) -> None:
    data = ModelSource("file", "/m.onnx").as_dict() | {"precision": value}
    with pytest.raises(
        UsageError, match=r"precision is .* Give one of float32, tf32, float16, bfloat16"
    ):
        ModelSource.from_dict(data)


@pytest.mark.parametrize("target", [CPU, gpu("sm_75"), gpu("sm_70"), gpu("")])
@pytest.mark.parametrize("precision", ["tf32", "float16", "bfloat16"])
def test_a_target_without_tensor_cores_is_refused(precision: str, target: TargetSpec) -> None:
    with pytest.raises(TargetError, match="tensor cores") as error:
        refuse_precision(precision, target)
    assert error.value.todo


@pytest.mark.parametrize("target", [gpu("sm_80"), gpu("sm_89"), gpu("sm_90a"), gpu("sm_100")])
def test_a_gpu_with_tensor_cores_takes_every_precision(target: TargetSpec) -> None:
    for precision in PRECISIONS:
        refuse_precision(precision, target)
    refuse_precision("float32", CPU)
