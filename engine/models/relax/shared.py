"""TVM's tensors and NumPy's arrays over the same memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

_BRAIN = "bfloat16"


def shared_tensor(array: np.ndarray) -> Any:
    """A tensor of TVM's over an array that may be written to; a copy where TVM does not take it:
    it wants addresses that are multiples of 64, and types that DLPack has."""
    import tvm

    if array.dtype.name == _BRAIN:  # which NumPy cannot hand over by its name
        return shared_tensor(array.view("uint16"))._create_view(array.shape, _BRAIN)
    try:
        return tvm.runtime.from_dlpack(array)
    except (BufferError, RuntimeError, TypeError, ValueError):
        return tvm.runtime.tensor(array)


def shared_array(tensor: Any) -> np.ndarray:
    """A CPU tensor of TVM's as an array, read only; a copy where NumPy lacks its type."""
    import ml_dtypes
    import numpy as np

    if str(tensor.dtype) == _BRAIN:
        words = shared_array(tensor._create_view(tuple(tensor.shape), "uint16"))
        return words.view(ml_dtypes.bfloat16)
    try:
        return np.from_dlpack(tensor)
    except (BufferError, RuntimeError, TypeError, ValueError):
        copy: np.ndarray = tensor.numpy()
        return copy
