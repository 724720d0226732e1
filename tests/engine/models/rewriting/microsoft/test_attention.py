"""ONNX Runtime's attention in all forms that its CPU kernels take."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto

from engine.models.reference import reference_outputs
from engine.models.rewriting.driver import rewrite
from tests.engine.models.rewriting.nodes import assert_rewritten, model_of, normal, own
from tests.engine.models.rewriting.same import Inputs

BATCH, LENGTH, HEADS, SIZE, PAST = 2, 3, 2, 4, 5
WIDTH = HEADS * SIZE
Values = dict[str, np.ndarray]


def projected() -> Values:
    """Data, weights and bias of Attention."""
    return {
        "x": normal(BATCH, LENGTH, 6),
        "w": normal(6, 3 * WIDTH, seed=1),
        "b": normal(3 * WIDTH, seed=2),
    }


def masks(past: int) -> dict[str, np.ndarray]:
    """Every form of a mask for BATCH sequences, of which some keys are left out."""
    total = LENGTH + past
    kept = np.ones((BATCH, total), np.int32)
    kept[0, :2], kept[1, -1] = 0, 0
    rows = np.repeat(kept[:, None], LENGTH, 1)
    rows[0, 1] = 0
    return {
        "keys": kept,
        "pairs": rows,
        "ends": np.array([total, total - 1], np.int32),
        "ends and starts": np.array([total, total - 1, 1, 0], np.int32),
        "nothing": np.zeros((BATCH, total), np.int32),
    }


@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize("past", [0, PAST])
@pytest.mark.parametrize("form", [None, "keys", "pairs", "ends", "ends and starts", "nothing"])
def test_attention_with_a_mask_and_a_past(form: str | None, past: int, causal: int) -> None:
    values = projected()
    if form:
        values["mask"] = masks(past)[form]
    if past:
        values["past"] = normal(2, BATCH, HEADS, past, SIZE, seed=3)
    names = ["x", "w", "b", "mask" if form else "", "past" if past else ""]
    outputs = ["y", "present"] if past else ["y"]
    node = own("Attention", names, outputs, num_heads=HEADS, unidirectional=causal)
    assert_rewritten(*model_of(node, values, ["w", "b"]), 1e-4)


@pytest.mark.parametrize("shape", [(BATCH, HEADS), (1, HEADS), (BATCH, 1), (1, 1)])
@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize("mask", [False, True])
def test_attention_with_a_bias(mask: bool, causal: int, shape: tuple[int, int]) -> None:
    values = projected() | {"bias": normal(*shape, LENGTH, LENGTH, seed=4)}
    if mask:
        values["mask"] = masks(0)["keys"]
    names = ["x", "w", "b", "mask" if mask else "", "", "bias"]
    node = own("Attention", names, num_heads=HEADS, unidirectional=causal, scale=0.3)
    assert_rewritten(*model_of(node, values, ["w", "b"]), 1e-4)


def test_values_of_another_size() -> None:
    values = projected() | {"w": normal(6, 2 * WIDTH + 6, seed=1), "b": normal(2 * WIDTH + 6)}
    node = own("Attention", "xwb", num_heads=HEADS, qkv_hidden_sizes=[WIDTH, WIDTH, 6])
    assert_rewritten(*model_of(node, values, ["w", "b"]), 1e-4)


@pytest.mark.parametrize("least", [-10000.0, -3.4028234663852886e38, -5.0])
def test_what_a_mask_fills_in(least: float) -> None:
    values = projected() | {"mask": masks(0)["keys"]}
    node = own("Attention", list(values), num_heads=HEADS, mask_filter_value=least)
    assert_rewritten(*model_of(node, values, ["w", "b"]), 1e-4)


def given(keys: int) -> Values:
    """Queries, keys and values of MultiHeadAttention."""
    return {
        "q": normal(BATCH, LENGTH, WIDTH),
        "k": normal(BATCH, keys, WIDTH, seed=1),
        "v": normal(BATCH, keys, WIDTH, seed=2),
        "b": normal(3 * WIDTH, seed=3),
    }


def multi_head(
    values: Values, outputs: list[str] | None = None, **more: Any
) -> tuple[ModelProto, Inputs]:
    """A model of MultiHeadAttention with these inputs."""
    slots = ["q", "k", "v", "b", "mask", "bias", "past_k", "past_v"]
    names = [name if name in values else "" for name in slots]
    node = own("MultiHeadAttention", names, outputs or ["y"], num_heads=HEADS, **more)
    return model_of(node, values, [name for name in ("b",) if name in values])


@pytest.mark.parametrize("keys", [LENGTH, 7])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("form", [None, "keys", "pairs", "ends", "nothing"])
def test_several_heads(form: str | None, bias: bool, keys: int) -> None:
    values = given(keys)
    if not bias:
        del values["b"]
    if form:
        values["mask"] = masks(keys - LENGTH)[form]
    assert_rewritten(*multi_head(values), 1e-4)


@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize("mask", [False, True])
def test_several_heads_with_a_past(mask: bool, causal: int) -> None:
    values = given(LENGTH)
    values |= {name: normal(BATCH, HEADS, PAST, SIZE, seed=5) for name in ("past_k", "past_v")}
    if mask:
        values["mask"] = masks(PAST)["keys"]
    model = multi_head(values, ["y", "present_k", "present_v"], unidirectional=causal)
    assert_rewritten(*model, 1e-4)


@pytest.mark.parametrize("shape", [(BATCH, HEADS), (1, HEADS), (1, 1)])
def test_several_heads_with_a_bias_of_scores(shape: tuple[int, int]) -> None:
    values = given(7) | {"bias": normal(*shape, LENGTH, 7, seed=4)}
    assert_rewritten(*multi_head(values, scale=0.25), 1e-4)


def test_the_present_of_several_heads_without_a_past() -> None:
    assert_rewritten(*multi_head(given(LENGTH), ["y", "present_k", "present_v"]), 1e-4)


@pytest.mark.parametrize("bias", [False, True])
def test_keys_that_are_cached_by_heads(bias: bool) -> None:
    values = given(LENGTH) | {name: normal(BATCH, HEADS, 7, SIZE, seed=6) for name in "kv"}
    if not bias:
        del values["b"]
    assert_rewritten(*multi_head(values), 1e-4)


@pytest.mark.parametrize("part", ["all", "keys"])
def test_packed_inputs(part: str) -> None:
    count = 3 if part == "all" else 2
    packed = normal(BATCH, LENGTH, HEADS, count, SIZE, seed=7)
    q = normal(BATCH, LENGTH, WIDTH)
    values = {"q": packed} if part == "all" else {"q": q, "k": packed}
    rows = packed.transpose(3, 0, 1, 2, 4).reshape(count, BATCH, LENGTH, WIDTH)
    plain = dict(zip("qkv", rows if part == "all" else [q, *rows], strict=True))
    wanted = reference_outputs(*multi_head(plain))
    assert_rewritten(*multi_head(values), 1e-4, wanted)


def test_the_last_size_of_values_may_differ() -> None:
    values = given(7) | {"v": normal(BATCH, 7, 6, seed=2)}
    del values["b"]
    assert_rewritten(*multi_head(values), 1e-4)


@pytest.mark.parametrize("past", [0, PAST])
@pytest.mark.parametrize("by_column", [False, True])
@pytest.mark.parametrize("dtype", ["uint8", "int8"])
def test_a_quantized_projection(dtype: str, by_column: bool, past: int) -> None:
    rng = np.random.default_rng(0)
    count = 3 * WIDTH if by_column else 1
    scale = (rng.random(count) / 20).astype("f4")
    values: Values = {
        "x": rng.integers(0, 256, (BATCH, LENGTH, 6)).astype("uint8"),
        "w": rng.integers(0, 64, (6, 3 * WIDTH)).astype(dtype),
        "b": normal(3 * WIDTH),
        "xs": np.array(0.02, "f4"),
        "ws": scale if by_column else scale.reshape(()),
        "mask": masks(past)["keys"],
        "xz": np.array(128, "uint8"),
        "wz": np.full(count, 30, dtype) if by_column else np.array(30, dtype),
    }
    if past:
        values["past"] = normal(2, BATCH, HEADS, past, SIZE, seed=3)
    outputs = ["y", "present"] if past else ["y"]
    node = own("QAttention", list(values), outputs, num_heads=HEADS, unidirectional=1)
    constant = ["w", "b", "xs", "ws", "xz", "wz"]
    proto, inputs = model_of(node, values, constant, types={"y": 1, "present": 1})
    assert_rewritten(proto, inputs, 1e-3)


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ({"do_rotary": 1}, "it turns queries and keys"),
        ({"past_present_share_buffer": 1}, "its past and present share their memory"),
    ],
)
def test_what_is_left_is_told(option: dict[str, Any], reason: str) -> None:
    proto, _ = model_of(own("Attention", "xwb", num_heads=HEADS, **option), projected(), "wb")
    assert rewrite(proto).notes == {"node": reason}


def test_layers_behind_each_other_do_not_wait_for_each_others_shapes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every round infers all shapes of the network anew."""
    values = {"x": normal(BATCH, LENGTH, WIDTH), "mask": masks(0)["keys"]}
    weights = {"w": normal(WIDTH, 3 * WIDTH), "b": normal(3 * WIDTH), "g": normal(WIDTH)}
    proto, _ = model_of(
        own("Attention", ["x", "w", "b", "mask"], num_heads=HEADS), values | weights
    )
    del proto.graph.node[:]
    last = "x"
    for layer in range(8):
        names = [f"{op}{layer}" for op in ("attention", "norm", "gelu")]
        attended, normal_, bent = names
        nodes = [
            own("Attention", [last, "w", "b", "mask"], [attended], num_heads=HEADS),
            own("SkipLayerNormalization", [attended, last, "g"], [normal_]),
            own("BiasGelu", [normal_, "g"], [bent]),
        ]
        for node, name in zip(nodes, names, strict=True):
            node.name = name
        proto.graph.node.extend(nodes)
        last = bent
    proto.graph.output[0].name = last
    monkeypatch.setattr("engine.models.rewriting.driver._MAX_ROUNDS", 2)
    assert rewrite(proto).notes == {}
    assert {node.domain for node in proto.graph.node} == {""}
