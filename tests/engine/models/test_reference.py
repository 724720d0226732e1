"""The reference answers, and its inputs are repeatable."""

from __future__ import annotations

import numpy as np
import pytest

from engine.models import reference
from engine.models.reference import random_inputs, reference_latency, reference_outputs
from engine.records.errors import ModelError
from engine.records.task import TensorSpec
from tests.engine.models import build

X = (("x", TensorSpec((1, 3, 8, 8), "float32")),)


@pytest.mark.parametrize(
    "dtype", ["float32", "float16", "float64", "int64", "int8", "uint8", "bool"]
)
def test_inputs_have_the_asked_shape_and_type_and_depend_on_the_seed_alone(dtype: str) -> None:
    specs = (("a", TensorSpec((40, 5), dtype)), ("s", TensorSpec((), dtype)))
    first, again, other = (random_inputs(specs, seed) for seed in (1, 1, 2))
    assert list(first) == ["a", "s"]
    assert (first["a"].shape, first["s"].shape) == ((40, 5), ())
    assert first["a"].dtype == dtype
    np.testing.assert_array_equal(first["a"], again["a"])
    assert (first["a"] != other["a"]).any()


def test_integers_are_small_enough_to_be_indices() -> None:
    values = random_inputs((("i", TensorSpec((100,), "int64")),))["i"]
    assert set(values.tolist()) == {0, 1}


def test_outputs_are_those_of_the_model() -> None:
    x = {"x": np.array([[-1, 2] * 4] * 2, np.float32)}
    outputs = reference_outputs(build.unary_model("Relu"), x)
    np.testing.assert_array_equal(outputs["y"], np.maximum(x["x"], 0))


def test_a_model_too_large_for_one_message_goes_through_a_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    proto = build.conv_relu_model(channels=64)
    inputs = random_inputs(X)
    expected = reference_outputs(proto, inputs)["y"]
    before = proto.SerializeToString()
    monkeypatch.setattr(reference, "MAX_MESSAGE_BYTES", 1000)
    np.testing.assert_array_equal(reference_outputs(proto, inputs)["y"], expected)
    assert proto.SerializeToString() == before


def test_latency_gives_at_least_five_positive_samples() -> None:
    samples = reference_latency(build.conv_relu_model(), random_inputs(X), 1, seconds=0.01)
    assert len(samples) >= 5
    assert all(sample > 0 for sample in samples)


def test_a_model_that_onnx_runtime_cannot_load_is_refused_with_its_reason() -> None:
    with pytest.raises(ModelError, match="cannot load") as caught:
        reference_outputs(build.unary_model("Twist", domain="my.ops"), {})
    assert "Twist" in caught.value.what


def test_inputs_that_do_not_fit_are_refused_with_the_reason() -> None:
    with pytest.raises(ModelError, match="cannot run"):
        reference_outputs(build.conv_relu_model(), {"x": np.zeros((1, 3, 9, 9), np.float32)})
