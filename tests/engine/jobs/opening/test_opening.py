"""Opening a model: several times at once, and with shapes that it leaves open."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from engine.jobs.opening.open_worker import open_here
from engine.jobs.opening.opening import open_source
from engine.records.errors import ShapeError
from engine.records.source import ModelSource
from engine.targets.targets import resolve
from tests.engine.models.build import dynamic_model, save, two_convs_model, two_input_model


def test_models_that_are_opened_at_once_have_the_tasks_of_one_opened_alone(tmp_path: Path) -> None:
    source = ModelSource("file", str(save(two_convs_model(), tmp_path / "m.onnx")))
    target = resolve("cpu")

    def tasks(_: int) -> list[str]:
        return [task.fingerprint for task in open_here(source, target).program.tasks]

    alone = tasks(0)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(tasks, range(8))) == [alone] * 8


def dynamic(tmp_path: Path) -> ModelSource:
    return ModelSource("file", str(save(dynamic_model(), tmp_path / "m.onnx")))


def test_open_dimensions_are_asked_for_with_a_proposal_that_opens_the_model(tmp_path: Path) -> None:
    source = dynamic(tmp_path)
    with pytest.raises(ShapeError) as caught:
        open_source(source, resolve("cpu"))
    (question,) = caught.value.questions
    assert (question.name, question.form) == ("x", "1x3x224x224")
    assert "such as these (usual for images): x=1x3x224x224." in caught.value.todo


def test_what_was_answered_for_a_model_is_proposed_the_next_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    source = dynamic(tmp_path)
    opened = open_source(replace(source, shapes={"x": (1, 3, 8, 6)}), resolve("cpu"))
    assert opened.prepared.inputs[0][1].shape == (1, 3, 8, 6)
    with pytest.raises(ShapeError, match=r"as last time.*: x=1x3x8x6") as caught:
        open_source(source, resolve("cpu"))
    assert caught.value.sha256 == opened.prepared.sha256


@pytest.mark.parametrize("first", [(None, None), ("m", "k")])
def test_sizes_that_do_not_go_together_are_not_proposed_again(
    tmp_path: Path, first: tuple[str | None, ...]
) -> None:
    path = save(two_input_model(first, ("l", "n")), tmp_path / "m.onnx")
    given: dict[str, tuple[int, ...]] = {"a": (2, 3), "b": (4, 5)}
    with pytest.raises(ShapeError, match="does not accept inputs of these shapes") as caught:
        open_source(ModelSource("file", str(path), shapes=given), resolve("cpu"))
    assert "2x3" not in caught.value.todo
    assert "4x5" not in caught.value.todo
    assert {item.name: item.proposal for item in caught.value.questions} != given


def test_a_shape_that_the_model_does_not_accept_asks_again(tmp_path: Path) -> None:
    source = replace(dynamic(tmp_path), shapes={"x": (1, 4, 8, 8)})
    with pytest.raises(ShapeError) as caught:
        open_source(source, resolve("cpu"))
    assert [question.name for question in caught.value.questions] == ["x"]
