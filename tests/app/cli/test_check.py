"""`tunewright check`, and what the command line says of shapes that a model leaves open."""

from __future__ import annotations

from pathlib import Path

import pytest
from onnx import TensorProto, helper

from tests.app.cli.support import Here
from tests.engine.models import build


@pytest.fixture
def here(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Here:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Here(capfd)


def test_every_operator_of_a_model_is_listed_with_its_state(here: Here, tmp_path: Path) -> None:
    path = build.save(build.conv_relu_model(), tmp_path / "m.onnx")
    done = here("check", path, "--json")
    assert done.code == 0
    found = {(item["op"], item["state"]): item["count"] for item in done.json["operators"]}
    assert found == {("Conv", "supported"): 1, ("Relu", "supported"): 1}
    assert done.json["missing"] == 0
    text = here("check", path).out
    assert "Every operator can be imported. The model can be lowered." in text
    assert done.json["lowered"] is True
    assert "1 x 3 x 8 x 8 float32" in text


def test_a_look_tells_nodes_weights_and_what_repeats(here: Here, tmp_path: Path) -> None:
    kinds = ["Relu", "Exp", "Neg", "Abs"]
    path = build.save(build.unary_model(*kinds * 12), tmp_path / "m.onnx")
    done = here("look", path, "--json")
    assert done.code == 0
    assert done.json["operators"] == dict.fromkeys(kinds, 12)
    (row,) = done.json["repeats"]
    assert (row["count"], row["nodes"], row["inner"]) == (11, 4, [])
    text = here("look", path).out
    assert "m: 48 nodes, 0 weights" in text
    assert "11 x block of 4 nodes, the first: " in text


def test_a_look_at_what_is_no_model_is_refused(here: Here, tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(b"no model")
    done = here("look", path)
    assert done.code == 1
    assert "There is nothing to look at in" in done.err


def test_a_missing_operator_is_named_with_its_nodes(here: Here, tmp_path: Path) -> None:
    path = build.save(build.unsupported_model(), tmp_path / "m.onnx")
    done = here("check", path, "--json")
    assert done.code == 1
    missing = [item for item in done.json["operators"] if item["state"] == "missing"]
    assert len(missing) == done.json["missing"] > 0
    assert all(item["nodes"] for item in missing)
    text = here("check", path).out
    assert missing[0]["op"] in text
    assert missing[0]["nodes"][0] in text
    assert "cannot be imported" in text


def test_what_is_known_and_yet_cannot_be_lowered_is_missing(here: Here, tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Relu", ["x"], ["a"], name="fine"),
        helper.make_node("TopK", ["a", "k"], ["y", "i"], name="culprit"),
    ]
    inputs: list[build.Value] = [("x", TensorProto.FLOAT, [2, 8]), ("k", TensorProto.INT64, [1])]
    outputs: list[build.Value] = [("y", TensorProto.FLOAT, [2, 3])]
    path = build.save(build.model(nodes, inputs, outputs), tmp_path / "m.onnx")
    done = here("check", path, "--json")
    assert done.code == 1
    assert done.json["lowered"] is False
    assert {item["op"]: item["state"] for item in done.json["operators"]} == {
        "Relu": "supported",
        "TopK": "missing",
    }
    said = "TVM cannot import TopK (culprit): its k is not constant."
    assert done.json["refusal"] == said
    text = here("check", path).out
    assert "1 of 2 kinds of operators cannot be imported." in text
    assert done.json["refusal"] in text


def test_a_model_whose_shapes_nobody_knows_is_not_lowered(here: Here, tmp_path: Path) -> None:
    proto = build.two_input_model(["a", "b", "c", "d", "e"], ["a", "b", "c", "d", "e"])
    path = build.save(proto, tmp_path / "m.onnx")
    done = here("check", path, "--json")
    assert (done.code, done.json["lowered"], done.json["refusal"]) == (0, None, "")
    assert "was not lowered" in here("check", path).out


def test_a_dynamic_model_is_checked_with_the_proposed_shapes_or_those_given(
    here: Here, tmp_path: Path
) -> None:
    path = build.save(build.dynamic_model(), tmp_path / "m.onnx")
    (proposed,) = here("check", path, "--json").json["inputs"]
    assert proposed["declared"] == ["batch", 3, "height", "width"]
    assert (proposed["proposal"], proposed["why"]) == ([1, 3, 224, 224], "usual for images")
    (given,) = here("check", path, "--shape", "x=1x3x6x6", "--json").json["inputs"]
    assert given["proposal"] == [1, 3, 6, 6]
    wrong = here("check", path, "--shape", "x=1x4x6x6", "--json")
    assert wrong.code == 2
    assert "3 in the model" in wrong.json["error"]


@pytest.mark.parametrize("text", ["nothing.onnx", "."])
def test_what_is_no_model_is_refused(here: Here, text: str) -> None:
    done = here("check", text)
    assert done.code in (1, 2)
    assert done.err.startswith("tunewright: ")
    assert "Traceback" not in done.err


def test_a_damaged_file_is_one_sentence(here: Here, tmp_path: Path) -> None:
    path = tmp_path / "m.onnx"
    path.write_bytes(b"\x08\x07\x3a\x05junk")
    done = here("check", path, "--json")
    assert done.code == 1
    assert set(done.json) == {"error", "todo"}


def test_a_model_to_tune_that_leaves_shapes_open_lists_its_inputs(
    here: Here, tmp_path: Path
) -> None:
    path = build.save(build.dynamic_model(), tmp_path / "m.onnx")
    done = here("tune", path, "--trials", "1", "--json")
    assert done.code == 2
    assert "'height'" in done.json["error"]
    assert [item["name"] for item in done.json["inputs"]] == ["x"]
    assert "--shape x=1x3x224x224" in done.json["todo"]
