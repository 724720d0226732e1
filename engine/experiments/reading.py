"""Reads what an experiment wrote, which may be a stranger's file: every value is checked."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from engine.experiments.place import RESULT_FILE
from engine.records.errors import UsageError
from engine.storage.fields import Malformed, Row

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
    seed: int
    state: str
    message: str
    untuned_s: float | None
    tuned_s: float | None
    trials: int


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
        row = Row(_object(json.loads(file.read_bytes())))
        if row.integer("tunewright_experiment") != 1 or type(row.values.get("cells")) is not list:
            raise Malformed("cells")
        cells = tuple(_cell(Row(_object(cell)), file.parent) for cell in row.values["cells"])
        return Results(row.text("name"), file.parent, cells)
    except OSError as error:
        raise UsageError(
            f"{file.name} cannot be read: {error.strerror}.", "Check its name and folder."
        ) from error
    except (Malformed, ValueError, RecursionError) as error:
        raise UsageError(
            f"{file.name} is not the result of an experiment.",
            f"Choose a file {RESULT_FILE} that `tunewright experiment` has written.",
        ) from error


def _cell(row: Row, folder: Path) -> CellRow:
    project = PurePosixPath(row.text("project"))
    if project.is_absolute() or ".." in project.parts or "\0" in str(project):
        raise Malformed("project")
    return CellRow(
        project=folder / project,
        model=row.text("model"),
        target=row.text("target"),
        policy=row.text("policy"),
        plan=row.text("plan"),
        budget=row.text("budget"),
        seed=row.integer("seed"),
        state=row.text("state"),
        message=row.text("message"),
        untuned_s=row.optional("untuned_latency_s", row.real),
        tuned_s=row.optional("tuned_latency_s", row.real),
        trials=row.integer("trials"),
    )


def _object(value: Any) -> dict[str, Any]:
    if type(value) is not dict:
        raise Malformed("object")
    return value
