"""Constants are turned round here, to what TVM would make of them."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, helper

from engine.models.relax.binding_names import bindings_of
from engine.models.relax.calls import operator_name
from engine.tasks import lower
from engine.tasks.turned_constants import with_turned_constants
from tests.engine.models.build import model
from tests.engine.tasks.networks import FLOAT, outputs, weight
from tests.engine.tasks.programs import opened


def constants(module: Any) -> list[np.ndarray]:
    """The values of `main` that are bound to constants, once TVM has put them where they are
    used."""
    from tvm import relax

    found: list[np.ndarray] = []

    def visit(node: Any) -> None:
        if type(node).__name__ == "GenericConst":
            found.append(node.value.numpy())

    relax.analysis.post_order_visit(relax.transform.FoldConstant()(module)["main"], visit)
    return found


def turned(values: np.ndarray, axes: list[int] | None) -> Any:
    """A module that compares its input with a constant that it turns round, twice."""
    from tvm import IRModule, relax

    shape = np.transpose(values, axes).shape
    x = relax.Var("x", relax.TensorType(shape, str(values.dtype)))
    builder, constant = relax.BlockBuilder(), relax.const(values, str(values.dtype))
    with builder.function("main", [x]):
        with builder.dataflow():
            turns = [builder.emit(relax.op.permute_dims(constant, axes)) for _ in range(2)]
            first = builder.emit(relax.op.equal(x, turns[0]))
            second = builder.emit(relax.op.equal(x, turns[1]))
            result = builder.emit_output(relax.op.logical_and(first, second))
        builder.emit_func_output(result)
    made: IRModule = builder.get()
    return made


@pytest.mark.parametrize("dtype", ["float32", "float16", "float64", "int8", "int64", "bool"])
@pytest.mark.parametrize(
    ("shape", "axes"),
    [
        ((3, 5), None),
        ((3, 5), [1, 0]),
        ((2, 3, 4), [2, 0, 1]),
        ((2, 3, 4), [0, 1, 2]),
        ((1, 7), None),
    ],
)
def test_a_constant_is_turned_without_a_kernel(
    dtype: str, shape: tuple[int, ...], axes: list[int] | None
) -> None:
    values = np.random.default_rng(0).integers(0, 2, shape).astype(dtype)
    made = with_turned_constants(turned(values, axes))
    calls = [operator_name(binding.value) for binding in bindings_of(made["main"])]
    assert "relax.permute_dims" not in calls
    expected = np.transpose(values, axes)
    found = constants(made)
    assert found
    for one in found:
        assert one.dtype == values.dtype
        assert np.array_equal(one, expected)


@pytest.mark.parametrize("dtype", ["float32", "float16", "int8", "int64", "bool"])
@pytest.mark.parametrize(
    ("shape", "made"), [((6,), (1, 6, 1, 1)), ((2, 3), (3, 2)), ((1,), ()), ((0,), (0, 2))]
)
def test_a_constant_is_reshaped_and_then_turned_without_a_kernel(
    dtype: str, shape: tuple[int, ...], made: tuple[int, ...]
) -> None:
    from tvm import relax

    values = np.random.default_rng(0).integers(0, 2, shape).astype(dtype)
    expected = values.reshape(made).transpose()
    x = relax.Var("x", relax.TensorType(expected.shape, dtype))
    builder = relax.BlockBuilder()
    with builder.function("main", [x]):
        with builder.dataflow():
            reshaped = builder.emit(relax.op.reshape(relax.const(values, dtype), made))
            result = builder.emit_output(relax.op.equal(x, relax.op.permute_dims(reshaped)))
        builder.emit_func_output(result)
    module = with_turned_constants(builder.get())
    calls = {operator_name(binding.value) for binding in bindings_of(module["main"])}
    if values.size:
        assert calls.isdisjoint(("relax.permute_dims", "relax.reshape"))
    assert any(np.array_equal(one, expected) for one in constants(module))


def layers_with_weights_of_their_own(count: int) -> ModelProto:
    """Convolutions, each with a bias."""
    nodes, weights, last = [], {}, "x"
    for place in range(count):
        weights[f"w{place}"] = weight(16, 16, 3, 3, seed=place)
        weights[f"b{place}"] = weight(16, seed=place)
        inputs = [last, f"w{place}", f"b{place}"]
        nodes.append(helper.make_node("Conv", inputs, [f"c{place}"], pads=[1] * 4))
        last = f"c{place}"
    nodes.append(helper.make_node("Relu", [last], ["y"]))
    return model(nodes, [("x", FLOAT, [1, 16, 8, 8])], outputs("y"), weights)


def test_no_kernel_is_compiled_for_the_weights_of_a_convolution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    build: Any = import_module("tvm.tirx.build")  # its package has a function of the same name
    compiled, real = 0, build.codegen_build

    def counted(*given: Any) -> Any:
        nonlocal compiled
        compiled += 1
        return real(*given)

    monkeypatch.setattr(build, "codegen_build", counted)
    numbers = []
    for count in (2, 6):
        compiled = 0
        opened(layers_with_weights_of_their_own(count))
        numbers.append(compiled)
    assert numbers[0] == numbers[1]


def dense_layers() -> ModelProto:
    """Dense layers of one weight and of others, as exporters write them."""
    nodes, weights, last = [], {"w": weight(16, 16), "b": weight(16)}, "x"
    for place in range(4):
        weights[f"v{place}"] = weight(16, 16, seed=place)
        for name in ("w", f"v{place}"):
            result = f"{name}_{place}"
            nodes.append(helper.make_node("Gemm", [last, name, "b"], [result], transB=1))
            last = result
    nodes.append(helper.make_node("Relu", [last], ["y"]))
    return model(nodes, [("x", FLOAT, [2, 16])], outputs("y"), weights)


def test_layouts_are_looked_at_only_where_a_convolution_has_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = opened(dense_layers())

    def refused(layouts: Any) -> Any:
        raise AssertionError(layouts)

    monkeypatch.setattr("tvm.relax.transform.ConvertLayout", refused)
    now = opened(dense_layers())
    assert now.program.tasks == before.program.tasks
    assert now.file_nodes == before.file_nodes


def test_a_models_tasks_and_nodes_are_what_they_were(monkeypatch: pytest.MonkeyPatch) -> None:
    now = opened(dense_layers())
    monkeypatch.setattr(lower, "with_turned_constants", lambda module: module)
    before = opened(dense_layers())
    assert now.program.tasks == before.program.tasks
    assert now.program.operators == before.program.operators
    assert now.file_nodes == before.file_nodes
