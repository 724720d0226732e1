"""A model with more weights than protobuf writes is opened, and they are in memory once."""

from __future__ import annotations

from pathlib import Path

import ml_dtypes
import numpy as np
import pytest
from onnx import TensorProto, helper

from engine.jobs.opening.handed_over import HandedOver, hand_over, take_over
from engine.jobs.opening.open_worker import open_apart, open_here, unpack
from engine.jobs.opening.opening import open_source
from engine.models.weights import mapped
from engine.records.errors import ModelError
from engine.records.source import ModelSource
from engine.targets.targets import resolve
from engine.workers.watched import Limits
from tests.engine.models.weights.test_mapped import layers, save

ARRAYS: list[np.ndarray] = [
    np.arange(7, dtype=np.float32),
    np.zeros((0, 3), np.int64),
    np.arange(12, dtype=np.int8).reshape(3, 4).T,
    np.array(True),
    np.arange(5).astype(ml_dtypes.bfloat16),
]


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every model with weights beside it counts as a large one."""
    monkeypatch.setattr(mapped, "MAPPED_ABOVE_BYTES", 0)
    monkeypatch.setattr(mapped, "LEAST_MAPPED_BYTES", 512)


def test_a_large_model_is_the_same_for_the_engine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import tvm_ffi

    source, target = ModelSource("file", str(save(layers(), tmp_path))), resolve("cpu")
    monkeypatch.setattr(mapped, "MAPPED_ABOVE_BYTES", 0)
    monkeypatch.setattr(mapped, "LEAST_MAPPED_BYTES", 512)
    opened = open_here(source, target)
    sent = open_apart(lambda *said: None, source, target, tmp_path)
    assert isinstance(sent.constants, HandedOver)
    prepared, module = unpack(sent)
    Path(sent.constants.path).unlink()
    assert tvm_ffi.structural_equal(module, opened.program.module)
    assert prepared.sha256 == opened.prepared.sha256


@pytest.mark.usefixtures("large")
def test_arrays_of_every_kind_come_out_of_the_file(tmp_path: Path) -> None:
    sent = hand_over(ARRAYS, tmp_path)
    assert isinstance(sent, HandedOver)
    for before, after in zip(ARRAYS, take_over(sent), strict=True):
        assert after.dtype == before.dtype
        np.testing.assert_array_equal(after, before)


def test_few_bytes_are_sent_as_they_are(tmp_path: Path) -> None:
    assert take_over(hand_over(ARRAYS, tmp_path)) == tuple(ARRAYS)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("large")
def test_a_disk_without_room_is_told_in_a_sentence() -> None:
    with pytest.raises(ModelError, match="do not fit into"):
        hand_over(ARRAYS, Path("/dev/full"))


@pytest.mark.long
@pytest.mark.slow
def test_more_than_protobuf_writes_is_opened_in_three_times_its_memory(tmp_path: Path) -> None:
    size, count = 8192, 9  # 2.4 GB, of files without anything on the disk
    nodes, tensors = [], []
    for place in range(count):
        name = f"poids é {place}.bin"
        with (tmp_path / name).open("wb") as file:
            file.truncate(4 * size * size)
        tensor = TensorProto(name=f"w{place}", data_type=TensorProto.FLOAT, dims=[size, size])
        tensor.data_location = TensorProto.EXTERNAL
        tensor.external_data.add(key="location", value=name)
        tensors.append(tensor)
        source = f"m{place - 1}" if place else "x"
        nodes.append(helper.make_node("MatMul", [source, f"w{place}"], [f"m{place}"]))
    value = helper.make_tensor_value_info
    ends = [value(name, TensorProto.FLOAT, [1, size]) for name in ("x", f"m{count - 1}")]
    graph = helper.make_graph(nodes, "g", ends[:1], ends[1:], tensors)
    proto = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    path = tmp_path / "grand modèle.onnx"
    path.write_bytes(proto.SerializeToString())
    weights_bytes = 4 * size * size * count
    limits = Limits(3 * weights_bytes, 600.0)
    opened = open_source(ModelSource("file", str(path)), resolve("cpu"), limits=limits)
    assert [task.weight for task in opened.program.tasks] == [count]
