"""Made-up tasks with design spaces, for clusters; no TVM is asked."""

from __future__ import annotations

from collections.abc import Sequence

from engine.records.space import DesignSpace, Knob, KnobKind, Sketch
from engine.records.task import Task, TensorSpec

Given = tuple[list[Task], list[DesignSpace]]


def tile(axis: str, extent: int, parts: int = 2, innermost: int = 0) -> Knob:
    """A loop's tile."""
    return Knob(f"tile {axis}", KnobKind.TILE, extent, parts, innermost)


def matmul(index: int, n: int, m: int, k: int = 10, weight: int = 1, parts: int = 2) -> Task:
    """A task of an n x k by k x m product; `parts` are those of its tiles (see `space`)."""
    args = tuple(TensorSpec(shape, "float32") for shape in ((n, k), (k, m), (n, m)))
    flops = 2.0 * n * m * k
    return Task(index, f"matmul_{index}", weight, flops, "matmul", args, f"{n}x{m}x{k}/{parts}")


def space(task: Task, parts: int = 2, structure: str = "s") -> DesignSpace:
    """One sketch, with tiles over N and M alone."""
    n, m = task.args[2].shape
    sketch = Sketch(structure, (tile("N", n, parts), tile("M", m, parts)))
    return DesignSpace(task.index, task.op_class, (sketch,))


def matmuls(shapes: Sequence[tuple[int, int, int]], parts: int = 2) -> Given:
    """Tasks and spaces of products (n, m, k)."""
    tasks = [matmul(index, n, m, k, parts=parts) for index, (n, m, k) in enumerate(shapes)]
    return tasks, [space(task, parts) for task in tasks]


def published_vector() -> Given:
    """The four products that the published metric is described with, as (N, M, K)."""
    return matmuls([(10, 10, 10), (15, 10, 10), (20, 10, 10), (20, 15, 10)])
