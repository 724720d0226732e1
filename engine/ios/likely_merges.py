"""How many merged operators a program may have, told from shapes alone: no kernel is looked at."""

from __future__ import annotations

from collections.abc import Sequence

from engine.ios.layers import ACTIVATIONS
from engine.ios.merge_sets import candidate_sets
from engine.ios.merging_rules import OperatorFacts, Pair
from engine.records.network import Operator
from engine.records.task import Task

_MODEL_INPUT = -1


def likely_merges(operators: Sequence[Operator], tasks: Sequence[Task], per_input: int) -> int:
    """The different merged operators of up to `per_input` sets of each input.

    Windows are taken to be centred and not dilated, so it may be more than there are.
    """
    facts = {
        place: found
        for place, operator in enumerate(operators)
        if operator.task is not None and (found := _seeming(operator, tasks[operator.task]))
    }
    sets = candidate_sets(facts, per_input=per_input)
    return len({tuple(sorted(operators[one].task or 0 for one in members)) for members in sets})


def _seeming(operator: Operator, task: Task) -> OperatorFacts | None:
    """What an operator would be by the shapes of its task's arguments."""
    kind, *words = task.op_class.split("_")
    has_bias = words[:1] == ["add"]
    activation = "_".join(words[has_bias:])
    if len(operator.inputs) > 1 or len(task.args) != 3 + has_bias or activation not in ACTIVATIONS:
        return None
    source = operator.inputs[0] if operator.inputs else _MODEL_INPUT
    data, weights, output = task.args[0], task.args[1], task.args[-1]
    if kind == "matmul" and len(weights.shape) == 2:
        return OperatorFacts("matmul", (source,), layout=str(data), activation=activation)
    if kind != "conv2d" or not len(data.shape) == len(weights.shape) == len(output.shape) == 4:
        return None
    last = weights.shape[3] == data.shape[3]
    if not last and weights.shape[1] != data.shape[1]:
        return None
    first = 1 if last else 2
    size, kernel, made = (_pair(spec.shape, first) for spec in (data, weights, output))
    strides = (max(1, round(size[0] / made[0])), max(1, round(size[1] / made[1])))
    padding = tuple(
        _halves((made[axis] - 1) * strides[axis] + kernel[axis] - size[axis]) for axis in (0, 1)
    )
    return OperatorFacts(
        "conv2d",
        (source,),
        layout=f"{first} {data}",
        activation=activation,
        size=size,
        output_size=made,
        kernel=kernel,
        strides=strides,
        padding=(padding[0], padding[1]),
    )


def _pair(shape: tuple[int, ...], first: int) -> Pair:
    return shape[first], shape[first + 1]


def _halves(missing: int) -> Pair:
    """What is padded before and after, where so much is missing in all."""
    total = max(0, missing)
    return total // 2, total - total // 2
