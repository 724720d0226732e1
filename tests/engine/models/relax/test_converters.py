"""Operators that our own converters take into TVM, beside ONNX Runtime and exact integers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper
from onnx.reference import ReferenceEvaluator

from engine.models.prepare import prepare
from engine.models.reference import reference_outputs
from engine.records.errors import ModelError
from engine.records.source import ModelSource
from tests.engine.models.build import Value, model, save
from tests.engine.models.rewriting.same import Inputs, draw

FLOAT, UINT8, INT32 = TensorProto.FLOAT, TensorProto.UINT8, TensorProto.INT32

node = helper.make_node


def compiled(proto: ModelProto, folder: Path, inputs: Inputs) -> dict[str, np.ndarray]:
    """What TVM computes, by output."""
    import tvm
    from tvm import relax

    prepared = prepare(ModelSource("file", str(save(proto, folder / "m.onnx"))))
    built = tvm.compile(prepared.to_relax(), tvm.target.Target("llvm"))
    given = [tvm.runtime.tensor(inputs[name]) for name, _ in prepared.inputs]
    results = relax.VirtualMachine(built, tvm.cpu())["main"](*given)
    results = [results] if hasattr(results, "numpy") else list(results)
    names = [name for name, _ in prepared.outputs]
    return {name: value.numpy() for name, value in zip(names, results, strict=True)}


def exact_outputs(proto: ModelProto, inputs: Inputs) -> Inputs:
    """What NumPy's integers of 32 bits give: ONNX Runtime's sums of uint8 times int8 stop at 16
    bits where the processor has no VNNI."""
    evaluator = ReferenceEvaluator(proto)
    return dict(zip(evaluator.output_names, evaluator.run(None, inputs), strict=True))


def assert_same(
    proto: ModelProto,
    folder: Path,
    inputs: Inputs | None = None,
    reference: Callable[[ModelProto, Inputs], Inputs] = reference_outputs,
) -> None:
    """Integers are equal, floats close, types and shapes the same."""
    inputs = draw(proto) if inputs is None else inputs
    found = compiled(proto, folder, inputs)
    for name, value in reference(proto, inputs).items():
        assert found[name].dtype == value.dtype
        assert found[name].shape == value.shape
        np.testing.assert_allclose(found[name], value, rtol=1e-5, atol=1e-6)


def weights_of(**values: Any) -> dict[str, np.ndarray]:
    return {name: np.asarray(value) for name, value in values.items()}


def convolution(data: Any, kernel: Any, zeros: tuple[int, int], **attributes: Any) -> ModelProto:
    """QLinearConv of 4 channels into 8, a scale for each."""
    rng = np.random.default_rng(0)
    limits = np.iinfo(kernel)
    group = attributes.get("group", 1)
    w = rng.integers(limits.min, limits.max + 1, (8, 4 // group, 3, 3)).astype(kernel)
    weights = weights_of(
        xs=np.float32(0.02),
        xz=np.asarray(zeros[0], data),
        w=w,
        ws=rng.uniform(0.005, 0.01, 8).astype("float32"),
        wz=np.full(8, zeros[1], kernel),
        ys=np.float32(0.1),
        yz=np.asarray(3, data),
        b=rng.integers(-500, 500, 8).astype("int32"),
    )
    made = node("QLinearConv", ["x", *weights], ["y"], **attributes)
    kind = helper.np_dtype_to_tensor_dtype(np.dtype(data))
    return model([made], [("x", kind, (1, 4, 7, 7))], [("y", kind, None)], weights)


@pytest.mark.parametrize(
    ("data", "kernel", "zeros", "attributes"),
    [
        ("uint8", "int8", (128, 0), {"pads": [1, 1, 1, 1]}),
        ("uint8", "uint8", (100, 120), {"auto_pad": "SAME_UPPER", "strides": [2, 2]}),
        ("int8", "int8", (0, 0), {"group": 4, "dilations": [2, 2]}),
    ],
)
def test_a_quantized_convolution_is_exact_to_the_bit(
    data: str, kernel: str, zeros: tuple[int, int], attributes: dict[str, Any], tmp_path: Path
) -> None:
    proto = convolution(data, kernel, zeros, **attributes)
    assert_same(proto, tmp_path, reference=exact_outputs)


def test_products_of_integers_are_exact_to_the_bit(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    weights = weights_of(
        m=rng.integers(-128, 128, (6, 5)).astype("int8"),
        k=rng.integers(-128, 128, (2, 3, 3, 3)).astype("int8"),
        s=np.float32(0.02),
        xz=np.uint8(120),
        mz=rng.integers(-5, 5, 5).astype("int8"),
        zero=np.int8(0),
        ms=rng.uniform(0.01, 0.02, 5).astype("float32"),
        ys=np.float32(0.5),
    )
    nodes = [
        node("QLinearMatMul", ["x", "s", "xz", "m", "ms", "mz", "ys", "xz"], ["y"]),
        node("MatMulInteger", ["x", "m", "xz", "mz"], ["sums"]),
        node("ConvInteger", ["image", "k", "xz", "zero"], ["maps"], pads=[1, 1, 1, 1]),
    ]
    inputs: list[Value] = [("x", UINT8, (4, 6)), ("image", UINT8, (1, 3, 5, 5))]
    outputs: list[Value] = [("y", UINT8, None), ("sums", INT32, None), ("maps", INT32, None)]
    assert_same(model(nodes, inputs, outputs, weights), tmp_path, reference=exact_outputs)


@pytest.mark.parametrize("factor", [1, 0])
def test_values_are_quantized_by_their_own_range_even_if_all_are_zero(
    factor: int, tmp_path: Path
) -> None:
    nodes = [node("DynamicQuantizeLinear", ["x"], ["y", "s", "z"])]
    outputs: list[Value] = [("y", UINT8, None), ("s", FLOAT, None), ("z", UINT8, None)]
    proto = model(nodes, [("x", FLOAT, (4, 6))], outputs)
    inputs = {name: value * np.float32(factor) for name, value in draw(proto).items()}
    assert_same(proto, tmp_path, inputs)


def test_places_from_the_end_and_infinities_of_one_sign_are_found(tmp_path: Path) -> None:
    weights = weights_of(last=np.array(-1), some=np.array([[0, -2], [1, -3]]))
    nodes = [
        node("Gather", ["x", "last"], ["a"], axis=1),
        node("Gather", ["x", "some"], ["b"], axis=0),
        node("IsInf", ["x"], ["up"], detect_negative=0),
        node("IsInf", ["x"], ["down"], detect_positive=0),
    ]
    outputs: list[Value] = [("a", FLOAT, None), ("b", FLOAT, None)]
    outputs += [("up", TensorProto.BOOL, None), ("down", TensorProto.BOOL, None)]
    proto = model(nodes, [("x", FLOAT, (3, 4))], outputs, weights)
    x = draw(proto)["x"]
    x[0, 0], x[1, 2] = np.inf, -np.inf
    assert_same(proto, tmp_path, {"x": x})


def test_a_known_place_outside_the_tensor_is_refused(tmp_path: Path) -> None:
    nodes = [node("Gather", ["x", "far"], ["y"], name="pick")]
    proto = model(nodes, [("x", FLOAT, (3, 4))], [("y", FLOAT, None)], weights_of(far=[7]))
    with pytest.raises(ModelError, match=r"Gather \(node pick\): an index is outside axis 0"):
        compiled(proto, tmp_path, {})


def test_an_unrolled_lstm_has_as_many_kernels_for_every_length(tmp_path: Path) -> None:
    counts = []
    for steps in (3, 5):
        rng = np.random.default_rng(0)
        weights = weights_of(
            w=rng.standard_normal((1, 16, 3), "float32"),
            r=rng.standard_normal((1, 16, 4), "float32"),
            b=rng.standard_normal((1, 32), "float32"),
        )
        made = node("LSTM", ["x", "w", "r", "b"], ["y"], hidden_size=4)
        proto = model([made], [("x", FLOAT, (steps, 1, 3))], [("y", FLOAT, None)], weights)
        if steps == 3:
            assert_same(proto, tmp_path)
        counts.append(_kernels(proto, tmp_path))
    assert counts[0] == counts[1]


def _kernels(proto: ModelProto, folder: Path) -> int:
    from engine.targets.targets import resolve
    from engine.tasks.extract import extract
    from engine.tasks.lower import lower

    prepared = prepare(ModelSource("file", str(save(proto, folder / "l.onnx"))))
    target = resolve("cpu")
    return len(extract(lower(prepared.to_relax(), target), target).tasks)


@pytest.mark.parametrize(
    ("given", "wanted"),
    [("float32", "int32"), ("int64", "float64"), ("uint8", "int8"), ("float16", "uint16")],
)
def test_bits_are_read_as_another_type(given: str, wanted: str, tmp_path: Path) -> None:
    x = np.array([[1, 2, 3], [100, 0, 7]]).astype(given)
    kinds = [helper.np_dtype_to_tensor_dtype(np.dtype(name)) for name in (given, wanted)]
    nodes = [node("BitCast", ["x"], ["y"], to=kinds[1])]
    proto = model(nodes, [("x", kinds[0], x.shape)], [("y", kinds[1], x.shape)], opset=26)
    proto.ir_version = 11
    found = compiled(proto, tmp_path, {"x": x})["y"]
    np.testing.assert_array_equal(found, x.view(wanted))
