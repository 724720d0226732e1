"""Names of kernels by what they compute and how, and of the device that runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING

from engine.ios.graph import OperatorGraph
from engine.records.devices import cuda_index
from engine.records.network import Operator
from engine.records.task import Task, TensorSpec

if TYPE_CHECKING:
    from engine.records.machine import TargetSpec


def kernel_key(fingerprint: str, trace: str) -> str:
    """The name of the kernel that a trace makes of a task; an empty trace is TVM's default."""
    return blake2b(f"{fingerprint}\n{trace}".encode(), digest_size=16).hexdigest()


def kernel_keys(
    operators: Sequence[Operator], tasks: Sequence[Task], traces: Mapping[str, str]
) -> tuple[str, ...]:
    """The kernel of each operator; `traces` are the records' by their tasks' fingerprints."""
    names = {}
    for task in tasks:
        names[task.index] = kernel_key(task.fingerprint, traces.get(task.fingerprint, ""))
    return tuple(
        kernel_key(operator.op_class, "") if operator.task is None else names[operator.task]
        for operator in operators
    )


def graph_of(operators: Sequence[Operator]) -> OperatorGraph:
    """The program's operators as a DAG, numbered as they are listed."""
    place = {operator.id: number for number, operator in enumerate(operators)}
    edges = {
        (place[read], place[operator.id]) for operator in operators for read in operator.inputs
    }
    return OperatorGraph.of(edges, len(operators))


def batch_of(inputs: Sequence[tuple[str, TensorSpec]]) -> int:
    """The batch size of a model: the first axis of its first input that has axes."""
    return next((spec.shape[0] for _, spec in inputs if spec.shape), 1)


def device_title(target: TargetSpec) -> str:
    """The device that latencies hold for: a target of a GPU names an architecture alone."""
    if not target.is_gpu:
        return target.title
    from engine.records.machine import local_cuda

    return local_cuda(cuda_index(target.device)).title
