"""Reads what an experiment wrote, which may be a stranger's file: every value is checked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Literal

from engine.experiments.matrix import FURTHER, SearchChoice
from engine.experiments.place import RESULT_FILE
from engine.records.errors import UsageError
from engine.records.options import Index, Seconds
from engine.records.sentences import Sentence
from engine.records.settings import NONE
from engine.storage.fields import Malformed, read

_MOST_BYTES = 50_000_000


@dataclass(frozen=True, slots=True)
class CellRow:
    """A cell as the results tell it; `project` lies in the results' folder."""

    project: Path
    model: str
    target: str
    policy: str
    plan: str
    budget: str
    seed: Index
    state: str
    message: str
    untuned_s: Seconds | None
    tuned_s: Seconds | None
    trials: Index
    search: str
    devices: str
    scheduling: str
    concurrency: str
    cores: str

    @property
    def further(self) -> str:
        """Its place on the further axes, where that is not what a file without them has."""
        usual = ("", SearchChoice().name, NONE)
        places = {name: getattr(self, name) for name in FURTHER}
        return ", ".join(
            f"{name} {place}" if place.isdecimal() else place
            for name, place in places.items()
            if place not in usual
        )


@dataclass(frozen=True, slots=True)
class Results:
    """An experiment's cells in their order."""

    name: str
    folder: Path
    cells: tuple[CellRow, ...]


def read_results(path: Path) -> Results:
    """The results in a folder, or of its `experiment.json`; UsageError where there are none."""
    file = path / RESULT_FILE if path.is_dir() else path
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise Malformed("size")
        stored = read(json.loads(file.read_bytes()), _Stored)
        cells = tuple(_cell(cell, file.parent) for cell in stored.cells)
        return Results(stored.name, file.parent, cells)
    except OSError as error:
        raise UsageError(
            Sentence("{file} cannot be read: {strerror}.", file=file.name, strerror=error.strerror),
            "Check its name and folder.",
        ) from error
    except (Malformed, ValueError, RecursionError) as error:
        raise UsageError(
            Sentence("{file} is not the result of an experiment.", file=file.name),
            Sentence(
                "Choose a file {result_file} that an experiment has written.",
                result_file=RESULT_FILE,
            ),
        ) from error


@dataclass(frozen=True, slots=True)
class _Stored:
    name: str
    tunewright_experiment: Literal[1]
    cells: list[dict[str, Any]]


def _cell(data: dict[str, Any], folder: Path) -> CellRow:
    project = PurePosixPath(read(data.get("project"), str))
    if project.is_absolute() or ".." in project.parts or "\0" in str(project):
        raise Malformed("project")
    latencies = {name: data.get(f"{name}_latency_s") for name in ("untuned", "tuned")}
    latencies = {f"{name}_s": value for name, value in latencies.items()}
    earlier = dict.fromkeys(FURTHER, "")  # an earlier version did not write them
    return read({**earlier, **data, **latencies, "project": folder / project}, CellRow)
