"""Attention as one kernel, in every form."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pytest
import tvm
from onnx import ModelProto, TensorProto
from tvm import relax

from engine.models.prepare import prepare
from engine.models.relax.binding_names import bindings_of
from engine.models.relax.calls import operator_name
from engine.records.source import ModelSource
from engine.tasks.attention.kernel import ATTENTION
from engine.tasks.attention.rewriting import with_attention, without_double_casts
from engine.tasks.halves.mixing import in_half
from engine.tasks.turned_constants import with_turned_constants
from tests.engine.models.build import save
from tests.engine.tasks.attention.forms import FORMS


def imported(proto: ModelProto, folder: Path) -> Any:
    path = save(proto, folder / "model.onnx")
    return with_turned_constants(prepare(ModelSource("file", str(path))).to_relax())


def attentions(module: Any) -> list[dict[str, Any]]:
    """What the kernels for attention say they are."""
    said = (function.attrs for function in module.functions.values())
    return [json.loads(str(attrs[ATTENTION])) for attrs in said if attrs and ATTENTION in attrs]


def operators(module: Any) -> list[str]:
    return [operator_name(binding.value) for binding in bindings_of(module["main"])]


def fed(proto: ModelProto) -> dict[str, np.ndarray]:
    """Inputs: every third key is hidden, and where a mask has rows all keys of the second."""
    rng = np.random.default_rng(1)
    made: dict[str, np.ndarray] = {}
    for value in proto.graph.input:
        shape = [dim.dim_value for dim in value.type.tensor_type.shape.dim]
        hidden = np.broadcast_to(np.arange(shape[-1]) % 3 == 2, shape).copy()
        if shape[-1] == shape[-2]:
            hidden[..., 1, :] = True
        masks = {"seen": ~hidden, "hide": hidden, "mask": hidden * np.float32(-1e9)}
        if value.type.tensor_type.elem_type == TensorProto.INT32:
            made[value.name] = (~hidden).astype(np.int32)
        else:
            made[value.name] = masks.get(value.name, rng.standard_normal(shape, np.float32))
    return made


def computed(module: Any, given: list[np.ndarray]) -> np.ndarray:
    """What a module gives on the CPU."""
    compiled = tvm.compile(module, "llvm")
    machine = relax.VirtualMachine(compiled, tvm.cpu())
    made = machine["main"](*map(tvm.runtime.tensor, given))
    result: np.ndarray = (made[0] if isinstance(made, list | tuple) else made).numpy()
    return result


def right(proto: ModelProto, given: dict[str, np.ndarray]) -> np.ndarray:
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    result: np.ndarray = session.run(None, given)[0]
    return result


@pytest.mark.parametrize("name", FORMS)
def test_attention_is_one_kernel_that_computes_what_the_file_says(
    name: str, tmp_path: Path
) -> None:
    proto = FORMS[name]().made()
    module = imported(proto, tmp_path)
    made = with_attention(module)
    assert len(attentions(made)) == 1
    assert "relax.nn.softmax" not in operators(made)
    assert ("relax.permute_dims" in operators(made)) == (name == "grouped")  # before its rotation
    given = fed(proto)
    found = computed(without_double_casts(in_half(made)), list(given.values()))
    expected = right(proto, given)
    np.testing.assert_allclose(found, expected, atol=4e-3 * np.nanmax(np.abs(expected)))
