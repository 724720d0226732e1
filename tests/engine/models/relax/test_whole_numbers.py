"""Arithmetic of integers and truth values of every type, at the ends of their ranges."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, helper

from engine.models.reference import reference_outputs
from engine.records.errors import ModelError
from tests.engine.models.relax.test_converters import exact_outputs
from tests.engine.models.relax.whole import assert_as_the_file, side_by_side
from tests.engine.tasks.programs import opened

node = helper.make_node

TYPES = [
    *("int8", "uint8", "int32", "int64"),
    *(
        pytest.param(each, marks=pytest.mark.long)
        for each in ("int16", "uint16", "uint32", "uint64")
    ),
]
BOTH = ["Add", "Sub", "Mul", "Div", "Mod", "Max", "Min", "BitwiseAnd", "BitwiseOr", "BitwiseXor"]
COMPARED = ["Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual"]


@pytest.mark.parametrize("constant", [False, True])
@pytest.mark.parametrize("dtype", TYPES)
def test_integers_are_those_of_the_file(dtype: str, constant: bool, tmp_path: Path) -> None:
    limits = np.iinfo(dtype)
    if limits.min < 0:
        x, y = [limits.min, limits.max, 0, -1, -7, 7, -100, 9], [3, -2, 5, 1, 2, -3, 7, -1]
    else:
        x, y = [0, limits.max, 0, 1, 2, 3, 7, 100], [3, 2, 5, 1, 7, 3, 2, 6]
    inputs = {"x": np.array(x, dtype), "y": np.array(y, dtype)}
    nodes = [node(name, ["x", "y"], [name]) for name in (*BOTH, *COMPARED)]
    nodes += [
        node("Mod", ["x", "y"], ["remainder"], fmod=1),
        node("BitwiseNot", ["x"], ["not"]),
        node("Clip", ["x", "one", "five"], ["clip"]),
        node("Clip", ["x", "five", "one"], ["crossed"]),
    ]
    constants = {"one": np.array(1, dtype), "five": np.array(5, dtype)}
    if constant:
        constants["y"] = inputs.pop("y")
    judge = exact_outputs if limits.bits == 16 else reference_outputs
    with np.errstate(over="ignore"):
        proto = side_by_side(nodes, inputs, constants, judge=judge)
        assert_as_the_file(proto, inputs, tmp_path, judge(proto, inputs))


@pytest.mark.parametrize("direction", ["LEFT", "RIGHT"])
def test_bits_are_moved_by_any_number_of_places(direction: str, tmp_path: Path) -> None:
    inputs, nodes, constants = {}, [], {}
    for dtype in ("uint8", "uint16", "uint32", "uint64"):
        last = np.iinfo(dtype).bits - 1
        inputs[f"x_{dtype}"] = np.array([1, 200, 255, 3, 96], dtype)
        constants[f"y_{dtype}"] = np.array([0, 1, last, last, 3], dtype)
        nodes.append(
            node("BitShift", [f"x_{dtype}", f"y_{dtype}"], [f"z_{dtype}"], direction=direction)
        )
    assert_as_the_file(side_by_side(nodes, inputs, constants), inputs, tmp_path)
    inputs |= constants
    (tmp_path / "computed").mkdir()
    assert_as_the_file(side_by_side(nodes, inputs), inputs, tmp_path / "computed")


@pytest.mark.parametrize("direction", ["LEFT", "RIGHT"])
def test_moved_out_at_the_end_no_bit_is_left(direction: str, tmp_path: Path) -> None:
    inputs = {"x": np.array([200, 1, 255], "uint8"), "y": np.array([8, 9, 200], "uint8")}
    made = node("BitShift", ["x", "y"], ["z"], direction=direction)
    none = {"z": np.zeros(3, "uint8")}
    assert_as_the_file(side_by_side([made], inputs), inputs, tmp_path, none)


def test_a_divisor_of_0_among_the_data_ends_no_process(tmp_path: Path) -> None:
    good = {"x": np.array([7, 5, 4], "int32"), "y": np.array([2, 1, 3], "int32")}
    nodes = [node("Div", ["x", "y"], ["quotient"]), node("Mod", ["x", "y"], ["rest"])]
    proto = side_by_side(nodes, good)
    bad = good | {"y": np.array([2, 0, 3], "int32")}
    expected = {"quotient": np.array([3, 5, 1], "int32"), "rest": np.array([1, 0, 1], "int32")}
    assert_as_the_file(proto, bad, tmp_path, expected)


@pytest.mark.parametrize("operator", ["Div", "Mod"])
def test_a_stored_divisor_of_0_is_refused_by_name(operator: str) -> None:
    x, nodes = np.array([7, 5], "int32"), [node(operator, ["x", "y"], ["z"], name="part")]
    expected = {"z": x}
    zeros = {"y": np.array([2, 0], "int32")}
    proto = side_by_side(nodes, {"x": x}, zeros, judge=lambda *_: expected)
    with pytest.raises(ModelError, match=rf"{operator} \(part\): it divides integers by 0"):
        opened(proto)


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 3), (4, 4), (2, 3, 3), (2, 1, 5, 5)])
def test_a_determinant_is_that_of_the_file(shape: tuple[int, ...], tmp_path: Path) -> None:
    x = np.random.default_rng(0).standard_normal(shape).astype("float32")
    x[..., 0, 0] = 0
    assert_as_the_file(side_by_side([node("Det", ["x"], ["y"])], {"x": x}), {"x": x}, tmp_path)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16"])
def test_halves_are_quantized_by_way_of_single_floats(dtype: str, tmp_path: Path) -> None:
    x = {"x": (np.random.default_rng(0).standard_normal((3, 40)) * 50).astype("float16")}
    scales = {"s": np.float16(0.7), "z": np.array(5, dtype)}
    arrays = {name: np.asarray(value) for name, value in scales.items()}
    arrays |= {"each": np.array([0.7, 0.3, 1.1], "float16"), "zeros": np.array([5, 0, 3], dtype)}
    nodes = [
        node("QuantizeLinear", ["x", "s", "z"], ["whole"]),
        node("QuantizeLinear", ["x", "each", "zeros"], ["rows"], axis=0),
    ]
    assert_as_the_file(side_by_side(nodes, x, arrays, opset=21), x, tmp_path)


def test_scales_of_a_product_of_integers_may_be_halves(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    x = {"x": random.integers(0, 256, (2, 3)).astype("uint8")}
    w = random.integers(0, 256, (3, 4)).astype("uint8")
    parts = {"s": np.float16(0.02), "z": np.uint8(120), "y": np.float16(0.5)}
    arrays = {name: np.asarray(value) for name, value in parts.items()} | {"w": w}
    made = node("QLinearMatMul", ["x", "s", "z", "w", "s", "z", "y", "z"], ["out"])
    assert_as_the_file(side_by_side([made], x, arrays, opset=21), x, tmp_path)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_a_remainder_of_floats_has_the_divisor_s_sign_infinite_ones_too(
    dtype: str, tmp_path: Path
) -> None:
    values = [-7.5, -2, -0.5, 0, 0.5, 2, 7.5]
    divisors = [-np.inf, -3, -2, 2, 3, np.inf]
    x, y = (np.array(one, dtype).reshape(-1) for one in zip(*_pairs(values, divisors), strict=True))
    inputs = {"x": x, "y": y}

    def judge(proto: ModelProto, given: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {"z": np.mod(given["x"], given["y"])}

    proto = side_by_side([node("Mod", ["x", "y"], ["z"], fmod=0)], inputs, judge=judge)
    assert_as_the_file(proto, inputs, tmp_path, judge(proto, inputs))


def _pairs(values: list[float], divisors: list[float]) -> list[tuple[float, float]]:
    return [(value, divisor) for value in values for divisor in divisors]
