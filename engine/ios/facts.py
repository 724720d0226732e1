"""What the merging rules need to know of a lowered program's operators, read from its kernels."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from engine.ios.layers import ACTIVATIONS, Layer, lower_layers
from engine.ios.merging_rules import OperatorFacts, Pair
from engine.tasks.dataflow import Step, Value
from engine.tasks.extract import Program, operator_class

_DTYPES = ("float16", "float32", "float64")


def facts_of(program: Program, operator: int, layer: Layer | None) -> OperatorFacts:
    """The facts of a step that is this layer."""
    if layer is None:
        return OperatorFacts("other")
    flow = program.dataflow
    return layer_facts(layer, flow.root(flow.steps[operator].inputs[0]))


def layer_facts(layer: Layer, root: int) -> OperatorFacts:
    """The facts of a layer that reads the value `root`, or a view of it."""
    order = "rows" if layer.kind == "matmul" else "NHWC" if layer.channels_last else "NCHW"
    facts = OperatorFacts(
        layer.kind,
        inputs=(root,),
        dtype=layer.dtype,
        layout=f"{order} {'x'.join(map(str, layer.data))}",
        activation=layer.activation,
    )
    if layer.kind == "matmul":
        return facts
    return replace(
        facts,
        size=layer.size,
        output_size=layer.output_size,
        kernel=layer.kernel,
        strides=layer.strides,
        dilation=layer.dilation,
        padding=layer.padding,
    )


def read_layers(program: Program, operators: Iterable[int] | None = None) -> dict[int, Layer]:
    """The operators, all or some, that are layers.

    What a kernel seems to be is built and lowered again: only where that gives the very same
    kernel is it taken for one.
    """
    import tvm_ffi

    flow = program.dataflow
    steps = range(len(flow.steps)) if operators is None else operators
    reader = _Reader(program)
    seeming = {step: layer for step in steps if (layer := reader.read(flow.steps[step]))}
    lowered = lower_layers(seeming.values(), program.target)
    found = {}
    for step, layer in seeming.items():
        workload = program.workloads[program.task_of[flow.steps[step].function]]
        made = lowered.get(layer)
        if made and tvm_ffi.StructuralKey(made.workload) == tvm_ffi.StructuralKey(workload):
            found[step] = layer
    return found


class _Reader:
    """Says what a step seems to be. Windows are read once a kernel."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._windows: dict[str, dict[str, Any] | None] = {}

    def read(self, step: Step) -> Layer | None:
        """The layer that a step may be."""
        values = [self._program.dataflow.values[value] for value in step.inputs]
        if len(step.outputs) != 1 or len(values) < 2 or not self._is_plain(step, values):
            return None
        data, weights, *rest = values
        kind, *words = operator_class(step.function).split("_")
        if kind not in ("conv2d", "matmul"):
            return None
        if len(rest) != (words[:1] == ["add"]):
            return None
        activation = "_".join(words[len(rest) :])
        if activation not in ACTIVATIONS:
            return None
        window = self._window(step.function, data.spec.shape) if kind == "conv2d" else {}
        if window is None:
            return None
        layer = Layer(
            "conv2d" if kind == "conv2d" else "matmul",
            data.spec.shape,
            weights.spec.shape,
            data.spec.dtype,
            rest[0].spec.shape if rest else None,
            activation,
            **window,
        )
        output = self._program.dataflow.values[step.outputs[0]].spec.shape
        return layer if _is_whole(layer, output) else None

    def _is_plain(self, step: Step, values: Sequence[Value]) -> bool:
        """Whether one tensor meets constants, all of one dtype that is summed as it is."""
        flow = self._program.dataflow
        specs = [value.spec for value in (*values, flow.values[step.outputs[0]])]
        return (
            specs[0].dtype in _DTYPES
            and len({spec.dtype for spec in specs}) == 1
            and flow.values[flow.root(step.inputs[0])].kind != "constant"
            and all(value.kind == "constant" for value in values[1:])
        )

    def _window(self, function: str, data: tuple[int, ...]) -> dict[str, Any] | None:
        if function not in self._windows:
            workload = self._program.workloads[self._program.task_of[function]]
            self._windows[function] = _read_window(workload, data)
        return self._windows[function]


def _is_whole(layer: Layer, output: tuple[int, ...]) -> bool:
    """Whether weights, bias and output have the ranks and lengths of a layer."""
    if layer.kind == "matmul":
        whole = len(layer.weights) == 2 and len(layer.data) >= 2
        return whole and layer.weights[0] == layer.data[-1] and _ends(layer, output)
    inputs = 3 if layer.channels_last else 1
    whole = len(layer.weights) == 4 and len(layer.data) == 4
    return whole and layer.weights[inputs] == layer.data[inputs] and _ends(layer, output)


def _ends(layer: Layer, output: tuple[int, ...]) -> bool:
    """Whether the output is the layer's, and the bias has one value for each of its channels."""
    if layer.output != output:
        return False
    if layer.bias is None:
        return True
    rank = len(layer.bias)
    if rank > len(output) or (layer.kind == "conv2d" and rank != 4):
        return False
    plain = [1] * rank
    plain[layer.axis - len(output)] = layer.channels
    return list(layer.bias) == plain


def _read_window(workload: Any, data: tuple[int, ...]) -> dict[str, Any] | None:
    """Layout, strides, dilation and padding of a convolution's kernel, by its index expressions.

    They may be wrong where a kernel is built otherwise than TVM's own: the caller checks.
    """
    from tvm.s_tir import Schedule

    schedule = Schedule(workload)
    blocks = {
        str(schedule.get(block).name_hint): schedule.get(block)
        for block in schedule.get_child_blocks(schedule.get_sblock("root"))
    }
    last = "conv2d_nhwc" in blocks
    convolution = blocks.get("conv2d_nhwc", blocks.get("conv2d_nchw"))
    pad = blocks.get("pad_temp")
    if convolution is None or pad is None or len(data) != 4:
        return None
    padded = pad.writes[0].source
    reads = [read.region for read in convolution.reads if read.source.same_as(padded)]
    if len(reads) != 1 or len(pad.reads) != 1:
        return None
    axes = (1, 2) if last else (2, 3)
    steps = [_steps(convolution.iter_vars, reads[0][axis].min) for axis in axes]
    fronts = [-_offset(pad.iter_vars, pad.reads[0].region[axis].min) for axis in axes]
    sizes = [int(padded.shape[axis]) for axis in axes]
    padding = [
        (front, size - data[axis] - front)
        for front, size, axis in zip(fronts, sizes, axes, strict=True)
    ]
    if any(min(pair) < 0 for pair in padding):
        return None
    return {
        "channels_last": last,
        "strides": tuple(stride for stride, _ in steps),
        "dilation": tuple(dilation for _, dilation in steps),
        "padding": tuple(padding),
    }


def _steps(iterators: Sequence[Any], index: Any) -> Pair:
    """How far an index moves with the output's place, and with the window's."""
    from tvm.tirx import IterVar

    found = {IterVar.DataPar: 1, IterVar.CommReduce: 1}
    for iterator, factor in zip(iterators, _linear(iterators, index)[:-1], strict=True):
        if factor:
            found[iterator.iter_type] = factor
    return found[IterVar.DataPar], found[IterVar.CommReduce]


def _offset(iterators: Sequence[Any], index: Any) -> int:
    return _linear(iterators, index)[-1]


def _linear(iterators: Sequence[Any], index: Any) -> list[int]:
    """The factor of each iterator in an index, and what is added; zeros where it is not linear."""
    from tvm.sym import detect_linear_equation

    found = detect_linear_equation(index, [iterator.var for iterator in iterators])
    return [int(value) for value in found] or [0] * (len(iterators) + 1)
