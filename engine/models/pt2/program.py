"""A rewritten program as PyTorch runs it. Only what `rewrite` made is loaded here."""

from __future__ import annotations

import io
import logging
import time
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine.models.refusals.foreign_words import plain
from engine.records.errors import ModelError
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    import numpy as np

_WARM_UP = 3
_MIN_RUNS = 5


def load(archive: np.ndarray) -> Any:
    """The torch.export.ExportedProgram of an archive that `rewrite` made."""
    import torch

    with quietly():
        try:
            return torch.export.load(io.BytesIO(archive.tobytes()))
        except Exception as error:  # the loader raises whatever an operator's schema does
            raise ModelError(
                Sentence(
                    "PyTorch {version} cannot load the program: {error}.",
                    version=torch.__version__,
                    error=reason(error),
                ),
                "Save it again with this version of PyTorch, or install the version that wrote it.",
            ) from error


def outputs(
    archive: np.ndarray, inputs: Mapping[str, np.ndarray], threads: int = 0
) -> list[np.ndarray]:
    """What PyTorch answers, in the program's order; `threads` 0 lets it choose."""
    call = _callable(archive, inputs, threads)
    return [_array(one) for one in call()]


def latencies(
    archive: np.ndarray, inputs: Mapping[str, np.ndarray], threads: int, seconds: float = 1.0
) -> tuple[float, ...]:
    """Latencies (s) of PyTorch, eager and on the CPU.

    Runs for about `seconds` after the warm-up, and five times at least.
    """
    call = _callable(archive, inputs, threads)
    for _ in range(_WARM_UP):
        call()
    samples: list[float] = []
    begun = time.perf_counter()
    while len(samples) < _MIN_RUNS or time.perf_counter() - begun < seconds:
        start = time.perf_counter()
        call()
        samples.append(time.perf_counter() - start)
    return tuple(samples)


def _callable(archive: np.ndarray, inputs: Mapping[str, np.ndarray], threads: int) -> Any:
    import torch

    if threads:
        torch.set_num_threads(threads)
    with quietly():
        module = load(archive).module()
        tensors = [_tensor(array) for array in inputs.values()]

    def call() -> Any:
        with torch.inference_mode():
            return module(*tensors)

    try:
        call()
    except Exception as error:  # PyTorch raises several unrelated types
        raise ModelError(
            Sentence("PyTorch cannot run the program: {error}.", error=reason(error)),
            "Check that the program runs in PyTorch on inputs of these shapes.",
        ) from error
    return call


def _tensor(array: np.ndarray) -> Any:
    import numpy as np
    import torch

    array = np.ascontiguousarray(array)
    if array.dtype.name == "bfloat16":
        return torch.from_numpy(array.view(np.uint16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def _array(tensor: Any) -> np.ndarray:
    import ml_dtypes
    import torch

    tensor = tensor.detach().contiguous()
    if tensor.dtype == torch.bfloat16:
        found: np.ndarray = tensor.view(torch.uint16).numpy().view(ml_dtypes.bfloat16)
    else:
        found = tensor.numpy()
    return found


@contextmanager
def quietly() -> Iterator[None]:
    """Without PyTorch's warnings about itself."""
    logger = logging.getLogger("torch")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def reason(error: Exception) -> str:
    """The last line of an error that says something, in words."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return plain(lines[-1] if lines else "") or type(error).__name__
