"""Reading a lowered program: views, tuples, constants, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from engine.records.errors import ModelError
from engine.records.task import TensorSpec
from engine.tasks.dataflow import Dataflow, read_dataflow
from tests.engine.tasks.programs import network

MODULE = """
@I.ir_module
class Module:
    @R.function
    def main({inputs}) -> {result}:
{body}
"""
TENSOR = 'R.Tensor((4,), "float32")'


def relax(body: str, inputs: str = f"x: {TENSOR}", result: str = TENSOR) -> Any:
    """A module whose `main` has this body."""
    import tvm

    indented = "\n".join(f"        {line}" for line in body.splitlines())
    return tvm.script.from_source(MODULE.format(inputs=inputs, result=result, body=indented))


def flow(name: str) -> Dataflow:
    """The dataflow of one of the networks."""
    return network(name).program.dataflow


def test_a_reshape_is_a_view_and_no_step() -> None:
    found = flow("reshape_between")
    relu, view = found.steps[0].outputs[0], found.steps[1].inputs[0]
    assert found.values[view].alias_of == relu
    assert found.root(view) == relu
    assert found.values[view].spec.shape == (3, 4)
    assert [found.root(value) for value in found.outputs[1:]] == [relu, relu]


def test_an_output_may_be_a_view_of_an_input() -> None:
    found = flow("reshaped_input")
    view = found.values[found.outputs[0]]
    assert view.alias_of == found.inputs[0]
    assert view.spec.shape == (3, 4)


def test_an_input_may_be_an_output() -> None:
    found = flow("input_as_output")
    assert found.outputs[1] == found.inputs[0]


def test_a_constant_may_be_an_output() -> None:
    found = flow("constant_output")
    value = found.values[found.outputs[1]]
    assert value.kind == "constant"
    assert value.data.numpy().shape == (3,)


def test_one_tensor_may_be_two_outputs() -> None:
    found = flow("twice")
    assert found.outputs == (found.steps[0].outputs[0],) * 2


def test_a_kernel_may_have_many_outputs() -> None:
    found = flow("split")
    first, second = found.steps[0].outputs
    assert found.steps[1].inputs == (first,)
    assert found.outputs == (found.steps[1].outputs[0], second, first)


def test_inputs_keep_their_names_and_order() -> None:
    found = flow("unused_input")
    assert [found.values[i].name for i in found.inputs] == ["x", "u"]
    assert [found.values[i].kind for i in found.inputs] == ["input", "input"]


def test_a_constant_is_one_value_however_often_it_is_read() -> None:
    module = relax(
        "with R.dataflow():\n"
        '    k = R.const([1.0, 2.0, 3.0, 4.0], "float32")\n'
        "    R.output(k)\n"
        "return (k, k)",
        result=f"R.Tuple({TENSOR}, {TENSOR})",
    )
    found = read_dataflow(module)
    assert found.outputs[0] == found.outputs[1]
    assert [value.kind for value in found.values] == ["input", "constant"]


def test_a_program_without_kernels_has_no_steps() -> None:
    found = read_dataflow(relax("return x"))
    assert found.steps == []
    assert found.outputs == found.inputs == (0,)


def test_nested_tuples_are_flattened_in_order() -> None:
    module = relax(
        "t = (x, (y, x))\nreturn (t[1], t[0])",
        inputs=f"x: {TENSOR}, y: {TENSOR}",
        result=f"R.Tuple(R.Tuple({TENSOR}, {TENSOR}), {TENSOR})",
    )
    assert read_dataflow(module).outputs == (1, 0, 0)


def test_scalars_have_an_empty_shape() -> None:
    found = read_dataflow(relax("return x", 'x: R.Tensor((), "int64")', 'R.Tensor((), "int64")'))
    assert found.values[0].spec == TensorSpec((), "int64")


@pytest.mark.parametrize(
    ("body", "inputs", "reason"),
    [
        ("y = R.sin(x)\nreturn y", f"x: {TENSOR}", "still holds sin"),
        (f"y = R.match_cast(x, {TENSOR})\nreturn y", f"x: {TENSOR}", "checks shapes"),
        (
            "if c:\n    y = x\nelse:\n    y = x\nreturn y",
            f'x: {TENSOR}, c: R.Tensor((), "bool")',
            "no tensor",
        ),
    ],
)
def test_what_is_no_kernel_is_refused_with_a_sentence(body: str, inputs: str, reason: str) -> None:
    with pytest.raises(ModelError) as caught:
        read_dataflow(relax(body, inputs))
    assert reason in caught.value.what
    assert "static" in caught.value.todo


@pytest.mark.parametrize("shape", ['R.Tensor(("n",), "float32")', 'R.Tensor("float32", ndim=2)'])
def test_a_dynamic_shape_is_refused_with_a_sentence(shape: str) -> None:
    with pytest.raises(ModelError) as caught:
        read_dataflow(relax("return x", f"x: {shape}", shape))
    assert "no static shape" in caught.value.what
