"""TVM's own `tune_relax` with its defaults for a limited time, and what its records come to.

`python -m tests.benchmarks.rivals.stock_tuning '{"source": {}, "target": {}, "folder": ""}'` is the
process that tunes; whoever starts it reads its database, and ends it.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

from engine.records.errors import TuningError
from engine.records.machine import prepare_environment
from engine.records.source import ModelSource
from engine.targets.targets import TargetSpec
from engine.workers.fresh import run_fresh

_RECORDS, _WORKLOADS = "database_tuning_record.json", "database_workload.json"
_ENDLESS = 1_000_000  # trials
_START_S = 180.0
_POLL_S = 0.25
_CHECK_S = 300.0


@dataclass(frozen=True, slots=True)
class Search:
    """How `tune_relax` went: its seconds, and after which of them the database had how many
    records. `reason` says what it died of, if it did."""

    seconds: float
    commits: tuple[tuple[float, int], ...]
    reason: str = ""

    @property
    def records(self) -> int:
        """Records, failed trials included."""
        return self.commits[-1][1] if self.commits else 0


@dataclass(frozen=True, slots=True)
class Check:
    """A model compiled with records: its latency (s) in TVM's virtual machine, in a CUDA Graph
    where that works; tasks, those with a valid record, and, where all have one, the sum of weight
    times the best (s), in which launches cost nothing."""

    latency_s: float
    cuda_graph: bool
    tasks: int
    recorded: int
    records_s: float | None

    @property
    def best_s(self) -> float:
        """The lower of the two."""
        return self.latency_s if self.records_s is None else min(self.latency_s, self.records_s)


def search(source: ModelSource, target: TargetSpec, folder: Path, limit_s: float) -> Search:
    """Tune for so many seconds, counted from the call of `tune_relax`, in a process of its own."""
    asked = {"source": source.as_dict(), "target": asdict(target), "folder": str(folder)}
    command = [sys.executable, "-W", "ignore", "-m", "tests.benchmarks.rivals.stock_tuning"]
    out, err = folder / "out.txt", folder / "err.txt"
    with out.open("w") as to_out, err.open("w") as to_err:
        child = subprocess.Popen(
            [*command, json.dumps(asked)], stdout=to_out, stderr=to_err, start_new_session=True
        )
        try:
            began = _begun(child, out)
            commits = _watched(child, began, folder / _RECORDS, limit_s)
            ended = time.time()
            code = child.poll()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
    words = err.read_text().strip().splitlines()[-1:] or ["It said nothing."]
    return Search(ended - began, commits, f"It failed: {words[0]}" if code else "")


def check(
    source: ModelSource, target: TargetSpec, folder: Path, records: int, inputs: dict[str, Any]
) -> Check:
    """What the first so many records of a search come to. Blocks: the model is compiled anew.

    Raises TuningError where it does not run.
    """
    asked = source, target, folder, records, inputs
    if target.is_gpu:
        with suppress(TuningError):
            return run_fresh(_check, *asked, True, timeout_s=_CHECK_S)
    return run_fresh(_check, *asked, False, timeout_s=_CHECK_S)


def first_reached(
    source: ModelSource,
    target: TargetSpec,
    folder: Path,
    found: Search,
    inputs: dict[str, Any],
    goal_s: float,
) -> tuple[float | None, Check]:
    """After how many seconds the records so far came to a latency, None where they never did, and
    the check with all of them. Of the moments at which records were added the first one is found
    by bisection: more records are taken to be no slower."""
    moments = [(0.0, 0), *found.commits]
    last = check(source, target, folder, moments[-1][1], inputs)
    if last.best_s > goal_s:
        return None, last
    low, high = -1, len(moments) - 1
    while high - low > 1:
        middle = (low + high) // 2
        reached = check(source, target, folder, moments[middle][1], inputs).best_s <= goal_s
        low, high = (low, middle) if reached else (middle, high)
    return moments[high][0], last


def _begun(child: subprocess.Popen[Any], out: Path) -> float:
    """When the child called `tune_relax`, or ended without."""
    end = time.monotonic() + _START_S
    while time.monotonic() < end and child.poll() is None:
        lines = [line for line in out.read_text().splitlines() if line.startswith('{"began"')]
        if lines:
            return float(json.loads(lines[0])["began"])
        time.sleep(_POLL_S)
    return time.time()


def _watched(
    child: subprocess.Popen[Any], began: float, records: Path, limit_s: float
) -> tuple[tuple[float, int], ...]:
    commits: list[tuple[float, int]] = []
    while True:
        alive = child.poll() is None and time.time() - began < limit_s
        count = records.read_bytes().count(b"\n") if records.exists() else 0
        if count > (commits[-1][1] if commits else 0):
            commits.append((time.time() - began, count))
        if not alive:
            return tuple(commits)
        time.sleep(_POLL_S)


# In processes of their own


def _module(source: ModelSource, target: Any) -> Any:
    from tvm import relax

    from engine.models.prepare import prepare

    with target:
        return relax.get_pipeline("zero")(prepare(source).to_relax())


def _tune(source: ModelSource, spec: TargetSpec, folder: str) -> None:
    prepare_environment(spec.cores)
    from tvm.s_tir import meta_schedule as ms

    from engine.targets.targets import to_tvm

    target = to_tvm(spec)
    module = _module(source, target)
    print(json.dumps({"began": time.time()}), flush=True)
    ms.relax_integration.tune_relax(module, {}, target, work_dir=folder, max_trials_global=_ENDLESS)


def _check(
    source: ModelSource,
    spec: TargetSpec,
    folder: Path,
    records: int,
    inputs: dict[str, Any],
    cuda_graph: bool,
) -> Check:
    os.environ["TVM_NUM_THREADS"] = str(spec.cores)
    prepare_environment(spec.cores)
    from tvm.s_tir import meta_schedule as ms

    from engine.targets.targets import to_tvm

    target = to_tvm(spec)
    module = _module(source, target)
    with tempfile.TemporaryDirectory() as copy:
        _copy(folder, Path(copy), records)
        database = ms.database.JSONDatabase(work_dir=copy)
        built = _built(database, module, target, cuda_graph)
        latency_s = _latency_s(built, spec.device, inputs)
        best = _best(ms, database, module, target)
    known = [(weight, seconds) for weight, seconds in best if seconds is not None]
    whole = sum(weight * seconds for weight, seconds in known)
    complete = whole if len(known) == len(best) else None
    return Check(latency_s, cuda_graph, len(best), len(known), complete)


def _copy(folder: Path, copy: Path, records: int) -> None:
    """The database as it was when it had so many records; a cut last line is no record."""
    if records:
        shutil.copyfile(folder / _WORKLOADS, copy / _WORKLOADS)
        lines = (folder / _RECORDS).read_bytes().split(b"\n")[:records]
        (copy / _RECORDS).write_bytes(b"\n".join(lines) + b"\n")


def _built(database: Any, module: Any, target: Any, cuda_graph: bool) -> Any:
    """The executable; `compile_relax` has no option for CUDA Graphs."""
    from tvm.ir.transform import PassContext
    from tvm.s_tir.meta_schedule import relax_integration

    if not cuda_graph:
        return relax_integration.compile_relax(database, module, target, {})
    context = partial(PassContext, config={"relax.backend.use_cuda_graph": True})
    with patch.object(relax_integration, "PassContext", context):
        return relax_integration.compile_relax(database, module, target, {})


def _latency_s(built: Any, device: str, inputs: dict[str, Any]) -> float:
    import tvm
    from tvm import relax

    place = tvm.device(device)
    machine = relax.VirtualMachine(built, place)
    given = [tvm.runtime.tensor(array, place) for array in inputs.values()]
    samples: list[float] = []
    end = time.perf_counter() + 1.0
    while len(samples) < 8 or time.perf_counter() < end:
        began = time.perf_counter()
        machine["main"](*given)
        place.sync()
        samples.append(time.perf_counter() - began)
    return statistics.median(samples[3:])


def _best(ms: Any, database: Any, module: Any, target: Any) -> Sequence[tuple[int, float | None]]:
    """Weight and best latency (s) of each of its tasks."""
    from tvm.s_tir.meta_schedule.tune_context import _normalize_mod

    found = []
    for task in ms.relax_integration.extract_tasks(module, target, {}):
        workload = database.commit_workload(_normalize_mod(task.dispatched[0]))
        top = database.get_top_k(workload, 1)
        seconds = [float(value) for value in top[0].run_secs] if top else []
        valid = seconds and max(seconds) < 1e9  # a failed trial has 1e10 s
        found.append((int(task.weight), statistics.mean(seconds) if valid else None))
    return found


if __name__ == "__main__":
    given = json.loads(sys.argv[1])
    _tune(ModelSource.from_dict(given["source"]), TargetSpec(**given["target"]), given["folder"])
