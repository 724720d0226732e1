"""Attention as one kernel, in every form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import onnxruntime
import pytest
import tvm
from onnx import ModelProto, helper
from tvm import relax

from engine.jobs.opening.open_worker import OpenedModel, open_here
from engine.kernels.attention import ATTRIBUTE
from engine.models.prepare import prepare
from engine.models.relax.binding_names import bindings_of
from engine.models.relax.calls import operator_name
from engine.records.machine import TargetSpec
from engine.records.network import Fate
from engine.records.precision import HALVES
from engine.records.source import ModelSource
from engine.tasks.attention.rewriting import with_attention
from engine.tasks.halves.mixing import in_half
from engine.tasks.turned_constants import with_turned_constants
from tests.engine.models.build import save
from tests.engine.tasks.attention.forms import (
    BATCH,
    DIM,
    FORMS,
    ROWS,
    Form,
    chosen_scores,
    divided_scores,
    five_axes,
    microsoft,
    root_scales,
)
from tests.engine.tasks.networks import FLOAT, node

Results: TypeAlias = dict[str, np.ndarray]


def imported(proto: ModelProto, folder: Path) -> Any:
    path = save(proto, folder / "model.onnx")
    return with_turned_constants(prepare(ModelSource("file", str(path))).to_relax())


def opened_on_gpu(proto: ModelProto, folder: Path) -> OpenedModel:
    """A model taken as far as its tasks for an H200, which need not be there."""
    source = ModelSource("file", str(save(proto, folder / "model.onnx")), precision="float16")
    fields = {"kind": "cuda", "arch": "sm_90", "max_num_threads": 1024}
    fields |= {"max_threads_per_block": 1024, "thread_warp_size": 32}
    text = json.dumps(fields | {"max_shared_memory_per_block": 49152})
    return open_here(source, TargetSpec(text, "an H200", "cuda:0", 8))


def attentions(module: Any) -> list[dict[str, Any]]:
    """What the kernels for attention say they are."""
    said = (function.attrs for function in module.functions.values())
    return [json.loads(str(attrs[ATTRIBUTE])) for attrs in said if attrs and ATTRIBUTE in attrs]


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
        masks = {"seen": ~hidden, "hide": hidden, "mask": hidden * np.float32(-1e4)}
        kind = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        if kind == np.int32:
            made[value.name] = (~hidden).astype(kind)
        else:
            array = masks.get(value.name, rng.standard_normal(shape, np.float32))
            made[value.name] = array.astype(kind)
    return made


@relax.expr_functor.mutator
class Renamed(relax.PyExprMutator):  # type: ignore[misc]  # TVM has no types
    """Calls functions by other names."""

    def __init__(self, names: Mapping[Any, Any]) -> None:
        super().__init__()
        self._names = names

    def visit_call_(self, call: Any) -> Any:
        call = super().visit_call_(call)
        arguments = [self._names.get(item, item) for item in call.args]
        return relax.Call(call.op, arguments, call.attrs, call.ty_args, call.span)


def computed(modules: Mapping[str, Any], given: Mapping[str, list[np.ndarray]]) -> Results:
    """What modules give on the CPU, compiled as one."""
    builder = relax.BlockBuilder()
    for name, module in modules.items():
        others = ((var, made) for var, made in module.functions.items() if var.name_hint != "main")
        names = {var: builder.add_func(made, var.name_hint) for var, made in others}
        main = Renamed(names).visit_expr(module["main"].without_attr("num_input"))
        builder.add_func(main.with_attr("global_symbol", f"main_{name}"), f"main_{name}")
    compiled = tvm.compile(builder.get(), "llvm")
    machine = relax.VirtualMachine(compiled, tvm.cpu())
    found = {}
    for name, arrays in given.items():
        made = machine[f"main_{name}"](*map(tvm.runtime.tensor, arrays))
        found[name] = (made[0] if isinstance(made, list | tuple) else made).numpy()
    return found


def right(proto: ModelProto, given: dict[str, np.ndarray]) -> np.ndarray:
    """What the file says."""
    session = onnxruntime.InferenceSession(proto.SerializeToString())
    result: np.ndarray = session.run(None, given)[0]
    return result


@dataclass
class Tried:
    """All forms, each with its module, and what it gave and should have given."""

    modules: dict[str, Any]
    found: Results
    expected: Results


@pytest.fixture(scope="module")
def tried(tmp_path_factory: pytest.TempPathFactory) -> Tried:
    protos = {name: form().made() for name, form in FORMS.items()}
    folder = tmp_path_factory.mktemp("forms")
    modules = {name: with_attention(imported(proto, folder)) for name, proto in protos.items()}
    given = {name: fed(proto) for name, proto in protos.items()}
    halves = {name: in_half(module) for name, module in modules.items()}
    found = computed(halves, {name: list(arrays.values()) for name, arrays in given.items()})
    return Tried(modules, found, {name: right(protos[name], given[name]) for name in protos})


@pytest.mark.parametrize("name", FORMS)
def test_attention_is_one_kernel_in_every_form(name: str, tried: Tried) -> None:
    made = tried.modules[name]
    assert len(attentions(made)) == 1
    assert "relax.nn.softmax" not in operators(made)
    turns = name in ("grouped", "scaled_operands")  # before a rotation, and round factors
    assert ("relax.permute_dims" in operators(made)) == turns


@pytest.mark.parametrize("name", FORMS)
def test_attention_gives_what_the_file_says(name: str, tried: Tried) -> None:
    expected = tried.expected[name]
    room = 4e-3 * np.nanmax(np.abs(expected))
    np.testing.assert_allclose(tried.found[name], expected, rtol=0, atol=room)


def _renamed_output(form: Form, kind: str) -> tuple[Form, str]:
    """A form, of whose first node of a kind the result is an output, too."""
    (name,) = next(one.output for one in form.nodes if one.op_type == kind)
    return form, name


def _another_axis() -> tuple[Form, str]:
    form = divided_scores()
    softmax = next(one for one in form.nodes if one.op_type == "Softmax")
    softmax.attribute[0].i = -2
    return form, ""


def _capped() -> tuple[Form, str]:
    form = five_axes()
    place = next(i for i, one in enumerate(form.nodes) if one.op_type == "Softmax")
    form.nodes.insert(place, node("Tanh", form.nodes[place].input[0], "capped"))
    form.nodes[place + 1].input[0] = "capped"
    return form, ""


def _cleared(value: float) -> tuple[Form, str]:
    form = root_scales()
    last = [one for one in form.nodes if one.op_type == "Where"][-1]
    last.input[1] = form.const(value)
    return form, ""


def _weak_and_masked() -> tuple[Form, str]:
    form = chosen_scores(-1e9)
    form.inputs.append(("mask", FLOAT, [BATCH, 1, 1, ROWS]))
    place = next(i for i, one in enumerate(form.nodes) if one.op_type == "Softmax")
    form.nodes.insert(place, node("Add", f"{form.nodes[place].input[0]} mask", "masked"))
    form.nodes[place + 1].input[0] = "masked"
    return form, ""


OTHERS = {
    "scores_are_an_output": lambda: _renamed_output(divided_scores(), "Div"),
    "shares_are_an_output": lambda: _renamed_output(divided_scores(), "Softmax"),
    "unclean_shares_are_an_output": lambda: _renamed_output(root_scales(), "Softmax"),
    "another_axis": _another_axis,
    "capped_scores": _capped,
    "a_choice_that_hides_nothing": lambda: (chosen_scores(-5.0), ""),
    "ones_for_nan": lambda: _cleared(1.0),
    "a_weak_choice_and_a_mask": _weak_and_masked,
}


@pytest.mark.parametrize("name", OTHERS)
def test_what_is_not_quite_attention_stays_as_it_is(name: str, tmp_path: Path) -> None:
    form, shown = OTHERS[name]()
    module = imported(form.made(*filter(None, [shown])), tmp_path)
    assert "relax.nn.softmax" in operators(module)
    assert operators(with_attention(module)) == operators(module)


PRODUCTS = {"crossed": 3, "five_axes": 2, "divided_scores": 2, "grouped": 2, "rows_first": 2}


@pytest.mark.parametrize("name", PRODUCTS)
def test_products_of_one_tensor_are_one_product(name: str, tried: Tried) -> None:
    assert operators(tried.modules[name]).count("relax.matmul") == PRODUCTS[name]


def test_a_product_that_is_an_output_is_not_merged(tmp_path: Path) -> None:
    form, shown = _renamed_output(divided_scores(), "Add")  # the queries'
    made = with_attention(imported(form.made(shown), tmp_path))
    assert len(attentions(made)) == 1
    assert operators(made).count("relax.matmul") == 3


def test_the_triangle_and_shared_keys_are_no_tensors(tried: Tried) -> None:
    (said,) = attentions(tried.modules["grouped"])
    assert (said["causal"], said["mask"], said["key_heads"], said["heads"]) == (1, None, 2, 4)
    (masked,) = attentions(tried.modules["causal_and_masked"])
    assert masked["causal"] == 0
    assert masked["mask"] is not None


def test_rows_without_keys_are_zero_where_the_file_cleans_them(tried: Tried) -> None:
    cleaned = [name for name in FORMS if attentions(tried.modules[name])[0]["empty_rows_are_zero"]]
    assert cleaned == ["root_scales", "root_scales_without_a_mask", "dead_rows", "operator"]


def test_a_task_for_a_gpu_says_which_attention_it_is(tmp_path: Path) -> None:
    opened = opened_on_gpu(FORMS["root_scales"]().made(), tmp_path)
    (place,) = (task.index for task in opened.program.tasks if task.op_class == "attention")
    (said,) = attentions(opened.program.workloads[place])
    assert (said["batch"], said["heads"], said["queries"], said["dim"]) == (2, 2, 6, 16)
    assert said["q"] == [0, 0, 576, 96, 16]
    assert said["k"] == [0, 32, 576, 96, 16]
    assert said["o"] == [2, 0, 192, 32, 16]
    assert said["mask"] == [1, "float32", 36, 0, 6, 1]
    assert said["scale"] == pytest.approx(DIM**-0.5)
    fates = {node.op_type: node.fate for node in opened.file_nodes}
    assert Fate.UNKNOWN not in fates.values()
    softmax = next(node for node in opened.file_nodes if node.op_type == "Softmax")
    assert [opened.program.operators[one].op_class for one in softmax.operators] == ["attention"]
    classes = [operator.op_class for operator in opened.program.operators]
    assert classes == ["cast", "matmul_add_cast", "where", "attention", "matmul_add"]


def test_attention_that_no_ready_kernel_computes_stays_in_parts(tmp_path: Path) -> None:
    opened = opened_on_gpu(microsoft(heads=4).made(), tmp_path)  # of 8
    assert opened.program.tasks
    assert not any(attentions(workload) for workload in opened.program.workloads)


def test_a_model_whose_attention_cannot_be_matched_keeps_its_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no such attribute")

    monkeypatch.setattr("engine.tasks.lower.with_attention", fail)
    opened = opened_on_gpu(FORMS["five_axes"]().made(), tmp_path)
    assert any("softmax" in task.op_class for task in opened.program.tasks)


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("name", ["root_scales", "in_halves"])
def test_attention_is_of_the_chosen_type_or_of_the_files_own(
    name: str, half: str, tmp_path: Path
) -> None:
    made = with_attention(imported(FORMS[name]().made(), tmp_path), half)
    (function,) = (made[var] for var in made.functions if var.name_hint == "attention")
    dtypes = {str(one.ty.dtype) for one in function.params}
    assert dtypes == ({"float16"} if name == "in_halves" else {half, "float32"})
