"""The scheduler of jobs on a virtual clock, and what its decisions cost.

`python -m tests.benchmarks.scheduler [--json] [--quick] [--picture FILE]`

Jobs are made of stage seconds that were recorded on an H200 and on two CPU cores
(tests/data/stage_times_*.json). Machines have eight GPUs with 16 cores each. What interference
does to latencies has not been measured, so it is not simulated: the seconds in which a measurement
had company are counted, and stages that share cores or a device are as much slower.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any

from engine.records.stage import Needs, Stage
from engine.scheduling.free import Free
from engine.scheduling.registry import SCHEDULING, make_scheduling
from tests.benchmarks.parts.report import Goal, Report
from tests.benchmarks.parts.scheduler_picture import Curves, picture, save
from tests.benchmarks.stages.stage_times import stage_times
from tests.engine.scheduling.sim_jobs import SimJob
from tests.engine.scheduling.simulator import SimResult, simulate

GOAL_MS = 1.0
QUEUED, QUICK_QUEUED, STEPS, QUICK_STEPS = 10_000, 1_000, 5_000, 300
OWNERS = 100
PER_HOST, CORES_EACH, GPU_LANES, CPU_LANES = 8, 16, 5, 2
ROUNDS = 10  # of a job in the curves: 160 trials
DEVICES, JOBS = (1, 8, 64, 1_000), (1, 10, 100, 1_000, 10_000)
AT_DEVICES, AT_JOBS = 8, 1_000
QUICK_DEVICES, QUICK_JOBS, QUICK_AT = (1, 4), (1, 8), (2, 8)
MOST_PARALLEL = 1_000  # ten times as many, all under way at once, take a quarter of an hour
COMPARED = ("sequential", "parallel", "interleaved", "predictive")
_MIX = (("build", 6), ("measurement", 2), ("search", 1), ("learning", 1))


@dataclass(frozen=True, slots=True)
class Shape:
    """A machine or many: so many devices, by eights a core group, with so many cores each."""

    title: str
    devices: int
    cores: int = CORES_EACH
    on_cores: bool = False

    def group(self, device: int) -> str:
        """The core group of a device."""
        return f"host{device // PER_HOST}"

    def free(self) -> Free:
        """The whole ledger, with nothing taken."""
        groups: dict[str, int] = {}
        for device in range(self.devices):
            name = self.group(device)
            groups[name] = groups.get(name, 0) + self.cores
        return Free(groups)


SHAPES = (
    Shape("two cores, measured on", 1, 2, on_cores=True),
    Shape("one GPU, 16 cores", 1),
    Shape("8 GPUs, 128 cores", 8),
    Shape("1,000 GPUs of 125 machines", 1_000),
)


class Load:
    """A queue that is kept long: each stage that ends is followed by another like it."""

    def __init__(self, policy: str, shape: Shape, queued: int) -> None:
        self.policy = make_scheduling(policy, shape.free())
        self._shape, self._dice = shape, random.Random(0)
        self._order, self._running = 0, list[Stage]()
        kinds = [kind for kind, share in _MIX for _ in range(share)]
        while self.policy.waiting < queued and self._order < 3 * queued:
            for _ in range(50):
                made = self._make(self._dice.choice(kinds), f"job{self._dice.randrange(OWNERS)}")
                self.policy.add(made, 0.0)
            self._running += self.policy.start(0.0)
        self.waiting = self.policy.waiting

    def costs_s(self, steps: int) -> list[float]:
        """Seconds of each decision: one stage ends, one comes, and what starts is found."""
        costs = []
        for step in range(steps):
            place = self._dice.randrange(len(self._running))
            self._running[place], self._running[-1] = self._running[-1], self._running[place]
            ended = self._running.pop()
            coming = self._make(ended.kind, ended.job)
            now_s = 0.1 * step
            began = time.perf_counter()
            self.policy.ended(ended, now_s + 0.1, learn=False)
            self.policy.add(coming, now_s + 0.1)
            started = self.policy.start(now_s + 0.1)
            costs.append(time.perf_counter() - began)
            self._running += started
        return costs

    def _make(self, kind: str, job: str) -> Stage:
        dice, shape = self._dice, self._shape
        device = dice.randrange(shape.devices)
        measures = kind == "measurement"
        needs = Needs(
            shape.cores if measures and shape.on_cores else 1,
            (f"gpu{device}",) if measures else (),
            shape.group(device),
        )
        self._order += 1
        urgency = {"measurement": 0, "learning": 1, "build": 2, "search": 3}[kind]
        flags = {"long": kind == "search", "brief": kind in ("build", "learning")}
        expected_s = dice.uniform(0.02, 0.1) if measures else dice.uniform(0.5, 8.0)
        return Stage(
            self._order, job, kind, needs, "", urgency, flags["long"], flags["brief"], expected_s
        )


def decisions(quick: bool) -> list[dict[str, Any]]:
    """What a decision costs every policy with a long queue, on machines of all shapes."""
    rows = []
    for shape in SHAPES[:2] if quick else SHAPES:
        for name in SCHEDULING:
            load = Load(name, shape, QUICK_QUEUED if quick else QUEUED)
            costs = sorted(load.costs_s(QUICK_STEPS if quick else STEPS))
            rows.append(
                {
                    "policy": name,
                    "machine": shape.title,
                    "waiting": load.waiting,
                    "mean_ms": sum(costs) / len(costs) * 1e3,
                    "p99_ms": costs[int(0.99 * (len(costs) - 1))] * 1e3,
                    "worst_ms": costs[-1] * 1e3,
                }
            )
    return rows


def few_jobs() -> list[dict[str, Any]]:
    """The recorded models, each whole, in one queue on small machines."""
    gpu, cpu = stage_times("h200"), stage_times("cpu")
    rows = []
    for title, shape, models, lanes in (
        ("three models, an H200, 16 cores", Shape("", 1), gpu, GPU_LANES),
        ("the same, 2 lanes a job", Shape("", 1), gpu, CPU_LANES),
        ("the same, 64 cores", Shape("", 1, 64), gpu, GPU_LANES),
        ("two models, two cores", Shape("", 1, 2, on_cores=True), cpu, CPU_LANES),
    ):
        jobs = [
            SimJob(model, rounds, "gpu0", "host0", shape.on_cores, lanes, place=place)
            for place, (model, rounds) in enumerate(models.items())
        ]
        rows += [_row(simulate(jobs, make_scheduling(n, shape.free())), title) for n in COMPARED]
    return rows


def several_devices() -> list[dict[str, Any]]:
    """Six jobs on one H200 and on two, interleaved: with cores of its own for each, and not."""
    models = stage_times("h200")
    rows = []
    for title, devices, cores in (
        ("six jobs, one GPU, 16 cores", 1, 16),
        ("six jobs, two GPUs, 16 cores", 2, 8),
        ("six jobs, two GPUs, 32 cores", 2, 16),
    ):
        shape = Shape("", devices, cores)
        jobs = [
            SimJob(str(n), rounds, f"gpu{n % devices}", "host0", lanes=GPU_LANES, place=n)
            for n, rounds in enumerate([*models.values(), *models.values()])
        ]
        rows.append(_row(simulate(jobs, make_scheduling("interleaved", shape.free())), title))
    return rows


def unlike_jobs() -> list[dict[str, Any]]:
    """Sixty jobs of 8 to 64 rounds on an H200 with 16 cores."""
    models, shape, dice = stage_times("h200"), Shape("", 1), random.Random(0)
    jobs = []
    for place in range(60):
        rounds = models[dice.choice(sorted(models))][: dice.choice([8, 16, 32, 64])]
        jobs.append(SimJob(f"job{place}", rounds, "gpu0", "host0", lanes=GPU_LANES, place=place))
    title = "60 unlike jobs, one GPU, 16 cores"
    return [_row(simulate(jobs, make_scheduling(n, shape.free())), title) for n in COMPARED]


def alone() -> list[dict[str, Any]]:
    """Each recorded model as the only job, in order of arrival: what the engine took is known."""
    rows = []
    for name, shape in (("cpu", Shape("", 1, 2, on_cores=True)), ("h200", Shape("", 1))):
        for model, rounds in stage_times(name).items():
            lanes = CPU_LANES if shape.on_cores else GPU_LANES
            job = SimJob(model, rounds, "gpu0", "host0", shape.on_cores, lanes)
            result = simulate([job], make_scheduling("in-order", shape.free()))
            rows.append(_row(result, f"{model}, {name}"))
    return rows


def many_jobs(devices: int, count: int) -> list[SimJob]:
    """Jobs of `ROUNDS` rounds of the three models, spread over the devices."""
    models, shape = list(stage_times("h200").values()), Shape("", devices)
    dice = random.Random(0)
    jobs = []
    for place in range(count):
        rounds = dice.choice(models)
        at = dice.randrange(len(rounds) - ROUNDS)
        device = place % devices
        jobs.append(
            SimJob(
                f"job{place}",
                rounds[at : at + ROUNDS],
                f"gpu{device}",
                shape.group(device),
                lanes=GPU_LANES,
                place=place,
            )
        )
    return jobs


def curves(quick: bool, say: Callable[[str], object]) -> list[dict[str, Any]]:
    """Every policy over devices, at one number of jobs, and over jobs, at one of devices."""
    at_devices, at_jobs = QUICK_AT if quick else (AT_DEVICES, AT_JOBS)
    points = [(devices, at_jobs) for devices in (QUICK_DEVICES if quick else DEVICES)]
    points += [(at_devices, jobs) for jobs in (QUICK_JOBS if quick else JOBS)]
    rows = []
    for devices, count in dict.fromkeys(points):
        jobs, shape = many_jobs(devices, count), Shape("", devices)
        for name in COMPARED:
            if name == "parallel" and count > MOST_PARALLEL:
                continue
            began = time.monotonic()
            result = simulate(jobs, make_scheduling(name, shape.free()), time.perf_counter)
            row = _row(result, f"{devices:,} devices, {count:,} jobs")
            rows.append(row | {"devices": devices, "jobs": count})
            say(f"{row['what']}, {name}: {time.monotonic() - began:.0f} s")
    return rows


def _row(result: SimResult, what: str) -> dict[str, Any]:
    cores, devices = result.cores_used.values(), result.devices_used.values()
    row = {
        "what": what,
        "policy": result.policy,
        "makespan_s": round(result.makespan_s, 1),
        "mean_completion_s": round(result.mean_completion_s, 1),
        "cores_used": round(sum(cores) / len(cores), 4),
        "devices_used": round(sum(devices) / len(devices), 4),
        "disturbed": round(result.disturbed_s / result.measured_s, 4),
        "stages": result.stages,
        "most_waiting": result.decisions.most_waiting,
        "decision_mean_ms": round(result.decisions.mean_s * 1e3, 4),
        "decision_p99_ms": round(result.decisions.p99_s * 1e3, 4),
    }
    if len(result.completion_s) < 10:
        row["completion_s"] = {name: round(s, 1) for name, s in result.completion_s.items()}
    return row


def run(quick: bool, say: Callable[[str], object] = lambda text: None) -> Report:
    """Everything, and what is asked of it."""
    costs = decisions(quick)
    details = {
        "decisions": costs,
        "alone": alone(),
        "few_jobs": few_jobs(),
        "unlike_jobs": unlike_jobs(),
        "several_devices": several_devices(),
        "curves": curves(quick, say),
    }
    queued = QUICK_QUEUED if quick else QUEUED
    goals = [
        Goal(
            f"{name}: a decision with {queued:,} stages queued, slowest machine (ms)",
            max(row["mean_ms"] for row in costs if row["policy"] == name),
            GOAL_MS,
            "lower",
        )
        for name in SCHEDULING
    ]
    return Report("scheduler", tuple(goals), details)


def text(report: Report) -> str:
    """The report for a terminal: goals, then a line for each simulation."""
    head = Report(report.name, report.goals, {}, report.device, report.date).as_table()
    lines = [head, "", _table(report.details["decisions"], _COSTS)]
    for part in ("alone", "few_jobs", "unlike_jobs", "several_devices", "curves"):
        lines += ["", _table(report.details[part], _SIMULATED)]
    return "\n".join(lines)


_COSTS = ("machine", "policy", "waiting", "mean_ms", "p99_ms", "worst_ms")
_SIMULATED = (
    *("what", "policy", "makespan_s", "mean_completion_s", "cores_used", "devices_used"),
    *("disturbed", "decision_mean_ms", "decision_p99_ms"),
)


def _table(rows: Sequence[dict[str, Any]], columns: Sequence[str]) -> str:
    cells = [list(columns), *([_readable(row[name]) for name in columns] for row in rows)]
    widths = [max(len(line[place]) for line in cells) for place in range(len(columns))]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    )


def _readable(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def curves_of(report: Report) -> tuple[Curves, ...]:
    """What the picture shows: makespan and use of the cores, over devices and over jobs."""
    rows = report.details["curves"]
    counts = [row["jobs"] for row in rows], [row["devices"] for row in rows]
    jobs, devices = (max(set(found), key=found.count) for found in counts)
    made = []
    for axis, other, at in (("devices", "jobs", jobs), ("jobs", "devices", devices)):
        chosen = sorted((row for row in rows if row[other] == at), key=itemgetter(axis))
        for title, column, scale in (
            (f"Makespan in hours, {at:,} {other}", "makespan_s", 1 / 3600),
            (f"Cores in use, {at:,} {other}", "cores_used", 1.0),
        ):
            lines = {
                name: tuple(
                    (float(row[axis]), row[column] * scale)
                    for row in chosen
                    if row["policy"] == name
                )
                for name in COMPARED
            }
            made.append(Curves(title, axis, lines, logarithmic=column == "makespan_s"))
    return tuple(made)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="a short form, for a smoke test")
    parser.add_argument(
        "--picture", type=Path, metavar="FILE", help="draw the curves, as .svg or .png"
    )
    options = parser.parse_args()
    report = run(options.quick, partial(print, file=sys.stderr, flush=True))
    if options.picture:
        save(picture(curves_of(report)), options.picture)
    print(json.dumps(report.as_dict()) if options.json else text(report))


if __name__ == "__main__":
    main()
