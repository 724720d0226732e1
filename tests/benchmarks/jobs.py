"""Several tunings on one machine, under each policy: time, use, disturbance, final latencies.

`python -m tests.benchmarks.jobs --json --target cpu --models squeezenet,alexnet --seconds 60
--policies sequential,interleaved,predictive,parallel --repeats 1`: one object. All jobs are queued
at once in a fresh queue; seconds are each job's own budget. The peak speed of the target and the
probe's library are known before the first policy begins, so that no policy pays for them.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from engine.jobs.host import Host
from engine.models.samples import SAMPLES
from engine.project.repository import Project
from engine.queueing.api import JobQueue
from engine.records.events import SpansChanged
from engine.records.job import JobState, QueuedJob
from engine.records.machine import TargetSpec
from engine.records.settings import Budget, RunSettings
from engine.records.source import ModelSource, Precision
from engine.records.stage import StageSpan
from engine.targets.targets import resolve
from tests.benchmarks.parts.queue_probe import ALONE, QueueProbe, build_probe, in_turn

POLICIES = ("sequential", "interleaved", "predictive", "parallel")
_PROBE = "probe"


def bench(
    target_text: str,
    models: Sequence[str],
    settings: RunSettings,
    policies: Sequence[str],
    repeats: int = 1,
    **more: Any,
) -> dict[str, Any]:
    """All policies, one after another, `repeats` times. Blocks."""
    from engine.records.machine import prepare_environment
    from engine.targets.peak import peak_flops

    prepare_environment()
    target = resolve(target_text)
    peak_flops(target)
    with tempfile.TemporaryDirectory() as folder:
        library = build_probe(target, Path(folder))
        runs = [
            run_policy(policy, (target_text,), target, models, settings, library, **more)
            for _ in range(repeats)
            for policy in policies
        ]
    return {
        "target": target.title,
        "cores": target.cores,
        "models": list(models),
        "seconds": settings.budget.seconds,
        "trials": settings.budget.trials,
        "seed": settings.seed,
        "runs": runs,
        "compared": compared(runs),
    }


def run_policy(
    policy: str,
    targets: Sequence[str],
    target: TargetSpec,
    models: Sequence[str],
    settings: RunSettings,
    library: Path,
    at_once: int = 4,
    probe_every_s: float = 5.0,
    precision: Precision = "float32",
) -> dict[str, Any]:
    """Queue all models, dealt out to `targets`, and run them; what came of it. The probe is
    measured on `target`."""
    with tempfile.TemporaryDirectory() as folder:
        host = Host()
        queue = JobQueue(host, Path(folder) / "queue.db")
        queue.start().result()
        try:
            queue.set_policy(policy).result()
            queue.set_limit(at_once).result()
            jobs = [
                queue.add(
                    replace(source_of(model), precision=precision),
                    project=Path(folder) / f"{place}.tune",
                    target=targets[place % len(targets)],
                    settings=settings,
                ).result()
                for place, model in enumerate(models)
            ]
            probe = QueueProbe(
                host, target, library, probe_every_s, in_turn(lambda: _active(queue))
            )
            host.loaded.result()
            probing = asyncio.run_coroutine_threadsafe(probe.run(), host.loop)
            while len(probe.alone) < ALONE and not probing.done():
                time.sleep(0.05)
            began, at = time.monotonic(), time.time()
            queue.run().result()
            queue.wait().result()
            ended = time.monotonic()
            probing.cancel()
            found = {job.id: job for job in queue.snapshot().result().jobs}
        finally:
            queue.close(30)
        done = [_job(found[job.id], at) for job in jobs]
    told = [event for event in queue.events.drain() if isinstance(event, SpansChanged)]
    spans = {span.number: span for event in told for span in event.spans}
    return {
        "policy": policy,
        "makespan_s": ended - began,
        "mean_completion_s": sum(job["completion_s"] for job in done) / len(done),
        "jobs": done,
        **use_of(list(spans.values()), target, began, ended),
        **contamination(probe.alone, probe.during),
    }


def source_of(model: str) -> ModelSource:
    """A sample by name, or a file."""
    if model in {sample.name for sample in SAMPLES}:
        return ModelSource("sample", model)
    return ModelSource("file", str(Path(model).absolute()))


def use_of(
    spans: Sequence[StageSpan], target: TargetSpec, began: float, ended: float
) -> dict[str, float]:
    """Shares of the time: the device held, and the cores; the probe left out.

    Where a policy lets stages share, the cores' share may exceed 1.
    """
    device, cores = 0.0, 0.0
    marks: list[tuple[float, int]] = []
    for span in spans:
        if span.until_s is None or span.task == _PROBE:
            continue
        seconds = max(0.0, min(span.until_s, ended) - max(span.since_s, began))
        cores += seconds * span.cores
        if span.lane == target.place:
            marks += [(span.since_s, 1), (span.until_s, -1)]
    held, since = 0, 0.0
    for at, step in sorted(marks):
        device += at - since if held else 0.0
        held, since = held + step, at
    whole = ended - began
    machine = max(1, max((span.cores for span in spans), default=1), target.cores or 1)
    return {"device_use": device / whole, "core_use": cores / whole / machine}


def contamination(alone: Sequence[float], during: Sequence[float]) -> dict[str, Any]:
    """How much slower the probe was while jobs ran: its median, and the worst tenth's begin."""
    base = median(alone)
    if not during:
        return {
            "probe_alone_s": base,
            "probes": 0,
            "contamination": None,
            "contamination_p90": None,
        }
    ordered = sorted(during)
    p90 = ordered[min(len(ordered) - 1, int(0.9 * len(ordered)))]
    return {
        "probe_alone_s": base,
        "probe_alone_spread": (max(alone) - min(alone)) / base,
        "probes": len(during),
        "contamination": median(during) / base - 1,
        "contamination_p90": p90 / base - 1,
    }


def compared(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Each policy beside the sequential one: medians over repeats."""
    by: dict[str, list[dict[str, Any]]] = {}
    for run in runs:
        by.setdefault(run["policy"], []).append(run)
    made = {policy: _medians(found) for policy, found in by.items()}
    base = made.get("sequential")
    for values in made.values():
        values["speedup"] = base["makespan_s"] / values["makespan_s"] if base else None
        values["latency_ratios"] = [
            mine / theirs if base and mine and theirs else None
            for mine, theirs in zip(
                values["latencies_s"], (base or values)["latencies_s"], strict=True
            )
        ]
    return made


def _medians(runs: Sequence[dict[str, Any]]) -> dict[str, Any]:
    latencies = [[job["tuned_latency_s"] for job in run["jobs"]] for run in runs]
    names = ("makespan_s", "mean_completion_s", "device_use", "core_use")
    return {name: median(run[name] for run in runs) for name in names} | {
        "latencies_s": [_median(column) for column in zip(*latencies, strict=True)],
        "contamination": _median([run["contamination"] for run in runs]),
        "contamination_p90": _median([run["contamination_p90"] for run in runs]),
    }


def _median(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return median(known) if known else None


def _active(queue: JobQueue) -> list[str]:
    """Jobs that measure; called in the queue's thread."""
    runner = queue._runner
    jobs = runner.jobs if runner else ()
    return [str(job.id) for job in jobs if job.state is JobState.RUNNING]


def _job(job: QueuedJob, began: float) -> dict[str, Any]:
    """What became of a job; `began` is when the queue did, in seconds since the epoch."""
    assert job.ended
    found: dict[str, Any] = {
        "title": job.title,
        "state": str(job.state),
        "message": job.message,
        "completion_s": job.ended - began,
        "estimate_s": job.best_s,
        "untuned_s": job.untuned_s,
        "tuned_latency_s": None,
        "trials": 0,
        "tuning_s": None,
    }
    if job.run:
        with Project.open(job.project, read_only=True) as project:
            snapshot = project.snapshot()
        run = next(run for run in snapshot.runs if run.id == job.run)
        found |= {
            "tuned_latency_s": run.tuned_latency_s,
            "trials": len(snapshot.trials),
            "tuning_s": run.elapsed_s,
        }
    return found


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    """Run from a command line; what it prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--models", default="squeezenet,shufflenet")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--trials", type=int)
    parser.add_argument("--policies", default=",".join(POLICIES))
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--probe-every", type=float, default=5.0)
    given = parser.parse_args(arguments)
    budget = Budget(trials=given.trials, seconds=None if given.trials else given.seconds)
    found = bench(
        given.target,
        given.models.split(","),
        replace(RunSettings(), budget=budget, seed=given.seed, starter=False),
        given.policies.split(","),
        repeats=given.repeats,
        at_once=given.jobs,
        probe_every_s=given.probe_every,
    )
    print(json.dumps(found) if given.json else json.dumps(found, indent=2))
    return found


if __name__ == "__main__":
    main()
