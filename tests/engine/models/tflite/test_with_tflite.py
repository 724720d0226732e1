"""TensorFlow Lite models from the file to the module, where its packages are installed."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.deploy.compare import largest_difference
from engine.deploy.compile import compile_program
from engine.deploy.executor import PlanExecutor
from engine.jobs.baseline import measure_reference
from engine.jobs.opening.checking import check_source
from engine.jobs.opening.opening import open_source
from engine.models.reference import random_inputs
from engine.records.errors import ModelError, TunewrightError
from engine.records.formats import TFLITE
from engine.records.source import ModelSource
from engine.targets.targets import resolve

_MISSING = [name for name in TFLITE.modules if importlib.util.find_spec(name) is None]

pytestmark = [
    pytest.mark.tflite,
    pytest.mark.skipif(bool(_MISSING), reason=f"not installed: {' and '.join(_MISSING)}"),
]

ADD, TANH, CUSTOM = 0, 28, 32


def lite_model(second: int = TANH) -> bytes:
    """y = tanh(x + 1) of x: (?, 4) in a FlatBuffer; its input's name is no identifier."""
    import flatbuffers
    import tflite

    b: Any = flatbuffers.Builder(1024)

    def vector(items: list[int], offsets: bool = False) -> int:
        b.StartVector(4, len(items), 4)
        for item in reversed(items):
            b.PrependUOffsetTRelative(item) if offsets else b.PrependInt32(item)
        return int(b.EndVector())

    def buffer(data: bytes) -> int:
        content = b.CreateByteVector(data) if data else 0
        tflite.BufferStart(b)
        if data:
            tflite.BufferAddData(b, content)
        return int(tflite.BufferEnd(b))

    def tensor(name: str, rows: int, place: int) -> int:
        title, shape, open_shape = b.CreateString(name), vector([1, 4]), vector([rows, 4])
        tflite.TensorStart(b)
        tflite.TensorAddName(b, title)
        tflite.TensorAddShape(b, shape)
        tflite.TensorAddShapeSignature(b, open_shape)
        tflite.TensorAddBuffer(b, place)
        return int(tflite.TensorEnd(b))

    def operator(code: int, inputs: list[int], output: int, options: int = 0) -> int:
        reads, makes = vector(inputs), vector([output])
        tflite.OperatorStart(b)
        tflite.OperatorAddOpcodeIndex(b, code)
        tflite.OperatorAddInputs(b, reads)
        tflite.OperatorAddOutputs(b, makes)
        if options:
            tflite.OperatorAddBuiltinOptionsType(b, tflite.BuiltinOptions.AddOptions)
            tflite.OperatorAddBuiltinOptions(b, options)
        return int(tflite.OperatorEnd(b))

    def code(number: int) -> int:
        tflite.OperatorCodeStart(b)
        tflite.OperatorCodeAddDeprecatedBuiltinCode(b, number)
        tflite.OperatorCodeAddBuiltinCode(b, number)
        tflite.OperatorCodeAddVersion(b, 1)
        return int(tflite.OperatorCodeEnd(b))

    one = np.ones(4, np.float32).tobytes()
    buffers = vector([buffer(b""), buffer(one)], offsets=True)
    tensors = vector(
        [tensor("x:0", -1, 0), tensor("c", 1, 1), tensor("s", -1, 0), tensor("y", -1, 0)],
        offsets=True,
    )
    tflite.AddOptionsStart(b)
    plain = tflite.AddOptionsEnd(b)
    operators = vector([operator(0, [0, 1], 2, plain), operator(1, [2], 3)], offsets=True)
    inputs, outputs, codes = vector([0]), vector([3]), vector([code(ADD), code(second)], True)
    tflite.SubGraphStart(b)
    tflite.SubGraphAddTensors(b, tensors)
    tflite.SubGraphAddInputs(b, inputs)
    tflite.SubGraphAddOutputs(b, outputs)
    tflite.SubGraphAddOperators(b, operators)
    graphs = vector([tflite.SubGraphEnd(b)], offsets=True)
    tflite.ModelStart(b)
    tflite.ModelAddVersion(b, 3)
    tflite.ModelAddOperatorCodes(b, codes)
    tflite.ModelAddSubgraphs(b, graphs)
    tflite.ModelAddBuffers(b, buffers)
    b.Finish(tflite.ModelEnd(b), b"TFL3")
    return bytes(b.Output())


def saved(folder: Path, data: bytes) -> ModelSource:
    path = folder / "net.tflite"
    path.write_bytes(data)
    return ModelSource("file", str(path))


def test_a_model_opens_and_agrees_with_litert(tmp_path: Path) -> None:
    model = open_source(saved(tmp_path, lite_model()), resolve("cpu"))
    assert [(name, spec.shape) for name, spec in model.prepared.inputs] == [("x:0", (1, 4))]
    inputs = random_inputs(model.prepared.inputs)
    folder = tmp_path / "out"
    folder.mkdir()
    compile_program(model.program, {}, ("y",), folder)
    found = PlanExecutor(folder, "cpu").run(inputs)
    expected = model.prepared.reference_outputs(inputs)
    np.testing.assert_allclose(expected["y"], np.tanh(inputs["x:0"] + 1), rtol=1e-5)
    assert largest_difference(found, expected, reference="LiteRT") < 1e-5
    measured = measure_reference(model)
    assert measured is not None and measured.latency_s > 0


def test_another_shape_can_be_given(tmp_path: Path) -> None:
    from dataclasses import replace

    source = replace(saved(tmp_path, lite_model()), shapes={"x:0": (5, 4)})
    prepared = open_source(source, resolve("cpu")).prepared
    assert prepared.outputs[0][1].shape == (5, 4)


def test_operators_are_listed_and_the_missing_one_is_named(tmp_path: Path) -> None:
    found = check_source(saved(tmp_path, lite_model()))
    assert [(item.op, item.state) for item in found.operators] == [
        ("ADD", "supported"),
        ("TANH", "supported"),
    ]
    with pytest.raises(ModelError):
        open_source(saved(tmp_path, lite_model(CUSTOM)), resolve("cpu"))


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    for data in (b"", b"\0" * 64, b"\0\0\0\0TFL3" + b"\xff" * 64):
        with pytest.raises(ModelError):
            check_source(saved(tmp_path, data))


def test_a_damaged_model_ends_in_a_sentence(tmp_path: Path) -> None:
    whole, dice = lite_model(), random.Random(0)
    for _ in range(8):
        data = bytearray(whole)
        for _ in range(3):
            data[dice.randrange(8, len(data))] = dice.randrange(256)
        try:
            check_source(saved(tmp_path, bytes(data)))
        except TunewrightError as error:
            assert error.what
