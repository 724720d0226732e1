"""The schedule of stages in an export: carried where it is for this program, and no slower."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.deploy.plan import Plan, with_stages
from engine.deploy.staged import Traces, compile_stages, merged_sets
from engine.deploy.ways_bench import Candidate, bench_ways, objection
from engine.ios.keys import batch_of, device_title, kernel_keys
from engine.ios.options import Way
from engine.records.errors import ExportError
from engine.records.schedule import FoundSchedule
from engine.records.sentences import Sentence
from engine.workers.artifacts import scratch

if TYPE_CHECKING:
    import numpy as np

    from engine.deploy.compare import Tolerance
    from engine.models.readers import Prepared
    from engine.tasks.extract import Program


@dataclass(frozen=True, slots=True)
class Staging:
    """The project's schedule, and the records' traces by the fingerprint of their task."""

    found: FoundSchedule
    traces: Traces


def obstacle(found: FoundSchedule, kernels: tuple[str, ...], batch: int, device: str) -> str:
    """Why a schedule is not for these kernels here, empty where it is."""
    schedule = found.schedule
    if schedule.device != device:
        return Sentence(
            "it was made for {device}, and this is {here}", device=schedule.device, here=device
        )
    if schedule.batch != batch:
        return Sentence(
            "it was made for batch size {batch}, and this is {here}",
            batch=schedule.batch,
            here=batch,
        )
    if found.kernels != kernels:
        return Sentence("kernels have changed since it was made")
    if found.way == Way.SEQUENTIAL:
        return Sentence("one operator after another was the fastest")
    return ""


def put_stages(
    prepared: Prepared,
    program: Program,
    staging: Staging,
    folder: Path,
    inputs: dict[str, np.ndarray],
    tolerance: Tolerance,
    seconds: float,
) -> dict[str, Any]:
    """Give the compiled program in `folder` the schedule, where that is right; what the manifest
    says of it. Blocks: both are measured in turns."""
    found = staging.found
    kernels = kernel_keys(program.operators, program.tasks, staging.traces)
    reason = obstacle(found, kernels, batch_of(prepared.inputs), device_title(program.target))
    latencies: dict[str, float] = {}
    if not reason:
        with scratch() as own:
            chosen = _Chosen(prepared, program, staging, folder, own)
            reason = chosen.decide(inputs, tolerance, seconds, latencies)
    return {
        "used": not reason,
        "reason": reason,
        "way": found.way,
        "stages": len(found.schedule.stages),
        "merged": len(merged_sets(found.schedule.stages)),
        "batch": found.schedule.batch,
        "device": found.schedule.device,
        "latency_s": latencies.get("staged"),
        "sequential_latency_s": latencies.get("sequential"),
    }


class _Chosen:
    """The program as it is in a folder, and in stages in the same or in another."""

    def __init__(
        self,
        prepared: Prepared,
        program: Program,
        staging: Staging,
        folder: Path,
        own: Path,
    ) -> None:
        self._program, self._folder = program, folder
        self._stages = staging.found.schedule.stages
        self._traces, self._own = staging.traces, own
        self._names = tuple(name for name, _ in prepared.outputs)

    def decide(
        self,
        inputs: dict[str, np.ndarray],
        tolerance: Tolerance,
        seconds: float,
        latencies: dict[str, float],
    ) -> str:
        """Put the stages in place, or say why not; fills in both latencies."""
        before: Plan = json.loads((self._folder / "plan.json").read_text())
        merged = bool(merged_sets(self._stages))
        try:
            place, plan = self._staged(before, merged)
        except ExportError as error:
            return Sentence("it cannot be compiled: {why}", why=error.what.rstrip("."))
        target = self._program.target
        candidates = [
            Candidate("sequential", self._folder, before),
            Candidate("staged", place, plan),
        ]
        found = bench_ways(candidates, target.device, target.cores, inputs, seconds)
        latencies |= {way: item.latency_s for way, item in found.items() if not item.reason}
        staged, reference = found["staged"], found["sequential"]
        if staged.reason or reference.reason:
            return Sentence(
                "it does not run: {why}", why=(staged.reason or reference.reason).rstrip(".")
            )
        if reason := objection(staged, reference, tolerance if merged else None):
            return reason
        if staged.latency_s > reference.latency_s:
            return Sentence("it was slower than one operator after another")
        if place != self._folder:
            for name in ("module.so", "weights.bin"):
                shutil.copyfile(place / name, self._folder / name)
        (self._folder / "plan.json").write_text(json.dumps(plan))
        return ""

    def _staged(self, before: Plan, merged: bool) -> tuple[Path, Plan]:
        if not merged:
            return self._folder, with_stages(before, self._stages)
        plan = compile_stages(self._program, self._traces, self._names, self._stages, self._own)
        return self._own, plan
