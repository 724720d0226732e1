"""Sets of shapes as a person writes them."""

from __future__ import annotations

import pytest

from engine.interface.shape_sets import parse_shape_set, with_shapes
from engine.records.errors import ShapeError
from engine.records.source import InputShapes, ModelSource

SOURCE = ModelSource("file", "m.onnx")


def labels(*texts: str) -> tuple[str, ...]:
    return with_shapes(SOURCE, parse_shape_set(texts)).labels


def sizes(*texts: str) -> list[tuple[dict[str, tuple[int, ...]], int]]:
    return [(one.shapes, one.frequency) for one in parse_shape_set(texts)]


def test_one_shape_is_no_set_however_often_it_is_said_to_occur() -> None:
    assert parse_shape_set([]) == ()
    assert sizes("x=1x2", "y=3") == [({"x": (1, 2), "y": (3,)}, 1)]
    assert sizes("x=1x2*5") == [({"x": (1, 2)}, 1)]


@pytest.mark.parametrize(
    "texts",
    [
        ["x=1x{2,4*3}"],
        ["x={1x2,1x4*3}"],
        ["x=1x2", "x=1x4*3"],  # what a shell makes of braces
        ["x=1x{2}", "x=1x{4*3}"],
    ],
)
def test_choices_are_a_set_in_whichever_way_they_are_written(texts: list[str]) -> None:
    assert sizes(*texts) == [({"x": (1, 2)}, 1), ({"x": (1, 4)}, 3)]


def test_several_choices_give_every_combination_and_frequencies_multiply() -> None:
    assert sizes("x={1*2,8}x{32*3,64}") == [
        ({"x": (1, 32)}, 6),
        ({"x": (1, 64)}, 2),
        ({"x": (8, 32)}, 3),
        ({"x": (8, 64)}, 1),
    ]
    assert [shape["x"] for shape, _ in sizes("x={2,4}x{2,4}")] == [(2, 2), (2, 4), (4, 2), (4, 4)]


def test_equal_choices_of_several_inputs_are_made_together() -> None:
    assert sizes("ids={1,8}x{32*5,64}", "mask={1,8}x{32,64}", "other=1x{7}") == [
        ({"ids": (1, 32), "mask": (1, 32), "other": (1, 7)}, 5),
        ({"ids": (1, 64), "mask": (1, 64), "other": (1, 7)}, 1),
        ({"ids": (8, 32), "mask": (8, 32), "other": (1, 7)}, 5),
        ({"ids": (8, 64), "mask": (8, 64), "other": (1, 7)}, 1),
    ]
    assert sizes("a=1x2", "a=1x4", "b=1x2", "b=1x4") == [
        ({"a": (1, 2), "b": (1, 2)}, 1),
        ({"a": (1, 4), "b": (1, 4)}, 1),
    ]


def test_a_label_names_what_differs_and_equal_inputs_once() -> None:
    assert labels("ids=1x{32,64}", "mask=1x{32,64}", "x=3") == ("ids=1x32", "ids=1x64")
    assert labels("a=1x{2,3}", "b=1x{2,4}")[1] == "a=1x2 b=1x4"
    assert labels("x=1x2") == ("",)


@pytest.mark.parametrize(
    "text", ["x=1x{32", "x=1x{}", "x=1x{32,}", "x=1x{3{2}}", "x=1x{a}", "x", "=1x2", "x=1x2*5*6"]
)
def test_a_text_that_is_no_shape_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ShapeError, match="is not a shape") as caught:
        parse_shape_set([text])
    assert "Write it like NAME=1x" in caught.value.todo


def test_too_many_shapes_are_refused_before_they_are_made() -> None:
    lengths = ",".join(map(str, range(1, 101)))
    with pytest.raises(ShapeError, match="1000000 shapes are too many"):
        parse_shape_set(["x=" + "x".join(["{" + lengths + "}"] * 3)])


def test_a_shape_twice_is_refused_by_its_sizes() -> None:
    with pytest.raises(ShapeError, match="The shape x=1x2 is given twice"):
        labels("x=1x{2,2}")


@pytest.mark.parametrize("more", [{"y": (1, 2)}, {}])
def test_a_set_of_unlike_inputs_is_refused(more: dict[str, tuple[int, ...]]) -> None:
    with pytest.raises(ShapeError, match="other inputs"):
        with_shapes(SOURCE, (InputShapes({"x": (1, 2)}), InputShapes(more)))


def test_a_set_comes_back_from_its_stored_form_and_one_shape_is_stored_as_ever() -> None:
    made = with_shapes(SOURCE, parse_shape_set(["x=1x{2*3,4}"]))
    assert ModelSource.from_dict(made.as_dict()) == made
    one = with_shapes(SOURCE, parse_shape_set(["x=1x2"])).as_dict()
    assert not {"more", "frequency"} & one.keys()
