"""Recorded seconds of stages, for the scheduler's simulator.

`python -m tests.benchmarks.stages.stage_times` writes tests/data/stage_times_*.json anew from the
recordings in tests/data/recordings. A recording has each trial's build and run and each slot's
search with its learning; both are told apart by `LEARNING_SHARE`.
"""

from __future__ import annotations

import json
from itertools import zip_longest
from pathlib import Path
from typing import Any

from engine.allocation.recording import RecordedTask, Recording
from engine.replay.recording_file import load_recording
from tests.engine.scheduling.sim_jobs import Round

DATA = Path(__file__).parents[2] / "data"
LEARNING_SHARE = 0.11
"""Of a slot's search seconds: measured on 12 slots of 16 candidates of three tasks of SqueezeNet
on two CPU cores, 2026-11-28, by timing `TaskSearch.propose` and `learn` apart."""

SOURCES = {
    "cpu": {"squeezenet": "squeezenet-cpu-1.npz", "resnet50": "resnet50-cpu-0.npz"},
    "h200": {
        "squeezenet": "squeezenet-h200-0.npz",
        "inception_v1": "inception_v1-h200-0.npz",
        "encoder-block": "encoder-block-h200-0.npz",
    },
}
_MOST_ROUNDS = 80


def stage_times(name: str) -> dict[str, tuple[Round, ...]]:
    """The rounds of each model recorded on "cpu" or "h200", in the order of their slots."""
    stored = json.loads((DATA / f"stage_times_{name}.json").read_text("utf-8"))
    return {
        model: tuple(
            Round(f"{model} {task}", search_s, tuple(builds_s), tuple(runs_s), update_s)
            for task, search_s, builds_s, runs_s, update_s in rounds
        )
        for model, rounds in stored["models"].items()
    }


def _rounds_of(task: RecordedTask, batch: int) -> list[list[Any]]:
    rounds = []
    for at in range(0, len(task.build_s), batch):
        part = slice(at, at + batch)
        search_s = float(task.search_s[part].sum())
        rounds.append(
            [
                task.name,
                round(search_s * (1 - LEARNING_SHARE), 3),
                [round(float(seconds), 3) for seconds in task.build_s[part]],
                [round(float(seconds), 4) for seconds in task.run_s[part]],
                round(search_s * LEARNING_SHARE, 3),
            ]
        )
    return rounds


def _rounds(recording: Recording) -> list[list[Any]]:
    """The first slot of every task, then the second, ..."""
    by_task = [_rounds_of(task, recording.batch) for task in recording.tasks]
    turns = zip_longest(*by_task)
    return [found for turn in turns for found in turn if found is not None][:_MOST_ROUNDS]


def main() -> None:
    """Write the files."""
    for name, files in SOURCES.items():
        models, origins = {}, {}
        for model, file in files.items():
            recording = load_recording(DATA / "recordings" / file)
            models[model] = _rounds(recording)
            trials = sum(len(found[2]) for found in models[model])
            origins[model] = (
                f"tests/data/recordings/{file}: {recording.device}, {recording.date}, "
                f"the first {trials} trials"
            )
        stored = {
            "origin": origins,
            "learning_share": LEARNING_SHARE,
            "columns": ["task", "search_s", "builds_s", "runs_s", "update_s"],
            "models": models,
        }
        path = DATA / f"stage_times_{name}.json"
        path.write_text(json.dumps(stored, separators=(",", ":")) + "\n", "utf-8")
        print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
