"""A model whose mask makes padding harmless, in a set of shapes, exported."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
from onnx import ModelProto, TensorProto, helper

from engine.deploy import export as exporting
from engine.deploy.export import TaskRecord
from engine.deploy.export_set import ShapeToExport, export_set
from engine.interface.shape_sets import parse_shape_set, with_shapes
from engine.jobs.opening.open_worker import OpenedModel
from engine.jobs.opening.opening import open_source
from engine.judge.examining import examine
from engine.records.source import ModelSource
from engine.targets.targets import resolve
from tests.engine.models.build import model, save


def masked_model() -> ModelProto:
    """x (batch, length, 4), mask (batch, length) -> relu(x W) mask = each (batch, length, 8), and
    its sum over the length, total (batch, 8)."""
    rng = np.random.default_rng(0)
    weights = {
        "w": rng.standard_normal((4, 8), np.float32),
        "last": np.array([2]),
        "length": np.array([1]),
    }
    nodes = [
        helper.make_node("MatMul", ["x", "w"], ["h"]),
        helper.make_node("Relu", ["h"], ["r"]),
        helper.make_node("Cast", ["mask"], ["m"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["m", "last"], ["u"]),
        helper.make_node("Mul", ["r", "u"], ["each"]),
        helper.make_node("ReduceSum", ["each", "length"], ["total"], keepdims=0),
    ]
    inputs = [
        ("x", TensorProto.FLOAT, ("batch", "length", 4)),
        ("mask", TensorProto.INT64, ("batch", "length")),
    ]
    outputs = [
        ("each", TensorProto.FLOAT, ("batch", "length", 8)),
        ("total", TensorProto.FLOAT, ("batch", 8)),
    ]
    return model(nodes, inputs, outputs, weights)


def opened_set(folder: Path) -> OpenedModel:
    """The model in two shapes of other batches and lengths; its file is m.onnx in the folder."""
    source = ModelSource("file", str(save(masked_model(), folder / "m.onnx")))
    shapes = parse_shape_set(["x={1x5,3x9*3}x4", "mask={1x5,3x9}"])
    return open_source(with_shapes(source, shapes), resolve("cpu"))


def export_opened(
    opened: OpenedModel, folder: Path, pads: dict[str, float] | None = None
) -> dict[str, object]:
    """Export it untuned; the manifest."""
    shapes = [
        ShapeToExport(label, one.source.frequency, one.prepared, one.program, 1e-3)
        for label, one in zip(opened.source.labels, opened.each, strict=True)
    ]
    records = {
        task.index: TaskRecord(task.name, task.weight, task.flops, 1e-5, "")
        for task in opened.program.tasks
    }
    before, exporting._SECONDS = exporting._SECONDS, 0.01
    try:
        return export_set(shapes, records, 0.0, folder, examine, pads=pads)
    finally:
        exporting._SECONDS = before


def draw(batch: int, length: int, seed: int = 0) -> dict[str, np.ndarray]:
    """Inputs of a size."""
    rng = np.random.default_rng(seed)
    mask = rng.integers(0, 2, (batch, length))
    return {"x": rng.standard_normal((batch, length, 4), np.float32), "mask": mask}


def expected(file: Path, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What ONNX Runtime answers."""
    session = onnxruntime.InferenceSession(str(file), providers=["CPUExecutionProvider"])
    return dict(zip(["each", "total"], session.run(None, inputs), strict=True))
