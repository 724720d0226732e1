"""A scheduled module as the kernels that a plan runs, some of which write into one buffer."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from engine.deploy.write_into import written_into
from engine.tasks.dataflow import Dataflow, Step, functions_of, read_dataflow
from engine.tasks.in_place import InPlace, able_kernels, find_in_place
from engine.tasks.lower import first_line

_log = logging.getLogger(__name__)
_INTO = "_into_"


@dataclass(frozen=True, slots=True)
class Placed:
    """Kernels by name, and the steps that call them. A step without buffers does nothing.

    `writers` gives the steps that write each value that several do, parts of it each.
    """

    kernels: dict[str, Any]
    flow: Dataflow
    writers: dict[int, tuple[int, ...]]


def placed(module: Any, axes: Mapping[str, int], gpu: bool) -> Placed:
    """The kernels of a scheduled module; `axes` names those that are concatenations.

    Where all inputs of one can be written in place, its step does nothing, and the steps before
    it call kernels that write there. A kernel that cannot be changed so leaves its concatenation
    as it is.
    """
    flow = read_dataflow(module)
    functions = functions_of(module)
    made = Placed({}, replace(flow, steps=list(flow.steps)), {})
    for one in find_in_place(flow, axes, able_kernels(flow, functions, axes), gpu):
        _join(made, functions, one)
    used = {step.function for step in made.flow.steps if step.outputs}
    made.kernels.update({name: functions[name] for name in used & functions.keys()})
    return made


def function_of(kernel: str) -> str:
    """The function of the program that a kernel was made of."""
    return kernel.rpartition(_INTO)[0] or kernel


def _join(made: Placed, functions: Mapping[str, Any], one: InPlace) -> None:
    steps = made.flow.steps
    shape = made.flow.values[one.whole].spec.shape
    kernels, changed = {}, {}
    for part in one.parts:
        step = steps[part.step]
        where = f"{'x'.join(map(str, shape))}_{one.axis}_{part.offset}"
        name = f"{step.function}{_INTO}{where}"
        try:
            kernels[name] = made.kernels.get(name) or written_into(
                functions[step.function], shape, one.axis, part.offset
            )
        except Exception as error:  # TVM raises whatever its constructors do
            _log.warning("%s does not write in place: %s", step.function, first_line(error))
            return
        changed[part.step] = replace(step, function=name, outputs=(one.whole,))
    made.kernels.update(kernels)
    for number, step in changed.items():
        steps[number] = step
    steps[one.step] = Step(steps[one.step].function, (), (), steps[one.step].binding)
    made.writers[one.whole] = tuple(sorted(changed))
