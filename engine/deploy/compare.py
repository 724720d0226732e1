"""Whether two runtimes' outputs agree up to rounding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.records.errors import ExportError
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    import numpy as np

    from engine.tasks.dataflow import Value

_FLIPS = 1000  # of so many integers one may differ


@dataclass(frozen=True, slots=True)
class Tolerance:
    """What counts as rounding: `relative` to each element, `scaled` to the largest one."""

    relative: float
    scaled: float


SINGLE = Tolerance(relative=1e-3, scaled=1e-4)
HALF = Tolerance(relative=2e-2, scaled=1e-2)  # TVM sums in half precision, ONNX Runtime in single
BRAIN = Tolerance(relative=4e-2, scaled=4e-2)  # a rounding is 8 times as large as of a half: 2^-8
EIGHT_BITS = Tolerance(relative=2e-2, scaled=2e-2)  # some steps: one rounding shifts the next ones
_FLOOR = 1e-6  # what cancellation leaves of float32 ones


def tolerance_of(values: Sequence[Value], rounded: bool = False) -> Tolerance:
    """What rounding may do in a program of these values, whose products are `rounded` to TF32."""
    inside = {value.spec.dtype for value in values if value.kind == "intermediate"}
    if inside & {"int8", "uint8"}:
        return EIGHT_BITS
    held = {value.spec.dtype for value in values}
    if "bfloat16" in held:
        return BRAIN
    return HALF if rounded or "float16" in held else SINGLE


def largest_difference(
    found: Mapping[str, np.ndarray],
    expected: Mapping[str, np.ndarray],
    tolerance: Tolerance = SINGLE,
    reference: str = "ONNX Runtime",
    slack: Mapping[str, np.ndarray] | None = None,
) -> float:
    """The largest absolute difference of all outputs; ExportError where it is more than rounding.

    An element may differ by `relative` of itself plus `scaled` of its output's largest magnitude.
    The first alone would refuse elements that are small because large terms cancelled, such as
    the background of a text detector's map: their rounding error is of the terms' size. The
    second alone, with 1 for the least scale, would see nothing of a softmax over many classes.
    Infinities and NaNs must be where the reference has them. Integers and booleans come from
    comparing and sorting, where rounding may flip a near tie: one in a thousand may differ, and
    8-bit integers, which are rounded themselves, by one. `slack` is what elements of an output may
    differ by beyond that: an infinite one, in any way.
    """
    free = slack or {}
    try:
        differences = [
            _difference(name, found, expected[name], tolerance, free.get(name)) for name in expected
        ]
    except _Differs as error:
        raise ExportError(
            error.said.filled(**error.values, reference=reference),
            "Nothing was exported; report the model with this sentence.",
        ) from error
    return max(differences, default=0.0)


def _difference(
    name: str,
    found: Mapping[str, np.ndarray],
    reference: np.ndarray,
    tolerance: Tolerance,
    slack: np.ndarray | None,
) -> float:
    import numpy as np

    output = found.get(name)
    if output is None or output.shape != reference.shape or output.dtype != reference.dtype:
        raise _Differs(
            Sentence("The output {output} is {ours}, not {theirs} as {reference}'s."),
            output=name,
            ours=_kind(output),
            theirs=_kind(reference),
        )
    if slack is not None:
        bound = np.isfinite(slack)
        output, reference, slack = output[bound], reference[bound], slack[bound]
    if reference.dtype.kind in "biu":
        return _integers(name, output, reference)
    ours, theirs = output.astype(np.float64), reference.astype(np.float64)
    finite = np.isfinite(theirs)
    if not np.array_equal(ours[~finite], theirs[~finite], equal_nan=True):
        raise _Differs(
            Sentence("The output {output} has infinities or NaNs where {reference}'s has others."),
            output=name,
        )
    ours, theirs = ours[finite], theirs[finite]
    difference = np.abs(ours - theirs)
    magnitude = np.abs(theirs)
    absolute = max(_FLOOR, tolerance.scaled * float(magnitude.max(initial=0)))
    allowed = absolute + tolerance.relative * magnitude
    if slack is not None:
        allowed += slack[finite]
    largest = float(difference.max(initial=0))
    if not np.all(difference <= allowed):
        raise _Differs(
            Sentence("The output {output} differs from {reference}'s by {largest:.3g}."),
            output=name,
            largest=largest,
        )
    return largest


def _integers(name: str, output: np.ndarray, reference: np.ndarray) -> float:
    import numpy as np

    step = 1 if reference.dtype in (np.int8, np.uint8) else 0
    difference = np.abs(output.astype(np.int64) - reference.astype(np.int64))
    wrong = int(np.count_nonzero(difference > step))
    if wrong > reference.size // _FLIPS:
        raise _Differs(
            Sentence(
                "The output {output} differs from {reference}'s in {wrong} of {size} elements."
            ),
            output=name,
            wrong=int(wrong),
            size=reference.size,
        )
    return float(difference.max(initial=0))


def _kind(array: np.ndarray | None) -> str:
    if array is None:
        return "missing"
    return f"{'x'.join(map(str, array.shape)) or 'scalar'} {array.dtype}"


class _Differs(Exception):
    """What is to be said, but for the name of the reference."""

    def __init__(self, said: Sentence, **values: str | float) -> None:
        super().__init__(said)
        self.said, self.values = said, values
