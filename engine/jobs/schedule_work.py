"""The parts of a search for a schedule that block: compiling, and measuring whole programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.deploy.compare import tolerance_of
from engine.deploy.plan import Plan, peak_bytes, with_stages
from engine.deploy.stage_meter import StageMeter
from engine.deploy.staged import (
    Members,
    Traces,
    compile_merged,
    compile_stages,
    compile_with,
    merged_sets,
)
from engine.deploy.ways_bench import Candidate, WayBench, bench_ways, objection
from engine.ios.choosing import fastest
from engine.ios.cost_table import CostTable, StageCosts
from engine.ios.graph import OperatorGraph
from engine.ios.keys import batch_of, device_title, graph_of, kernel_key, kernel_keys
from engine.ios.options import Way
from engine.jobs.baseline import INPUT_SEED
from engine.jobs.opening.open_worker import OpenedModel
from engine.records.errors import ExportError, TuningError
from engine.records.schedule import Schedule, WayResult
from engine.records.sentences import Sentence, ended
from engine.records.trial import Protocol
from engine.records.words import way_name

if TYPE_CHECKING:
    from engine.tasks.extract import Program
from engine.tasks.tf32 import is_tf32

EAGER = "sequential_eager"
_SECONDS = 1.0  # that each program is timed for


@dataclass(frozen=True, slots=True)
class Comparison:
    """Every way that runs and is right, the fastest schedule, and why others were left out."""

    way: Way
    ways: tuple[WayResult, ...]
    left_out: tuple[str, ...]

    @property
    def load(self) -> float | None:
        """What other programs had of the cores while the ways were compared."""
        return max((way.load for way in self.ways if way.load is not None), default=None)


class ScheduleWork:
    """One model with its records, compiled into `folder`."""

    def __init__(self, model: OpenedModel, traces: Traces, folder: Path, merge: bool) -> None:
        """Compile it, and with `merge` find what may be merged."""
        self._model, self._traces, self._folder = model, traces, folder
        self._names = tuple(name for name, _ in model.prepared.outputs)
        program = model.program
        self._plan = compile_with(program, traces, self._names, self._made("program"))
        self.graph: OperatorGraph = graph_of(program.operators)
        self.keys = kernel_keys(program.operators, program.tasks, traces)
        self.batch = batch_of(model.prepared.inputs)
        self.device = device_title(program.target)
        self.merged = _merged_keys(program, traces) if merge else {}

    def costs(self, table: CostTable) -> StageCosts:
        """The table as this program sees it."""
        return StageCosts(table, self.keys, self.merged)

    def may_merge(self, operators: Members) -> bool:
        """Whether these may be asked for as one."""
        return operators in self.merged

    def meter(self, protocol: Protocol) -> StageMeter:
        """What measures the program's stages."""
        return StageMeter(
            self._folder / "program",
            self._model.program.target,
            protocol,
            tuple(self.merged),
            self._compile_merged,
        )

    def compare(self, schedules: Mapping[Way, Schedule]) -> Comparison:
        """Run and time whole programs, one after another among them, simplest way first.

        Schedules of equal stages are one program. TuningError where not even the program as it
        is runs.
        """
        from engine.models.reference import random_inputs

        target = self._model.program.target
        same = {way: _first_like(way, schedules) for way in schedules}
        candidates, left_out = self._candidates({way: schedules[way] for way in same.values()})
        inputs = random_inputs(self._model.prepared.inputs, INPUT_SEED)
        found = bench_ways(candidates, target.device, target.cores, inputs, _SECONDS)
        reference = found[Way.SEQUENTIAL]
        if reference.reason:
            raise TuningError(
                Sentence("The compiled module does not run. {reason}", reason=reference.reason)
            )
        right: dict[str, WayBench] = {}
        for item in candidates:
            merged = item.way in schedules and bool(merged_sets(schedules[Way(item.way)].stages))
            reason = self._objection(found[item.way], reference, merged)
            if reason:
                left_out.append(_left_out(item.way, reason))
            else:
                right[item.way] = found[item.way]
        rounds = {way.value: right[way].rounds for way in schedules if way in right}
        plans = {item.way: item.plan for item in candidates if item.way in right}
        ways = [_result(EAGER, None, right.get(EAGER), plans.get(EAGER))] if EAGER in right else []
        ways += [
            _result(way, schedule, right.get(same[way]), plans.get(same[way]))
            for way, schedule in schedules.items()
            if same[way] in right
        ]
        return Comparison(Way(fastest(rounds)), tuple(ways), tuple(left_out))

    def _candidates(self, schedules: Mapping[Way, Schedule]) -> tuple[list[Candidate], list[str]]:
        """The programs to run, and those that TVM cannot compile."""
        folder, left_out = self._folder / "program", list[str]()
        candidates = [Candidate(EAGER, folder, self._plan, eager=True)]
        for way, schedule in schedules.items():
            if way is Way.SEQUENTIAL:
                candidates.append(Candidate(way, folder, self._plan))
            elif not merged_sets(schedule.stages):
                plan = with_stages(self._plan, schedule.stages)
                candidates.append(Candidate(way, folder, plan))
            else:
                program, own = self._model.program, self._made(way)
                try:
                    plan = compile_stages(program, self._traces, self._names, schedule.stages, own)
                except ExportError as error:
                    left_out.append(_left_out(way, error.what))
                else:
                    candidates.append(Candidate(way, own, plan))
        return candidates, left_out

    def _objection(self, found: WayBench, reference: WayBench, merged: bool) -> str:
        """Why a program is left out: it does not run, or computes something else."""
        if found.reason:
            return found.reason
        program = self._model.program
        rounded = is_tf32(program.module)
        tolerance = tolerance_of(program.dataflow.values, rounded) if merged else None
        return objection(found, reference, tolerance)

    def _compile_merged(self, sets: Sequence[Members], folder: Path) -> None:
        compile_merged(self._model.program, self._traces, sets, folder)

    def _made(self, name: str) -> Path:
        folder = self._folder / name
        folder.mkdir()
        return folder


def _merged_keys(program: Program, traces: Traces) -> dict[Members, str]:
    """The kernels of merged operators that are worth a look, by their members.

    A merged operator that was not tuned is no match for tuned members.
    """
    from engine.ios.merges import find_merges

    merges = find_merges(program)
    tuned = {
        number
        for number, operator in enumerate(program.operators)
        if operator.task is not None and program.tasks[operator.task].fingerprint in traces
    }
    return {
        members: kernel_key(task.fingerprint, traces.get(task.fingerprint, ""))
        for members, task in merges.tasks.items()
        if task.fingerprint in traces or not tuned.intersection(members)
    }


def _first_like(way: Way, schedules: Mapping[Way, Schedule]) -> Way:
    """The simplest way with the same stages."""
    stages = schedules[way].stages
    return next(other for other, schedule in schedules.items() if schedule.stages == stages)


def _result(
    way: str, schedule: Schedule | None, found: WayBench | None, plan: Plan | None
) -> WayResult:
    assert plan is not None
    return WayResult(
        str(way),
        len(plan["stages"]),
        None if schedule is None else schedule.latency_s,
        None if found is None else found.latency_s,
        peak_bytes(plan),
        None if found is None else found.load,
    )


def _left_out(way: str, reason: str) -> Sentence:
    return Sentence("{way}: {reason}", way=Sentence.of(way_name(way)), reason=ended(reason))
