"""The first difference of a stranger's file: workers, their limits, taking it back."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from onnx import TensorProto, helper

from engine.jobs.cancelling import Cancelled
from engine.jobs.verifying import first_difference
from engine.jobs.verifying.first_difference import find_first_difference
from engine.records.source import ModelSource
from engine.records.words import Doing
from engine.targets.targets import resolve
from tests.engine.jobs.faults import compile_wrongly
from tests.engine.models import build

X = {"x": np.linspace(-1, 1, 16, dtype=np.float32).reshape(2, 8)}


def chain(folder: Path, names: tuple[str, ...] = ("a", "b")) -> ModelSource:
    """x -> Tanh -> a node of each name -> Sum, at fault -> Sigmoid -> y."""
    places = ["x", "t", *names]
    nodes = [helper.make_node("Tanh", [one], [next_]) for one, next_ in pairwise(places)]
    nodes.append(helper.make_node("Sum", [places[-1], "w"], ["s"], name="guilty"))
    nodes.append(helper.make_node("Sigmoid", ["s"], ["y"]))
    shape = (TensorProto.FLOAT, [2, 8])
    weights = {"w": np.ones(8, np.float32)}
    proto = build.model(nodes, [("x", *shape)], [("y", *shape)], weights)
    return ModelSource("file", str(build.save(proto, folder / "m.onnx")))


def test_it_is_found_in_workers_and_told_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_difference, "_compile", compile_wrongly)
    said: list[tuple[str, ...]] = []
    first = find_first_difference(
        chain(tmp_path), resolve("cpu"), X, lambda *words: said.append(words)
    )
    assert first is not None
    assert (first.operator, first.node, first.among) == ("Sum", "guilty", ("guilty",))
    assert (Doing.HALVING, "5") in said
    for words in said:
        Doing(words[0]).format(about="".join(words[1:]))


def test_a_compile_that_crashes_costs_only_the_values_that_it_watches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_difference, "_compile", compile_wrongly)
    first = find_first_difference(chain(tmp_path, ("crash", "b")), resolve("cpu"), X)
    assert first is not None
    assert first.among == ("guilty",)


def test_a_model_that_is_right_has_none(tmp_path: Path) -> None:
    assert find_first_difference(chain(tmp_path), resolve("cpu"), X) is None


def test_it_can_be_taken_back(tmp_path: Path) -> None:
    with pytest.raises(Cancelled):
        find_first_difference(chain(tmp_path), resolve("cpu"), X, stopped=lambda: True)
