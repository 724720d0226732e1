"""Whatever bytes a file holds, opening and reading it ends in a project or in a sentence."""

from __future__ import annotations

import json
import sqlite3
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.project.repository import Project
from engine.records.errors import ProjectError, StorageError
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import SlotInfo
from engine.records.source import ModelSource
from tests.engine.project.ios_data import COST, FOUND
from tests.engine.project.support import new_project, new_trial

# page, offset (often in its header), new byte
CHANGES = st.lists(
    st.tuples(
        st.integers(0, 31),
        st.one_of(st.integers(0, 110), st.integers(0, 4095)),
        st.integers(0, 255),
    ),
    min_size=1,
    max_size=20,
)
VALID = RunSettings().as_dict()
SOURCE = ModelSource("file", "net.onnx").as_dict()


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed project with a row in every table."""
    path = tmp_path_factory.mktemp("whole") / "net.tune"
    with new_project(path) as project:
        run = project.start_run(RunSettings())
        project.set_run(run, state=RunState.RUNNING, policy_state={"turn": 1})
        project.add_slot(SlotInfo(1, run, 0, 0.0, "first", {"score": 1.0}))
        for seed in range(12):
            project.add_trial(new_trial(seed, task=seed % 2))
        project.set_untuned(1.0, {0: 0.5})
        project.add_export("/tmp/out", {"files": {}})
        project.add_stage_costs([COST])
        project.set_schedule(FOUND)
    return path


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damage") / "net.tune"


def use(path: Path) -> None:
    """Do with a project what the program does."""
    with Project.open(path, read_only=True) as reader:
        reader.snapshot()
    with Project.open(path) as project:
        snapshot = project.snapshot(texts=True)
        for task in snapshot.tasks:
            project.trials_of(task.index)
            project.trace_keys(task.index)
        for run in snapshot.runs:
            project.run_policy_state(run.id)
            project.run_progress(run.id)
        project.set_run(project.start_run(RunSettings()), state=RunState.RUNNING)
        project.add_trial(new_trial(100))
        project.save_as(path.with_name("copy.tune"))


def use_expecting_sentences(path: Path) -> None:
    try:
        use(path)
    except (ProjectError, StorageError) as error:
        assert error.what.endswith(".")
        assert error.todo.endswith(".")
    finally:
        for file in path.parent.iterdir():
            file.unlink()


@settings(max_examples=120, deadline=None, database=None)
@given(changes=CHANGES)
def test_changed_bytes_end_in_a_project_or_a_sentence(
    whole: Path, place: Path, changes: list[tuple[int, int, int]]
) -> None:
    content = bytearray(whole.read_bytes())
    for page, offset, value in changes:
        content[(page * 4096 + offset) % len(content)] = value
    place.write_bytes(content)
    use_expecting_sentences(place)


@settings(max_examples=40, deadline=None, database=None)
@given(length=st.integers(0, 2**17))
def test_a_truncated_file_ends_in_a_project_or_a_sentence(
    whole: Path, place: Path, length: int
) -> None:
    content = whole.read_bytes()
    place.write_bytes(content[: length % len(content)])
    use_expecting_sentences(place)


@settings(max_examples=40, deadline=None, database=None)
@given(junk=st.binary(max_size=200))
def test_any_bytes_end_in_a_sentence(place: Path, junk: bytes) -> None:
    place.write_bytes(junk)
    with pytest.raises(ProjectError, match=r"net\.tune"):
        use(place)


def without(data: dict[str, Any], name: str) -> str:
    return json.dumps({key: value for key, value in data.items() if key != name})


def changed(data: dict[str, Any], **values: Any) -> str:
    return json.dumps({**data, **values})


NOT_JSON = ["", "{", "\x00", "[" * 100_000, "1e", "9" * 5_000]
NOT_OBJECTS = [*NOT_JSON, "[]", "null", "1", '"x"']
BAD_TENSORS = [*NOT_JSON, "{}", "[1]", "[[1]]", "[[1],2]", '[[-1],"f"]', '[[1.5],"f"]']
BAD: dict[tuple[str, str], list[Any]] = {
    ("project", "source"): [
        *NOT_OBJECTS,
        "{}",
        without(SOURCE, "location"),
        changed(SOURCE, kind="code"),
        changed(SOURCE, location=1),
        changed(SOURCE, shapes=[1]),
        changed(SOURCE, shapes={"x": "13"}),
        changed(SOURCE, shapes={"x": [1e400]}),
        changed(SOURCE, values=[1]),
        changed(SOURCE, values={"x": "1"}),
        changed(SOURCE, more=1),
    ],
    ("tasks", "args"): [*NOT_JSON, "{}", "1", "[1]", *(f"[{bad}]" for bad in BAD_TENSORS if bad)],
    ("tasks", "workload"): [b"", b"x", zlib.compress(b"\xff"), zlib.compress(b"x")[:-1]],
    ("tasks", "flops"): [-1.0, float("inf")],
    ("tasks", "weight"): [-1],
    ("tasks", "id"): [7, -1],
    ("operators", "inputs"): [*NOT_JSON, "{}", "[-1]", "[7]", "[true]", "[[0]]", str([2**70])],
    ("operators", "output"): BAD_TENSORS,
    ("operators", "task"): [9, -1],
    ("file_nodes", "id"): [7, -1],
    ("file_nodes", "inputs"): ["{}", "[-1]", "[3]", "[true]"],
    ("file_nodes", "output"): BAD_TENSORS,
    ("file_nodes", "operators"): ["", "[9]", "[]", "[-1]"],
    ("file_nodes", "fate"): ["", "eaten", "constant"],
    ("runs", "settings"): [
        *NOT_OBJECTS,
        "{}",
        without(VALID, "budget"),
        changed(VALID, more=1),
        changed(VALID, seed="1"),
        changed(VALID, seed=None),
        changed(VALID, policy=3),
        changed(VALID, policy_options=[]),
        changed(VALID, budget=3),
        changed(VALID, budget={"trials": "x"}),
        changed(VALID, budget={"seconds": -1}),
        changed(VALID, search={"batch": 1.5}),
        changed(VALID, search={"more": 1}),
        changed(VALID, protocol={"warmup": None}),
    ],
    ("runs", "state"): ["", "RUNNING", "flying"],
    ("runs", "policy_state"): NOT_OBJECTS,
    ("runs", "progress"): [*NOT_OBJECTS, '{"step": "x"}', '{"round": -1}', '{"since": [1]}'],
    ("slots", "scores"): NOT_OBJECTS,
    ("slots", "task"): [9],
    ("protocols", "parameters"): NOT_OBJECTS,
    ("trials", "task"): [9],
    ("trials", "trace"): [b"", b"x", zlib.compress(b"\xff")],
    ("trials", "base"): [99, 1],
    ("trials", "samples"): [b"1234567", b"\xff" * 8, b"\0" * 8],
    ("trials", "confirmed"): [b"1"],
    ("trials", "error"): ["", "no error"],
    ("trials", "source"): ["", "elsewhere"],
    ("trials", "at"): [-1.0, float("-inf")],
    ("trials", "protocol"): [99],
    ("latencies", "latency_s"): [-1.0, float("inf")],
    ("exports", "manifest"): NOT_OBJECTS,
}


@pytest.mark.parametrize(("table", "column"), BAD)
def test_a_value_that_makes_no_sense_is_a_damaged_file(
    whole: Path, tmp_path: Path, table: str, column: str
) -> None:
    for number, value in enumerate(BAD[table, column]):
        path = tmp_path / f"{number}.tune"
        path.write_bytes(whole.read_bytes())
        connection = sqlite3.connect(path)
        connection.execute(
            f"UPDATE {table} SET {column} = ? WHERE rowid = (SELECT max(rowid) FROM {table})",
            [value],
        )
        connection.commit()
        connection.close()
        with pytest.raises(ProjectError, match="is damaged"):
            use(path)


@pytest.mark.parametrize("text", [b"max_pool2d", b'"trace_key" TEXT', b"CREATE TABLE"])
def test_text_that_is_not_utf8_is_a_damaged_file(whole: Path, place: Path, text: bytes) -> None:
    place.write_bytes(whole.read_bytes().replace(text, text[:3] + b"\xff\x80" + text[5:]))
    with pytest.raises(ProjectError, match="is damaged"):
        use(place)


def test_a_blob_that_would_fill_the_memory_is_a_damaged_file(whole: Path, place: Path) -> None:
    place.write_bytes(whole.read_bytes())
    connection = sqlite3.connect(place)
    bomb = zlib.compress(bytes(80_000_000), 9)
    connection.execute("UPDATE tasks SET workload = ? WHERE id = 1", [bomb])
    connection.commit()
    connection.close()
    with pytest.raises(ProjectError, match="is damaged"):
        use(place)
    place.unlink()


def test_a_file_that_is_damaged_while_open_gives_a_sentence(whole: Path, place: Path) -> None:
    place.write_bytes(whole.read_bytes())
    with Project.open(place) as project:
        with place.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (whole.stat().st_size - 4096))
        project._db.conn.execute("PRAGMA shrink_memory")
        with pytest.raises(ProjectError, match="is damaged"):
            project.snapshot(texts=True)
    place.unlink()
