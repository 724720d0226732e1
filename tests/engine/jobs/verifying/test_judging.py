"""A module that answers wrongly ends the run before its first trial, unless a person insists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.jobs import engine as engines
from engine.jobs.opening.open_worker import OpenedModel, open_here
from engine.jobs.verifying import judging
from engine.models.rewriting.emit import Emitter
from engine.models.rewriting.rules import RULES
from engine.project.repository import Project
from engine.records.errors import WrongAnswer
from engine.records.events import Failure, Message, ModuleJudged
from engine.records.network import FirstDifference
from engine.records.settings import RunState
from engine.records.source import ModelSource
from engine.targets.targets import TargetSpec
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import unary_model

FIRST = FirstDifference("Neg", "n", 0, "y", (0,), -6.0, float("nan"), ("n",), 1)


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Neg is rewritten so that it is right as long as nobody exceeds 6."""

    def capped(emit: Emitter) -> None:
        below = emit("Min", emit.input(0), emit.constant(6, np.float32))
        emit("Sub", emit.constant(0, np.float32), below, out=emit.output(0))

    def opening(source: ModelSource, target: TargetSpec, *_: Any, **__: Any) -> OpenedModel:
        return open_here(source, target)

    monkeypatch.setitem(RULES, ("", "Neg"), capped)
    monkeypatch.setattr(engines, "open_source", opening)
    monkeypatch.setattr(judging, "find_first_difference", lambda *_: FIRST)
    yield


def test_a_wrong_answer_ends_the_run_before_its_first_trial(
    console: Console, tmp_path: Path, faulty: None
) -> None:
    path = console.open(tmp_path, unary_model("Neg"))
    console.engine.start_run(QUICK).result(60)
    with pytest.raises(WrongAnswer) as caught:
        console.engine.wait().result(120)
    error = caught.value
    assert "The untuned module answers wrongly." in error.what
    assert "normal times 50" in error.what
    assert "Neg (n)" in error.what
    assert (error.draw, error.output, error.ours) == ("normal times 50", "y", "-6")
    assert (error.operator, error.node) == ("Neg", "n")
    (event,) = console.of(ModuleJudged)
    assert isinstance(event, ModuleJudged)
    assert any(isinstance(each, Failure) for each in console.of(Failure))
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot()
    assert not snapshot.trials
    assert snapshot.runs[0].state is RunState.FAILED
    assert snapshot.judged is not None
    assert snapshot.judged.wrong == event.judged.wrong
    assert repr(snapshot.judged.first) == repr(FIRST)

    console.engine.start_run(QUICK).result(60)  # it is known now, and not judged again
    with pytest.raises(WrongAnswer):
        console.engine.wait().result(120)
    assert len(console.of(ModuleJudged)) == 1

    console.engine.start_run(replace(QUICK, despite=True)).result(60)
    console.engine.wait().result(120)
    warned = [each.text for each in console.of(Message) if isinstance(each, Message)]
    assert any("answers wrongly" in text for text in warned)
    with Project.open(path, read_only=True) as project:
        assert project.snapshot().trials


@pytest.mark.long
def test_a_right_answer_is_judged_once(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = console.open(tmp_path, unary_model("Neg"))
    for _ in range(2):
        console.engine.start_run(QUICK).result(60)
        console.engine.wait().result(120)
    assert len(console.of(ModuleJudged)) == 1
    with Project.open(path, read_only=True) as project:
        judged = project.judged()
    assert judged is not None
    assert judged.wrong is None
    assert judged.reference == "ONNX Runtime"
    assert {one.draw for one in judged.verdicts} >= {"standard normal", "some NaN"}


@pytest.mark.long
def test_a_module_that_other_versions_made_is_judged_again(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console.open(tmp_path, unary_model("Neg"))
    console.engine.start_run(QUICK).result(60)
    console.engine.wait().result(120)
    monkeypatch.setattr(judging, "_versions", lambda: "another")
    console.engine.start_run(QUICK).result(60)
    console.engine.wait().result(120)
    assert len(console.of(ModuleJudged)) == 2
