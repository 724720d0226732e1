"""A task's design space as plain data, out of the traces that the search starts from."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from engine.records.errors import TuningError
from engine.records.sentences import Sentence
from engine.records.space import DesignSpace, Knob, KnobKind, Sketch
from engine.records.task import Task
from engine.search.knob_names import NamedKnobs
from engine.search.task_search import trace_json, tune_context
from engine.targets.targets import TargetSpec
from engine.tasks.lower import first_line

_SEED = 1  # the rules draw decisions, of which none is kept
_WITHOUT_EFFECT = {
    *("GetSBlock", "GetLoops", "GetConsumers", "GetProducers", "GetChildBlocks"),
    *("GetOutputBlocks", "SamplePerfectTile", "SampleCategorical", "SampleComputeLocation"),
}
_Instruction = list[Any]  # kind, inputs, attributes, outputs


def find_space(task: Task, workload: Any, target: TargetSpec) -> DesignSpace:
    """The design space of a task (`workload`: its TVM module). Takes some 10 ms.

    Raises TuningError where TVM's rules fail on the task: it cannot share schedules.
    """
    try:
        context = tune_context(task, workload, target, None, _SEED)
        traces = [trace_json(schedule.trace) for schedule in context.generate_design_space()]
    except Exception as error:  # TVM raises whatever its rules do
        raise TuningError(
            Sentence(
                "TVM finds no design space for {task}: {error}.",
                task=task.name,
                error=first_line(error),
            ),
            "The task shares no schedules; the others do.",
        ) from error
    return DesignSpace(task.index, task.op_class, tuple(map(read_sketch, traces)))


def read_sketch(trace: str) -> Sketch:
    """The sketch of a trace (TVM's JSON text) without postprocessors.

    Lookups and choices that nothing uses are left out: a search removes them from its traces.
    """
    instructions, decisions = json.loads(trace)
    decided = dict(decisions)
    live = live_places(instructions)
    names = NamedKnobs(instructions)
    knobs = []
    for place in live:
        name = names.take(instructions[place])
        if name is not None:
            knobs.append(_knob(name, instructions[place], decided.get(place)))
    return Sketch(_structure([instructions[place] for place in live]), tuple(knobs))


def live_places(instructions: list[_Instruction]) -> list[int]:
    """The places of the instructions that do something, or give others what they use."""
    used: set[str] = set()
    kept = []
    for place in range(len(instructions) - 1, -1, -1):
        kind, inputs, _, outputs = instructions[place]
        if kind not in _WITHOUT_EFFECT or not used.isdisjoint(outputs):
            used.update(value for value in inputs if isinstance(value, str))
            kept.append(place)
    return kept[::-1]


def _knob(name: str, instruction: _Instruction, decision: Any) -> Knob:
    kind, _, attributes, _ = instruction
    if kind == "SamplePerfectTile":
        parts, innermost = attributes
        extent = 1
        for factor in decision or ():  # a loop without a constant extent has a factor of -1
            extent *= int(factor)
        return Knob(name, KnobKind.TILE, max(0, extent), int(parts), max(0, int(innermost)))
    if kind == "SampleCategorical":
        return Knob(name, KnobKind.CATEGORICAL, choices=tuple(map(float, attributes[0])))
    return Knob(name, KnobKind.LOCATION)


def _structure(instructions: list[_Instruction]) -> str:
    """A SHA-256 over what must be equal for a replay.

    Variables count by their order. Left out are the choices of a categorical, which a trace
    brings along, and the numbers of an annotation, which say what to do with any loop.
    """
    order: dict[str, str] = {}
    kept = []
    for kind, given, attributes, outputs in instructions:
        inputs = [order.get(value, value) if isinstance(value, str) else value for value in given]
        if kind == "Annotate":
            inputs = [value for value in inputs if isinstance(value, str)]
        order.update((name, f"{name[0]}{len(order) + i}") for i, name in enumerate(outputs))
        shown = [] if kind == "SampleCategorical" else attributes
        kept.append([kind, inputs, shown, len(outputs)])
    return hashlib.sha256(json.dumps(kept, separators=(",", ":")).encode()).hexdigest()
