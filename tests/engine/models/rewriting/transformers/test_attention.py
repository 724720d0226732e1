"""ONNX's Attention in its forms, as ONNX Runtime computes it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper

from engine.models.reference import reference_outputs
from engine.models.rewriting.products import trimmed
from tests.engine.models.rewriting.nodes import assert_rewritten, model_of, normal
from tests.engine.models.rewriting.same import Inputs, operators

BATCH, HEADS, QUERIES, KEYS, SIZE = 2, 4, 3, 5, 8
SLOTS = ("q", "k", "v", "mask", "past_k", "past_v", "valid")
RESULTS = ("y", "present_k", "present_v", "scores")


def given(key_heads: int = HEADS, axes: int = 4, dtype: str = "float32") -> Inputs:
    """Queries, keys and values."""
    shapes = {"q": (HEADS, QUERIES), "k": (key_heads, KEYS), "v": (key_heads, KEYS)}
    values = {
        name: normal(BATCH, heads, length, SIZE, seed=seed, dtype=dtype)
        for seed, (name, (heads, length)) in enumerate(shapes.items())
    }
    if axes == 4:
        return values
    return {
        name: array.transpose(0, 2, 1, 3).reshape(BATCH, array.shape[2], -1)
        for name, array in values.items()
    }


def attending(
    values: Inputs, *, constant: tuple[str, ...] = (), opset: int = 24, shown: int = -1, **more: Any
) -> tuple[ModelProto, Inputs]:
    """A model of Attention with these inputs; with `shown` its fourth output."""
    names = trimmed(*(name if name in values else "" for name in SLOTS))
    outputs = ["y", *(RESULTS[1:3] if "past_k" in values else ["", ""])]
    if shown >= 0:
        outputs.append("scores")
        more["qk_matmul_output_mode"] = shown
    node = helper.make_node("Attention", names, outputs, name="node", **more)
    return model_of(node, values, constant, opset=opset)


@pytest.mark.parametrize("opset", [23, 24])
@pytest.mark.parametrize("axes", [3, 4])
@pytest.mark.parametrize("key_heads", [HEADS, 2, 1])
@pytest.mark.parametrize("causal", [0, 1])
def test_heads_may_share_keys(causal: int, key_heads: int, axes: int, opset: int) -> None:
    more: dict[str, Any] = {"q_num_heads": HEADS, "kv_num_heads": key_heads} if axes == 3 else {}
    model = attending(given(key_heads, axes), opset=opset, is_causal=causal, **more)
    done = assert_rewritten(*model)
    assert operators(done).count("MatMul") == 2
    assert operators(done).count("Softmax") == 1


def masks() -> Inputs:
    """Masks of every rank; a row of the boolean ones, and of one of numbers, keeps nothing."""
    kept = np.random.default_rng(3).random((BATCH, HEADS, QUERIES, KEYS)) < 0.6
    kept[:, :, 1] = False
    numbers = normal(BATCH, 1, QUERIES, KEYS, seed=4)
    return {
        "bool2": kept[0, 0],
        "bool3": kept[0],
        "bool4": kept,
        "float2": numbers[0, 0],
        "float4": numbers,
        "none": np.where(kept[0, 0], 0, -np.inf).astype("f4"),
    }


@pytest.mark.parametrize("form", sorted(masks()))
@pytest.mark.parametrize("constant", [(), ("mask",)])
@pytest.mark.parametrize("causal", [0, 1])
def test_masks(causal: int, constant: tuple[str, ...], form: str) -> None:
    values = given(2) | {"mask": masks()[form]}
    assert_rewritten(*attending(values, constant=constant, is_causal=causal))


@pytest.mark.parametrize("form", ["bool2", "float4"])
def test_a_short_mask_leaves_the_last_keys_out(form: str) -> None:
    mask = masks()[form][..., : KEYS - 2]
    mask[..., 0] = True if mask.dtype == "bool" else 0
    rest = np.full((*mask.shape[:-1], 2), False if mask.dtype == "bool" else -np.inf, mask.dtype)
    whole = given() | {"mask": np.concatenate([mask, rest], -1)}
    wanted = reference_outputs(*attending(whole))
    assert_rewritten(*attending(given() | {"mask": mask}, constant=("mask",)), wanted=wanted)


@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize("key_heads", [HEADS, 2])
@pytest.mark.parametrize("form", [None, "bool", "float"])
def test_a_past(form: str | None, key_heads: int, causal: int) -> None:
    values = given(key_heads)
    values |= {name: normal(BATCH, key_heads, 6, SIZE, seed=5) for name in ("past_k", "past_v")}
    if form == "bool":
        values["mask"] = np.random.default_rng(3).random((QUERIES, 6 + KEYS)) < 0.8
    elif form:
        values["mask"] = normal(QUERIES, 6 + KEYS, seed=6)
    assert_rewritten(*attending(values, is_causal=causal))


@pytest.mark.parametrize("causal", [0, 1])
@pytest.mark.parametrize("constant", [(), ("valid",)])
def test_lengths_of_sequences(constant: tuple[str, ...], causal: int) -> None:
    values = given() | {"valid": np.array([KEYS, QUERIES])}
    assert_rewritten(*attending(values, constant=constant, is_causal=causal))


@pytest.mark.parametrize("shown", [0, 1, 2, 3])
@pytest.mark.parametrize("cap", [0.0, 2.0])
def test_scores_are_shown_at_every_stage(cap: float, shown: int) -> None:
    values = given() | {"mask": masks()["float4"]}
    assert_rewritten(*attending(values, softcap=cap, shown=shown, scale=0.2))


@pytest.mark.parametrize("precision", [TensorProto.FLOAT, TensorProto.DOUBLE])
def test_a_precision_of_softmax(precision: int) -> None:
    assert_rewritten(*attending(given(), softmax_precision=precision))


@pytest.mark.parametrize("axes", [3, 4])
def test_halves_are_computed_in_single_precision(axes: int) -> None:
    more: dict[str, Any] = {"q_num_heads": HEADS, "kv_num_heads": HEADS} if axes == 3 else {}
    values = given(axes=axes, dtype="float16")
    exact = {name: array.astype("float32") for name, array in values.items()}
    wanted = reference_outputs(*attending(exact, **more))
    half = {name: array.astype("float16") for name, array in wanted.items()}
    assert_rewritten(*attending(values, **more), 1e-3, half)
