"""TVM's own Droplet (`meta_schedule.post_optimization`) on one record, in a process of its own.

It is driven as its `PostOpt.run` drives it, which keeps no log of what it tried. Two of its faults
are not repeated: the best it ends with counts only as what it measures in turns with the record,
and a failed candidate is no valid one. Its limit of 10 s a build, which leaves nothing where the
import of TVM's intrinsics takes as long, can be raised.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from engine.records.errors import TunewrightError
from engine.workers.fresh import run_fresh

_COUNTS = "counts.json"
_LOG = "opt.log"


@dataclass(slots=True)
class Outcome:
    """What it tried: schedules that it made, of which some replayed, were built, ran; seconds.

    `trace` is the best it ended with, empty where that is the record itself, or where it did not
    come to an end, of which `note` says why.
    """

    tried: int = 0
    replayed: int = 0
    built: int = 0
    timeouts: int = 0
    ran: int = 0
    seconds: float = 0.0
    best_s: float | None = None
    trace: str = ""
    note: str = ""

    def as_dict(self) -> dict[str, Any]:
        """The figures, JSON-ready, without the trace."""
        return {name: value for name, value in asdict(self).items() if name != "trace"}


def post_optimise(
    folder: Path,
    workload: str,
    trace: str,
    samples: tuple[float, ...],
    target: str,
    trials: int,
    build_limit_s: float,
    timeout_s: float,
) -> Outcome:
    """Run it on a record (TVM's JSON texts) in an empty folder. Blocks for minutes.

    Whatever it dies of is in the note; what it had tried until then counts.
    """
    folder.mkdir(parents=True, exist_ok=True)
    began = time.perf_counter()
    arguments = str(folder), workload, trace, samples, target, trials, build_limit_s
    try:
        run_fresh(_work, *arguments, timeout_s=timeout_s)
        note = ""
    except TunewrightError as error:
        note = error.what
    seconds = time.perf_counter() - began
    counts = folder / _COUNTS
    outcome = Outcome(**json.loads(counts.read_text())) if counts.exists() else Outcome()
    outcome.note = note
    outcome.seconds = outcome.seconds or seconds
    return outcome


def _work(
    folder: str,
    workload: str,
    trace: str,
    samples: tuple[float, ...],
    target: str,
    trials: int,
    build_limit_s: float,
) -> None:
    """In the fresh process; what is counted is written after every batch."""
    from engine.records.machine import prepare_environment

    prepare_environment()
    from tvm.s_tir.meta_schedule.post_optimization import Droplet
    from tvm.s_tir.meta_schedule.post_optimization.utils import get_time

    record, layer, made_for = fill(Path(folder), workload, trace, samples, target)
    log, outcome = Path(folder) / _LOG, Outcome()
    count_builds_and_runs(outcome)
    droplet = Droplet(record, layer, made_for, str(log))
    droplet.space.run = _counted(droplet.space.run, outcome, Path(folder), build_limit_s)
    began = time.perf_counter()
    droplet.tune(trials)
    outcome.seconds = time.perf_counter() - began
    outcome.best_s, outcome.trace = best(get_time(str(log)), record)
    _write(outcome, Path(folder))


def fill(
    folder: Path, workload: str, trace: str, samples: tuple[float, ...], target: str
) -> tuple[Any, Any, Any]:
    """Put a record into a JSON database and read it as PostOpt does: record, workload, target."""
    import tvm
    from tvm.s_tir import meta_schedule as ms
    from tvm.s_tir.meta_schedule.post_optimization.utils import read_cfg_file

    from engine.search.task_search import apply_trace
    from engine.targets.targets import TargetSpec, to_tvm

    kind = json.loads(target)["kind"]
    made_for = to_tvm(TargetSpec(target, "", "cpu" if kind == "llvm" else "cuda:0", 0))
    module = tvm.ir.load_json(workload)
    schedule = apply_trace(module, trace)
    database = ms.database.JSONDatabase(work_dir=str(folder))
    args = ms.arg_info.ArgInfo.from_entry_func(schedule.mod, remove_preproc=True)
    database.commit_tuning_record(
        ms.database.TuningRecord(
            schedule.trace, database.commit_workload(module), list(samples), made_for, args
        )
    )
    tables = (folder / f"database_{name}.json" for name in ("tuning_record", "workload"))
    _, record, layer = read_cfg_file(*map(str, tables))[0]
    return record, layer, made_for


def best(found: list[Any], record: Any) -> tuple[float | None, str]:
    """The latency in seconds that it took for its best one's, and the trace unless the record's."""
    import numpy as np

    samples, line = found
    if line is None or line[1][0] == record[1][0]:
        return None, ""
    return float(np.mean(samples)), json.dumps(line[1][0], separators=(",", ":"))


def count_builds_and_runs(outcome: Outcome) -> None:
    """Have TVM's builder and runner of this process tell what became of their inputs."""
    from tvm.s_tir.meta_schedule import builder, runner

    build, run = builder.LocalBuilder.build, runner.LocalRunner.run

    def count_builds(self: Any, inputs: Any) -> Any:
        results = build(self, inputs)
        outcome.replayed += len(inputs)
        outcome.built += sum(not result.error_msg for result in results)
        outcome.timeouts += sum("Timeout" in (result.error_msg or "") for result in results)
        return results

    def count_runs(self: Any, inputs: Any) -> Any:
        futures = run(self, inputs)
        outcome.ran += sum(not future.result().error_msg for future in futures)
        return futures

    builder.LocalBuilder.build = count_builds
    runner.LocalRunner.run = count_runs


def _counted(
    run: Callable[..., Any], outcome: Outcome, folder: Path, build_limit_s: float
) -> Callable[..., Any]:
    def counted(candidates: list[Any], log: str) -> Any:
        outcome.tried += len(candidates)
        began = time.perf_counter()
        results = run(candidates, log, timeout=build_limit_s)
        outcome.seconds += time.perf_counter() - began
        _write(outcome, folder)
        return results

    return counted


def _write(outcome: Outcome, folder: Path) -> None:
    values = {field.name: getattr(outcome, field.name) for field in fields(outcome)}
    (folder / _COUNTS).write_text(json.dumps(values))
