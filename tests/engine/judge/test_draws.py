"""Each kind of inputs is drawn where the model takes it, and is the same each time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest

from engine.judge.draws import Draw, draws_of
from engine.models.feeding.input_uses import InputUse, InputUses
from engine.models.readers import Prepared
from engine.models.reference import random_inputs
from engine.records.task import TensorSpec

PLACES = InputUse(low=-3, high=2)
FLOATS = ["float16", "float32", "float64", "bfloat16"]


def draws(
    dtype: str, use: InputUse | None = None, undefined: str = "", wide: bool = True
) -> dict[str, np.ndarray]:
    """The input x by the draw's name."""
    found = every(dtype, use, undefined, wide)
    return {draw.name: draw.inputs["x"] for draw in found}


def every(
    dtype: str, use: InputUse | None = None, undefined: str = "", wide: bool = True
) -> tuple[Draw, ...]:
    prepared = SimpleNamespace(
        inputs=(("x", TensorSpec((8, 8), dtype)),),
        uses=InputUses({"x": use} if use else {}, undefined),
    )
    return draws_of(cast("Prepared", prepared), 3, wide=wide)


@pytest.mark.parametrize("dtype", FLOATS)
def test_floats_are_small_large_far_zero_and_not_finite(dtype: str) -> None:
    found = draws(dtype)
    assert all(str(array.dtype) == dtype for array in found.values())
    wide = {name: array.astype(np.float64) for name, array in found.items()}
    first = random_inputs([("x", TensorSpec((8, 8), dtype))], 3)["x"].astype(np.float64)
    np.testing.assert_array_equal(wide["standard normal"], first)
    np.testing.assert_allclose(wide["normal times 50"], 50 * first, rtol=1e-2)
    assert 990 < wide["around 1000"].mean() < 1010
    assert wide["around 1000"].std() < 5
    assert not wide["zeros"].any()
    assert 0 < np.isnan(wide["some NaN"]).sum() <= 8
    assert not np.isinf(wide["some NaN"]).any()
    for value in (np.inf, -np.inf):
        assert 0 < (wide["some infinities"] == value).sum() <= 8


@pytest.mark.parametrize("shape", [(), (1,), (2, 3)])
def test_a_few_numbers_have_one_that_is_not_finite(shape: tuple[int, ...]) -> None:
    prepared = SimpleNamespace(inputs=(("x", TensorSpec(shape, "float32")),), uses=InputUses())
    found = {draw.name: draw.inputs["x"] for draw in draws_of(cast("Prepared", prepared), 0)}
    assert np.isnan(found["some NaN"]).sum() == 1
    assert np.isinf(found["some infinities"]).any()


@pytest.mark.parametrize("dtype", [*FLOATS, "bool", "int8", "uint8", "int32", "int64"])
@pytest.mark.parametrize("use", [InputUse(), InputUse(free=True), InputUse(mask=True), PLACES])
@pytest.mark.parametrize("shape", [(), (1,), (0, 2)])
def test_all_draws_are_arrays_of_the_inputs_shape_and_type(
    shape: tuple[int, ...], use: InputUse, dtype: str
) -> None:
    spec = TensorSpec(shape, dtype)
    prepared = SimpleNamespace(inputs=(("x", spec),), uses=InputUses({"x": use}))
    for draw in draws_of(cast("Prepared", prepared), 0):
        array: object = draw.inputs["x"]
        assert isinstance(array, np.ndarray)
        assert (array.shape, str(array.dtype)) == (shape, dtype)


def test_draws_are_the_same_each_time() -> None:
    for one, again in zip(every("float32"), every("float32"), strict=True):
        assert (one.name, one.seed) == (again.name, again.seed)
        np.testing.assert_array_equal(one.inputs["x"], again.inputs["x"])


def test_only_finite_numbers_are_drawn_where_others_have_no_answer() -> None:
    assert not {"some NaN", "some infinities"} & set(draws("float32", undefined="TopK"))
    assert [draw.name for draw in every("float32") if not draw.finite] == [
        "some NaN",
        "some infinities",
    ]


def test_a_module_of_fewer_bits_is_given_no_far_numbers() -> None:
    assert not {"normal times 50", "around 1000"} & set(draws("float32", wide=False))


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_indices_lie_inside_at_the_ends_and_behind(dtype: str) -> None:
    found = draws(dtype, InputUse(-100, 99))
    assert found["standard normal"].max() <= 1
    assert 10 < found["indices"].max() <= 99
    assert found["indices"].min() >= 0
    assert set(found["first and last index"].flat) == {0, 99}
    assert found["negative indices"].min() == -100
    assert found["negative indices"].max() <= -1
    assert "whole numbers" not in found


def test_indices_from_the_front_alone_are_never_negative() -> None:
    found = draws("int64", InputUse(0, 99))
    assert "negative indices" not in found
    assert all(array.min() >= 0 for array in found.values())


def test_an_axis_of_one_has_one_index() -> None:
    assert all(not array.any() for name, array in draws("int64", InputUse(0, 0)).items())


@pytest.mark.parametrize("use", [InputUse(-64, 63, distinct=True), InputUse(0, 63, distinct=True)])
def test_distinct_indices_are_never_drawn_twice(use: InputUse) -> None:
    for name, array in draws("int64", use).items():
        if name != "first and last index":
            assert len(set(array.flat)) == array.size, name


@pytest.mark.parametrize("dtype", ["int32", "int64", "uint8", "int8"])
def test_a_divisor_is_never_zero(dtype: str) -> None:
    found = draws(dtype, InputUse(divisor=True, free=True))
    assert all(array.all() for array in found.values())
    if dtype != "uint8":
        assert found["whole numbers"].min() < 0


def test_whole_numbers_of_unknown_use_are_zeros_and_ones() -> None:
    for name, array in draws("int64").items():
        assert set(array.flat) <= {0, 1}, name


@pytest.mark.parametrize("dtype", ["bool", "int64"])
def test_masks_are_full_partial_and_empty(dtype: str) -> None:
    found = draws(dtype)
    assert found["full mask"].all()
    assert not found["empty mask"].any()
    assert 0 < found["partial mask"].sum() < 64


def test_masks_that_are_added_hide_by_large_numbers() -> None:
    found = draws("float32", InputUse(mask=True))
    assert not found["full mask"].any()
    assert set(found["partial mask"].flat) == {0, -10_000}
    assert (found["empty mask"] == -10_000).all()
    assert np.isfinite(np.stack(list(found.values()))).all()


def test_inputs_beside_those_that_are_drawn_stay_as_they_are_first() -> None:
    specs = (("x", TensorSpec((4,), "float32")), ("i", TensorSpec((4,), "int64")))
    prepared: Any = SimpleNamespace(inputs=specs, uses=InputUses({"i": InputUse(0, 9)}))
    first, *others = draws_of(prepared, 0)
    by_name = {draw.name: draw.inputs for draw in others}
    np.testing.assert_array_equal(by_name["zeros"]["i"], first.inputs["i"])
    np.testing.assert_array_equal(by_name["indices"]["x"], first.inputs["x"])
