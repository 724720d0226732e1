"""The kinds of files by their names: projects, and models with what each is compared with."""

from __future__ import annotations

import importlib.util
from dataclasses import dataclass
from os import PathLike
from pathlib import PurePath

from engine.records.errors import ModelError, install_todo
from engine.records.sentences import counting, listed
from engine.records.source import ModelSource


@dataclass(frozen=True, slots=True)
class Format:
    """A kind of file. `reference` runs such files as they are.

    `modules` must be installed to read one; those of the extra `extra` bring them.
    """

    title: str
    suffix: str
    reference: str
    extra: str = ""
    modules: tuple[str, ...] = ()


ONNX = Format("ONNX", ".onnx", "ONNX Runtime")
PYTORCH = Format("PyTorch", ".pt2", "PyTorch", "torch", ("torch",))
TFLITE = Format("TensorFlow Lite", ".tflite", "LiteRT", "tflite", ("tflite", "ai_edge_litert"))

EVALUATOR = "ONNX's reference evaluator"
"""Runs an ONNX file where ONNX Runtime has no kernel: slowly, so that its speed says nothing."""

FORMATS = (ONNX, PYTORCH, TFLITE)
MODEL_SUFFIXES = tuple(form.suffix for form in FORMATS)
PROJECT_SUFFIX = ".tune"


def is_project(path: str | PathLike[str]) -> bool:
    """Whether a name is a project's, in any case: the one rule for what may be a model, too."""
    return PurePath(path).suffix.lower() == PROJECT_SUFFIX


def is_model(path: str | PathLike[str]) -> bool:
    """Whether a name is that of a kind of model files."""
    return PurePath(path).suffix.lower() in MODEL_SUFFIXES


def format_of(source: ModelSource) -> Format:
    """The format that the name of the source's file tells; ONNX where it tells none."""
    if source.kind == "file":
        suffix = PurePath(source.location).suffix.lower()
        for form in FORMATS:
            if form.suffix == suffix:
                return form
    return ONNX


def reference_of(location: str) -> str:
    """What runs the file at `location`, or the sample of that name, as it is."""
    return format_of(ModelSource("file", location)).reference


def require(form: Format, name: str) -> None:
    """ModelError with the way to install it, where what reads the format is missing."""
    missing = [module for module in form.modules if importlib.util.find_spec(module) is None]
    if missing:
        raise ModelError(
            counting(
                len(missing),
                "{name} is a {format} file, and {modules} is not installed.",
                "{name} is a {format} file, and {modules} are not installed.",
                name=name,
                format=form.title,
                modules=listed(missing),
            ),
            install_todo(missing[0], form.extra),
        )
