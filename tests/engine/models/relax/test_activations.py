"""Functions of one tensor in every float type, with NaN and infinities among its values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import helper

from engine.models.reference import reference_outputs
from tests.engine.models.relax.test_converters import exact_outputs
from tests.engine.models.relax.whole import assert_as_the_file, side_by_side

node = helper.make_node

VALUES = [-100, -5, -2.5, -1, -0.5, -0.1, 0, 0.1, 0.5, 1, 1.5, 2.5, 5, 100, np.nan, np.inf, -np.inf]

BENT: list[tuple[str, dict[str, Any]]] = [
    ("Celu", {}),
    ("Celu", {"alpha": 2.0}),
    ("Celu", {"alpha": 0.3}),
    ("Elu", {}),
    ("Elu", {"alpha": 2.0}),
    ("HardSigmoid", {}),
    ("HardSwish", {}),
    ("LeakyRelu", {"alpha": 0.2}),
    ("LeakyRelu", {"alpha": 2.0}),
    ("LeakyRelu", {"alpha": -0.5}),
    ("Relu", {}),
    ("Selu", {}),
    ("Shrink", {"lambd": 1.0, "bias": 0.3}),
    ("Sign", {}),
    ("Softplus", {}),
    ("Softsign", {}),
    ("ThresholdedRelu", {"alpha": 0.7}),
]
CURVES = [
    "Abs",
    "Ceil",
    "Exp",
    "Floor",
    "Log",
    "Neg",
    "Reciprocal",
    "Round",
    "Sigmoid",
    "Sqrt",
    "Tanh",
    "Erf",
]
CURVES += ["Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Asinh", "Acosh", "Atanh"]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_functions_of_one_tensor_are_those_of_the_file(dtype: str, tmp_path: Path) -> None:
    kinds = [*BENT, *((name, {}) for name in CURVES)]
    if dtype == "float16":  # ONNX Runtime's Softplus overflows from 12 on, and it has no Celu
        kinds = [kind for kind in kinds if kind[0] not in ("Softplus", "Celu")]
    judge = exact_outputs if dtype == "float64" else reference_outputs
    nodes = [node(name, ["x"], [f"y{at}_{name}"], **more) for at, (name, more) in enumerate(kinds)]
    nodes += [
        node("Clip", ["x", "low", "high"], ["clip"]),
        node("Max", ["x", "turned", "x"], ["max"]),
        node("Min", ["turned", "x"], ["min"]),
        node("Where", ["chosen", "x", "turned"], ["where"]),
    ]
    inputs = {"x": np.array(VALUES, dtype), "turned": np.array(VALUES[::-1], dtype)}
    inputs["chosen"] = inputs["x"] > 0
    bounds = {"low": np.array(-1, dtype), "high": np.array(2, dtype)}
    with np.errstate(all="ignore"):
        proto = side_by_side(nodes, inputs, bounds, judge=judge)
        assert_as_the_file(proto, inputs, tmp_path, judge(proto, inputs))


def test_signs_of_unsigned_integers_and_equal_truth_values(tmp_path: Path) -> None:
    inputs: dict[str, np.ndarray] = {
        f"x{kind}": np.array([0, 1, 200, 3], kind)
        for kind in ("uint8", "uint16", "uint32", "uint64")
    }
    nodes = [node("Sign", [name], [f"sign_{name}"]) for name in inputs]
    inputs |= {"a": np.array([True, True, False, False]), "b": np.array([True, False, True, False])}
    nodes.append(node("Equal", ["a", "b"], ["same"]))
    assert_as_the_file(side_by_side(nodes, inputs), inputs, tmp_path)


@pytest.mark.parametrize("constant", [True, False])
def test_a_power_has_the_type_of_its_base(constant: bool, tmp_path: Path) -> None:
    types = ("float32", "float16", "float64", "int32", "int64")
    bases = {f"b_{kind}": np.array([1, 2, 3, 4, -2], kind) for kind in types}
    exponents = {f"e_{kind}": np.array([0, 1, 2, 3, 3], kind) for kind in types}
    nodes = [node("Pow", [b, e], [f"{b}_{e}"]) for b in bases for e in exponents]
    inputs = bases if constant else bases | exponents
    proto = side_by_side(nodes, inputs, exponents if constant else {})
    assert_as_the_file(proto, inputs, tmp_path)
