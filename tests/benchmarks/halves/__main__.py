"""Graphs of real exporters in 16 bits (or TF32) on a GPU: tuned, exported, in turns with PyTorch.

`python -m tests.benchmarks.halves --skeletons ../shared/models [--models A,B] [--seconds S]
[--precision float16] [--compile] [--keep FOLDER] [--json FILE]`

Skeletons get random weights. Each model is tuned from nothing with a person's defaults and
exported; the export and PyTorch's model (SDPA, cuBLAS, cuDNN in the better layout, in a CUDA Graph)
then replay in turns in one process; with `--compile` what torch.compile makes of it, too. An
answer is written after each model.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.records.settings import Budget, RunSettings
from engine.records.source import ModelSource
from tests.benchmarks.halves.zoo import MODELS

GOAL = 1.2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", default=",".join(MODELS))
    parser.add_argument("--skeletons", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--precision", default="float16")
    parser.add_argument("--compile", action="store_true", help="torch.compile as a rival, too")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    answer: dict[str, Any] = {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "precision": asked.precision,
        "seconds": asked.seconds,
        "rows": [],
    }
    with tempfile.TemporaryDirectory(prefix="halves-") as name:
        folder = asked.keep or Path(name)
        folder.mkdir(exist_ok=True)
        for model in asked.models.split(","):
            try:
                row = measure(model, folder, asked)
            except Exception as error:  # the others still count
                row = {"model": model, "error": f"{type(error).__name__}: {str(error)[:300]}"}
            answer["rows"].append(row)
            print({key: row[key] for key in row if key not in ("tasks", "kernels")}, flush=True)
            ratios = [one["speedup"] for one in answer["rows"] if one.get("speedup")]
            if ratios:
                answer["geometric_mean"] = statistics.geometric_mean(ratios)
            if asked.json:
                asked.json.write_text(json.dumps(answer, indent=1))


def measure(model: str, folder: Path, asked: argparse.Namespace) -> dict[str, Any]:
    """Tune, export, and let both sides take turns."""
    from engine.history.history import History
    from engine.jobs.engine import Engine

    graph, shapes, _ = MODELS[model]
    file = folder / f"{model}.onnx"
    fill = [sys.executable, str(asked.skeletons / "fill.py")]
    subprocess.run([*fill, str(asked.skeletons / f"{graph}.onnx"), str(file)], check=True)
    engine = Engine()
    engine.start()
    marks = {"begin": time.monotonic()}
    try:
        source = ModelSource("file", str(file), shapes=shapes, precision=asked.precision)
        project = folder / f"{model}-{asked.precision}.tune"
        engine.open_model(source, "cuda", project).result(300)
        marks["opened"] = time.monotonic()
        engine.start_run(RunSettings(budget=Budget(seconds=asked.seconds))).result(300)
        engine.wait().result(900)
        marks["ready"] = time.monotonic()
        out = folder / f"{model}-{asked.precision}"
        manifest = engine.export(out).result(600)
        marks["exported"] = time.monotonic()
        snapshot = engine.snapshot().result(60)
    finally:
        engine.shutdown()
    history = History(snapshot)
    command = [sys.executable, "-m", "tests.benchmarks.halves.turns"]
    command += [str(out), model, asked.precision, *(["compile"] if asked.compile else [])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    times = json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else {}
    rivals = [value for side, value in times.get("ms", {}).items() if side != "ours"]
    tasks = [
        {
            "name": task.name,
            "weight": task.weight,
            "us": (history.now(task.index) or 0) * 1e6,
            "untuned_us": (history.untuned(task.index) or 0) * 1e6,
            "trials": sum(trial.task == task.index for trial in snapshot.trials),
        }
        for task in snapshot.tasks
    ]
    return {
        "model": model,
        **times,
        "speedup": min(rivals) / times["ms"]["ours"] if rivals else None,
        "failed": done.stderr[-300:] if done.returncode else "",
        "launches": sum(task.weight for task in snapshot.tasks),
        "trials": len(snapshot.trials),
        "errors": sum(trial.error is not None for trial in snapshot.trials),
        "difference": manifest["max_abs_diff"],
        "sum_of_tasks_ms": (history.now_s() or 0) * 1e3,
        "opened_s": marks["opened"] - marks["begin"],
        "run_s": marks["ready"] - marks["opened"],
        "export_s": marks["exported"] - marks["ready"],
        "tasks": sorted(tasks, key=lambda one: -one["weight"] * one["us"]),
    }


if __name__ == "__main__":
    main()
