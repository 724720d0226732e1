"""The model as its designers know it: a row for each layer, and how long it takes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.history.history import History
from engine.records.network import Fate, FileNode, Operator, nodes_by_operator
from engine.records.snapshot import Snapshot
from engine.records.task import Task, TensorSpec

# Types of nodes that give a layer its name, before all that is fused with them.
_LEADING = ("Conv", "Gemm", "MatMul", "Attention", "LSTM", "GRU", "RNN")
_PRODUCTS = ("conv", "matmul", "dense")
_LOOKUPS = ("take", "gather")


@dataclass(frozen=True, slots=True)
class Layer:
    """One fused operator, by the nodes of the model's file that it came of.

    `place` is its id, in the order of execution. `name` is that of its convolution or product, else
    of the first of `nodes`; where the file is not known, the operator's own. `output` has the shape
    that the file gives it, unless the operator gives another tensor. `flops` are those of one call,
    None where they cannot be counted. `parameters` counts the elements of the constants that
    it reads, weights and biases, None where its arguments do not tell them from data. `task` is the
    index of its task, None where there is nothing to tune.
    """

    place: int
    name: str
    nodes: tuple[FileNode, ...]
    op_class: str
    task: int | None
    output: TensorSpec
    flops: float | None
    parameters: int | None

    @property
    def origin(self) -> str:
        """All its nodes, "Conv conv1, Relu relu1"; empty where the file is not known."""
        return ", ".join(f"{node.op_type} {node.name}".strip() for node in self.nodes)


@dataclass(frozen=True, slots=True)
class LayerTimes:
    """What one occurrence of a layer takes, in seconds; None is not known.

    `share` is its part of the model's latency in [0, 1], `speedup` untuned over now, `peak_share`
    its speed over the peak of the device.
    """

    untuned_s: float | None = None
    now_s: float | None = None
    share: float | None = None
    speedup: float | None = None
    peak_share: float | None = None


NO_TIMES = LayerTimes()


def layers(snapshot: Snapshot) -> tuple[Layer, ...]:
    """The layers of a project in the order in which they run."""
    came_of = nodes_by_operator(snapshot.file_nodes)
    outputs = {operator.id: operator.output for operator in snapshot.operators}
    return tuple(
        _layer(
            operator,
            tuple(snapshot.file_nodes[node] for node in came_of.get(operator.id, ())),
            None if operator.task is None else snapshot.tasks[operator.task],
            [outputs[source] for source in operator.inputs],
        )
        for operator in snapshot.operators
    )


def task_times(history: History, peak_flops: float | None) -> dict[int, LayerTimes]:
    """What one operator of each task takes, by the task's index; `peak_flops` in FLOP/s."""
    return {task.index: _times(history, task.index, peak_flops) for task in history.tasks}


def by_share(found: Sequence[Layer], times: dict[int, LayerTimes]) -> list[Layer]:
    """The layers, the one that takes most of the latency first; those not known last."""

    def share(layer: Layer) -> float:
        known = None if layer.task is None else times[layer.task].share
        return -1.0 if known is None else known

    return sorted(found, key=share, reverse=True)


def _times(history: History, task: int, peak_flops: float | None) -> LayerTimes:
    speed = history.flops_per_s(task)
    return LayerTimes(
        untuned_s=history.untuned(task),
        now_s=history.now(task),
        share=history.operator_share(task),
        speedup=history.speedup(task),
        peak_share=speed / peak_flops if speed and peak_flops else None,
    )


def _layer(
    operator: Operator,
    nodes: tuple[FileNode, ...],
    task: Task | None,
    sources: Sequence[TensorSpec],
) -> Layer:
    own = [node for node in nodes if node.fate is Fate.OPERATORS]
    heavy = [node for node in own if any(kind in node.op_type for kind in _LEADING)]
    leading = next(iter([*heavy, *own, *nodes]), None)
    # A convolution in several operators, as Winograd's, has other weights than the file's.
    is_part = leading is not None and len(leading.operators) > 1
    return Layer(
        place=operator.id,
        name=(leading.name if leading else "") or operator.name,
        nodes=nodes,
        op_class=operator.op_class,
        task=operator.task,
        output=_output(operator, own),
        flops=operator.flops or None,
        parameters=None if is_part or task is None else _parameters(operator, task, sources),
    )


def _output(operator: Operator, own: Sequence[FileNode]) -> TensorSpec:
    """In the axes of the file, where its last node gives as many elements."""
    last = own[-1].output if own else None
    if last is None or math.prod(last.shape) != math.prod(operator.output.shape):
        return operator.output
    return TensorSpec(last.shape, operator.output.dtype)


def _parameters(operator: Operator, task: Task, sources: Sequence[TensorSpec]) -> int | None:
    """The elements of what a kernel reads beside the outputs of other operators, its `sources`.

    That may also be an input of the model: only what is in the place of weights, or has one axis
    alone, is taken for a constant.
    """
    if not task.args or not _alike(task.args[-1], operator.output):
        return None  # it has several outputs
    left = list(enumerate(task.args[:-1]))
    for source in sources:
        found = next((each for each in left if _alike(each[1], source)), None)
        if found is None:
            return None
        left.remove(found)
    kinds = operator.op_class.split("_")
    weights: tuple[int, ...] = ()
    if any(kind.startswith(_PRODUCTS) for kind in kinds):
        weights = (0, 1) if sources else (1,)
        left = left if sources else left[1:]  # its data are an input of the model
    elif any(kind.startswith(_LOOKUPS) for kind in kinds):
        weights = (0,)
        left = [each for each in left if not each[1].dtype.startswith("int")]
    elif not sources:
        left = left if len(left) != 1 else []
    if any(place not in weights and not _is_vector(spec) for place, spec in left):
        return None
    return sum(math.prod(spec.shape) for _, spec in left)


def _alike(one: TensorSpec, other: TensorSpec) -> bool:
    """Whether both may be the same memory."""
    return one.dtype == other.dtype and math.prod(one.shape) == math.prod(other.shape)


def _is_vector(spec: TensorSpec) -> bool:
    return sum(extent != 1 for extent in spec.shape) <= 1
