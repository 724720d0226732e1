"""A small project with every kind of content, and traces shaped like TVM's."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

import pytest

from engine.project.repository import Project
from engine.records.network import Fate, FileNode, Operator
from engine.records.source import ModelSource
from engine.records.task import Task, TensorSpec
from engine.records.trial import Protocol, Trial

SOURCE = ModelSource("file", "/models/net.onnx", {"data": (1, 3, 224, 224)}, "ab" * 32)
TARGET = '{"kind":"llvm","mcpu":"znver4","num-cores":2}'
TENSOR = TensorSpec((1, 56, 56, 64), "float32")
TASKS = (
    Task(0, "conv2d", 3, 2.3e8, "conv2d_add_relu", (TENSOR, TENSOR), "f0" * 32, '{"mod":0}', 1e-3),
    Task(1, "pool", 1, 1.5e5, "max_pool2d", (TENSOR,), "f1" * 32, '{"mod":1}'),
    Task(2, "scalar", 1, 0.0, "add", (TensorSpec((), "int64"),), "f2" * 32, '{"mod":2}'),
)
OPERATORS = (
    Operator(0, "conv2d", "conv2d_add_relu", 0, (), TENSOR, 2.3e8),
    Operator(1, "pool", "max_pool2d", 1, (0,), TENSOR, 1.5e5),
    Operator(2, "reshape", "reshape", None, (0, 1), TENSOR),
)
FILE_NODES = (
    FileNode(0, "conv", "Conv", (), None, (0,), Fate.MERGED),
    FileNode(1, "bn", "BatchNormalization", (0,), TENSOR, (0,), Fate.OPERATORS),
    FileNode(2, "shape", "Shape", (1,), None, (), Fate.CONSTANT),
    FileNode(3, "pool", "MaxPool", (1, 2), TENSOR, (1,), Fate.OPERATORS),
)


def have_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let projects that are not opened for real have the files of their models."""
    monkeypatch.setattr("engine.jobs.session.require_there", lambda source: None)


def new_project(path: Path, **changes: Any) -> Project:
    """A project without trials at `path`."""
    content: dict[str, Any] = {
        "source": SOURCE,
        "model_name": "net",
        "target": TARGET,
        "target_title": "cpu znver4 x2",
        "tvm_version": "0.27.0",
        "tasks": TASKS,
        "operators": OPERATORS,
        "file_nodes": () if "operators" in changes else FILE_NODES,
    }
    return Project.create(path, **{**content, **changes})


def trace_text(seed: int) -> str:
    """About 5 KB of trace: the same instructions for every seed, with other decisions."""
    choose = random.Random(seed)
    instructions: list[Any] = [["GetSBlock", [], ["conv2d_nhwc", "main"], ["b0"]]]
    decisions: list[Any] = []
    for loop in range(24):
        names = [f"v{loop}_{part}" for part in range(4)]
        decisions.append([len(instructions), [choose.choice((1, 2, 4, 7, 8, 14)) for _ in names]])
        instructions.append(["SamplePerfectTile", [f"l{loop}"], [4, 64], names])
        loops = [f"l{loop}_{part}" for part in range(4)]
        instructions.append(["Split", [f"l{loop}", *names], [True, False], loops])
        if choose.random() < 0.3:
            instructions.append(["Annotate", [loops[0], 512], ["pragma_auto_unroll_max_step"], []])
        instructions.append(["Fuse", loops[:2], [1], [f"f{loop}"]])
        instructions.append(["Parallel", [f"f{loop}"], [], []])
    return json.dumps([instructions, decisions], separators=(",", ":"))


def new_trial(seed: int, task: int = 0, **changes: Any) -> Trial:
    """A good trial whose trace and latencies follow from the seed."""
    choose = random.Random(seed)
    trace = trace_text(seed)
    content: dict[str, Any] = {
        "number": 0,
        "task": task,
        "trace": trace,
        "trace_key": hashlib.sha256(trace.encode()).hexdigest(),
        "samples": tuple(choose.uniform(1e-4, 2e-4) for _ in range(24)),
        "build_s": 0.31,
        "run_s": 0.22,
        "slot": 1,
        "run": 1,
        "elapsed_s": seed + 1.0,
        "at": 1.7e9 + seed,
        "protocol": Protocol().as_dict(),
    }
    return Trial(**{**content, **changes})
