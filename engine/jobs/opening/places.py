"""Where a project file, or its report, goes when a person names no place."""

from __future__ import annotations

import os
from pathlib import Path

from engine.records.formats import PROJECT_SUFFIX
from engine.records.source import ModelSource
from engine.records.words import file_stem
from engine.storage.failures import own_folder


def default_project_path(source: ModelSource) -> Path:
    """A free name beside the model, or in the user's data folder where that cannot be.
    StorageError where there neither."""
    if source.kind == "file":
        model = Path(source.location)
        folder, stem = model.parent, model.stem
        if os.access(folder, os.W_OK):
            return _free(folder, stem)
    else:
        stem = file_stem(source.location)
    from platformdirs import user_data_path

    return _free(own_folder(user_data_path("tunewright") / "projects"), stem)


def report_path(project: Path) -> Path:
    """Where the report of a project goes unless a person says otherwise."""
    return project.with_name(f"{project.stem}-report.html")


def _free(folder: Path, stem: str) -> Path:
    path, number = folder / f"{stem}{PROJECT_SUFFIX}", 2
    while path.exists():
        path, number = folder / f"{stem}-{number}{PROJECT_SUFFIX}", number + 1
    return path
