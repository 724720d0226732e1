"""Quantized operators, to a step as ONNX Runtime computes them."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.models.operators import node_name
from engine.models.rewriting.driver import rewrite
from tests.engine.models.build import Value, model
from tests.engine.models.rewriting.same import operators, rewritten

FLOAT, UINT8, INT8 = TensorProto.FLOAT, TensorProto.UINT8, TensorProto.INT8
MICROSOFT = "com.microsoft"

QUANTITIES: dict[str, Any] = {
    "as": np.float32(0.02),
    "az": np.uint8(120),
    "bs": np.float32(0.05),
    "bz": np.uint8(3),
    "ys": np.float32(0.03),
    "yz": np.uint8(100),
}
A, B, Y = ["a", "as", "az"], ["b", "bs", "bz"], ["ys", "yz"]
SHAPE = (1, 4, 6, 6)


def microsoft(operator: str, inputs: list[str], inputs_are: list[Value], **more: Any) -> ModelProto:
    weights = {name: np.asarray(value) for name, value in QUANTITIES.items()}
    given = {value[0] for value in inputs_are}
    weights |= {name: value for name, value in more.pop("weights", {}).items() if name not in given}
    kind = more.pop("kind", UINT8)
    node = helper.make_node(operator, inputs, ["y"], name="q", domain=MICROSOFT, **more)
    return model([node], inputs_are, [("y", kind, None)], weights, domains=[MICROSOFT])


AB: list[Value] = [("a", UINT8, SHAPE), ("b", UINT8, SHAPE)]
ROWS: list[Value] = [("a", UINT8, (5, 4))]
MATRIX = {"b": np.arange(12, dtype="uint8").reshape(4, 3), "c": np.array([9, -7, 300], "int32")}


@pytest.mark.parametrize(
    "proto",
    [
        microsoft("QLinearAdd", [*A, *B, *Y], AB),
        microsoft("QLinearMul", [*A, *B, *Y], AB),
        microsoft("QLinearSigmoid", [*A, *Y], AB[:1]),
        microsoft("QLinearLeakyRelu", [*A, *Y], AB[:1], alpha=0.2),
        microsoft("QLinearSoftmax", [*A, *Y], AB[:1], axis=1, opset=13),
        microsoft("QLinearGlobalAveragePool", [*A, *Y], AB[:1], channels_last=0),
        microsoft("QLinearAveragePool", [*A, *Y], AB[:1], kernel_shape=[2, 2], channels_last=0),
        microsoft("QLinearConcat", [*Y, *A, *B], AB, axis=1),
        microsoft("QLinearWhere", ["t", *A, *B, *Y], [("t", TensorProto.BOOL, SHAPE), *AB]),
        microsoft("QGemm", [*A, *B, "c", *Y], ROWS, weights=MATRIX),
        microsoft("QGemm", [*A, *B, "", *Y], ROWS, weights={"b": MATRIX["b"].T}, transB=1),
    ],
    ids=lambda proto: proto.graph.node[0].op_type,
)
def test_runtimes_own_quantized_operators_give_the_same_to_a_step(proto: ModelProto) -> None:
    done = rewritten(proto, proto.graph.node[0].op_type, steps=1)
    assert set(done.origins.values()) == {"q"}


@pytest.mark.parametrize(
    "proto",
    [
        microsoft(
            "DynamicQuantizeMatMul", ["x", *B], [("x", FLOAT, (5, 4))], weights=MATRIX, kind=1
        ),
        microsoft(
            "MatMulIntegerToFloat", ["a", "b", "as", "bs", "az", "bz"], ROWS, weights=MATRIX, kind=1
        ),
    ],
    ids=lambda proto: proto.graph.node[0].op_type,
)
def test_products_of_integers_that_end_in_float_give_the_same(proto: ModelProto) -> None:
    rewritten(proto, proto.graph.node[0].op_type)
    assert "MatMulInteger" in operators(proto)


def quantizing(middle: list[Any], weight: Any, bias: Any = None, **changed: Any) -> ModelProto:
    """x, w (and b) in integers -> float -> `middle`, which makes m -> y in integers."""
    channels = weight.shape[0]
    scales = np.linspace(0.01, 0.02, channels).astype("float32")
    weights: dict[str, Any] = {"xs": np.float32(0.02), "xz": np.uint8(128), "w": weight}
    weights |= {"ws": scales, "wz": np.zeros(channels, weight.dtype), "ys": np.float32(0.1)}
    weights |= {"yz": np.uint8(0), "b": bias, "bs": np.float32(0.02) * scales, **changed}
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "xs", "xz"], ["xf"]),
        helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["wf"], axis=0),
    ]
    if bias is not None:
        nodes.append(helper.make_node("DequantizeLinear", ["b", "bs"], ["bf"], axis=0))
    nodes += [*middle, helper.make_node("QuantizeLinear", ["m", "ys", "yz"], ["y"], name="q")]
    arrays = {name: np.asarray(value) for name, value in weights.items() if value is not None}
    size = (1, weight.shape[1], 6, 6) if weight.ndim == 4 else (5, weight.shape[1])
    kind = helper.np_dtype_to_tensor_dtype(arrays["yz"].dtype)
    return model(nodes, [("x", UINT8, size)], [("y", kind, None)], arrays)


# 7 bits: without VNNI, ONNX Runtime's sums of uint8 times int8 stop at 16 bits
KERNEL = np.random.default_rng(0).integers(-64, 64, (3, 2, 3, 3)).astype("int8")
TABLE = np.random.default_rng(1).integers(-64, 64, (3, 4)).astype("int8")
BIAS = np.array([1000, -2000, 30], "int32")

CONV = helper.make_node("Conv", ["xf", "wf"], ["m"], pads=[1, 1, 1, 1])
CONV_BIAS = helper.make_node("Conv", ["xf", "wf", "bf"], ["m"], strides=[2, 2])
CONV_RELU = [
    helper.make_node("Conv", ["xf", "wf", "bf"], ["c"], pads=[1, 1, 1, 1]),
    helper.make_node("Relu", ["c"], ["m"]),
]
GEMM = helper.make_node("Gemm", ["xf", "wf", "bf"], ["m"], transB=1)


@pytest.mark.parametrize(
    ("proto", "made"),
    [
        (quantizing([CONV], KERNEL), "QLinearConv"),
        (quantizing([CONV_BIAS], KERNEL, BIAS), "QLinearConv"),
        (quantizing(CONV_RELU, KERNEL, BIAS), "QLinearConv"),
        (quantizing([GEMM], TABLE, BIAS), "MatMulInteger"),
    ],
)
def test_float_products_between_quantized_values_become_products_of_integers(
    proto: ModelProto, made: str
) -> None:
    names = [node_name(node) for node in proto.graph.node if node.op_type != "QuantizeLinear"]
    done = rewritten(proto, "DequantizeLinear", steps=1)
    assert made in operators(proto)
    assert not {"Conv", "Gemm", "Relu"} & set(operators(proto))
    assert sorted(done.absorbed["q"]) == sorted(names)


def test_a_product_of_two_quantized_matrices_becomes_one_of_integers() -> None:
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "s", "z"], ["xf"]),
        helper.make_node("DequantizeLinear", ["w", "ws", "wz"], ["wf"], axis=1),
        helper.make_node("MatMul", ["xf", "wf"], ["m"]),
        helper.make_node("QuantizeLinear", ["m", "ys", "z"], ["y"]),
    ]
    weights = {"s": np.float32(0.02), "z": np.uint8(128), "w": TABLE, "ys": np.float32(0.1)}
    weights |= {"ws": np.array([0.01, 0.02, 0.01, 0.03], "float32"), "wz": np.zeros(4, "int8")}
    arrays = {name: np.asarray(value) for name, value in weights.items()}
    proto = model(nodes, [("x", UINT8, (5, 3))], [("y", UINT8, None)], arrays)
    rewritten(proto, "DequantizeLinear", steps=1)
    assert operators(proto) == ["QLinearMatMul"]


def rectified(low: float | None, high: float | None) -> list[Any]:
    ends = ["low" if low is not None else "", "high" if high is not None else ""]
    clip = helper.make_node("Clip", ["c", *ends], ["m"])
    return [helper.make_node("Conv", ["xf", "wf"], ["c"]), clip]


@pytest.mark.parametrize(
    ("low", "high", "clipped"),
    [(0, 6, True), (-3, None, True), (None, 2.04, True), (-90, 90, False)],
)
def test_a_rectifier_inside_the_results_range_becomes_one_of_integers(
    low: float | None, high: float | None, clipped: bool
) -> None:
    ends = {"low": low, "high": high}
    limits = {end: np.float32(at) for end, at in ends.items() if at is not None}
    proto = quantizing(rectified(low, high), KERNEL, yz=np.uint8(90), **limits)
    rewritten(proto, "Conv", steps=1)
    assert operators(proto) == ["QLinearConv", "Clip"][: 1 + clipped]


@pytest.mark.parametrize(
    "proto",
    [
        # Limits beyond what the result can be
        quantizing(rectified(100, None), KERNEL, low=np.float32(100)),
        # Weights in float
        quantizing([helper.make_node("Conv", ["xf", "wq"], ["m"])], KERNEL, wq=np.float32(KERNEL)),
        # Weights of unequal values for the places of an axis that the sums run along
        quantizing([helper.make_node("MatMul", ["xf", "wf"], ["m"])], TABLE[:, :3]),
    ],
)
def test_what_has_no_integer_form_stays_in_float(proto: ModelProto) -> None:
    rewritten(proto, "QLinearConv", steps=1)
    assert {"Conv", "MatMul"} & set(operators(proto))


@pytest.mark.parametrize(("middle", "weight"), [(CONV, KERNEL), (CONV_BIAS, KERNEL), (GEMM, TABLE)])
def test_sums_of_integers_that_others_want_in_float_are_scaled(middle: Any, weight: Any) -> None:
    proto = quantizing([middle], weight, BIAS)
    proto.graph.output.append(helper.make_tensor_value_info("m", FLOAT, None))
    rewritten(proto, middle.op_type, steps=1)
    assert {"ConvInteger", "MatMulInteger"} & set(operators(proto))


def test_signed_results_of_unsigned_values_are_quantized_apart() -> None:
    proto = quantizing([CONV], KERNEL, yz=np.int8(0))
    rewritten(proto, "Conv", steps=1)
    assert "ConvInteger" in operators(proto)


INT4, UINT4, INT8_BLOCKS = (ml_dtypes.int4, ml_dtypes.uint4, np.int8)


@pytest.mark.parametrize(
    ("dtype", "block"), [(INT4, 0), (UINT4, 0), (INT4, 4), (UINT4, 4), (INT8_BLOCKS, 4)]
)
def test_constants_of_4_bits_and_of_blocks_become_ones_that_tvm_holds(
    dtype: Any, block: int
) -> None:
    rng = np.random.default_rng(0)
    few = rng.integers(0, 8, (8, 6)).astype(dtype)
    zeros = rng.integers(0, 8, (2, 6) if block else 6).astype(dtype)
    weights = {"w": few, "z": zeros, "s": rng.random(zeros.shape).astype("float32")}
    options = {"axis": 0, "block_size": block} if block else {"axis": 1}
    nodes = [
        helper.make_node("DequantizeLinear", ["w", "s", "z"], ["wf"], name="dq", **options),
        helper.make_node("MatMul", ["x", "wf"], ["y"]),
    ]
    proto = model(nodes, [("x", FLOAT, (5, 8))], [("y", FLOAT, None)], weights, opset=21)
    done = rewritten(proto, "none", tol=1e-4)
    assert ("", "DequantizeLinear") in done.operators
    assert {tensor.data_type for tensor in proto.graph.initializer} <= {FLOAT, UINT8, INT8, 7}


@pytest.mark.parametrize(
    ("dtype", "options", "reason"),
    [
        (ml_dtypes.float8_e4m3fn, {}, "its result is float8_e4m3fn"),
        (INT4, {}, "its result is int4"),
        (np.int8, {"block_size": 2}, "quantizes in blocks"),
    ],
)
def test_a_result_that_tvm_does_not_hold_is_refused_by_name(
    dtype: Any, options: dict[str, Any], reason: str
) -> None:
    shape = (4, 3) if options else ()
    weights = {"s": np.full(shape, 0.1, "float32"), "z": np.zeros(shape, dtype)}
    node = helper.make_node("QuantizeLinear", ["x", "s", "z"], ["y"], name="q", **options)
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    proto = model([node], [("x", FLOAT, (4, 6))], [("y", kind, None)], weights, opset=21)
    done = rewrite(proto)
    assert reason in done.notes["q"]
    assert done.refused == {"q"}
