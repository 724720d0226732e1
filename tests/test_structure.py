"""The rooms and the rules between them, read from the code itself."""

from __future__ import annotations

import ast
import dataclasses
import importlib.util
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

import engine
from engine.records import events

ROOT = Path(__file__).parent.parent
# From the bottom up: each may import itself and what stands before it.
LAYERS = ("engine", "widgets", "app")
# The rooms by floor: each may import itself and what stands on a lower floor.
ENGINE = (
    ("records",),
    ("history", "workers", "storage", "graph", "kernels"),
    ("measure", "models", "allocation", "scheduling"),
    ("targets",),
    ("tasks",),
    ("ios", "search"),
    ("deploy",),
    ("judge", "project"),
    ("passes", "watching"),
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
    ("allocation", "comparison", "convergence", "droplet", "graph", "jobs", "knobs", "layers",
     "sources", "stages", "timeline", "window"),
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
SCRIPTS = {"engine.deploy.run_template"}  # it acts when it is imported
MAX_LINES = 600
# What the command line alone understands. Dask's own commands are no part of this program.
COMMAND_LINE = re.compile(r"(?<![\w-])--[a-z]|\btunewright [a-z]")
DASK_COMMAND = re.compile(r"`dask [^`]*`")
OPTIONS_OF_THEIR_OWN = {
    "engine.deploy.run_template",  # a program, copied into exports
    "engine.measure.cuda_compiler",  # NVRTC's and nvcc's
}

FILES = sorted(path for layer in LAYERS for path in (ROOT / layer).rglob("*.py"))
TESTS = sorted((ROOT / "tests").rglob("*.py"))


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def module_name(path: Path) -> str:
    """The dotted name of a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imported(path: Path) -> frozenset[str]:
    """The modules that a file imports anywhere, lazily or for types alone included."""
    names = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            names.add(str(node.module))
    return frozenset(names)


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_go_one_way(layer: str) -> None:
    above = {*LAYERS[LAYERS.index(layer) + 1 :], "tests"}
    if layer == "engine":
        above |= {"PySide6", "shiboken6", "pyqtgraph"}
    upwards = [
        f"{path}: {name}"
        for path in FILES
        for name in imported(path)
        if path.is_relative_to(ROOT / layer) and name.split(".")[0] in above
    ]
    assert upwards == []


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


def texts(path: Path) -> Iterator[str]:
    """The string literals of a file without its docstrings, "{}" for what f-strings fill in."""
    tree = tree_of(path)
    apart = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            apart |= set(map(id, node.values))
            parts = (each.value if isinstance(each, ast.Constant) else "{}" for each in node.values)
            yield "".join(map(str, parts))
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            yield node.value


def test_no_text_of_the_engine_names_a_command_or_an_option() -> None:
    found: dict[str, list[str]] = {}
    for path in FILES:
        named = [text for text in texts(path) if COMMAND_LINE.search(DASK_COMMAND.sub("", text))]
        if named and path.is_relative_to(ROOT / "engine"):
            found[module_name(path)] = named
    assert found.keys() == OPTIONS_OF_THEIR_OWN, found


def test_no_file_is_long() -> None:
    lines = {path: len(path.read_text().splitlines()) for path in FILES}
    assert [path for path, count in lines.items() if count > MAX_LINES] == []


def test_every_file_has_a_docstring_that_begins_with_a_sentence_in_one_line() -> None:
    said = {path: (ast.get_docstring(tree_of(path)) or "\n").splitlines()[0] for path in FILES}
    assert [path for path, first in said.items() if not first.endswith((".", "?"))] == []


def test_every_public_class_has_a_docstring() -> None:
    classes = [
        (path, node) for path in FILES for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    ]  # fmt: skip
    assert [f"{path}: {node.name}" for path, node in classes if not ast.get_docstring(node)] == []


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


def test_the_engine_promises_what_tunes_and_what_comes_of_it_and_loads_nothing_for_that() -> None:
    code = "import sys, engine; print(sorted(name for name in sys.modules if 'engine.' in name))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
    assert engine.__all__ == ["Tuned", "Tuning"]
    assert engine.Tuning.run.__annotations__["return"] == engine.Tuned.__name__
    with pytest.raises(AttributeError):
        engine.Engine  # noqa: B018


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


def test_the_files_that_contributing_names_are_there() -> None:
    named = set(re.findall(r"`([\w/]+/\w+\.py)`", (ROOT / "CONTRIBUTING.md").read_text()))
    packaging = (ROOT / "packaging").glob("*.py")
    there = {str(path.relative_to(ROOT)) for path in (*FILES, *TESTS, *packaging)}
    assert len(named) > 30
    assert [
        name for name in named if not any(f"/{path}".endswith(f"/{name}") for path in there)
    ] == []


# Attributes that hold words for a person, and what would read a meaning out of them.
DISPLAYED = {"title", "target_title", "reason", "message", "what", "todo", "sentence", "tooltip"}
READING = {"startswith", "endswith", "partition", "rpartition", "split", "find", "index"}

READ_OF_OTHERS = {"'Usage:' in error.message"}  # typer has no public name for that error


def is_displayed(node: ast.expr) -> bool:
    return isinstance(node, ast.Attribute) and node.attr in DISPLAYED


def is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value != ""


def reads_a_meaning(node: ast.AST) -> bool:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return any(map(is_displayed, sides)) and any(map(is_text, sides))
    return isinstance(node, ast.Attribute) and node.attr in READING and is_displayed(node.value)


def test_no_meaning_is_read_out_of_a_text_for_people() -> None:
    nodes = [(path, node) for path in FILES for node in ast.walk(tree_of(path))]
    found = [(path, ast.unparse(node)) for path, node in nodes if reads_a_meaning(node)]
    assert [item for item in found if item[1] not in READ_OF_OTHERS] == []


def imports_of_programs(path: Path) -> Iterator[str]:
    """What the programs import that a file holds as texts, for processes of their own."""
    for node in ast.walk(tree_of(path)):
        text = node.value if isinstance(node, ast.Constant) else ""
        if isinstance(text, str) and re.search(
            r"^(from|import) (app|engine|widgets)\b", text, re.M
        ):
            try:
                program = ast.parse(text)
            except SyntaxError:  # a part of one
                continue
            for each in ast.walk(program):
                if isinstance(each, ast.ImportFrom):
                    yield from (f"{each.module}.{alias.name}" for alias in each.names)


def test_programs_in_texts_import_what_there_is() -> None:
    missing = []
    for path in (*FILES, *TESTS):
        for name in imports_of_programs(path):
            module, _, thing = name.rpartition(".")
            if module.split(".")[0] not in LAYERS:
                continue
            there = importlib.import_module(module)
            if not (hasattr(there, thing) or importlib.util.find_spec(name)):
                missing.append(f"{path}: {name}")
    assert missing == []
