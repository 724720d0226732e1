"""Products, convolutions and activations as ONNX Runtime's optimizer joins them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.engine.models.rewriting.nodes import (
    INT32,
    assert_rewritten,
    model_of,
    normal,
    own,
)

X = normal(2, 3, 8)


@pytest.mark.parametrize("op", ["Gelu", "FastGelu", "QuickGelu"])
@pytest.mark.parametrize("scale", [1, 20])
def test_an_activation_is_the_one_of_onnx_runtime(op: str, scale: float) -> None:
    proto, inputs = model_of(own(op, ["x"]), {"x": X * np.float32(scale)})
    assert_rewritten(proto, inputs, 1e-4)


@pytest.mark.parametrize("alpha", [1.0, 0.5, -2.0])
def test_quick_gelu_has_a_slope(alpha: float) -> None:
    proto, inputs = model_of(own("QuickGelu", ["x"], alpha=alpha), {"x": X})
    assert_rewritten(proto, inputs)


@pytest.mark.parametrize("op", ["BiasGelu", "FastGelu"])
@pytest.mark.parametrize("constant", [(), ("b",)])
def test_gelu_takes_a_bias(op: str, constant: tuple[str, ...]) -> None:
    proto, inputs = model_of(own(op, ["x", "b"]), {"x": X, "b": normal(8, seed=1)}, constant)
    assert_rewritten(proto, inputs, 1e-4)


def _gelu(x: np.ndarray) -> np.ndarray:
    from math import erf

    y: np.ndarray = x / 2 * (1 + np.vectorize(erf)(x / np.sqrt(2)))
    return y


def test_what_only_gpus_run_is_what_its_documentation_says() -> None:
    bias, skip = normal(8, seed=1), normal(2, 3, 8, seed=2)
    proto, inputs = model_of(own("BiasSplitGelu", ["x", "b"]), {"x": X, "b": bias}, ["b"])
    both = X + bias
    assert_rewritten(
        proto, inputs, wanted={"y": (both[..., :4] * _gelu(both[..., 4:])).astype("f")}
    )
    proto, inputs = model_of(own("BiasAdd", ["x", "b", "s"]), {"x": X, "b": bias, "s": skip}, ["b"])
    assert_rewritten(proto, inputs, wanted={"y": X + bias + skip})
    node = own("BiasSoftmax", ["x", "s"], axis=2, is_inner_broadcast=1)
    proto, inputs = model_of(node, {"x": X, "s": skip})
    powers = np.exp(X + skip)
    assert_rewritten(proto, inputs, wanted={"y": powers / powers.sum(-1, keepdims=True)})


@pytest.mark.parametrize("op", ["FusedMatMul", "TransposeMatMul"])
@pytest.mark.parametrize("alpha", [1.0, 0.25])
@pytest.mark.parametrize(("turn_a", "turn_b"), [(0, 0), (1, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("lead", [(), (2,), (2, 3)])
def test_a_product_of_turned_matrices(
    lead: tuple[int, ...], turn_a: int, turn_b: int, alpha: float, op: str
) -> None:
    a = normal(*lead, *((5, 4) if turn_a else (4, 5)))
    b = normal(*lead, *((6, 5) if turn_b else (5, 6)), seed=1)
    node = own(op, ["a", "b"], alpha=alpha, transA=turn_a, transB=turn_b)
    assert_rewritten(*model_of(node, {"a": a, "b": b}))


@pytest.mark.parametrize(
    ("turns", "a", "b"),
    [
        ({"transBatchA": 1}, (4, 2, 3, 5), (2, 3, 5, 6)),
        ({"transBatchB": 1}, (2, 3, 4, 5), (5, 2, 3, 6)),
        ({"transBatchA": 1, "transA": 1}, (5, 2, 3, 4), (2, 3, 5, 6)),
        ({"transBatchB": 1, "transB": 1}, (2, 3, 4, 5), (6, 2, 3, 5)),
        ({"transBatchA": 1}, (4, 2, 5), (2, 5, 6)),
    ],
)
def test_a_product_whose_batches_stand_inside(
    turns: dict[str, Any], a: tuple[int, ...], b: tuple[int, ...]
) -> None:
    node = own("FusedMatMul", ["a", "b"], **turns)
    assert_rewritten(*model_of(node, {"a": normal(*a), "b": normal(*b, seed=1)}))


ACTIVATIONS: list[tuple[str, list[float]]] = [
    ("Relu", []),
    ("Sigmoid", []),
    ("Tanh", []),
    ("LeakyRelu", [0.2]),
    ("Clip", [-0.5, 0.75]),
    ("HardSigmoid", [0.3, 0.4]),
]


@pytest.mark.parametrize(("name", "numbers"), ACTIVATIONS)
@pytest.mark.parametrize("with_sum", [False, True])
def test_a_convolution_with_a_sum_and_an_activation(
    name: str, numbers: list[float], with_sum: bool
) -> None:
    values = {"x": normal(1, 4, 6, 6), "w": normal(6, 2, 3, 3, seed=1), "b": normal(6, seed=2)}
    names = ["x", "w", "b"]
    if with_sum:
        values["z"] = normal(1, 6, 3, 3, seed=3)
        names.append("z")
    more: dict[str, Any] = {"activation_params": numbers} if numbers else {}
    more |= {"activation": name, "group": 2, "pads": [1, 1, 1, 1], "strides": [2, 2]}
    assert_rewritten(*model_of(own("FusedConv", names, **more), values, ["w", "b"]), 1e-4)


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        ("Relu", {}),
        ("Tanh", {}),
        ("LeakyRelu", {"activation_alpha": 0.3}),
        ("HardSigmoid", {"activation_alpha": 0.3, "activation_beta": 0.4}),
        ("Elu", {"activation_alpha": 0.7}),
        ("Softplus", {}),
        ("ThresholdedRelu", {"activation_alpha": 0.7}),
    ],
)
def test_gemm_with_an_activation(name: str, numbers: dict[str, Any]) -> None:
    node = own("FusedGemm", "abc", activation=name, alpha=0.5, beta=2.0, transB=1, **numbers)
    values = {"a": normal(3, 4), "b": normal(5, 4, seed=1), "c": normal(5, seed=2)}
    assert_rewritten(*model_of(node, values, ["b", "c"]), 1e-4)


@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_channels_that_come_last(dtype: str) -> None:
    rng = np.random.default_rng(0)
    x = rng.integers(0, 100, (1, 6, 6, 4)).astype(dtype)
    kind = {"uint8": 2, "int8": 3}[dtype]
    node = own("NhwcMaxPool", ["x"], kernel_shape=[2, 2], strides=[2, 2])
    assert_rewritten(*model_of(node, {"x": x}, types={"y": kind}))
    w = rng.integers(-50, 50, (3, 4, 3, 3)).astype("int8")
    scale = np.array(0.05, np.float32)
    values = {"x": x, "s": scale, "z": np.array(3, dtype), "w": w, "wz": np.array(0, "int8")}
    values |= {"t": np.array(2.0, np.float32)}
    node = own("QLinearConv", ["x", "s", "z", "w", "s", "wz", "t", "z"], channels_last=1)
    assert_rewritten(*model_of(node, values, ["s", "z", "w", "wz", "t"], types={"y": kind}), 1)


def test_integers_of_sixteen_bits() -> None:
    values = {name: (normal(4, 4, seed=n) * 1000).astype("int16") for n, name in enumerate("ab")}
    node = own("MatMulInteger16", ["a", "b"])
    assert_rewritten(*model_of(node, values, types={"y": INT32}))


@pytest.mark.parametrize("pads", [[0, 0, 0, 0], [1, 0, 1, 2]])
def test_a_transposed_convolution_is_told_its_padding(pads: list[int]) -> None:
    values = {"x": normal(1, 2, 4, 4), "w": normal(2, 3, 3, 3, seed=1), "p": np.array(pads)}
    node = own("ConvTransposeWithDynamicPads", ["x", "w", "p"], strides=[2, 2])
    assert_rewritten(*model_of(node, values, ["w", "p"]), 1e-4)
