"""Which operators may be merged into one, and the window of a merged convolution."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

Pair = tuple[int, int]


@dataclass(frozen=True, slots=True)
class OperatorFacts:
    """What the rules need to know of a lowered operator.

    `inputs` are the values that it reads, weights and other constants not among them. `layout` is
    any text that is equal where the axes of inputs, weights and outputs have equal order and
    packing. `activation` names what follows ("", "relu", ...). The rest is of convolutions: sizes
    (height, width), `padding` before and after each axis.
    """

    kind: Literal["conv2d", "matmul", "other"]
    inputs: tuple[int, ...] = ()
    dtype: str = "float32"
    layout: str = ""
    activation: str = ""
    size: Pair = (1, 1)
    output_size: Pair = (1, 1)
    kernel: Pair = (1, 1)
    strides: Pair = (1, 1)
    dilation: Pair = (1, 1)
    padding: tuple[Pair, Pair] = ((0, 0), (0, 0))


@dataclass(frozen=True, slots=True)
class Window:
    """A merged convolution: its kernel and padding (as in OperatorFacts), its dilation, and where
    in the kernel each member's top left corner goes; the rest of the kernel is 0."""

    kernel: Pair
    dilation: Pair
    padding: tuple[Pair, Pair]
    corners: tuple[Pair, ...]


def can_merge(operators: Sequence[OperatorFacts]) -> bool:
    """Whether these operators may become one."""
    return obstacle(operators) is None


def obstacle(operators: Sequence[OperatorFacts]) -> str | None:
    """Why they may not be merged, in a few words for a person; None where they may."""
    first = operators[0] if operators else OperatorFacts("other")
    simple = (
        (len(operators) < 2, "one operator alone"),
        (first.kind == "other", "only convolutions and matmuls merge"),
        (_differ(operators, "kind"), "different kinds of operators"),
        (any(len(facts.inputs) != 1 for facts in operators), "more than one input"),
        (_differ(operators, "inputs"), "different inputs"),
        (_differ(operators, "dtype"), "different dtypes"),
        (_differ(operators, "layout"), "different layouts"),
        (_differ(operators, "activation"), "different activations"),
    )
    for true, reason in simple:
        if true:
            return reason
    return _window_obstacle(operators) if first.kind == "conv2d" else None


def _window_obstacle(operators: Sequence[OperatorFacts]) -> str | None:
    if _differ(operators, "strides"):
        return "different strides"
    if _differ(operators, "size") or _differ(operators, "output_size"):
        return "outputs of different size"
    axes = (_axis(operators, 0), _axis(operators, 1))
    return "windows that do not align" if None in axes else None


def _differ(operators: Sequence[OperatorFacts], field: str) -> bool:
    return len({getattr(facts, field) for facts in operators}) > 1


def merged_window(operators: Sequence[OperatorFacts]) -> Window:
    """The smallest window that covers those of convolutions that may be merged."""
    height, width = _axis(operators, 0), _axis(operators, 1)
    assert height is not None
    assert width is not None
    return Window(
        (height.kernel, width.kernel),
        (height.dilation, width.dilation),
        (height.padding, width.padding),
        tuple(zip(height.corners, width.corners, strict=True)),
    )


@dataclass(frozen=True, slots=True)
class _Axis:
    kernel: int
    dilation: int
    padding: Pair
    corners: tuple[int, ...]


def _axis(operators: Sequence[OperatorFacts], axis: int) -> _Axis | None:
    """One axis of the merged window, None where the members' taps lie on no common grid.

    Output y reads from y * stride - padding on; with more padding, a member's taps move back by
    whole steps of the dilation. What is padded behind makes the output as large as the members'.
    """
    first = operators[0]
    dilations = {facts.dilation[axis] for facts in operators if facts.kernel[axis] > 1}
    if len(dilations) > 1:
        return None
    dilation = dilations.pop() if dilations else 1
    front = max(facts.padding[axis][0] for facts in operators)
    shifts = [divmod(front - facts.padding[axis][0], dilation) for facts in operators]
    if any(remainder for _, remainder in shifts):
        return None
    corners = tuple(corner for corner, _ in shifts)
    ends = [at + facts.kernel[axis] for at, facts in zip(corners, operators, strict=True)]
    kernel = max(ends)
    reach = (first.output_size[axis] - 1) * first.strides[axis] + (kernel - 1) * dilation + 1
    back = max(0, reach - front - first.size[axis])
    return _Axis(kernel, dilation, (front, back), corners)
