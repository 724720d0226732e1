"""Tunes the networks of the list and makes a starter library of their best schedules.

    python -m tests.benchmarks.starter FOLDER [--seconds-a-task 12] [--target cpu] [--only NAME ...]

Projects are kept in FOLDER; called again it tunes what is missing, and takes what is there.
It needs a machine that does nothing else. The library is written to resources/starter.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import onnx

from engine.interface.tuning import Tuning
from engine.passes.donor import Donor
from engine.passes.donors import donors_of
from engine.passes.starter import pack
from engine.project.repository import Project
from engine.records.task import own_tasks
from tests.benchmarks.starter.networks import NETWORKS

FOLDER = Path(__file__).parents[3] / "resources" / "starter"
_GAIN = 1.1  # over the untuned kernel; less is not worth a trial of others
_FIRST_S = 30.0


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
    out = FOLDER / f"{'cuda' if asked.target.startswith('cuda') else 'cpu'}.json.xz"
    out.write_bytes(library)
    print(f"{out}: {len(library):,} bytes")


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


if __name__ == "__main__":
    main()
