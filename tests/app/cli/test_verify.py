"""`verify` compares an untuned module with its file, and says where it begins to differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.jobs.opening.open_worker import OpenedModel
from engine.jobs.verifying import judging
from engine.records.network import FirstDifference, Judged, Verdict
from tests.app.cli.support import Here
from tests.engine.models.build import save, unary_model
from tests.engine.tasks.programs import network

RIGHT = Verdict("standard normal", 0, 0.25)
WRONG = Verdict("zeros", 0, None, "The output y differs.", True, "y", "10", "6")
LEFT_OUT = Verdict("some NaN", 0, None, "Integer division by zero.")
FIRST = FirstDifference("Relu", "n3", 2, "y", (0,), 10.0, 6.0, ("n3",), 1)


@pytest.fixture
def here(capfd: pytest.CaptureFixture[str]) -> Here:
    return Here(capfd)


def judged_as(judged: Judged, monkeypatch: pytest.MonkeyPatch) -> None:
    """In place of an opening, a compile and their runs."""

    def opening(*_: object) -> OpenedModel:
        return network("concat")

    monkeypatch.setattr(judging, "open_source", opening)
    monkeypatch.setattr(judging, "judge_untuned", lambda model: judged)
    monkeypatch.setattr(judging, "find_first_difference", lambda *_: FIRST)


def test_a_model_that_is_right_ends_with_0(here: Here, tmp_path: Path) -> None:
    path = save(unary_model("Exp"), tmp_path / "net.onnx")
    done = here("verify", path, "--target", "cpu", "--json")
    assert done.code == 0, done.err
    assert done.json["right"]
    assert done.json["reference"] == "ONNX Runtime"
    assert {one["draw"] for one in done.json["verdicts"]} >= {"standard normal", "some NaN"}
    assert done.json["first"] is None


def test_a_wrong_answer_ends_with_1_and_names_the_first_node(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged_as(Judged("ONNX Runtime", (RIGHT, WRONG, LEFT_OUT)), monkeypatch)
    path = save(unary_model("Exp"), tmp_path / "net.onnx")
    done = here("verify", path, "--target", "cpu")
    assert done.code == 1
    lines = done.out.splitlines()
    assert lines[1].split() == ["standard", "normal", "0.25"]
    assert "wrong" in lines[2] and "y differs (10, and 6 is right)" in lines[2]
    assert lines[3].rstrip().endswith("Integer division by zero.")
    assert "differs from ONNX Runtime on 1 of 3 kinds of inputs" in done.out
    assert "Relu (n3): y 10, and 6 is right." in done.out
    told = here("verify", path, "--target", "cpu", "--json").json
    assert told["right"] is False
    assert told["first"]["node"] == "n3"


def test_without_a_reference_it_says_so(
    here: Here, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged_as(Judged(""), monkeypatch)
    path = save(unary_model("Exp"), tmp_path / "net.onnx")
    done = here("verify", path, "--target", "cpu", "--without-reference")
    assert done.code == 0
    assert "compared with nothing" in done.out
