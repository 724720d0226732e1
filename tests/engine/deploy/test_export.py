"""Export: a folder that runs by itself, agrees with the reference, and never half replaces one."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from engine.deploy import export as exporting
from engine.deploy.bench import BenchResult
from engine.deploy.executor_template import manifest_sha256
from engine.deploy.export import TaskRecord, export_module, unused_tasks
from engine.deploy.export_stages import Staging
from engine.deploy.folder import hashes
from engine.jobs.opening.open_worker import OpenedModel
from engine.judge.examining import examine
from engine.models.reference import random_inputs
from engine.records.errors import ExportError, StorageError, TuningError
from engine.records.schedule import Stage, Strategy
from engine.targets.cpu_features import told_instructions
from tests.engine.deploy.compiled import first_records
from tests.engine.tasks.programs import network
from tests.samples import make_task

FILES = {"module.so", "weights.bin", "plan.json", "manifest.json"}
FILES |= {"executor.py", "plan_executor.py", "run.py", "README.md", "requirements.txt"}
FILES |= set(exporting.NATIVE)

# What the exported module may import: as if only TVM, NumPy and what they need were installed.
BLOCKED = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        top = name.split(".")[0]
        if top in {blocked!r}:
            raise ImportError(f"{{name}} is not installed")
sys.meta_path.insert(0, Blocker())
import runpy
sys.argv = {argv!r}
runpy.run_path(sys.argv[0], run_name="__main__")
"""
ABSENT = ["engine", "widgets", "app", "tests", "PySide6", "onnx", "onnxruntime", "onnxslim"]
ABSENT += ["networkx", "sqlite_utils", "cloudpickle", "psutil", "xgboost", "scipy"]


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "_SECONDS", 0.01)


def task_records(model: OpenedModel, traces: Mapping[int, str]) -> dict[int, TaskRecord]:
    """What an export says of each task."""
    return {
        task.index: TaskRecord(task.name, task.weight, task.flops, 1e-5, traces.get(task.index, ""))
        for task in model.program.tasks
    }


def export(name: str, directory: Path, traces: Mapping[int, str] | None = None) -> dict[str, Any]:
    """Export a network."""
    model = network(name)
    records = task_records(model, traces or {})
    return export_module(model.prepared, model.program, records, 0.5, 2e-3, directory, examine)


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tuned export of a network with two inputs and two outputs of different types."""
    directory = tmp_path_factory.mktemp("exports") / "integers"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exporting, "_SECONDS", 0.01)
        export("integers", directory, first_records(network("integers")))
    return directory


def run(
    directory: Path, *arguments: str, cwd: Path, script: str = "run.py"
) -> subprocess.CompletedProcess[str]:
    """Run an exported module where nothing of this project can be imported."""
    argv = [str(directory / script), *arguments]
    code = BLOCKED.format(blocked=ABSENT, argv=argv)
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PYTHONPATH", "TVM_NUM_THREADS")
    }
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


# What is in the folder


def test_the_folder_holds_what_the_manifest_says(exported: Path) -> None:
    assert {path.name for path in exported.iterdir()} == FILES
    manifest = json.loads((exported / "manifest.json").read_text())
    assert set(manifest["files"]) == FILES - {"manifest.json"}
    found = hashes(exported)
    assert manifest["files"] == {name: found[name] for name in manifest["files"]}
    text = (exported / "manifest.json").read_text()
    assert manifest["sha256"] == manifest_sha256(text, manifest["sha256"])
    assert manifest["instructions"] == told_instructions(network("integers").program.target)


def test_the_manifest_describes_the_module(exported: Path) -> None:
    import tvm

    model = network("integers")
    manifest = json.loads((exported / "manifest.json").read_text())
    assert manifest["inputs"] == [
        {"name": "i", "shape": [4], "dtype": "int64"},
        {"name": "b", "shape": [4, 1], "dtype": "bool"},
    ]
    assert [item["name"] for item in manifest["outputs"]] == ["y", "less"]
    assert [item["dtype"] for item in manifest["outputs"]] == ["float32", "bool"]
    assert manifest["target"] == json.loads(model.program.target.text)
    assert manifest["tvm_version"] == tvm.__version__
    assert manifest["model_sha256"] == model.prepared.sha256
    assert manifest["latency_s"] > 0
    assert manifest["latency_runs"] >= 5
    assert manifest["coverage"] == 0.5
    assert manifest["reference_latency_s"] == 2e-3
    assert 0 <= manifest["max_abs_diff"] < 1e-3
    assert [task["name"] for task in manifest["tasks"]] == [t.name for t in model.program.tasks]
    for task in manifest["tasks"]:
        assert task["tuned"]
        assert task["latency_s"] == 1e-5
        assert task["weight"] >= 1


def test_a_task_without_a_known_latency_is_said_to_have_none_and_every_step_is_told(
    tmp_path: Path,
) -> None:
    model = network("concat")
    records = {
        index: TaskRecord(str(index), 1, 0.0, latency_s, "")
        for index, latency_s in enumerate((math.inf, math.nan, None))
    }
    said = list[str]()
    tell = lambda doing, about="": said.append(doing)  # noqa: E731
    export_module(
        model.prepared, model.program, records, 0.0, None, tmp_path / "out", examine, tell
    )
    assert len(said) >= 2
    assert all(said)
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text())
    assert [task["latency_s"] for task in manifest["tasks"]] == [None] * 3
    assert manifest["reference_latency_s"] is None


# Running it


def test_the_exported_module_runs_without_the_project(exported: Path, tmp_path: Path) -> None:
    inputs = random_inputs(network("integers").prepared.inputs, 7)
    np.savez(tmp_path / "in.npz", i=inputs["i"], b=inputs["b"])
    before = hashes(exported)
    done = run(exported, "in.npz", "--save", "out.npz", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "median latency" in done.stdout
    assert "less: bool (4, 8)" in done.stdout
    expected = network("integers").prepared.reference_outputs(inputs)
    with np.load(tmp_path / "out.npz") as saved:
        assert set(saved) == set(expected)
        for name, array in expected.items():
            np.testing.assert_allclose(saved[name], array, rtol=1e-5)
    assert hashes(exported) == before


def test_the_exported_module_draws_inputs_where_none_are_given(
    exported: Path, tmp_path: Path
) -> None:
    done = run(exported, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "y: float32 (4, 8)" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_wrong_inputs_end_in_a_sentence(exported: Path, tmp_path: Path) -> None:
    np.savez(tmp_path / "in.npz", i=np.zeros(4, np.int64))
    done = run(exported, "in.npz", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1] == "the inputs are i, b, not i"
    assert "Traceback" not in done.stderr


def test_a_program_loads_it_on_the_threads_that_it_was_measured_on(
    exported: Path, tmp_path: Path
) -> None:
    code = (
        "import os, sys; sys.path.append(sys.argv[1])\n"
        "from executor import load\n"
        "module = load(sys.argv[1])\n"
        "import tvm\n"
        "print(os.environ['TVM_NUM_THREADS'], [name for name, _, _ in module.inputs])"
    )
    (tmp_path / "mine.py").write_text(code)
    done = run(tmp_path, str(exported), cwd=tmp_path, script="mine.py")
    threads = json.loads((exported / "manifest.json").read_text())["threads"]
    assert done.stdout.strip() == f"{threads} ['i', 'b']", done.stderr


@pytest.mark.parametrize("name", ["dense", "quantised"])
def test_an_export_with_prepacked_weights_agrees_with_the_reference(
    name: str, tmp_path: Path
) -> None:
    manifest = export(name, tmp_path / "out", first_records(network(name)))
    assert manifest["max_abs_diff"] <= 1e-3 or name == "quantised"


# Failures


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An untuned export of the smallest network."""
    directory = tmp_path_factory.mktemp("exports") / "concat"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(exporting, "_SECONDS", 0.01)
        export("concat", directory)
    return directory


@pytest.fixture
def before(plain: Path, tmp_path: Path) -> dict[str, str]:
    """An earlier export in `out`; its hashes."""
    shutil.copytree(plain, tmp_path / "out")
    return hashes(tmp_path / "out")


def test_an_earlier_export_is_replaced(before: dict[str, str], tmp_path: Path) -> None:
    manifest = export("dense", tmp_path / "out")
    found = hashes(tmp_path / "out")
    assert found["module.so"] != before["module.so"]
    assert manifest["files"].items() <= found.items()
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def wrong(call: object, reference: object, draws: list[Any]) -> list[dict[str, np.ndarray]]:
    return [{"y": np.ones((1, 32, 8, 8), np.float32)} for _ in draws]


def damaged(*_: object, **__: object) -> BenchResult:
    raise TuningError("Its process died (SIGILL).")


def full(*_: object) -> None:
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize(
    ("place", "broken", "kind", "sentence"),
    [
        ("engine.judge.judging.run_fresh", wrong, ExportError, "The output y differs"),
        ("engine.judge.examining.bench_target", damaged, ExportError, "run. Its process died"),
        ("engine.deploy.export.shutil.copyfile", full, StorageError, "no space left on device"),
        ("engine.deploy.compile._write_weights", full, StorageError, "no space left on device"),
        ("engine.measure.linker.link_shared", full, StorageError, "no space left on device"),
    ],
)
def test_a_failure_exports_nothing_and_leaves_an_earlier_export_intact(
    place: str,
    broken: Any,
    kind: type[Exception],
    sentence: str,
    before: dict[str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(place, broken)
        for directory in (tmp_path / "out", tmp_path / "new"):
            with pytest.raises(kind, match=sentence):
                export("concat", directory)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert hashes(tmp_path / "out") == before


def test_a_folder_of_a_persons_files_is_refused_before_anything_is_compiled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "thesis.txt").write_text("mine")
    monkeypatch.setattr(exporting, "compile_program", lambda *_: pytest.fail("compiled"))
    with pytest.raises(StorageError, match=r"holds thesis\.txt, which is no part of an export"):
        export("concat", tmp_path)


def test_an_export_asks_for_room_for_weights_and_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)._replace(free=64 << 20)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(StorageError, match="no space left"):
        export("dense", tmp_path / "out")
    export("concat", tmp_path / "out")  # it has no weights


# Merged operators: a manifest tells of those that the exported program has, and of no others


def merging_program() -> Any:
    """Four operators of two tasks; pairs of unlike ones and of the first kind have tasks."""
    own = [make_task(0, "a", 1e-3), make_task(1, "b", 1e-3)]
    kinds = (0, 1, 1, 0)
    merged = [SimpleNamespace(index=2, merged=(0, 1)), SimpleNamespace(index=3, merged=(0, 3))]
    operators = [SimpleNamespace(task=task) for task in kinds]
    return SimpleNamespace(tasks=(*own, *merged), operators=operators)


def merging(*merged: tuple[int, ...]) -> Staging:
    """A schedule with these sets merged."""
    stages = tuple(Stage(Strategy.MERGE, (members,)) for members in merged)
    schedule: Any = SimpleNamespace(stages=stages)
    found: Any = SimpleNamespace(schedule=schedule)
    return Staging(found, {})


def test_merged_tasks_are_told_where_the_schedule_uses_them_or_one_like_them() -> None:
    assert unused_tasks(merging_program(), None, None) == {2, 3}
    assert unused_tasks(merging_program(), merging((0, 1)), {"used": False}) == {2, 3}
    assert unused_tasks(merging_program(), merging((0, 1)), {"used": True}) == {3}
    assert unused_tasks(merging_program(), merging((2, 3)), {"used": True}) == {3}
    assert unused_tasks(merging_program(), merging((0, 3), (1, 2)), {"used": True}) == {2}
