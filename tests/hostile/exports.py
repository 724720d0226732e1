"""Small exports of each kind, and what may have become of their files."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engine.deploy.compile import compile_program
from engine.deploy.executor_template import MANIFEST
from engine.deploy.merged_program import merged_program
from engine.deploy.plan import Plan, with_stages
from engine.jobs.opening.open_worker import OpenedModel
from tests.engine.deploy.compiled import compiled, first_records, output_names
from tests.engine.deploy.test_merged_program import branches, members
from tests.engine.models.build import branches_model
from tests.engine.tasks.programs import network, opened

KINDS = ("plain", "weights", "staged", "merged")
SCRIPTS = ("run.py", "executor.py", "plan_executor.py", "tunewright.c")
FILES = (*SCRIPTS, MANIFEST, "plan.json", "module.so", "weights.bin")


def compile_kind(kind: str, folder: Path) -> OpenedModel:
    """Compile a small model: without weights, with prepacked ones, in stages, or merged."""
    if kind in ("plain", "weights"):
        model = network("concat" if kind == "plain" else "dense")
        compiled(model, first_records(model) if kind == "weights" else {}, folder)
    elif kind == "staged":
        model = opened(branches_model())
        compiled(model, {}, folder)
        change_plan(folder, lambda plan: with_stages(plan, [[[0, 1], [2, 3]], [[4]]]))
    else:
        model = branches()
        merged = merged_program(model.program, [members(model.program, 8, 4, 6)])
        compile_program(merged.program, {}, output_names(model), folder)
    return model


def change_plan(folder: Path, change: Callable[[Plan], object]) -> None:
    """Write another plan."""
    plan = json.loads((folder / "plan.json").read_text())
    (folder / "plan.json").write_text(json.dumps(change(plan)))


def missing(path: Path) -> None:
    path.unlink()


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def halved(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes() or b"\0")
    place = random.Random(path.name).randrange(8 * len(data))
    data[place // 8] ^= 1 << place % 8
    path.write_bytes(data)


def replaced(path: Path) -> None:
    path.write_bytes(random.Random(1).randbytes(path.stat().st_size or 16))


def longer(path: Path) -> None:
    path.write_bytes(path.read_bytes() + b"\n")


def listed(path: Path) -> None:
    path.write_text("[1, 2]")


def nested(path: Path) -> None:
    path.write_text("[" * 100_000 + "]" * 100_000)


def link(path: Path) -> None:
    shutil.move(path, path.parent.parent / path.name)
    path.symlink_to(path.parent.parent / path.name)


def folder_of_it(path: Path) -> None:
    path.unlink()
    path.mkdir()


def pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


DAMAGES = (
    missing,
    emptied,
    halved,
    flipped,
    replaced,
    longer,
    listed,
    nested,
    link,
    folder_of_it,
    pipe,
)


def first(plan: Plan, place: str) -> dict[str, Any]:
    """The first buffer of a kind."""
    found: dict[str, Any] = next(one for one in plan["buffers"] if one and place in one)
    return found


PLANS: list[Callable[[Plan], object]] = [
    lambda plan: [plan],
    lambda plan: {},
    lambda plan: plan | {"buffers": 3},
    lambda plan: plan | {"buffers": [[]] * len(plan["buffers"])},
    lambda plan: plan | {"storage_bytes": []},
    lambda plan: plan | {"storage_bytes": [0] * len(plan["storage_bytes"])},
    lambda plan: plan | {"storage_bytes": [-1] * len(plan["storage_bytes"])},
    lambda plan: plan | {"steps": [["x"]]},
    lambda plan: plan | {"steps": [["no_such_kernel", [0]]]},
    lambda plan: plan | {"steps": [[name, [-1, *args[1:]]] for name, args in plan["steps"]]},
    lambda plan: plan | {"steps": [[name, [10**9]] for name, _ in plan["steps"]]},
    lambda plan: plan | {"stages": [[[len(plan["steps"])]]]},
    lambda plan: plan | {"stages": 1},
    lambda plan: plan | {"libraries": ["x"]},
    lambda plan: plan | {"libraries": {"cublaslt": 1}},
    lambda plan: plan | {"inputs": [{"name": 1, "buffer": 0}]},
    lambda plan: plan | {"inputs": []},
    lambda plan: plan | {"outputs": [{"name": "y"}]},
    lambda plan: first(plan, "weights").update(weights=1 << 40) or plan,
    lambda plan: first(plan, "weights").update(weights=-64) or plan,
    lambda plan: first(plan, "weights").update(bytes=1 << 40) or plan,
    lambda plan: first(plan, "weights").update(shape=[1 << 40]) or plan,
    lambda plan: first(plan, "weights").update(shape=[-1, -1]) or plan,
    lambda plan: first(plan, "weights").update(shape="x") or plan,
    lambda plan: first(plan, "weights").update(dtype="float1024") or plan,
    lambda plan: first(plan, "storage").update(storage=99) or plan,
    lambda plan: first(plan, "storage").update(storage=-1) or plan,
    lambda plan: first(plan, "input").update(shape=[10**6], bytes=4 * 10**6) or plan,
    lambda plan: first(plan, "input").update(dtype=None) or plan,
]
