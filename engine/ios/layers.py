"""Convolutions and matmuls by constant weights, described in plain data and built again from it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from engine.ios.merging_rules import Pair
from engine.records.errors import ModelError
from engine.records.task import Task
from engine.targets.targets import TargetSpec
from engine.tasks.extract import Program, extract
from engine.tasks.lower import ONE_AT_A_TIME, first_line, lower

_log = logging.getLogger(__name__)

ACTIVATIONS = frozenset({"", "relu", "gelu", "sigmoid", "tanh", "sigmoid_multiply"})
"""What may follow a layer, named as in the class of its operator."""


@dataclass(frozen=True, slots=True)
class Layer:
    """One tensor times constant weights, a bias maybe, an activation maybe.

    Shapes are as lowered: `data` NCHW or NHWC, `weights` OIHW or OHWI (`channels_last`), and of a
    matmul (..., k) and (k, n). `bias` broadcasts along the output channels. `activation` names what
    follows, one of ACTIVATIONS. `padding` is before and after height and width.
    """

    kind: Literal["conv2d", "matmul"]
    data: tuple[int, ...]
    weights: tuple[int, ...]
    dtype: str
    bias: tuple[int, ...] | None = None
    activation: str = ""
    channels_last: bool = False
    strides: Pair = (1, 1)
    dilation: Pair = (1, 1)
    padding: tuple[Pair, Pair] = ((0, 0), (0, 0))

    @property
    def axis(self) -> int:
        """The axis of the output channels in the output."""
        if self.kind == "matmul":
            return len(self.data) - 1
        return 3 if self.channels_last else 1

    @property
    def weights_axis(self) -> int:
        """The axis of the output channels in the weights."""
        return 1 if self.kind == "matmul" else 0

    @property
    def channels(self) -> int:
        """How many output channels it has."""
        return self.weights[self.weights_axis]

    @property
    def kernel(self) -> Pair:
        """Height and width of a convolution's window."""
        first = 1 if self.channels_last else 2
        return self.weights[first], self.weights[first + 1]

    @property
    def size(self) -> Pair:
        """Height and width of a convolution's input."""
        first = 1 if self.channels_last else 2
        return self.data[first], self.data[first + 1]

    @property
    def output_size(self) -> Pair:
        """Height and width of a convolution's output."""
        sizes = [
            (size + sum(padding) - dilation * (kernel - 1) - 1) // stride + 1
            for size, padding, dilation, kernel, stride in zip(
                self.size, self.padding, self.dilation, self.kernel, self.strides, strict=True
            )
        ]
        return sizes[0], sizes[1]

    @property
    def output(self) -> tuple[int, ...]:
        if self.kind == "matmul":
            return (*self.data[:-1], self.channels)
        batch, size = self.data[0], self.output_size
        return (
            (batch, *size, self.channels) if self.channels_last else (batch, self.channels, *size)
        )

    def constants(self) -> tuple[tuple[int, ...], ...]:
        """The shapes of its constants, in the order of its kernel's arguments."""
        return (self.weights,) if self.bias is None else (self.weights, self.bias)


@dataclass(frozen=True, slots=True)
class LoweredLayer:
    """A layer's kernel: its task (of some index), its normalised workload, the function itself."""

    task: Task
    workload: Any
    function: Any


def lower_layers(layers: Iterable[Layer], target: TargetSpec) -> dict[Layer, LoweredLayer]:
    """The kernels that lowering makes of these layers, whatever their weights hold.

    A layer of which lowering makes no single kernel is left out.
    """
    wanted = tuple(dict.fromkeys(layers))
    if not wanted:
        return {}
    try:
        with ONE_AT_A_TIME:
            program = extract(lower(_module(wanted), target), target)
    except (ModelError, RuntimeError, ValueError, TypeError) as error:
        _log.info("%d layers are not built again: %s", len(wanted), first_line(error))
        if len(wanted) == 1:
            return {}
        return {layer: one for layer in wanted for one in lower_layers([layer], target).values()}
    return {
        layer: found
        for place, layer in enumerate(wanted)
        if (found := _lowered(program, place, layer)) is not None
    }


def _lowered(program: Program, place: int, layer: Layer) -> LoweredLayer | None:
    """The kernel between the input and the output of a place, None where there are more."""
    flow = program.dataflow
    steps = [step for step in flow.steps if flow.outputs[place] in step.outputs]
    if len(steps) != 1 or steps[0].inputs[0] != flow.inputs[place]:
        return None
    shapes = tuple(flow.values[value].spec.shape for value in steps[0].inputs[1:])
    if shapes != layer.constants():
        return None
    task = program.task_of[steps[0].function]
    function = program.module[steps[0].function]
    return LoweredLayer(program.tasks[task], program.workloads[task], function)


def _module(layers: Sequence[Layer]) -> Any:
    """A Relax module of these layers side by side, each with an input and zeros of its own."""
    from tvm import relax

    builder = relax.BlockBuilder()
    inputs = [
        relax.Var(f"x{place}", relax.TensorType(layer.data, layer.dtype))
        for place, layer in enumerate(layers)
    ]
    with builder.function("main", inputs, attrs={"num_input": len(inputs)}):
        with builder.dataflow():
            outputs = [
                builder.emit_output(_emit(builder, layer, data))
                for layer, data in zip(layers, inputs, strict=True)
            ]
        builder.emit_func_output(outputs)
    return builder.get()


def _emit(builder: Any, layer: Layer, data: Any) -> Any:
    import numpy as np
    from tvm import relax

    weights, *bias = (
        relax.const(np.zeros(shape, layer.dtype), layer.dtype) for shape in layer.constants()
    )
    result = _multiply(layer, data, weights)
    if bias:
        result = relax.op.add(builder.emit(result), *bias)
    return _activate(layer.activation, builder.emit(result))


def _activate(activation: str, result: Any) -> Any:
    from tvm import relax

    match activation:
        case "relu":
            return relax.op.nn.relu(result)
        case "gelu":
            return relax.op.nn.gelu(result)
        case "sigmoid":
            return relax.op.sigmoid(result)
        case "tanh":
            return relax.op.tanh(result)
        case "sigmoid_multiply":
            return relax.op.multiply(result, relax.op.sigmoid(result))
    return result


def _multiply(layer: Layer, data: Any, weights: Any) -> Any:
    from tvm import relax

    if layer.kind == "matmul":
        return relax.op.matmul(data, weights)
    (top, bottom), (left, right) = layer.padding
    layouts = ("NHWC", "OHWI") if layer.channels_last else ("NCHW", "OIHW")
    return relax.op.nn.conv2d(
        data,
        weights,
        strides=layer.strides,
        padding=(top, left, bottom, right),
        dilation=layer.dilation,
        data_layout=layouts[0],
        kernel_layout=layouts[1],
    )
