"""Imported by the workers' server: what the first model of a process takes, it takes here, once."""

from __future__ import annotations

import tempfile
from pathlib import Path


def _warm() -> None:
    import onnx
    import onnxruntime  # noqa: F401
    from onnx import TensorProto, helper

    from engine.deploy import executor  # noqa: F401  # and what it imports
    from engine.deploy.compile import compile_program
    from engine.models.prepare import prepare
    from engine.records.source import ModelSource
    from engine.targets.targets import resolve
    from engine.tasks.extract import extract
    from engine.tasks.lower import lower

    target = resolve("cpu")
    ends = [helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, 4, 5, 5]) for name in "xy"]
    weight = helper.make_tensor("w", TensorProto.FLOAT, [4, 4, 1, 1], [1.0] * 16)
    node = helper.make_node("Conv", ["x", "w"], ["y"])
    graph = helper.make_graph([node], "warm", ends[:1], ends[1:], [weight])
    with tempfile.TemporaryDirectory(prefix="conformance-") as place:
        path = Path(place, "warm.onnx")
        onnx.save(helper.make_model(graph), path)
        prepared = prepare(ModelSource("file", str(path)))
        program = extract(lower(prepared.to_relax(), target), target)
        compile_program(program, {}, ("y",), Path(place))


_warm()
