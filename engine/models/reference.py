"""The reference: what ONNX Runtime answers for a model, and how long it takes."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.models.feeding.input_uses import InputUse, InputUses, within
from engine.models.light_copy import stored_bytes
from engine.models.refusals.foreign_words import plain
from engine.models.weights.mapped import array_of, has_mapped, is_mapped, map_weight
from engine.records.errors import ModelError
from engine.records.sentences import Sentence
from engine.records.task import TensorSpec
from engine.workers.artifacts import scratch

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto

MAX_MESSAGE_BYTES = 2**31 - 1  # protobuf serialises no larger message
_WARM_UP = 3
_MIN_RUNS = 5
_SILENT = 4  # ONNX Runtime's severity "fatal": errors arrive as exceptions anyway


def random_inputs(
    specs: Iterable[tuple[str, TensorSpec]], seed: int = 0, uses: InputUses | None = None
) -> dict[str, np.ndarray]:
    """Inputs that `seed` alone determines: floats standard normal, integers 0 or 1, bools.

    Integers are that small because they may be indices into an axis of unknown size; where their
    `uses` are known they are within what the model takes.
    """
    import ml_dtypes  # noqa: F401  has NumPy know bfloat16 by its name
    import numpy as np

    random = np.random.default_rng(seed)
    known = uses.inputs if uses else {}

    def draw(spec: TensorSpec) -> np.ndarray:
        dtype = np.dtype(spec.dtype)
        if dtype.kind in "biu":
            return random.integers(0, 2, spec.shape).astype(dtype)
        return random.standard_normal(spec.shape).astype(dtype)

    return {name: within(known.get(name, InputUse()), draw(spec)) for name, spec in specs}


def reference_outputs(proto: ModelProto, inputs: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """ONNX Runtime's outputs by name; ModelError where it cannot run the model."""
    session = exact_session(proto)
    names = [output.name for output in session.get_outputs()]
    return dict(zip(names, run_session(session, names, inputs), strict=True))


def reference_latency(
    proto: ModelProto,
    inputs: Mapping[str, np.ndarray],
    threads: int,
    *,
    path: Path | None = None,
    seconds: float = 1.0,
) -> tuple[float, ...]:
    """Latencies (s) of ONNX Runtime on `threads` threads, all its optimisations on.

    Runs for about `seconds` after the warm-up, and five times at least. `path` is as in
    `exact_session`.
    """
    session = _session(proto, threads, path)
    names = [output.name for output in session.get_outputs()]
    # The first run after an idle gap can read twice too slow, so none of these counts.
    for _ in range(_WARM_UP):
        run_session(session, names, inputs)
    samples: list[float] = []
    begun = time.perf_counter()
    while len(samples) < _MIN_RUNS or time.perf_counter() - begun < seconds:
        start = time.perf_counter()
        run_session(session, names, inputs)
        samples.append(time.perf_counter() - start)
    return tuple(samples)


def exact_session(proto: ModelProto, path: Path | None = None) -> Any:
    """A session whose outputs can be compared with: nothing is rounded for the sake of speed.

    By default ONNX Runtime rounds activations to 8 bits where the weights alone are quantized, and
    where a processor lacks VNNI its sums of uint8 times int8 stop at 16 bits. Not every model
    loads with the latter turned off: those of int8 activations do not.
    `path` is where the model lies unchanged, if anywhere: mapped weights are then held once only.
    """
    rounding = {"session.qdq_matmulnbits_accuracy_level": "1"}
    try:
        return _session(proto, 0, path, {**rounding, "session.x64quantprecision": "1"})
    except ModelError:
        return _session(proto, 0, path, rounding)


def run_session(
    session: Any, names: list[str], inputs: Mapping[str, np.ndarray]
) -> list[np.ndarray]:
    """The outputs of these names; ModelError where ONNX Runtime cannot run the model."""
    try:
        outputs: list[np.ndarray] = session.run(names, dict(inputs))
    except Exception as error:  # as in _session
        raise ModelError(
            Sentence("ONNX Runtime cannot run the model: {error}.", error=_reason(error)),
            "Check that the model runs in ONNX Runtime with inputs of these shapes.",
        ) from error
    return outputs


def _session(
    proto: ModelProto,
    threads: int,
    path: Path | None = None,
    entries: Mapping[str, str] | None = None,
) -> Any:
    """A session on the CPU; `threads` 0 lets ONNX Runtime choose."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.log_severity_level = _SILENT
    for name, value in (entries or {}).items():
        options.add_session_config_entry(name, value)
    try:
        given: dict[str, np.ndarray] = {}
        if path is None and has_mapped(proto):
            proto, given = _with_given_weights(proto, options)
        with _loadable(proto, path) as model:
            made = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        made.given_weights = given  # which it may go on reading
        return made
    except Exception as error:  # ONNX Runtime raises a type of its own for every status
        raise ModelError(
            Sentence("ONNX Runtime cannot load the model: {error}.", error=_reason(error)),
            "Check that the model runs in ONNX Runtime, or export it again.",
        ) from error


@contextmanager
def _loadable(proto: ModelProto, path: Path | None) -> Iterator[bytes | str]:
    """The model's bytes; of a large one its path, or that of a temporary file with external
    weights."""
    if path is not None and has_mapped(proto):
        yield str(path)
        return
    if proto.ByteSize() <= MAX_MESSAGE_BYTES:
        yield proto.SerializeToString()
        return
    import onnx

    with scratch() as folder:
        saved = folder / "model.onnx"
        copy = type(proto)()
        copy.CopyFrom(proto)  # saving empties the weights of what it saves
        onnx.save_model(copy, str(saved), save_as_external_data=True, location="weights")
        del copy
        yield str(saved)


def _with_given_weights(
    proto: ModelProto, options: Any
) -> tuple[ModelProto, dict[str, np.ndarray]]:
    """A copy whose mapped weights a session gets by its `options`, and copies; and these weights,
    which have to live as long as the session."""
    import onnxruntime

    copy = type(proto)()
    copy.CopyFrom(proto)
    make = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type
    given: dict[str, np.ndarray] = {}
    values: list[Any] = []
    for place, tensor in enumerate(filter(is_mapped, copy.graph.initializer)):
        given[tensor.name] = array_of(tensor)
        values.append(make(given[tensor.name], tensor.data_type))
        map_weight(tensor, Path(f"given-{place}"), 0, stored_bytes(tensor))  # or it is refused
    options.add_external_initializers(list(given), values)
    return copy, given


def _reason(error: Exception) -> str:
    """ONNX Runtime's message as far as a person can read it."""
    return plain(str(error)) or type(error).__name__
