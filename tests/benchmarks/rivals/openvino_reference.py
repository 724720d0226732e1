"""OpenVINO on a CPU, as its users run it for latency: a rival where it is installed."""

from __future__ import annotations

import time
from collections.abc import Mapping
from importlib.util import find_spec
from typing import TYPE_CHECKING

from engine.records.errors import TuningError

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto

_WARM_UP, _LEAST_RUNS = 5, 5


def is_installed() -> bool:
    return find_spec("openvino") is not None


def openvino_latency(
    proto: ModelProto, inputs: Mapping[str, np.ndarray], threads: int, seconds: float = 1.0
) -> tuple[float, ...]:
    """Latencies (s) in float32 on `threads` threads, with its hint for latency.

    Runs for about `seconds` after the warm-up, and five times at least. Raises TuningError where
    it does not take the model.
    """
    import openvino

    core = openvino.Core()
    hints = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_PRECISION_HINT": "f32",
        "INFERENCE_NUM_THREADS": threads,
    }
    try:
        model = core.read_model(model=proto.SerializeToString(), weights=b"")
        request = core.compile_model(model, "CPU", hints).create_infer_request()
        for _ in range(_WARM_UP):
            request.infer(dict(inputs))
    except RuntimeError as error:  # whatever its readers and kernels refuse
        raise TuningError(f"OpenVINO does not run the model: {str(error)[:200]}.") from error
    samples: list[float] = []
    began = time.perf_counter()
    while len(samples) < _LEAST_RUNS or time.perf_counter() - began < seconds:
        start = time.perf_counter()
        request.infer(dict(inputs))
        samples.append(time.perf_counter() - start)
    return tuple(samples)
