"""Trials a second on a GPU, now and the way it was: TVM's own compiling of sources, fewer lanes.

Each model is tuned from scratch for the same seconds both ways, each in a process of its own, with
a person's defaults and one seed; the second way takes the untuned latencies of the first. `before`
differs in two things only: TVM_CUDA_COMPILE_MODE, which has every source parse CUDA's C++ standard
library, and the number of slots at once.

    python -m tests.benchmarks.gpu_throughput --target cuda --models resnet50,squeezenet --json
"""

from __future__ import annotations

import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from engine.history.run_profile import ProfileLog
from engine.records.errors import TuningError
from tests.benchmarks.parts.report import Goal, Report
from tests.benchmarks.passes.pass_options import Asked, answer, asked_of, make_parser, markdown
from tests.benchmarks.passes.pass_runs import Result, Workshop

MODELS = ("resnet50", "squeezenet")
WAYS = ("before", "now")
_GOAL = 9.0  # trials a second on an H200 with 16 cores
_SECONDS = 40.0
_QUICK_SECONDS = 3.0
_MODE = "TVM_CUDA_COMPILE_MODE"
_FIGURES = ("trials_per_s", "busy", "build_median_s", "build_p90_s", "build_max_s", "slot_search_s")


def tune(asked: Asked, way: str, model: str, seconds: float) -> dict[str, Any]:
    """One run of one way, in this process."""
    from engine.jobs import allocating
    from engine.records.settings import Budget

    if way == "before":
        patch.object(allocating, "lanes_on", _lanes_before).start()
    with Workshop(asked) as shop:
        path = shop.folder / f"{way}-{Path(model).stem}.tune"
        other = shop.folder / f"{WAYS[0]}-{Path(model).stem}.tune"
        if way == WAYS[0] or not other.exists():
            path.unlink(missing_ok=True)
            shop.create(model, path)
        else:
            path.unlink(missing_ok=True)
            shop.blank(Result(model, other), path.stem)
        shop.carry_out(path, asked.settings(budget=Budget(seconds=seconds)))
        return {"device": shop.device, **figures(Result(model, path))}


def figures(result: Result) -> dict[str, Any]:
    """What a run with trials took and gave; seconds, latencies in seconds."""
    snapshot = result.snapshot
    if not snapshot.trials:
        raise TuningError(f"{result.model} had no trial in its time.", "Give more --seconds.")
    profile = ProfileLog(snapshot).profile(result.run.id)
    builds = sorted(trial.build_s for trial in snapshot.trials)
    slots = max(1, len({trial.slot for trial in snapshot.trials}))
    parts = profile.parts if profile else None
    return {
        "trials": len(builds),
        "errors": sum(trial.error is not None for trial in snapshot.trials),
        "seconds": result.search_s,
        "trials_per_s": len(builds) / result.search_s,
        "busy": profile.measured_share if profile else 0.0,
        "build_mean_s": statistics.mean(builds),
        "build_median_s": statistics.median(builds),
        "build_p90_s": builds[int(0.9 * len(builds))],
        "build_max_s": builds[-1],
        "slots": slots,
        "slot_search_s": parts.search_s / slots if parts else 0.0,
        "slot_build_s": parts.build_s / slots if parts else 0.0,
        "slot_wait_s": parts.wait_s / slots if parts else 0.0,
        "slot_measure_s": parts.measure_s / slots if parts else 0.0,
        "sum_s": result.history.now_s(),
        "untuned_sum_s": result.history.untuned_s(),
        "tuned_s": result.run.tuned_latency_s,
    }


def _lanes_before(is_gpu: bool, cores: int) -> int:
    return max(2, min(6, cores // 3)) if is_gpu else 2


def measure(
    asked: Asked, way: str, model: str, seconds: float, limit_s: float | None
) -> dict[str, Any]:
    """One run of one way in a process of its own, which ends after `limit_s`."""
    command = [sys.executable, "-W", "ignore", "-m", _module()]
    command += ["--side", way, "--models", model, "--target", asked.target]
    command += ["--keep", str(asked.keep), "--seed", str(asked.seed), "--seconds", str(seconds)]
    command += ["--quick"] if asked.quick else []
    environment = {name: value for name, value in os.environ.items() if name != _MODE}
    if way == "before":
        environment[_MODE] = "nvrtc"
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, env=environment, timeout=limit_s
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _module() -> str:
    return __spec__.name if __spec__ is not None else "tests.benchmarks.gpu_throughput"


def run(asked: Asked, seconds: float) -> Report:
    """Each model, before and now, until the limit."""
    found: dict[str, dict[str, Any]] = {}
    notes = ["A run ends by its seconds."]
    began = time.monotonic()
    for model, way in itertools.product(asked.models, WAYS):
        name = f"{Path(model).stem} {way}"
        left = None if asked.limit_s is None else asked.limit_s + began - time.monotonic()
        try:
            if left is not None and left < seconds:
                raise TuningError("The limit is reached.", "Give more --seconds-limit.")
            found[name] = measure(asked, way, model, seconds, left)
        except (TuningError, subprocess.SubprocessError) as error:
            notes.append(f"{name}: {error}")
    now = [figures for name, figures in found.items() if name.endswith(WAYS[1])]
    if not now:
        raise TuningError(f"No run came to its end: {'; '.join(notes[1:])}", "Give more seconds.")
    device = now[0]["device"]
    goals = tuple(
        Goal(f"trials a second, {name}", figures["trials_per_s"], _GOAL, "higher")
        for name, figures in found.items()
        if name.endswith(WAYS[1])
    )
    details = {
        "seconds": seconds,
        "trials_per_task": 0,
        "seed": asked.seed,
        "notes": notes,
        "runs": found,
    }
    return Report("gpu_throughput", goals, details, device=device)


def tables(details: dict[str, Any]) -> Sequence[str]:
    """One row for each run."""
    rows = [
        (name, *(f"{figures[key]:.3g}" for key in _FIGURES), f"{figures['sum_s'] * 1e3:.4g}")
        for name, figures in details["runs"].items()
    ]
    return [markdown(("", *_FIGURES, "sum, ms"), rows)]


def main() -> None:
    """Read the command line and answer."""
    parser = make_parser(__doc__, MODELS)
    parser.add_argument("--seconds", type=float, metavar="S", help="of each run's search")
    parser.add_argument("--side", choices=WAYS, help="one run in this process, as JSON")
    options = parser.parse_args()
    asked = asked_of(options)
    seconds = options.seconds or (_QUICK_SECONDS if options.quick else _SECONDS)
    if options.side:
        print(json.dumps(tune(asked, options.side, asked.models[0], seconds)))
        return
    with tempfile.TemporaryDirectory() as folder:
        kept = asked if options.keep else replace(asked, keep=Path(folder))
        answer(options, lambda: run(kept, seconds), tables)


if __name__ == "__main__":
    main()
