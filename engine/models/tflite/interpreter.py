"""A TensorFlow Lite model as LiteRT, its own interpreter, runs it."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.records.errors import ModelError
from engine.records.sentences import Sentence
from engine.records.task import TensorSpec

if TYPE_CHECKING:
    import numpy as np

Specs = tuple[tuple[str, TensorSpec], ...]
Shapes = Mapping[str, tuple[int, ...]]

_WARM_UP = 3
_MIN_RUNS = 5


def declared(data: bytes) -> list[tuple[str, tuple[int, ...], tuple[int, ...], str]]:
    """Each input's name, shape in the file, that with -1 where it is open, and type."""
    return [
        (
            detail["name"],
            tuple(map(int, detail["shape"])),
            tuple(map(int, detail.get("shape_signature", detail["shape"]))),
            _dtype(detail),
        )
        for detail in _opened(data).get_input_details()
    ]


def output_specs(data: bytes, shapes: Shapes) -> Specs:
    """Names, shapes and types of the outputs for inputs of these shapes."""
    details = _allocated(data, shapes).get_output_details()
    return tuple(
        (name, TensorSpec(tuple(map(int, detail["shape"])), _dtype(detail)))
        for name, detail in zip(_names(details), details, strict=True)
    )


def outputs(data: bytes, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What LiteRT answers, by output."""
    interpreter = _filled(data, inputs, 1)
    _invoke(interpreter)
    details = interpreter.get_output_details()
    return {
        name: interpreter.get_tensor(detail["index"])
        for name, detail in zip(_names(details), details, strict=True)
    }


def latencies(
    data: bytes, inputs: Mapping[str, np.ndarray], threads: int, seconds: float = 1.0
) -> tuple[float, ...]:
    """Latencies (s) of LiteRT on the CPU: about `seconds` of runs, and five at least."""
    interpreter = _filled(data, inputs, threads)
    for _ in range(_WARM_UP):
        _invoke(interpreter)
    samples: list[float] = []
    begun = time.perf_counter()
    while len(samples) < _MIN_RUNS or time.perf_counter() - begun < seconds:
        start = time.perf_counter()
        interpreter.invoke()
        samples.append(time.perf_counter() - start)
    return tuple(samples)


def _names(details: list[dict[str, Any]]) -> list[str]:
    """The outputs' names; one that comes again is numbered."""
    names: list[str] = []
    for detail in details:
        name, count = detail["name"], 1
        while name in names:
            count += 1
            name = f"{detail['name']}_{count}"
        names.append(name)
    return names


def _dtype(detail: dict[str, Any]) -> str:
    import numpy as np

    return str(np.dtype(detail["dtype"]).name)


def _opened(data: bytes, threads: int = 1) -> Any:
    from ai_edge_litert.interpreter import Interpreter

    try:
        return Interpreter(model_content=data, num_threads=threads)
    except (RuntimeError, ValueError) as error:
        raise _refusal(Sentence("LiteRT cannot load the model: {error}."), error) from error


def _allocated(data: bytes, shapes: Shapes, threads: int = 1) -> Any:
    interpreter = _opened(data, threads)
    try:
        for detail in interpreter.get_input_details():
            wanted = shapes[detail["name"]]
            if tuple(detail["shape"]) != wanted:
                interpreter.resize_tensor_input(detail["index"], wanted)
        interpreter.allocate_tensors()
    except (RuntimeError, ValueError) as error:
        raise _refusal(Sentence("LiteRT cannot run the model: {error}."), error) from error
    return interpreter


def _filled(data: bytes, inputs: Mapping[str, np.ndarray], threads: int) -> Any:
    interpreter = _allocated(data, {name: a.shape for name, a in inputs.items()}, threads)
    for detail in interpreter.get_input_details():
        interpreter.set_tensor(detail["index"], inputs[detail["name"]])
    return interpreter


def _invoke(interpreter: Any) -> None:
    try:
        interpreter.invoke()
    except (RuntimeError, ValueError) as error:
        raise _refusal(Sentence("LiteRT cannot run the model: {error}."), error) from error


def _refusal(what: Sentence, error: Exception) -> ModelError:
    text = " ".join(str(error).split()).rstrip(".")[:300]
    return ModelError(
        what.filled(error=text),
        "Check that the model runs in LiteRT on inputs of these shapes.",
    )
