"""Networks on their way from ONNX to a program, each opened once a session."""

from __future__ import annotations

import atexit
import functools
import shutil
import tempfile
from pathlib import Path

from onnx import ModelProto

from engine.jobs.opening.open_worker import OpenedModel, open_here
from engine.records.source import ModelSource
from engine.targets.targets import TargetSpec, resolve
from engine.tasks.extract import Program
from tests.engine.models.build import save
from tests.engine.tasks.networks import NETWORKS


@functools.cache
def cpu() -> TargetSpec:
    """This machine's CPU."""
    return resolve("cpu")


def opened(proto: ModelProto, target: TargetSpec | None = None) -> OpenedModel:
    """A model taken as far as its tasks."""
    folder = tempfile.mkdtemp(prefix="tunewright-")
    atexit.register(shutil.rmtree, folder)  # not before: the reference reads the file
    path = save(proto, Path(folder) / "model.onnx")
    return open_here(ModelSource("file", str(path)), target or cpu())


@functools.cache
def network(name: str) -> OpenedModel:
    """One of the networks; nobody changes it."""
    return opened(NETWORKS[name]())


def program(proto: ModelProto, target: TargetSpec | None = None) -> Program:
    """A model's program."""
    return opened(proto, target).program
