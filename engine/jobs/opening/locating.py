"""The model of a project where its file is now, if that is the same model."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

from engine.jobs.opening.isolation import isolated
from engine.records.errors import ModelError, ModelMissing
from engine.records.sentences import Sentence
from engine.records.source import ModelSource
from engine.records.words import Say


def require_there(source: ModelSource) -> None:
    """ModelMissing where the file that a project was made from is not in its place."""
    if source.kind == "file" and not Path(source.location).exists():
        raise ModelMissing(
            Sentence(
                "The model of this project is not at {location} any more.", location=source.location
            ),
            "Put it back, or say where it is now.",
        )


def located_model(source: ModelSource, path: Path) -> ModelSource:
    """The source with its file at `path`. ModelError where that is another model: by its SHA-256,
    which of an ONNX file is also over its external weights. Blocks while it is read, in a worker.
    """
    moved = replace(source, kind="file", location=str(path.absolute()))
    found: str = isolated(moved, _sha256)
    if source.sha256 and found != source.sha256:
        raise ModelError(
            Sentence("{path} is not the model that this project was made from.", path=path.name),
            Sentence(
                "Choose the one whose SHA-256 begins with {sha256}.", sha256=source.sha256[:12]
            ),
        )
    return replace(moved, sha256=found)


def _sha256(_: Say, source: ModelSource) -> str:
    from engine.models.choosing import other_reader
    from engine.models.loading import load_source
    from engine.models.plain_file import read_file

    if other_reader(source) is not None:
        return hashlib.sha256(read_file(Path(source.location))).hexdigest()
    return load_source(source)[2]
