"""Runs a compiled folder for its latency and on all draws, and has its answers judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.deploy.bench import BenchResult
from engine.deploy.compare import HALF, tolerance_of
from engine.deploy.remote_bench import bench_target
from engine.judge.draws import Draw, draws_of
from engine.judge.judging import Outputs, Terms, judge
from engine.records.errors import DeviceMissing, TuningError
from engine.records.formats import EVALUATOR
from engine.records.network import Judged
from engine.records.sentences import Sentence
from engine.tasks.tf32 import is_tf32
from engine.tasks.winograd_kernels import CLASS as WINOGRAD

if TYPE_CHECKING:
    from engine.models.readers import Prepared
    from engine.records.machine import TargetSpec
    from engine.tasks.extract import Program


def examine(
    prepared: Prepared,
    program: Program,
    folder: Path,
    seed: int,
    seconds: float = 1.0,
    profile: bool = False,
    untuned: bool = False,
) -> tuple[BenchResult, Judged]:
    """The latency of a compiled folder, which may be `untuned` and slow, on the first draw, and the
    verdicts on all. Blocks.

    A draw on which the module dies is a wrong answer. Raises TuningError where it dies on the
    first, DeviceMissing where its device is not there, and ModelError where the reference cannot
    load the file.
    """
    terms = terms_of(program)
    draws: tuple[Draw, ...] = draws_of(prepared, seed, wide=terms.tolerance is not HALF)
    if prepared.reference is None:
        draws = draws[:1]
    elif prepared.reference.name == EVALUATOR:  # which multiplies padding with infinities
        draws = tuple(draw for draw in draws if draw.finite)
    first, others = draws[0].inputs, [draw.inputs for draw in draws[1:]]
    target = program.target
    how: dict[str, Any] = {"seconds": seconds, "profile": profile, "untuned": untuned}
    try:
        result = bench_target(folder, target, first, others=others, **how)
        found: list[Outputs | str | None] = [result.outputs, *result.others]
        found += [None] * (len(draws) - len(found))
    except TuningError as error:
        if not others or isinstance(error, DeviceMissing):
            raise
        result = bench_target(folder, target, first, **how)
        found = [result.outputs, *_each(folder, target, draws[1:])]
    return result, judge(prepared.reference, draws, found, terms)


def terms_of(program: Program) -> Terms:
    """What is no difference for a program."""
    tolerance = tolerance_of(program.dataflow.values, is_tf32(program.module))
    classes = [program.tasks[task].op_class for task in set(program.task_of.values())]
    return Terms(
        tolerance,
        spreads=any(name.startswith(WINOGRAD) for name in classes),
        pools=any("max_pool" in name or "max" in name.split("_") for name in classes),
    )


def _each(folder: Path, target: TargetSpec, draws: Sequence[Draw]) -> Iterator[Outputs | str]:
    """The answer to each draw from a process of its own, or how that ended."""
    for draw in draws:
        try:
            yield bench_target(folder, target, draw.inputs, seconds=0.0).outputs
        except TuningError as error:
            yield Sentence("The module does not run. {why}", why=error.what)
