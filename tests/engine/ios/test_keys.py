"""What names a kernel, a device and a batch."""

from __future__ import annotations

from dataclasses import replace

from engine.ios.keys import batch_of, device_title, graph_of, kernel_keys
from engine.records.machine import TargetSpec
from engine.records.task import TensorSpec
from tests.engine.project.support import OPERATORS, TASKS


def test_a_kernel_is_its_task_and_its_trace() -> None:
    untuned = kernel_keys(OPERATORS, TASKS, {})
    tuned = kernel_keys(OPERATORS, TASKS, {TASKS[0].fingerprint: "trace"})
    assert len(set(untuned)) == 3
    assert tuned[0] != untuned[0]
    assert tuned[1:] == untuned[1:]
    other = kernel_keys(OPERATORS, TASKS, {TASKS[0].fingerprint: "another"})
    assert other[0] not in (untuned[0], tuned[0])


def test_operators_of_one_task_are_one_kernel_in_any_program() -> None:
    twin = replace(OPERATORS[1], id=3, task=0)
    moved = [replace(task, index=task.index + 5) for task in TASKS]
    again = [replace(item, task=item.task + 5) for item in OPERATORS if item.task is not None]
    keys = kernel_keys([*OPERATORS, twin], TASKS, {})
    assert keys[3] == keys[0]
    assert kernel_keys(again, moved, {}) == keys[:2]


def test_the_graph_is_of_what_operators_read() -> None:
    graph = graph_of(OPERATORS)
    assert graph.before == (0b0, 0b1, 0b11)


def test_the_batch_is_the_first_axis_of_the_first_input_that_has_axes() -> None:
    scalar, image = TensorSpec((), "float32"), TensorSpec((32, 3, 8, 8), "float32")
    assert batch_of([("a", scalar), ("b", image)]) == 32
    assert batch_of([("a", scalar)]) == batch_of([]) == 1


def test_a_cpu_is_named_by_its_target() -> None:
    assert device_title(TargetSpec("{}", "cpu znver4 x2", "cpu", 2)) == "cpu znver4 x2"
