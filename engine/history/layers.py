"""The model as its designers know it: a row for each layer, and how long it takes."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from engine.history.history import History
from engine.history.parameters import constants
from engine.records.network import Fate, FileNode, Operator, nodes_by_operator
from engine.records.snapshot import Snapshot
from engine.records.task import TensorSpec

# Types of nodes that give a layer its name, before all that is fused with them.
_LEADING = ("Conv", "Gemm", "MatMul", "Attention", "LSTM", "GRU", "RNN")
_WINOGRAD, _WINOGRAD_WEIGHTS = "winograd", 9  # it is for kernels of 3 x 3


@dataclass(frozen=True, slots=True)
class Layer:
    """The fused operators that one node of the model's file leads: mostly one.

    That node is their convolution or product, else the first that they came of; `name` is its. An
    operator that came of no node is a layer of its own. `nodes` are all that went into it.
    `place` counts from 0 in the order of execution, `operators` are ids, `tasks` the indices of the
    tasks that they are, each as often as it occurs. `output` has the shape that the file gives it,
    where the last operator gives as many elements. `flops` are those of all its operators, None
    where they cannot be counted. `parameters` counts the elements of the constants that it reads,
    weights and biases, None where the arguments do not tell them from data.
    """

    place: int
    name: str
    nodes: tuple[FileNode, ...]
    operators: tuple[int, ...]
    op_classes: tuple[str, ...]
    tasks: tuple[int, ...]
    output: TensorSpec
    flops: float | None
    parameters: int | None

    @property
    def origin(self) -> str:
        """All its nodes, "Conv conv1, Relu relu1"; empty where the file is not known."""
        return ", ".join(f"{node.op_type} {node.name}".strip() for node in self.nodes)

    @property
    def kind(self) -> str:
        """The classes of its operators, each once."""
        return ", ".join(dict.fromkeys(self.op_classes))


@dataclass(frozen=True, slots=True)
class LayerTimes:
    """What a layer takes in one inference, in seconds; None is not known.

    `share` is its part of the model's latency in [0, 1], `speedup` untuned over now, `peak_share`
    its speed over the peak of the device.
    """

    untuned_s: float | None = None
    now_s: float | None = None
    share: float | None = None
    speedup: float | None = None
    peak_share: float | None = None


def layers(snapshot: Snapshot) -> tuple[Layer, ...]:
    """The layers of a project in the order in which they run."""
    reader = _Reader(snapshot)
    groups: dict[Hashable, list[Operator]] = {}
    for operator in snapshot.operators:
        leading = reader.leading(operator)
        key = ("node", leading.id) if leading else ("operator", operator.id)
        groups.setdefault(key, []).append(operator)
    return tuple(reader.layer(place, group) for place, group in enumerate(groups.values()))


def layer_times(
    found: Iterable[Layer], history: History, peak_flops: float | None
) -> list[LayerTimes]:
    """What each layer takes: the operators of one task share its time alike. The peak is the
    device's, in FLOP/s."""
    tasks = [task.index for task in history.tasks]
    untuned = {task: history.untuned(task) for task in tasks}
    now = {task: history.now(task) for task in tasks}
    shares = {task: history.operator_share(task) for task in tasks}
    times = []
    for layer in found:
        untuned_s, now_s = _sum(layer.tasks, untuned), _sum(layer.tasks, now)
        speed = layer.flops / now_s if layer.flops and now_s else None
        times.append(
            LayerTimes(
                untuned_s=untuned_s,
                now_s=now_s,
                share=_sum(layer.tasks, shares),
                speedup=untuned_s / now_s if untuned_s is not None and now_s else None,
                peak_share=speed / peak_flops if speed and peak_flops else None,
            )
        )
    return times


def slowest_first(
    found: Sequence[Layer], times: Sequence[LayerTimes]
) -> list[tuple[Layer, LayerTimes]]:
    """The layers by their share of the latency; those whose share is not known come last."""

    def order(pair: tuple[Layer, LayerTimes]) -> float:
        return math.inf if pair[1].share is None else -pair[1].share

    return sorted(zip(found, times, strict=True), key=order)


def _sum(tasks: Sequence[int], values: Mapping[int, float | None]) -> float | None:
    """Of all of them; None where one is unknown, or there is none."""
    known = [value for task in tasks if (value := values[task]) is not None]
    return sum(known) if known and len(known) == len(tasks) else None


class _Reader:
    """Makes layers of one project's operators."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._tasks, self._nodes = snapshot.tasks, snapshot.file_nodes
        self._came_of = nodes_by_operator(snapshot.file_nodes)
        self._outputs = {operator.id: operator.output for operator in snapshot.operators}

    def leading(self, operator: Operator) -> FileNode | None:
        """The node that an operator is called by."""
        nodes = self._nodes_of(operator)
        heavy = (node for node in nodes if any(kind in node.op_type for kind in _LEADING))
        return next(heavy, None) or next(iter([*_own(nodes), *nodes]), None)

    def layer(self, place: int, operators: Sequence[Operator]) -> Layer:
        leading, last = self.leading(operators[0]), operators[-1]
        nodes = {node.id: node for each in operators for node in self._nodes_of(each)}
        flops = sum(operator.flops for operator in operators)
        return Layer(
            place=place,
            name=(leading.name if leading else "") or last.name,
            nodes=tuple(nodes[key] for key in sorted(nodes)),
            operators=tuple(operator.id for operator in operators),
            op_classes=tuple(operator.op_class for operator in operators),
            tasks=tuple(each.task for each in operators if each.task is not None),
            output=_output(last, _own(self._nodes_of(last))),
            flops=flops or None,
            parameters=self._parameters(operators),
        )

    def _nodes_of(self, operator: Operator) -> list[FileNode]:
        return [self._nodes[node] for node in self._came_of.get(operator.id, ())]

    def _parameters(self, operators: Sequence[Operator]) -> int | None:
        turned = any(each.op_class.startswith(_WINOGRAD) for each in operators)
        counts = []
        for operator in operators:
            if operator.task is None:
                continue
            task = self._tasks[operator.task]
            sources = [self._outputs[source] for source in operator.inputs]
            count = constants(operator, task, sources, 3 if turned else 2)
            if count and turned and not operator.op_class.startswith(_WINOGRAD):
                tiles = (task.args[0].shape or (1,))[0]
                count = count * _WINOGRAD_WEIGHTS // max(1, tiles)
            counts.append(count)
        known = [count for count in counts if count is not None]
        return sum(known) if known and len(known) == len(counts) else None


def _own(nodes: Iterable[FileNode]) -> list[FileNode]:
    """Those that are computed, not only merged into others."""
    return [node for node in nodes if node.fate is Fate.OPERATORS]


def _output(operator: Operator, own: Sequence[FileNode]) -> TensorSpec:
    """In the axes of the file, where its last node gives as many elements."""
    last = own[-1].output if own else None
    if last is None or math.prod(last.shape) != math.prod(operator.output.shape):
        return operator.output
    return TensorSpec(last.shape, operator.output.dtype)
