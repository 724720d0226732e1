"""A program compiled for a schedule of stages, some of which may be merged operators."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from engine.deploy.compile import compile_program
from engine.deploy.merged_program import (
    merge_bench_program,
    merged_program,
    records_for,
    restaged,
)
from engine.deploy.plan import Plan, with_stages
from engine.records.errors import ExportError
from engine.records.schedule import Stage, Strategy
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    from engine.tasks.extract import Program

Traces = Mapping[str, str]  # records by the fingerprint of their task
Members = tuple[int, ...]  # of a merged operator


def merged_sets(stages: Sequence[Stage]) -> tuple[Members, ...]:
    """The sets of operators that a schedule merges."""
    return tuple(stage.groups[0] for stage in stages if stage.strategy is Strategy.MERGE)


def compile_with(program: Program, traces: Traces, names: tuple[str, ...], folder: Path) -> Plan:
    """Compile with the records that the program's tasks have; the plan, one step after another.

    Raises ExportError where TVM cannot, or makes kernels of it that are not the operators.
    """
    compile_program(program, records_for(program, traces), names, folder)
    plan: Plan = json.loads((folder / "plan.json").read_text())
    _require_steps(plan, program)
    return plan


def compile_stages(
    program: Program,
    traces: Traces,
    names: tuple[str, ...],
    stages: Sequence[Stage],
    folder: Path,
) -> Plan:
    """Compile the program with the operators of its merged stages merged; its plan in stages.

    Raises ExportError as above, and where the operators cannot be merged.
    """
    try:
        merged = merged_program(program, merged_sets(stages))
    except ValueError as error:
        raise _no_merge(error) from error
    plan = compile_with(merged.program, traces, names, folder)
    return with_stages(plan, restaged(stages, merged))


def compile_merged(program: Program, traces: Traces, sets: Sequence[Members], folder: Path) -> None:
    """Compile the merged operators of some sets, two steps for each, and nothing else."""
    try:
        merged = merge_bench_program(program, sets)
    except ValueError as error:
        raise _no_merge(error) from error
    names = tuple(f"y{place}" for place in range(len(merged.dataflow.outputs)))
    compile_with(merged, traces, names, folder)


def _no_merge(error: ValueError) -> ExportError:
    return ExportError(Sentence("{error}", error=error), "They stay apart.")


def _require_steps(plan: Plan, program: Program) -> None:
    """A schedule numbers the steps of the program, which compiling must keep as they are."""
    compiled = [name for name, _ in plan["steps"]]
    steps = [step.function for step in program.dataflow.steps]
    same = len(compiled) == len(steps)
    if not same or not all(map(str.startswith, compiled, steps)):
        raise ExportError(
            "The compiled program has other kernels than the model's operators.",
            "It cannot run in stages; report the model.",
        )
