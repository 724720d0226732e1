"""Tunes the networks of the list and makes a starter library of their best schedules.

    python -m tests.benchmarks.starter FOLDER [--seconds-a-task 12] [--target cpu] [--only NAME ...]

Projects are kept in FOLDER; called again it tunes what is missing, and takes what is there.
It needs a machine that does nothing else. The library is written to resources/starter: the best
schedules, and what the cost models of a run learn from before it has measured much.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice, zip_longest
from pathlib import Path

import onnx

from engine.interface.tuning import Tuning
from engine.passes.donor import Donor
from engine.passes.donors import donors_of
from engine.passes.starter import pack, pack_samples
from engine.project.repository import Project
from engine.records.settings import SearchSettings
from engine.records.task import Task, own_tasks
from engine.search.experience import Experience, Samples
from engine.search.task_search import Record, TaskSearch
from engine.targets.targets import resolve
from tests.benchmarks.starter.networks import NETWORKS

FOLDER = Path(__file__).parents[3] / "resources" / "starter"
_GAIN = 1.1  # over the untuned kernel; less is not worth a trial of others
_FIRST_S = 30.0
_SAMPLES, _WORKLOADS = 8, 64  # of each workload, and of how many


def main() -> None:
    """Tune, collect, write."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds-a-task", type=float, default=12.0)
    parser.add_argument("--target", default="cpu")
    parser.add_argument("--only", nargs="+", choices=list(NETWORKS), default=list(NETWORKS))
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    for name in asked.only:
        path = tune(name, asked.folder, asked.target, asked.seconds_a_task)
        print(f"{path.stem}: {len(kept(path))} records", flush=True)
    paths = sorted(asked.folder.glob("*.tune"))
    library = pack(donor for path in paths for donor in kept(path))
    FOLDER.mkdir(exist_ok=True)
    kind = "cuda" if asked.target.startswith("cuda") else "cpu"
    samples = pack_samples(sampled(paths, asked.target))
    for name, data in ((f"{kind}.json.xz", library), (f"{kind}.npz", samples)):
        (FOLDER / name).write_bytes(data)
        print(f"{FOLDER / name}: {len(data):,} bytes")


def tune(name: str, folder: Path, target: str, seconds_a_task: float) -> Path:
    """The project of a network, tuned so long for each of its tasks; as it is where it is there."""
    project = folder / f"{name}.tune"
    if project.exists():
        return project
    model = folder / f"{name}.onnx"
    onnx.save(NETWORKS[name](), model)
    begun = Tuning(model).target(target).without_starter().project(project)
    begun.budget(seconds=_FIRST_S).run()
    with Project.open(project, read_only=True) as opened:
        tasks = len(own_tasks(opened.tasks()))
    Tuning(project).resume().budget(seconds=max(1.0, seconds_a_task * tasks - _FIRST_S)).run()
    return project


def kept(path: Path) -> list[Donor]:
    """The records of a project that are worth giving, without the place they come from."""
    return [
        replace(donor, place="")
        for donor in donors_of(path)
        if donor.untuned_latency_s and donor.untuned_latency_s > _GAIN * donor.latency_s
    ]


def sampled(paths: Sequence[Path], target: str) -> dict[str, Samples]:
    """Some schedules of each task that had enough trials, classes in turn, with their latencies."""
    classes: dict[str, list[tuple[str, Samples]]] = {}
    for path in paths:
        with Project.open(path, read_only=True) as project:
            for task in own_tasks(project.tasks()):
                trials = project.trials_of(task.index)
                valid = [(trial.trace, trial.samples) for trial in trials if not trial.error]
                if len(valid) >= _SAMPLES and (found := _samples(task, target, valid)):
                    of_class = classes.setdefault(task.op_class, [])
                    of_class.append((task.fingerprint, found.few(_SAMPLES)))
    turns = zip_longest(*classes.values())
    return dict(islice((pair for turn in turns for pair in turn if pair), _WORKLOADS))


def _samples(task: Task, target: str, records: Sequence[Record]) -> Samples | None:
    import tvm

    experience = Experience()
    experience.most = len(records)
    workload = tvm.ir.load_json(task.workload)
    settings = SearchSettings()
    TaskSearch(task, workload, resolve(target), settings, 0, experience).start(records)
    return experience.of_others("").get(task.fingerprint)


if __name__ == "__main__":
    main()
