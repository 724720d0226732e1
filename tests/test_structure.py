"""The rooms and the rules between them, read from the code itself."""

from __future__ import annotations

import ast
import dataclasses
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import networkx as nx
import pytest

from engine.records import events

ROOT = Path(__file__).parent.parent
# From the bottom up: each may import itself and what stands before it.
LAYERS = ("engine", "widgets", "app")
# The rooms by floor: each may import itself and what stands on a lower floor.
ENGINE = (
    ("records",),
    ("history", "workers", "storage", "graph"),
    ("measure", "models", "allocation", "scheduling"),
    ("targets",),
    ("tasks",),
    ("ios", "search"),
    ("deploy",),
    ("project",),
    ("passes",),
    ("jobs",),
    ("queueing", "report", "replay"),
    ("interface",),
    ("experiments",),
)
WIDGETS = (
    ("look",),
    ("parts",),
    ("plots",),
    # One for each view; on the floors above, those that show a part of another view.
    ("allocation", "comparison", "convergence", "droplet", "graph", "jobs", "sources", "stages",
     "window"),
    ("clusters", "tasks", "transfer"),
    ("passes",),
)  # fmt: skip
FLOORS = {"engine": ENGINE, "widgets": WIDGETS}
each_floor = pytest.mark.parametrize(
    ("layer", "floor"),
    [(layer, floor) for layer, floors in FLOORS.items() for floor in range(len(floors))],
    ids=str,
)
MAX_FILES = 25
SCRIPTS = {"engine.deploy.run_template", "app.__main__"}  # they act when they are imported
MAX_LINES = 600

FILES = sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))
each_file = pytest.mark.parametrize(
    "path", FILES, ids=[str(path.relative_to(ROOT)) for path in FILES]
)


def module_name(path: Path) -> str:
    """The dotted name of a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported(path: Path) -> Iterator[str]:
    """The modules that a file imports anywhere, lazily or for types alone included."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            yield str(node.module)


@each_file
def test_imports_go_one_way(path: Path) -> None:
    layer = path.relative_to(ROOT).parts[0]
    above = {*LAYERS[LAYERS.index(layer) + 1 :], "tests"}
    if layer == "engine":
        above |= {"PySide6", "shiboken6", "pyqtgraph"}
    assert {name for name in imported(path) if name.split(".")[0] in above} == set()


def room_of(name: str) -> str:
    """The room of a module, empty for the package itself."""
    return "".join(name.split(".")[1:2])


@pytest.mark.parametrize("layer", FLOORS)
def test_every_room_has_its_floor(layer: str) -> None:
    rooms = {path.parent.name for path in (ROOT / layer).glob("*/__init__.py")}
    assert rooms == {room for floor in FLOORS[layer] for room in floor}


@each_floor
def test_no_arrow_between_rooms_runs_back(layer: str, floor: int) -> None:
    below = {room for lower in FLOORS[layer][:floor] for room in lower}
    back = []
    for room in FLOORS[layer][floor]:
        for path in (ROOT / layer / room).rglob("*.py"):
            found = {name for name in imported(path) if name.split(".")[0] == layer}
            back += [f"{path}: {name}" for name in found if room_of(name) not in below | {room}]
    assert back == []


def test_no_folder_is_too_full() -> None:
    folders = {path.parent for path in FILES} | {path.parent for path in TESTS}
    counts = {folder: len(list(folder.glob("*.py"))) for folder in folders}
    assert {str(folder) for folder, count in counts.items() if count > MAX_FILES} == set()


def test_no_files_import_each_other_in_a_circle() -> None:
    names = {module_name(path): path for path in FILES}
    graph = nx.DiGraph()
    for name, path in names.items():
        graph.add_edges_from((name, other) for other in imported(path) if other in names)
    assert [part for part in nx.strongly_connected_components(graph) if len(part) > 1] == []


@each_file
def test_a_file_has_a_docstring_in_one_line_and_is_not_long(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= MAX_LINES
    docstring = ast.get_docstring(ast.parse(text))
    assert docstring
    assert docstring.splitlines()[0].endswith((".", "?"))


@each_file
def test_every_public_class_has_a_docstring(path: Path) -> None:
    classes = [n for n in ast.walk(ast.parse(path.read_text())) if isinstance(n, ast.ClassDef)]
    public = [node for node in classes if not node.name.startswith("_")]
    assert [node.name for node in public if not ast.get_docstring(node)] == []


def test_the_engine_is_imported_without_qt_or_what_stands_above_it() -> None:
    names = [module_name(path) for path in FILES if path.is_relative_to(ROOT / "engine")]
    code = f"""
import importlib, sys
for name in ("PySide6", "shiboken6", "pyqtgraph", "widgets", "app", "tests"):
    sys.modules[name] = None
for name in {sorted(set(names) - SCRIPTS)!r}:
    importlib.import_module(name)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_importing_the_engines_contracts_waits_for_no_heavy_library() -> None:
    code = (
        "import sys, engine.records.events, engine.records.errors, engine.history.history;"
        "import engine.jobs.engine;"
        "import engine.jobs.commands, engine.queueing.commands;"
        "print(sorted({'tvm', 'onnx', 'onnxruntime', 'networkx', 'xgboost'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def event_types() -> list[type[events.Event]]:
    """Every event, the base among them."""
    found = [kind for kind in vars(events).values() if isinstance(kind, type)]
    return [kind for kind in found if issubclass(kind, events.Event)]


def test_every_event_is_a_frozen_dataclass_in_one_module() -> None:
    kinds = event_types()
    assert len(kinds) > 8
    for kind in kinds:
        assert kind.__module__ == "engine.records.events"
        assert kind.__doc__
        assert dataclasses.is_dataclass(kind)
        assert kind.__dataclass_params__.frozen  # type: ignore[attr-defined]
        assert "__slots__" in vars(kind)


def test_every_test_folder_is_a_package() -> None:
    folders = {path.parent for path in (ROOT / "tests").rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_the_parts_of_a_window_do_not_know_it() -> None:
    knowing = [module_name(path) for path in FILES if "app.window.main_window" in imported(path)]
    assert knowing == ["app.process.session"]
