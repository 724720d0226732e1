"""Input shapes: given, defaulted, or asked for by name."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto, TensorProto

from engine.models.shapes import (
    apply_shapes,
    declared_inputs,
    parse_shape,
    parse_shapes,
    tensor_spec,
)
from engine.records.errors import ModelError, ShapeError
from tests.engine.models import build

Given = dict[str, tuple[int, ...]]


def shapes_of(proto: ModelProto, given_shapes: Given | None = None) -> Given:
    """The inputs' shapes after applying."""
    apply_shapes(proto, given_shapes or {})
    specs = {value.name: tensor_spec(value) for value in proto.graph.input}
    return {name: spec.shape for name, spec in specs.items() if spec}


def refusal(proto: ModelProto, given_shapes: Given | None = None) -> ShapeError:
    with pytest.raises(ShapeError) as caught:
        apply_shapes(proto, given_shapes or {})
    assert caught.value.usage
    return caught.value


@given(
    st.text(min_size=1).filter(lambda name: name.strip() == name),
    st.lists(st.integers(1, 64), min_size=1, max_size=4),
)
def test_any_name_and_sizes_are_read_back(name: str, sizes: list[int]) -> None:
    assert parse_shape(f"{name}={'x'.join(map(str, sizes))}") == (name, tuple(sizes))


@pytest.mark.parametrize(
    "text",
    ["", "x", "x=", "=1x3", "x=1x", "x=x3", "x=1x-3", "x=1xN", "x=1.5x2", "x=0x3", "x=1x3x", "x=²"],
)
def test_text_that_is_no_shape_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ShapeError) as caught:
        parse_shape(text)
    assert " NAME=1x3x224x224" in caught.value.todo


def test_a_shape_with_too_many_elements_is_refused() -> None:
    with pytest.raises(ShapeError, match="more than"):
        parse_shape("x=1x3x99999x99999")


def test_two_shapes_for_one_input_are_refused() -> None:
    assert parse_shapes(["x=1x2", "y=3", "x=1x2"]) == {"x": (1, 2), "y": (3,)}
    with pytest.raises(ShapeError, match="two shapes"):
        parse_shapes(["x=1x2", "x=1x3"])


def test_a_static_model_stays_as_it_is() -> None:
    assert shapes_of(build.conv_relu_model()) == {"x": (1, 3, 8, 8)}


@pytest.mark.parametrize("first", ["batch", "N", "unk__1", None, "?", 0, -1])
def test_a_dynamic_first_dimension_becomes_one(first: build.Dim) -> None:
    assert shapes_of(build.dynamic_model((first, 3, 8, 8))) == {"x": (1, 3, 8, 8)}


def test_a_dimension_named_like_a_batch_becomes_one_on_any_axis() -> None:
    assert shapes_of(build.two_input_model((5, "batch_size"), (5, 1)))["a"] == (5, 1)


def test_n_is_a_length_where_another_dimension_is_named_like_a_batch() -> None:
    assert "'N'" in refusal(build.two_input_model(("batch_size", "N"), ("batch_size", 1))).what
    assert shapes_of(build.two_input_model((5, "N"), ("N", 1)))["a"] == (5, 1)


@pytest.mark.parametrize("first", ["seq_len", "num_atoms", "sequence", "n_tokens"])
def test_a_first_dimension_named_like_a_length_is_asked_for(first: str) -> None:
    assert f"'{first}'" in refusal(build.two_input_model((first, 3), (1, 3))).what


def test_a_given_batch_wins_over_the_default() -> None:
    assert shapes_of(build.dynamic_model(("N", 3, 8, 8)), {"x": (7, 3, 8, 8)})["x"][0] == 7


def test_a_symbol_has_one_value_in_all_inputs() -> None:
    proto = build.two_input_model(("N", "tokens"), ("N", "tokens"))
    assert shapes_of(proto, {"a": (2, 9)}) == {"a": (2, 9), "b": (2, 9)}


def test_a_symbol_that_is_a_length_elsewhere_is_not_taken_for_a_batch() -> None:
    error = refusal(build.two_input_model(("tokens",), ("N", "tokens")))
    assert "'tokens'" in error.what


def test_a_symbol_given_two_values_is_refused() -> None:
    proto = build.two_input_model(("N", "tokens"), ("N", "tokens"))
    error = refusal(proto, {"a": (2, 9), "b": (2, 8)})
    assert "'tokens' is 9 elsewhere" in error.what


@pytest.mark.parametrize("unknown", ["?", None])
def test_a_question_mark_is_no_symbol(unknown: build.Dim) -> None:
    proto = build.dynamic_model((1, 3, unknown, unknown))
    assert shapes_of(proto, {"x": (1, 3, 6, 9)}) == {"x": (1, 3, 6, 9)}


def test_open_dimensions_are_named_with_the_form_to_give() -> None:
    error = refusal(build.dynamic_model(("batch", 3, "height", None)))
    assert "input x" in error.what.lower()
    assert "'height' (axis 2)" in error.what
    assert "axis 3" in error.what
    assert " x=1x3x?x?" in error.todo


def test_open_dimensions_of_all_inputs_are_named_at_once() -> None:
    error = refusal(build.two_input_model((1, "rows"), (1, "columns")))
    assert "'rows'" in error.what
    assert "'columns'" in error.what
    assert " a=1x? b=1x?" in error.todo


def test_an_input_of_unknown_rank_is_asked_for() -> None:
    proto = build.dynamic_model()
    proto.graph.input[0].type.tensor_type.ClearField("shape")
    assert "no shape" in refusal(proto).what
    assert shapes_of(proto, {"x": (1, 3, 8, 8)}) == {"x": (1, 3, 8, 8)}


@pytest.mark.parametrize(
    ("shape", "said"),
    [
        ((1, 3, 8), "4 dimensions"),
        ((1, 3, 8, 8, 1), "4 dimensions"),
        ((1, 4, 8, 8), "3 in the model"),
        ((0, 3, 8, 8), "below 1"),
        ((1, 3, -1, 8), "below 1"),
        ((1, 3, 10**6, 10**6), "more than"),
    ],
)
def test_a_shape_that_contradicts_the_model_is_refused(shape: tuple[int, ...], said: str) -> None:
    assert said in refusal(build.dynamic_model(), {"x": shape}).what


def test_an_unknown_input_is_refused_with_the_names_there_are() -> None:
    error = refusal(build.two_input_model((1,), (1,)), {"image": (1,)})
    assert "no input image" in error.what
    assert "a, b" in error.todo


def test_weights_listed_as_inputs_are_not_inputs() -> None:
    proto = build.conv_relu_model()
    proto.ir_version = 3
    proto.graph.input.add(name="w").type.tensor_type.elem_type = TensorProto.FLOAT
    assert [item.name for item in declared_inputs(proto)] == ["x"]
    assert shapes_of(proto) == {"x": (1, 3, 8, 8)}
    assert "no input w" in refusal(proto, {"w": (4, 3, 3, 3)}).what


@pytest.mark.parametrize("kind", ["string", "sequence"])
def test_inputs_that_are_not_numbers_are_refused(kind: str) -> None:
    proto = build.conv_relu_model()
    value = proto.graph.input[0].type
    if kind == "string":
        value.tensor_type.elem_type = TensorProto.STRING
    else:
        value.sequence_type.elem_type.tensor_type.elem_type = TensorProto.FLOAT
    with pytest.raises(ModelError, match="not a tensor of numbers"):
        apply_shapes(proto, {})


def test_a_scalar_input_is_static() -> None:
    assert shapes_of(build.two_input_model((), (2,))) == {"a": (), "b": (2,)}


Dims = st.lists(
    st.one_of(st.integers(1, 5), st.sampled_from(["N", "h", "w", "?"]), st.none()),
    min_size=1,
    max_size=4,
)


@given(Dims, Dims)
def test_applied_shapes_are_static_or_the_error_names_the_input(
    first: Sequence[build.Dim], second: Sequence[build.Dim]
) -> None:
    proto = build.two_input_model(first, second)
    try:
        assert len(shapes_of(proto)) == 2
    except ShapeError as error:
        assert re.search(" [ab]=", error.todo)


@pytest.mark.parametrize("declared", ["past", None, 0])
def test_an_open_dimension_may_be_given_no_places(declared: str | int | None) -> None:
    proto = build.two_input_model((1, declared, 8), (1, 3, 8))
    assert shapes_of(proto, {"a": (1, 0, 8)})["a"] == (1, 0, 8)


def test_a_dimension_of_a_size_is_not_given_none() -> None:
    proto = build.two_input_model((1, 3, 8), (1, 3, 8))
    assert "3 in the model" in refusal(proto, {"a": (1, 0, 8)}).what
