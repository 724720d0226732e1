"""Powers that are spelt out are what they were, and those that are not stay as they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.tasks.origins import read_origins
from tests.engine.deploy.compiled import assert_agrees, compiled
from tests.engine.models.build import model
from tests.engine.tasks.programs import opened

FLOAT = TensorProto.FLOAT
SPELT = (-1.0, -0.75, -0.5, 0.25, 0.5, 0.75, 1.5, 2.0, 3.0)


def power(exponent: np.ndarray, kind: int = FLOAT) -> ModelProto:
    """y = |x| ** exponent."""
    shape = np.broadcast_shapes((2, 6), exponent.shape)
    nodes = [helper.make_node("Abs", ["x"], ["a"]), helper.make_node("Pow", ["a", "k"], ["y"])]
    return model(nodes, [("x", kind, (2, 6))], [("y", kind, shape)], {"k": exponent})


@pytest.mark.parametrize("exponent", SPELT)
def test_a_constant_exponent_is_spelt_out(exponent: float, tmp_path: Path) -> None:
    found = opened(power(np.array([exponent], np.float32)))
    assert all("power" not in item.op_class for item in found.program.operators)
    assert_agrees(found, compiled(found, {}, tmp_path))


@pytest.mark.parametrize(
    "exponent",
    [
        np.array(0.7, np.float32),
        np.full((3, 2, 6), 2, np.float32),
        np.arange(1, 7, dtype=np.float32),
    ],
    ids=["another number", "one that broadcasts", "several"],
)
def test_any_other_exponent_stays(exponent: np.ndarray, tmp_path: Path) -> None:
    found = opened(power(exponent))
    assert any("power" in item.op_class for item in found.program.operators)
    assert_agrees(found, compiled(found, {}, tmp_path))


def test_integers_are_raised_rightly(tmp_path: Path) -> None:
    found = opened(power(np.array(2, np.int32), TensorProto.INT32))
    assert_agrees(found, compiled(found, {}, tmp_path))


def test_a_root_of_what_a_power_can_hold_does_not_overflow(tmp_path: Path) -> None:
    found = opened(power(np.array(0.75, np.float32)))
    executor = compiled(found, {}, tmp_path)
    x = np.full((2, 6), 3e38, np.float32)
    assert np.allclose(executor.run({"x": x})["y"], np.float64(3e38) ** 0.75)


def test_all_that_a_normalisation_becomes_tells_its_node() -> None:
    node = helper.make_node("LRN", ["x"], ["y"], size=3, alpha=1e-4, beta=0.75, bias=1.0)
    sizes = [("x", FLOAT, (1, 8, 6, 6))], [("y", FLOAT, (1, 8, 6, 6))]
    program = opened(model([node], *sizes, {})).program
    origins = read_origins(program.module)
    assert origins is not None and not origins.lost
    assert all(owners == {0} for owners in origins.bindings)
