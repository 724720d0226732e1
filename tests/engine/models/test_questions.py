"""What is proposed for the dimensions that a file leaves open."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from onnx import ModelProto, TensorProto, helper

from engine.models.answers import recall, recall_values, remember, remember_values
from engine.models.questions import (
    AS_LAST_TIME,
    InputQuestion,
    questions,
    questions_again,
    with_answers,
    with_values,
)
from tests.engine.models.build import Dim, dynamic_model, two_input_model

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64


Input = tuple[str, int, list[Dim] | None]


def asked(
    *inputs: Input, given: dict[str, tuple[int, ...]] | None = None
) -> dict[str, InputQuestion]:
    graph = helper.make_graph(
        [helper.make_node("Identity", [inputs[0][0]], ["y"])],
        "g",
        [helper.make_tensor_value_info(*item) for item in inputs],
        [],
    )
    return {item.name: item for item in questions(helper.make_model(graph), given or {})}


@pytest.mark.parametrize(
    ("name", "kind", "dims", "form", "why"),
    [
        ("x", FLOAT, [1, 3, 8, 8], "1x3x8x8", ""),
        ("x", FLOAT, ["batch", 3, "height", None], "1x3x224x224", "usual for images"),
        ("x", FLOAT, [None, None, None, 3], "1x224x224x3", "usual for images"),
        ("x", FLOAT, ["N", 3, 48, "width"], "1x3x48x320", "usual for lines of text"),
        ("x", FLOAT, ["N", 1, 640, "width"], "1x1x640x640", "usual for images"),
        ("waveforms", FLOAT, ["batch_size", "N"], "1x16000", "a second of sound at 16 kHz"),
        ("x", FLOAT, ["batch", "seq_len", 256], "1x128x256", "usual for sequences"),
        ("ids", INT64, [None, "unk__7"], "1x128", "usual for sequences"),
        ("x", FLOAT, ["batch", "unk__7"], "1x?", ""),
        ("x", FLOAT, None, "?", ""),
    ],
)
def test_sizes_are_proposed_by_what_an_input_looks_like(
    name: str, kind: int, dims: list[Dim] | None, form: str, why: str
) -> None:
    question = asked((name, kind, dims))[name]
    assert (question.form, question.why) == (form, why)


def test_a_length_is_not_taken_for_a_batch_because_it_comes_first() -> None:
    found = asked(("element", INT64, ["num_atoms"]), ("pos", FLOAT, ["num_atoms", 3]))
    assert found["element"].form == "128"
    assert found["pos"].form == "128x3"


def test_a_name_has_one_size_in_all_inputs_and_the_given_one_where_there_is_one() -> None:
    inputs: list[Input] = [
        ("ids", INT64, ["batch", "seq"]),
        ("bias", FLOAT, ["batch", "seq", "seq"]),
    ]
    assert asked(*inputs)["bias"].form == "1x128x128"
    assert asked(*inputs, given={"ids": (1, 7)})["bias"].form == "1x7x7"
    assert asked(*inputs, given={"ids": (1, 7, 7)})["bias"].form == "1x128x128"


@pytest.mark.parametrize(
    ("value", "form"), [("[320, 256]", "1x3x320x256"), ("416", "1x3x416x416"), ("?", "1x3x224x224")]
)
def test_the_size_in_the_files_metadata_is_proposed(value: str, form: str) -> None:
    proto = _image_model()
    helper.set_model_props(proto, {"imgsz": value})
    assert questions(proto, {})[0].form == form


def _image_model() -> ModelProto:
    value = helper.make_tensor_value_info("x", FLOAT, ["batch", 3, "h", "w"])
    return helper.make_model(helper.make_graph([], "g", [value], []))


def test_a_question_says_what_the_file_declares() -> None:
    found = asked(("a", FLOAT, ["batch", 3, None]), ("b", INT64, []), ("c", FLOAT, None))
    assert [item.declared for item in found.values()] == [
        "batch x 3 x ? float32",
        "scalar int64",
        "of unknown shape float32",
    ]
    assert [item.is_open for item in found.values()] == [True, False, True]


def test_earlier_answers_come_first_where_they_fit() -> None:
    questions_ = tuple(asked(("a", FLOAT, [None, 3]), ("b", FLOAT, [None, 3])).values())
    first, second = with_answers(questions_, {"a": (5, 3), "b": (5, 4), "c": (1,)})
    assert (first.proposal, first.why) == ((5, 3), AS_LAST_TIME)
    assert second == questions_[1]


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "tunewright"


def test_answers_are_kept_by_model(data_folder: Path) -> None:
    assert recall("a") == {}
    remember("a", {"x": (1, 2)})
    remember("b", {"x": (3,)})
    remember("a", {"x": (1, 4)})
    assert recall("a") == {"x": (1, 4)}
    assert recall("b") == {"x": (3,)}
    assert [path.name for path in data_folder.iterdir()] == ["shapes.json"]


def test_values_are_kept_by_model_until_there_are_none(data_folder: Path) -> None:
    remember_values("a", {})
    assert not data_folder.exists()
    remember("a", {"x": (1, 2)})
    remember_values("a", {"sr": 16000.0})
    assert recall_values("a") == {"sr": 16000.0}
    assert recall("a") == {"x": (1, 2)}
    remember_values("a", {})
    assert recall_values("a") == {}


def test_an_input_of_one_number_may_be_a_constant() -> None:
    found = asked(
        ("sr", INT64, []), ("one", FLOAT, [1, 1]), ("text", TensorProto.STRING, []),
        ("two", FLOAT, [2]), ("open", FLOAT, [None]), ("flag", TensorProto.BOOL, [1]),
    )  # fmt: skip
    single = [name for name, item in found.items() if item.may_be_constant]
    assert single == ["sr", "one", "flag"]
    again = with_values(tuple(found.values()), {"sr": 8000.0, "two": 1.0})
    assert [item.value for item in again if item.value is not None] == [8000.0]
    assert again[0].why == AS_LAST_TIME


def test_only_the_newest_answers_are_kept(data_folder: Path) -> None:
    for number in range(503):
        remember(str(number), {"x": (number,)})
    assert recall("2") == {}
    assert recall("502") == {"x": (502,)}


@pytest.mark.parametrize("text", ["", "[]", '{"a": 1}', '{"a": {"x": ["y"]}}', "\0"])
def test_a_damaged_store_counts_as_none(data_folder: Path, text: str) -> None:
    data_folder.mkdir()
    (data_folder / "shapes.json").write_text(text)
    assert recall("a") == {}
    remember("a", {"x": (1,)})
    assert recall("a") == {"x": (1,)}


def test_a_folder_that_cannot_be_written_to_costs_only_the_memory(data_folder: Path) -> None:
    data_folder.write_text("a file where the folder should be")
    remember("a", {"x": (1,)})
    assert recall("a") == {}


REFUSED = [
    ([None, None], [None, None], (2, 3), (4, 5)),
    (["m", "k"], ["l", "n"], (2, 3), (4, 5)),
    (["batch", 3, "height", "width"], ["batch", 3, "h", "w"], (1, 3, 224, 224), (1, 3, 64, 64)),
    (["batch", 3, "height", "width"], ["batch", 3, "h", "w"], (1, 3, 224, 224), (1, 3, 224, 224)),
    (["seq", 8], ["length", 8], (128, 8), (64, 8)),
]


@pytest.mark.parametrize(("first", "second", "a", "b"), REFUSED)
def test_a_refused_pair_of_shapes_is_not_proposed_again(
    first: Sequence[Dim], second: Sequence[Dim], a: tuple[int, ...], b: tuple[int, ...]
) -> None:
    proto = two_input_model(first, second)
    given = {value.name: shape for value, shape in zip(proto.graph.input, (a, b), strict=True)}
    again = questions_again(proto, given)
    assert {item.name: item.proposal for item in again} != given
    # What is missing one of them was not refused for it, so the other stays proposed.
    half = dict(list(given.items())[:1])
    for item in questions_again(two_input_model(first, ["other", "another"]), half):
        assert item.name not in half or item.proposal == half[item.name]


def test_usual_sizes_that_were_refused_are_left_for_the_person_to_say() -> None:
    proto = dynamic_model()
    (item,) = questions_again(proto, {"x": (1, 3, 224, 224)})
    assert item.form == "?x3x?x?"
    (item,) = questions_again(proto, {"x": (1, 3, 8, 8)})
    assert item.form == "1x3x224x224"
