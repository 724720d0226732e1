"""Weights of a large model stay in their files: it is the same as with its weights read in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper

from engine.models.feeding import file_reference
from engine.models.onnx_file import load_onnx
from engine.models.prepare import PreparedModel, prepare
from engine.models.reference import exact_session, random_inputs, reference_outputs
from engine.models.relax.shared import shared_array, shared_tensor
from engine.models.support import check_model
from engine.models.weights import mapped
from engine.models.weights.mapped import array_of, has_mapped, is_mapped
from engine.records.errors import ModelError
from engine.records.source import ModelSource
from tests.engine.models.build import model

FLOAT = TensorProto.FLOAT


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every model with weights beside it counts as a large one."""
    monkeypatch.setattr(mapped, "MAPPED_ABOVE_BYTES", 0)
    monkeypatch.setattr(mapped, "LEAST_MAPPED_BYTES", 512)


def layers() -> ModelProto:
    """A convolution with its normalisation, a dense layer with turned weights, and one that
    shares its weights with a table of which rows are taken."""
    rng = np.random.default_rng(0)
    weights = {
        "conv": rng.standard_normal((8, 3, 3, 3), np.float32),
        "scale": rng.random(8, np.float32) + 0.5,
        "bias": rng.standard_normal(8, np.float32),
        "mean": rng.standard_normal(8, np.float32),
        "variance": rng.random(8, np.float32) + 0.5,
        "dense": rng.standard_normal((16, 128), np.float32),
        "table": rng.standard_normal((16, 32), np.float32),
        "row": np.array([3], np.int64),
    }
    nodes = [
        helper.make_node("Conv", ["x", "conv"], ["c"], pads=[1] * 4, name="conv"),
        helper.make_node(
            "BatchNormalization", ["c", "scale", "bias", "mean", "variance"], ["n"], name="norm"
        ),
        helper.make_node("Flatten", ["n"], ["f"], name="flatten"),
        helper.make_node("Gemm", ["f", "dense"], ["d"], transB=1, name="dense"),
        helper.make_node("MatMul", ["d", "table"], ["m"], name="product"),
        helper.make_node("Gather", ["table", "row"], ["g"], name="rows"),
        helper.make_node("Add", ["m", "g"], ["y"], name="sum"),
    ]
    return model(nodes, [("x", FLOAT, [1, 3, 4, 4])], [("y", FLOAT, [1, 32])], weights)


def save(proto: ModelProto, folder: Path, lead: int = 0) -> Path:
    """The model with a file for each weight, which begins after `lead` bytes; folder and files
    have names with spaces and accents."""
    folder = folder / "grand modèle"
    folder.mkdir()
    for place, tensor in enumerate(proto.graph.initializer):
        data, name = tensor.raw_data, f"poids é {place}.bin"
        (folder / name).write_bytes(b"?" * lead + data)
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", name), ("offset", lead), ("length", len(data))):
            tensor.external_data.add(key=key, value=str(value))
    path = folder / "réseau 1.onnx"
    path.write_bytes(proto.SerializeToString())
    return path


def answers(prepared: PreparedModel) -> np.ndarray:
    inputs = random_inputs(prepared.inputs)
    return reference_outputs(prepared.proto, inputs)["y"]


@pytest.mark.parametrize("lead", [0, 4, 64])
def test_a_model_is_prepared_to_the_same_answers_and_operators(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lead: int
) -> None:
    source = ModelSource("file", str(save(layers(), tmp_path, lead)))
    read_in = prepare(source)
    assert not has_mapped(read_in.proto)
    monkeypatch.setattr(mapped, "MAPPED_ABOVE_BYTES", 0)
    monkeypatch.setattr(mapped, "LEAST_MAPPED_BYTES", 512)
    kept = prepare(source)
    assert {t.name for t in kept.proto.graph.initializer if is_mapped(t)} == {
        *("conv", "dense", "table")
    }
    assert (kept.sha256, kept.inputs, kept.outputs) == (
        read_in.sha256,
        read_in.inputs,
        read_in.outputs,
    )
    inputs = random_inputs(kept.inputs)
    expected = read_in.reference_outputs(inputs)["y"]
    np.testing.assert_allclose(answers(kept), expected, rtol=1e-4, atol=1e-4)
    np.testing.assert_array_equal(kept.reference_outputs(inputs)["y"], expected)


@pytest.mark.usefixtures("large")
def test_operators_are_told_of_a_large_model(tmp_path: Path) -> None:
    found = check_model(load_onnx(save(layers(), tmp_path)).proto)
    assert {one.op for one in found if one.state == "missing"} == set()
    assert len(found) == 7


@pytest.mark.usefixtures("large")
def test_nothing_writes_a_large_weight_into_a_message(tmp_path: Path) -> None:
    prepared = prepare(ModelSource("file", str(save(layers(), tmp_path))))
    mapped_weights = [t for t in prepared.proto.graph.initializer if is_mapped(t)]
    assert all(not t.raw_data for t in mapped_weights)
    prepared.to_relax()
    assert all(not t.raw_data for t in mapped_weights)


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("lead", [0, 4])
def test_tvm_gets_the_values_of_mapped_weights(tmp_path: Path, lead: int) -> None:
    from tvm import relax
    from tvm.ir import GenericConst

    prepared = prepare(ModelSource("file", str(save(layers(), tmp_path, lead))))
    found: list[np.ndarray] = []

    def visit(node: Any) -> None:
        if isinstance(node, GenericConst) and tuple(node.value.shape) == (16, 32):
            found.append(shared_array(node.value))

    relax.analysis.post_order_visit(prepared.to_relax()["main"], visit)
    (table,) = (t for t in layers().graph.initializer if t.name == "table")
    assert found
    np.testing.assert_array_equal(found[0], numpy_helper.to_array(table))


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize(
    "dtype",
    [
        *(np.float32, np.float64, np.float16, ml_dtypes.bfloat16, np.bool_),
        *(np.int8, np.uint8, np.int16, np.int32, np.int64),
    ],
    ids=lambda dtype: np.dtype(dtype).name,
)
def test_weights_of_every_type_have_their_values(tmp_path: Path, dtype: type) -> None:
    array: np.ndarray = np.arange(1024).reshape(32, 32).astype(dtype)
    proto = layers()
    proto.graph.initializer.append(numpy_helper.from_array(array, "more"))
    proto.graph.node.append(helper.make_node("Identity", ["more"], ["also"]))
    loaded = load_onnx(save(proto, tmp_path)).proto
    tensor = loaded.graph.initializer[-1]
    assert is_mapped(tensor)
    np.testing.assert_array_equal(array_of(tensor), array)
    np.testing.assert_array_equal(shared_array(shared_tensor(array_of(tensor))), array)


@pytest.mark.usefixtures("large")
def test_weights_of_four_bits_are_read_in(tmp_path: Path) -> None:
    proto = layers()
    packed = helper.make_tensor("more", TensorProto.INT4, [4096], bytes(2048), raw=True)
    proto.graph.initializer.append(packed)
    tensor = load_onnx(save(proto, tmp_path)).proto.graph.initializer[-1]
    assert not is_mapped(tensor)
    assert len(tensor.raw_data) == 2048


@pytest.mark.usefixtures("large")
def test_writing_to_a_weight_leaves_its_file_alone(tmp_path: Path) -> None:
    path = save(layers(), tmp_path)
    before = load_onnx(path)
    tensor = next(t for t in before.proto.graph.initializer if is_mapped(t))
    array_of(tensor)[:] = 0
    assert load_onnx(path).sha256 == before.sha256


@pytest.mark.usefixtures("large")
def test_a_file_that_says_it_is_mapped_elsewhere_is_refused(tmp_path: Path) -> None:
    path = save(layers(), tmp_path)
    proto = ModelProto.FromString(path.read_bytes())
    for entry in proto.graph.initializer[0].external_data:
        if entry.key == "location":
            entry.value = str(path.parent / "poids é 0.bin")
    path.write_bytes(proto.SerializeToString())
    with pytest.raises(ModelError, match="outside the model's folder"):
        load_onnx(path)


@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("watched", [(), ("m",)])
def test_the_file_runs_where_it_lies_unless_more_is_asked_of_it(
    tmp_path: Path, watched: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    paths: list[Path | None] = []
    real = exact_session

    def noted(proto: ModelProto, path: Path | None = None) -> object:
        paths.append(path)
        return real(proto, path)

    monkeypatch.setattr(file_reference, "exact_session", noted)
    path = save(layers(), tmp_path)
    source = ModelSource("file", str(path))
    inputs = random_inputs(prepare(source).inputs)
    reference = file_reference.FileReference(source, watched=watched)
    (answer,) = reference.answers([inputs])
    assert isinstance(answer, dict)
    assert set(answer) == {"y", *watched}
    assert paths == [None if watched else path]
    assert len(reference.latency(inputs, 1)) >= 5


@pytest.mark.usefixtures("large")
def test_the_evaluator_does_not_hold_a_large_model(tmp_path: Path) -> None:
    source = ModelSource("file", str(save(layers(), tmp_path)))
    inputs = random_inputs(prepare(source).inputs)
    with pytest.raises(ModelError, match="does not hold models of more than 1 GB"):
        file_reference.FileReference(source, evaluator=True).answers([inputs])
