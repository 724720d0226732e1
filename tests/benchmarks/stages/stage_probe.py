"""Parallel convolutions one after another and side by side: whether it is right, and faster.

`python -m tests.benchmarks.stages.stage_probe --target cuda` prints one JSON object. Under NVIDIA's
checker, without its timings:

    compute-sanitizer --tool memcheck --error-exitcode 1 \\
        python -m tests.benchmarks.stages.stage_probe --target cuda --check

memcheck finds what is read or written out of bounds, initcheck what is read before it is written.
Neither sees a race between kernels on two streams: the comparison of outputs, over many inputs,
does that.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.deploy.plan import Plan, peak_bytes, with_stages
from engine.records.machine import prepare_environment

INPUTS = 20
ROUNDS = 7
SECONDS = 0.3  # of timing, for each way in each round

Stages = list[list[list[int]]]


def probe(target: str, branches: int, channels: int, size: int, tuned: bool, check: bool) -> Any:
    """Compile the convolutions, compare the outputs and, unless `check`, the latencies."""
    prepare_environment()
    from engine.deploy.compile import compile_program
    from engine.targets.targets import resolve
    from tests.engine.deploy.compiled import first_records, output_names
    from tests.engine.models.build import branches_model
    from tests.engine.tasks.programs import opened

    spec = resolve(target)
    model = opened(branches_model((3,) * branches, channels, size), spec)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        records = first_records(model) if tuned else {}
        compile_program(model.program, records, output_names(model), folder)
        plan: Plan = json.loads((folder / "plan.json").read_text())
        stages = side_by_side(plan)
        staged = with_stages(plan, stages)
        report = {
            "target": spec.text,
            "stages": stages,
            "kernels": [kernel for kernel, _ in plan["steps"]],
            "peak_bytes": {"sequential": peak_bytes(plan), "side_by_side": peak_bytes(staged)},
        }
        report |= _executed(folder, spec.device, plan, staged, check)
        if not check:
            report["stages_us"] = _stages(folder, spec.device, spec.cores, plan, stages)
    return report


def side_by_side(plan: Plan) -> Stages:
    """Two stages: the steps before the last, each chain of them a group, and the last one."""
    steps = plan["steps"]
    group_of: dict[int, list[int]] = {}  # by the buffer that a step writes
    groups: list[list[int]] = []
    for step, (_, arguments) in enumerate(steps[:-1]):
        roots = [plan["buffers"][i].get("root", i) for i in arguments]
        found = [group_of[root] for root in roots if root in group_of]
        if not found:
            groups.append([])
        group = found[0] if found else groups[-1]
        group.append(step)
        for root in roots:
            if "storage" in plan["buffers"][root]:
                group_of[root] = group
    return [groups, [[len(steps) - 1]]]


def _executed(folder: Path, device: str, plan: Plan, staged: Plan, check: bool) -> dict[str, Any]:
    from engine.deploy.executor import PlanExecutor

    one, other = PlanExecutor(folder, device, plan), PlanExecutor(folder, device, staged)
    report: dict[str, Any] = {"identical": _identical(one, other, plan), "inputs": INPUTS}
    if not check:
        ways = [
            ("sequential_eager", one, True),
            ("sequential", one, False),
            ("side_by_side", other, False),
        ]
        samples: dict[str, list[float]] = {name: [] for name, _, _ in ways}
        for _ in range(ROUNDS):
            for name, executor, eager in ways:
                samples[name] += executor.time(SECONDS, eager=eager)
        report["program_us"] = {name: _us(statistics.median(s)) for name, s in samples.items()}
        report["best_us"] = {name: _us(min(s)) for name, s in samples.items()}
    other.close()
    return report


def _identical(one: Any, other: Any, plan: Plan) -> bool:
    """Whether outputs agree bit for bit, each input run three times."""
    import numpy as np

    (entry,) = plan["inputs"]
    shape = plan["buffers"][entry["buffer"]]["shape"]
    same = True
    for seed in range(INPUTS):
        values = np.random.default_rng(seed).standard_normal(shape, np.float32)
        expected = one.run({entry["name"]: values})
        for _ in range(3):
            found = other.run({entry["name"]: values})
            same &= all(np.array_equal(found[name], expected[name]) for name in expected)
    return same


def _stages(
    folder: Path, device: str, cores: int, plan: Plan, stages: Stages
) -> dict[str, float | str]:
    """Each group alone, the groups in one sequence, and side by side; a reason where one fails."""
    from engine.deploy.stage_bench import StageBench

    groups = stages[0]
    named: dict[str, Sequence[Sequence[int]]] = {
        f"group {index} alone": [group] for index, group in enumerate(groups)
    }
    named["in sequence"] = [[step for group in groups for step in group]]
    named |= {f"{count} side by side": groups[:count] for count in range(2, len(groups) + 1)}
    with StageBench(folder, device, cores) as bench:
        found = bench.measure(list(named.values()))
    return {
        name: stage.reason or _us(stage.latency_s) for name, stage in zip(named, found, strict=True)
    }


def _us(seconds: float) -> float:
    return round(seconds * 1e6, 2)


def main() -> None:
    """Print the report of a probe."""
    parser = argparse.ArgumentParser(description="Convolutions side by side.")
    parser.add_argument("--target", default="cpu", help="cpu, cuda, cuda:N")
    parser.add_argument("--branches", type=int, default=4, help="convolutions of one input")
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--size", type=int, default=28, help="height and width")
    parser.add_argument("--tuned", action="store_true", help="a search's first proposals")
    parser.add_argument("--check", action="store_true", help="compare outputs, time nothing")
    print(json.dumps(probe(**vars(parser.parse_args())), indent=1))


if __name__ == "__main__":
    main()
