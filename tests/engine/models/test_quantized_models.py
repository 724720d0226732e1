"""Models as ONNX Runtime's own tools quantize them, tuned and compiled like any other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, load, numpy_helper
from onnxruntime.quantization import (
    CalibrationDataReader,
    QuantFormat,
    QuantType,
    quantize_dynamic,
    quantize_static,
)

from engine.jobs.opening.open_worker import OpenedModel
from engine.models.prepare import prepare
from engine.models.reference import reference_outputs
from engine.models.support import check_model
from engine.records.source import ModelSource
from tests.engine.deploy.compiled import compiled, first_records
from tests.engine.models.build import model, save
from tests.engine.models.rewriting.same import operators
from tests.engine.tasks.programs import opened

FLOAT = TensorProto.FLOAT
SHAPE = (1, 3, 8, 8)


def network() -> ModelProto:
    """Two convolutions with rectifiers, one of them grouped, a pool, a sum and a dense layer."""
    rng = np.random.default_rng(0)
    weights: dict[str, np.ndarray] = {
        "w1": rng.standard_normal((8, 3, 3, 3), np.float32) / 5,
        "b1": rng.standard_normal(8, np.float32),
        "w2": rng.standard_normal((8, 4, 3, 3), np.float32) / 6,
        "w3": rng.standard_normal((8, 4), np.float32),
        "b3": rng.standard_normal(4, np.float32),
    }
    node = helper.make_node
    nodes = [
        node("Conv", ["x", "w1", "b1"], ["c1"], pads=[1, 1, 1, 1], name="first"),
        node("Relu", ["c1"], ["r1"]),
        node("Conv", ["r1", "w2"], ["c2"], pads=[1, 1, 1, 1], group=2, name="second"),
        node("Relu", ["c2"], ["r2"]),
        node("Add", ["r1", "r2"], ["sum"]),
        node("GlobalAveragePool", ["sum"], ["pool"]),
        node("Flatten", ["pool"], ["flat"]),
        node("Gemm", ["flat", "w3", "b3"], ["y"], name="dense"),
    ]
    return model(nodes, [("x", FLOAT, SHAPE)], [("y", FLOAT, (1, 4))], weights)


class Samples(CalibrationDataReader):  # type: ignore[misc]
    """A few random images."""

    def __init__(self) -> None:
        self.left = [sample(seed) for seed in range(3)]

    def get_next(self) -> Any:
        """The next image, None at the end."""
        return self.left.pop() if self.left else None


def sample(seed: int) -> dict[str, np.ndarray]:
    return {"x": np.random.default_rng(seed).standard_normal(SHAPE, np.float32)}


def quantized(folder: Path, form: QuantFormat, kind: QuantType, per_channel: bool) -> ModelProto:
    source, result = save(network(), folder / "float.onnx"), folder / "quantized.onnx"
    quantize_static(
        source,
        result,
        Samples(),
        quant_format=form,
        activation_type=kind,
        weight_type=QuantType.QInt8,
        per_channel=per_channel,
        # Without VNNI, ONNX Runtime's sums of uint8 times int8 stop at 16 bits
        reduce_range=True,
    )
    return load(result)


def largest_error(
    proto: ModelProto, found: OpenedModel, folder: Path, records: dict[int, str]
) -> float:
    """Beside ONNX Runtime's result for the file as it is."""
    executor = compiled(found, records, folder)
    errors = []
    for seed in (7, 8):
        expected = reference_outputs(proto, sample(seed))["y"]
        errors.append(np.abs(executor.run(sample(seed))["y"] - expected).max())
    return float(max(errors))


def output_step(proto: ModelProto) -> float:
    """What the last DequantizeLinear multiplies by."""
    last = next(node for node in proto.graph.node if node.output[0] == "y")
    scale = next(tensor for tensor in proto.graph.initializer if tensor.name == last.input[1])
    return float(numpy_helper.to_array(scale).item())


@pytest.mark.parametrize("kind", [QuantType.QUInt8, QuantType.QInt8])
@pytest.mark.parametrize("form", [QuantFormat.QDQ, QuantFormat.QOperator])
@pytest.mark.parametrize("per_channel", [False, True])
def test_no_product_of_floats_is_left_and_a_check_says_what_is_rewritten(
    form: QuantFormat, kind: QuantType, per_channel: bool, tmp_path: Path
) -> None:
    proto = quantized(tmp_path, form, kind, per_channel)
    prepared = prepare(ModelSource("file", str(tmp_path / "quantized.onnx")))
    assert not {"Conv", "Gemm", "MatMul"} & set(operators(prepared.proto))
    assert operators(prepared.proto).count("QLinearConv") == 2
    states = {support.op: support.state for support in check_model(proto)}
    assert "missing" not in states.values()
    gone = {"Conv", "Gemm", "QuantizeLinear"} if form is QuantFormat.QDQ else {"QGemm"}
    assert {states[operator] for operator in gone} == {"rewritten"}
    expected, found = (reference_outputs(m, sample(7))["y"] for m in (proto, prepared.proto))
    assert np.abs(found - expected).max() <= output_step(proto) * 1.01


@pytest.mark.parametrize(
    ("form", "kind", "recorded"),
    [
        (QuantFormat.QDQ, QuantType.QInt8, False),
        (QuantFormat.QOperator, QuantType.QUInt8, True),
    ],
)
def test_a_compiled_quantized_model_agrees_to_a_step(
    form: QuantFormat, kind: QuantType, recorded: bool, tmp_path: Path
) -> None:
    proto = quantized(tmp_path, form, kind, per_channel=True)
    found = opened(proto)
    kernels = [step.function for step in found.program.dataflow.steps]
    assert sum("conv2d" in kernel for kernel in kernels) == 2
    assert not any("transpose_" in kernel for kernel in kernels[1:])  # all fused with its product
    records = first_records(found) if recorded else {}
    assert largest_error(proto, found, tmp_path, records) <= output_step(proto) * 1.01


def test_a_dynamically_quantized_model_multiplies_integers_and_agrees(tmp_path: Path) -> None:
    source, result = save(network(), tmp_path / "float.onnx"), tmp_path / "quantized.onnx"
    quantize_dynamic(source, result, weight_type=QuantType.QUInt8)
    proto = load(result)
    assert {"ConvInteger", "MatMulInteger", "DynamicQuantizeLinear"} <= set(operators(proto))
    prepared = prepare(ModelSource("file", str(result)))
    assert not {"Conv", "Gemm", "MatMul"} & set(operators(prepared.proto))
    assert largest_error(proto, opened(proto), tmp_path, {}) < 0.02
