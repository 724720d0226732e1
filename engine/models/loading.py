"""Reads the ONNX model of a source as it is: a file's, or a sample's with its random weights."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from engine.models.onnx_file import load_onnx
from engine.models.samples import load_sample, sample_path
from engine.records.source import ModelSource

if TYPE_CHECKING:
    from onnx import ModelProto


def load_source(source: ModelSource) -> tuple[str, ModelProto, str]:
    """Name, model and SHA-256 of a source. Raises ModelError, or UsageError for a sample that
    there is none of."""
    if source.kind == "sample":
        digest = hashlib.sha256(sample_path(source.location).read_bytes()).hexdigest()
        return source.location, load_sample(source.location), digest
    path = Path(source.location)
    loaded = load_onnx(path)
    return path.stem, loaded.proto, loaded.sha256
