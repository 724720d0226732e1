"""Fourier transforms as products with constant matrices."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.models.rewriting.emit import Declined, Emitter

if TYPE_CHECKING:
    import numpy as np

_MAX_MATRIX = 2**24  # elements; 64 MB in float32


def dft(emit: Emitter) -> None:
    """X (..., length, ..., 1 or 2), real or complex; the result is complex.

    With an angle of -2 pi n k / length, each of its values is a sum of products with cosines and
    sines. What is missing of the signal counts as zeros, what is too long is left out.
    """
    x = emit.input(0)
    shape = emit.shape(x)
    axis = _axis(emit, len(shape))
    one_sided, inverse = emit.attribute("onesided", 0), emit.attribute("inverse", 0)
    length = shape[axis]
    if one_sided and inverse:
        length = 2 * (length - 1)
    if emit.input(1):
        length = int(emit.value(emit.input(1), "its length").item())
    if one_sided and inverse:
        _real_signal(emit, axis, length)
        return
    count = length // 2 + 1 if one_sided else length
    cosines, sines = _waves(emit, shape[axis], length, count, inverse)
    to_last = [place for place in range(len(shape) - 1) if place != axis] + [axis]
    real, imaginary = (_part(emit, x, place, to_last) for place in range(2))
    results = _complex_product(emit, real, imaginary, cosines, sines)
    back = [to_last.index(place) for place in range(len(shape) - 1)]
    parts = []
    for part in results:
        turned = part if back == sorted(back) else emit("Transpose", part, perm=back, part="back")
        parts.append(emit.unsqueeze(turned, len(shape) - 1, part="part"))
    emit.concat(parts, len(shape) - 1, out=emit.output(0), part="complex")


def _real_signal(emit: Emitter, axis: int, length: int) -> None:
    """The real signal of `length` whose spectrum's one side x is (..., bins, ..., 2).

    The other side mirrors it: all bins but the first, and the middle one, count twice.
    """
    import numpy as np

    x, shape = emit.input(0), emit.shape(emit.input(0))
    bins = shape[axis]
    if length // 2 >= bins:
        raise Declined("its signal is longer than its spectrum tells")
    _refuse_large(bins * length)
    angles = _angles(bins, length, length)
    place = np.arange(bins)[:, None]
    twice = np.where((place == 0) | (2 * place == length), 1, 2) * (place <= length // 2) / length
    dtype = emit.dtype(x)
    last = len(shape) - 1
    to_last = [at for at in range(last) if at != axis] + [axis]
    sums = [
        emit("MatMul", _part(emit, x, which, to_last), emit.constant(wave * twice, dtype, "waves"))
        for which, wave in enumerate((np.cos(angles), np.sin(angles)))
    ]
    signal = emit("Add", *sums, part="signal")
    back = [to_last.index(at) for at in range(last)]
    turned = emit("Transpose", signal, perm=back, part="back")
    emit.unsqueeze(turned, last, out=emit.output(0), part="real")


def stft(emit: Emitter) -> None:
    """Frames of a signal (batch, length, 1 or 2), each times the window, transformed."""
    shape = emit.shape(emit.input(0))
    parts = shape[2] if len(shape) == 3 else 1
    if parts == 2 and emit.attribute("onesided", 1):
        raise Declined("it gives one side of a complex signal's spectrum")
    step = int(emit.value(emit.input(1), "its step").item())
    window, width = _window(emit)
    count = width // 2 + 1 if emit.attribute("onesided", 1) else width
    frames = (shape[1] - width) // step + 1
    if frames < 1 or step < 1:
        raise Declined("its signal is shorter than a frame")
    matrix = _stft_matrix(emit, window, count, parts)
    signal = emit.reshape(emit.input(0), shape[0], shape[1], parts, part="signal")
    places = _frame_places(emit, frames, width, step)
    taken = emit("Gather", signal, places, axis=1, part="taken")
    framed = emit.reshape(taken, shape[0], frames, width * parts, part="frames")
    both = emit("MatMul", framed, matrix, part="spectrum")
    both = emit.reshape(both, shape[0], frames, 2, count, part="parts")
    emit("Transpose", both, perm=[0, 1, 3, 2], out=emit.output(0), part="complex")


def _axis(emit: Emitter, rank: int) -> int:
    axis = emit.attribute("axis", 1)
    if emit.facts.opset >= 20:
        axis = int(emit.value(emit.input(2), "its axis").item()) if emit.input(2) else -2
    return int(axis) % rank


def _part(emit: Emitter, x: str, place: int, to_last: list[int]) -> str:
    """The real (0) or imaginary (1) part with the transformed axis last; "" where there is none."""
    shape = emit.shape(x)
    if place >= shape[-1]:
        return ""
    index = emit.constant(place, "int64", "place")
    part = emit("Gather", x, index, axis=len(shape) - 1, part="taken")
    if to_last == sorted(to_last):
        return part
    return emit("Transpose", part, perm=to_last, part="axis_last")


def _waves(emit: Emitter, given: int, length: int, count: int, inverse: int) -> tuple[str, str]:
    """Cosines and sines, (given, count)."""
    import numpy as np

    _refuse_large(given * count)
    angles = _angles(given, length, count) * (-1 if inverse else 1)
    factor = 1 / length if inverse else 1.0
    used = np.arange(given)[:, None] < length
    dtype = emit.dtype(emit.input(0))
    return (
        emit.constant(np.cos(angles) * used * factor, dtype, "cosines"),
        emit.constant(np.sin(angles) * used * factor, dtype, "sines"),
    )


def _angles(given: int, length: int, count: int) -> np.ndarray:
    import numpy as np

    # In whole numbers, so that large products lose no digits
    turns = np.arange(given)[:, None] * np.arange(count)[None, :] % length
    angles: np.ndarray = -2 * np.pi * turns / length
    return angles


def _complex_product(
    emit: Emitter, real: str, imaginary: str, cosines: str, sines: str
) -> tuple[str, str]:
    if not imaginary:
        return emit("MatMul", real, cosines, part="real"), emit("MatMul", real, sines, part="imag")
    products = {
        (name, wave): emit("MatMul", name, wave, part="product")
        for name in (real, imaginary)
        for wave in (cosines, sines)
    }
    return (
        emit("Sub", products[real, cosines], products[imaginary, sines], part="real"),
        emit("Add", products[real, sines], products[imaginary, cosines], part="imag"),
    )


def _window(emit: Emitter) -> tuple[np.ndarray, int]:
    import numpy as np

    length = int(emit.value(emit.input(3), "its length").item()) if emit.input(3) else 0
    if emit.input(2):
        window = emit.value(emit.input(2), "its window").astype("float64")
        if length and length != window.size:
            raise Declined("its window is not as long as a frame")
        return window, window.size
    if length < 1:
        raise Declined("it has neither a window nor a length")
    return np.ones(length), length


def _stft_matrix(emit: Emitter, window: np.ndarray, count: int, parts: int) -> str:
    """(parts of the frame's values, parts of `count` frequencies), the window in it."""
    import numpy as np

    width = window.size
    _refuse_large(width * parts * count * 2)
    angles = _angles(width, width, count)
    cosines, sines = np.cos(angles), np.sin(angles)
    rows = [np.concatenate([cosines, sines], 1), np.concatenate([-sines, cosines], 1)][:parts]
    waves = window[:, None, None] * np.stack(rows, axis=1)
    return emit.constant(waves.reshape(width * parts, -1), emit.dtype(emit.input(0)), "waves")


def _frame_places(emit: Emitter, frames: int, width: int, step: int) -> str:
    import numpy as np

    _refuse_large(frames * width)
    places = np.arange(frames)[:, None] * step + np.arange(width)[None, :]
    return emit.constant(places, "int64", "frame_places")


def _refuse_large(elements: int) -> None:
    if elements > _MAX_MATRIX:
        raise Declined(f"it would need a matrix of {elements} numbers")
