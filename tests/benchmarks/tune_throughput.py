"""Seconds for the same number of trials on SqueezeNet, ours against stock `tune_relax`.

Both sides tune the same ONNX model for the same CPU with every core, each in a process of its own
and with its defaults. The time compared is that of tuning: `tune_relax` on one side, on ours the
run's own time, finalists included. What ours does around it (import, baselines, compiling and
measuring the result) is given beside it as `ours_whole_s`; stock's import is not. Both models are
then run on the same input.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.parts.report import Goal, Report, main


def ours(trials: int) -> dict[str, Any]:
    """Tune with Tunewright."""
    from engine.jobs.engine import Engine
    from engine.project.repository import Project
    from engine.records.settings import Budget, RunSettings
    from engine.records.source import ModelSource

    with tempfile.TemporaryDirectory() as folder:
        engine = Engine()
        engine.start()
        began = time.perf_counter()
        source = ModelSource("sample", "squeezenet")
        path = Path(folder) / "run.tune"
        engine.open_model(source, "cpu", path).result()
        engine.start_run(RunSettings(budget=Budget(trials=trials), starter=False)).result()
        engine.wait().result()
        whole = time.perf_counter() - began
        manifest = engine.export(Path(folder) / "out").result()
        engine.close_project().result()
        engine.shutdown()
        with Project.open(path, read_only=True) as project:
            seconds = project.snapshot().runs[0].elapsed_s
    return {"seconds": seconds, "whole_s": whole, "latency_s": manifest["latency_s"]}


def stock(trials: int) -> dict[str, Any]:
    """Tune with TVM's own entry points, as its tutorial does."""
    from engine.records.machine import prepare_environment

    prepare_environment()
    import tvm
    from tvm import relax
    from tvm.s_tir import meta_schedule as ms

    from engine.models.prepare import prepare
    from engine.models.reference import random_inputs
    from engine.records.source import ModelSource
    from engine.targets.targets import resolve, to_tvm

    prepared = prepare(ModelSource("sample", "squeezenet"))
    target = to_tvm(resolve("cpu"))
    with target:
        module = relax.get_pipeline("zero")(prepared.to_relax())
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        database = ms.relax_integration.tune_relax(
            module, {}, target, work_dir=folder, max_trials_global=trials
        )
        seconds = time.perf_counter() - began
        records = len(database)
        built = ms.relax_integration.compile_relax(database, module, target, {})
    machine = relax.VirtualMachine(built, tvm.cpu())
    inputs = [tvm.runtime.tensor(a) for a in random_inputs(prepared.inputs).values()]
    samples = []
    for _ in range(12):
        start = time.perf_counter()
        machine["main"](*inputs)
        samples.append(time.perf_counter() - start)
    return {
        "seconds": seconds,
        "latency_s": statistics.median(samples[2:]),
        "records": records,
    }


def measure(side: str, trials: int) -> dict[str, Any]:
    """One side in a process of its own."""
    command = [sys.executable, "-W", "ignore", "-m", __spec__.name, "--side", side, str(trials)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def run(quick: bool) -> Report:
    """Ours first, then stock."""
    trials = 16 if quick else 128
    mine, theirs = measure("ours", trials), measure("stock", trials)
    return Report(
        "tune_throughput",
        (
            Goal(
                "times faster than tune_relax", theirs["seconds"] / mine["seconds"], 5.0, "higher"
            ),
            Goal(
                "final latency over tune_relax's",
                mine["latency_s"] / theirs["latency_s"],
                1.0,
                "lower",
            ),
        ),
        {
            "trials": trials,
            "ours_s": mine["seconds"],
            "ours_whole_s": mine["whole_s"],
            "stock_s": theirs["seconds"],
            "ours_latency_ms": mine["latency_s"] * 1e3,
            "stock_latency_ms": theirs["latency_s"] * 1e3,
            "stock_valid_records": theirs["records"],
        },
    )


if __name__ == "__main__":
    if "--side" in sys.argv:
        side, count = sys.argv[sys.argv.index("--side") + 1 :][:2]
        print(json.dumps({"ours": ours, "stock": stock}[side](int(count))))
    else:
        main(run)
