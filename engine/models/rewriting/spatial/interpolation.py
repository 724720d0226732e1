"""Where a resized axis reads its values and with which weights, in plain numbers."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


_SUPPORTS = {"linear": 1, "cubic": 2}


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of `size` places that becomes one of `target` places.

    `scale` is the ratio that was asked for, which `target` need not keep. `start` and `end` are the
    region of interest, as shares of the axis.
    """

    size: int
    target: int
    scale: float
    start: float = 0.0
    end: float = 1.0

    @property
    def stays(self) -> bool:
        """Whether nothing happens; ONNX Runtime looks at no region of interest then."""
        return self.size == self.target and self.scale == 1


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a Resize reads: its attributes, as ONNX names and defines them."""

    mode: str
    coordinates: str
    nearest: str
    cubic_a: float
    exclude_outside: bool
    antialias: bool

    def places(self, axis: Axis) -> np.ndarray:
        """Which place each of the `target` places is read from, between two of them perhaps.

        In float32, as ONNX Runtime has it, so that both break the same ties.
        """
        import numpy as np

        at = np.arange(axis.target, dtype=np.float32)
        last, steps = np.float32(axis.size - 1), np.float32(max(axis.target - 1, 1))
        if self.coordinates == "align_corners":
            return at * last / steps
        if self.coordinates == "tf_crop_and_resize":
            start, end = np.float32(axis.start), np.float32(axis.end)
            if axis.target == 1:
                return (start + end) * last * np.full_like(at, 0.5)
            return start * last + at * (end - start) * last / steps
        if self.coordinates == "pytorch_half_pixel" and axis.target == 1:
            return np.zeros_like(at)
        return self._scaled(axis, at)

    def _scaled(self, axis: Axis, at: np.ndarray) -> np.ndarray:
        """The places that follow from the scale alone."""
        import numpy as np

        scale, half = np.float32(axis.scale), np.float32(0.5)
        if self.coordinates == "asymmetric":
            return at / scale
        if self.coordinates == "tf_half_pixel_for_nn":
            return (at + half) / scale
        if self.coordinates == "half_pixel_symmetric":
            margin = axis.size / 2 * (1 - axis.target / (axis.scale * axis.size))
            exact = margin + (at.astype(np.float64) + 0.5) / axis.scale - 0.5
            return np.asarray(exact, np.float32)
        return (at + half) / scale - half

    def outside(self, axis: Axis) -> np.ndarray:
        """Which of the `target` places lie outside the axis, where these count for themselves."""
        import numpy as np

        if self.coordinates != "tf_crop_and_resize" or axis.stays:
            return np.zeros(axis.target, bool)
        places = self.places(axis)
        return np.asarray((places < 0) | (places > axis.size - 1))

    def taps(self, axis: Axis) -> tuple[np.ndarray, np.ndarray]:
        """What each of the `target` places is a sum of: places (target, n) and weights (target, n).

        Values outside the axis are those at its end.
        """
        import numpy as np

        if self.mode == "nearest":
            found = self._rounded(self.places(axis), axis)
            return found.clip(0, axis.size - 1)[:, None], np.ones((axis.target, 1))
        at = self.places(axis).astype(np.float64)
        if self.mode == "linear" and not self.antialias and not self.exclude_outside:
            at = at.clip(0, axis.size - 1)
        narrowing = min(axis.scale, 1.0) if self.antialias else 1.0
        reach = math.ceil(_SUPPORTS[self.mode] / narrowing)
        # As many as the kernel covers: it is 0 at its ends
        near = np.floor(at)[:, None] + np.arange(1 - reach, reach + 1)
        weights = self._kernel()((near - at[:, None]) * narrowing)
        if self.exclude_outside:
            weights = weights * ((near >= 0) & (near < axis.size))
        if self.exclude_outside or self.antialias:
            weights = weights / weights.sum(axis=1, keepdims=True)
        return near.clip(0, axis.size - 1).astype(np.int64), weights

    def _rounded(self, places: np.ndarray, axis: Axis) -> np.ndarray:
        import numpy as np

        if self.nearest == "simple":  # before operator set 11
            rounded = np.floor(places) if axis.scale >= 1 else np.ceil(places)
        elif self.nearest == "floor":
            rounded = np.floor(places)
        elif self.nearest == "ceil":
            rounded = np.ceil(places)
        elif self.nearest == "round_prefer_ceil":
            rounded = np.floor(places) + (places - np.floor(places) >= 0.5)
        else:
            rounded = np.floor(places) + (places - np.floor(places) > 0.5)
        return np.asarray(rounded, np.int64)

    def _kernel(self) -> Callable[[np.ndarray], np.ndarray]:
        import numpy as np

        if self.mode == "linear":
            return lambda distance: np.maximum(0, 1 - np.abs(distance))
        return self._cubic

    def _cubic(self, distance: np.ndarray) -> np.ndarray:
        """Keys' kernel of convolution (1981), with `cubic_a` for its slope at 1."""
        import numpy as np

        d, a = np.abs(distance), self.cubic_a
        near = ((a + 2) * d - (a + 3)) * d * d + 1
        far = ((d - 5) * d + 8) * d * a - 4 * a
        return np.where(d <= 1, near, np.where(d < 2, far, 0))

    def tvm_reads_so(self, axis: Axis) -> bool:
        """Whether TVM's own kernel, which takes `target` / `size` for the scale, does the same."""
        import numpy as np

        known = self.coordinates in _TVM_PLACES
        if not known or self.antialias or (self.exclude_outside and self.mode != "cubic"):
            return False
        if axis.target == 1 and self.coordinates == "align_corners":
            return False
        theirs = self._tvm_places(axis)
        if self.mode != "nearest":
            return np.allclose(theirs, self.places(axis), rtol=0, atol=1e-5 * axis.size)
        nearest = self._tvm_rounded(theirs, axis).clip(0, axis.size - 1)
        return np.array_equal(nearest, self.taps(axis)[0][:, 0])

    def _tvm_places(self, axis: Axis) -> np.ndarray:
        import numpy as np

        at = np.arange(axis.target, dtype=np.float32)
        scale, half = np.float32(axis.size) / np.float32(axis.target), np.float32(0.5)
        if self.coordinates == "asymmetric":
            return scale * at
        if self.coordinates == "align_corners":
            return np.float32(axis.size - 1) / np.float32(axis.target - 1) * at
        if self.coordinates == "tf_half_pixel_for_nn":
            return (at + half) * scale
        if self.coordinates == "pytorch_half_pixel" and axis.target == 1:
            return np.zeros_like(at)
        return (at + half) * scale - half

    def _tvm_rounded(self, places: np.ndarray, axis: Axis) -> np.ndarray:
        import numpy as np

        margin = np.float32(1e-5)
        if self.nearest == "floor":
            if self.coordinates == "asymmetric" and axis.target % axis.size == 0:
                return np.arange(axis.target) // (axis.target // axis.size)
            return np.floor(places + margin).astype(np.int64)
        if self.nearest == "ceil":
            return np.ceil(places - margin).astype(np.int64)
        if self.nearest == "round_prefer_ceil":
            return np.floor(places + np.float32(0.5)).astype(np.int64)
        return np.ceil(places - np.float32(0.5)).astype(np.int64)


_TVM_PLACES = {
    "align_corners",
    "asymmetric",
    "half_pixel",
    "pytorch_half_pixel",
    "tf_half_pixel_for_nn",
}
