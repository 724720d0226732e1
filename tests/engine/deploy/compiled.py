"""Networks compiled into folders, with and without records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from engine.deploy.compare import HALF, SINGLE, largest_difference
from engine.deploy.compile import compile_program
from engine.deploy.executor import PlanExecutor
from engine.deploy.executor_template import MANIFEST
from engine.deploy.export import put_scripts
from engine.deploy.folder import put_manifest
from engine.jobs.opening.open_worker import OpenedModel
from engine.models.reference import random_inputs
from engine.search.task_search import TaskSearch
from tests.engine.search.searches import SETTINGS


def output_names(model: OpenedModel) -> tuple[str, ...]:
    """Names of a model's outputs."""
    return tuple(name for name, _ in model.prepared.outputs)


def compiled(model: OpenedModel, records: Mapping[int, str], folder: Path) -> PlanExecutor:
    """A model compiled into a folder and loaded in this process."""
    compile_program(model.program, records, output_names(model), folder)
    return PlanExecutor(folder)


def assert_agrees(model: OpenedModel, executor: PlanExecutor, seed: int = 1) -> None:
    """The executor computes what ONNX Runtime does."""
    inputs = random_inputs(model.prepared.inputs, seed)
    found = executor.run(inputs)
    expected = model.prepared.reference_outputs(inputs)
    assert list(found) == list(expected)
    halves = any(array.dtype == np.float16 for array in expected.values())
    largest_difference(found, expected, HALF if halves else SINGLE)


def first_records(model: OpenedModel, seed: int = 0) -> dict[int, str]:
    """The first proposal for each task, measured or not."""
    program = model.program
    records = {}
    for task in program.tasks:
        search = TaskSearch(task, program.workloads[task.index], program.target, SETTINGS, seed)
        search.start()
        records[task.index] = search.propose()[0].trace
    return records


def as_export(folder: Path, libraries: Sequence[str] = (), **changes: object) -> None:
    """Make a compiled folder an export, which says what an export for this CPU would say."""
    import tvm

    told = {"tvm_version": tvm.__version__, "target": {"kind": "llvm"}, "device": "cpu"}
    (folder / MANIFEST).unlink(missing_ok=True)
    put_scripts(folder, libraries)
    put_manifest(folder, {**told, "threads": 1, "instructions": [], **changes})
