"""The library keeps the best few, whoever adds, and distrusts every file."""

from __future__ import annotations

import math
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.passes.donor import Donor
from engine.passes.library import KEPT, Added, Library, LibraryEntry
from engine.records.errors import ProjectError, StorageError
from tests.engine.passes.donor_data import TITLE, TVM, digest, donor

ROOT = Path(__file__).parents[3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "library.db"


@pytest.fixture
def library(path: Path) -> Iterator[Library]:
    with Library.open(path) as library:
        yield library


def timed(seed: int, latency_s: float, **changes: Any) -> Donor:
    """A donor of one task, by its seed."""
    return donor(seed, latency_s=latency_s, **changes)


def latencies(library: Library) -> list[float]:
    return sorted(item.latency_s for item in library.donors())


# What is kept


def test_every_field_of_a_donor_comes_back(library: Library, path: Path) -> None:
    made = [donor(1), donor(2, op_class="é\0", args=(), untuned_latency_s=None, flops=0.0)]
    assert library.add(made) == Added(new=2)
    with Library.open(path, read_only=True) as reader:
        assert reader.donors() == made


def test_text_that_is_not_unicode_is_stored_with_marks_in_its_place(library: Library) -> None:
    bad = b"/\xff.tune".decode("utf-8", "surrogateescape")
    library.add([donor(place=bad, model=bad)])
    assert library.donors()[0].place == library.donors()[0].model == "/?.tune"


def test_the_best_few_of_a_task_stay(library: Library) -> None:
    for seed, latency_s in enumerate([5.0, 3.0, 4.0, 1.0, 9.0, 2.0]):
        library.add([timed(seed, latency_s)])
    assert KEPT == 3
    assert latencies(library) == [1.0, 2.0, 3.0]


def test_adding_says_what_was_new_better_and_known(library: Library) -> None:
    assert library.add([timed(1, 2.0), timed(2, 3.0)]) == Added(new=2)
    assert library.add([timed(3, 1.0), timed(1, 2.0)]) == Added(better=1, known=1)
    assert library.add([timed(4, 9.0)]) == Added(known=1)
    assert library.add([]) == Added()


def test_a_record_that_was_measured_again_has_its_later_latency(library: Library) -> None:
    library.add([timed(1, 2.0, at=5.0)])
    assert library.add([timed(1, 3.0, at=6.0), timed(1, 1.0, at=4.0)]) == Added(known=2)
    assert latencies(library) == [3.0]


def test_models_devices_and_tasks_do_not_displace_each_other(library: Library) -> None:
    others = ({"model": "b"}, {"target_title": "cpu znver5 x2"}, {"fingerprint": digest("other")})
    library.add([timed(seed, 1.0) for seed in range(KEPT)])
    for place, change in enumerate(others):
        assert library.add([timed(10 + place, 9.0, **change)]) == Added(new=1)
    assert len(library.donors()) == KEPT + len(others)


donors_strategy = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from([1.0, 2.0, 3.0, 4.0]), st.sampled_from("ab")),
    max_size=12,
)


@settings(max_examples=25, deadline=None, database=None)
@given(made=donors_strategy)
def test_whatever_is_added_each_task_keeps_few_without_doubles_and_the_best_of_all(
    made: list[tuple[int, float, str]],
) -> None:
    made = [*{(seed, model): (seed, s, model) for seed, s, model in made}.values()]
    with TemporaryDirectory() as folder, Library.open(Path(folder) / "library.db") as library:
        added = library.add([timed(seed, s, model=model) for seed, s, model in made])
        stored = library.donors()
    assert added.new + added.better + added.known == len(made)
    for model in "ab":
        kept = sorted(item.latency_s for item in stored if item.model == model)
        assert kept == sorted(s for _, s, name in made if name == model)[:KEPT]
    assert len({(item.model, item.trace_key) for item in stored}) == len(stored)


def test_the_entries_add_up_each_model_target_and_version(library: Library) -> None:
    library.add([timed(1, 1.0, at=3.0), timed(2, 2.0, at=9.0)])
    library.add([donor(3, fingerprint=digest("other")), donor(4, model="alexnet")])
    library.add([donor(5, fingerprint=digest("older"), tvm_version="0.26.0")])
    assert library.entries() == [
        LibraryEntry("alexnet", TITLE, TVM, 1, 1, 1.7e9),
        LibraryEntry("resnet", TITLE, "0.26.0", 1, 1, 1.7e9),
        LibraryEntry("resnet", TITLE, TVM, 2, 3, 1.7e9),
    ]


def test_a_model_is_removed_for_one_target_or_for_all(library: Library) -> None:
    library.add([donor(1), donor(2, target_title="cuda NVIDIA H200"), donor(3, model="alexnet")])
    assert library.remove("vgg") == 0
    assert library.remove("resnet", "cuda NVIDIA H100") == 0
    assert library.remove("resnet", "cuda NVIDIA H200") == 1
    assert library.remove("resnet") == 1
    assert [item.model for item in library.donors()] == ["alexnet"]


@pytest.mark.parametrize(
    "change",
    [
        {"latency_s": 0.0},
        {"latency_s": math.inf},
        {"latency_s": math.nan},
        {"flops": -1.0},
        {"untuned_latency_s": math.nan},
        {"at": -1.0},
    ],
)
def test_a_number_that_makes_no_sense_adds_nothing(
    library: Library, change: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match="cannot store"):
        library.add([donor(1), donor(2, **change)])
    assert library.donors() == []


# Where it lives, and who may use it at once


def test_it_lives_in_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with Library.open() as library:
        assert library.path == tmp_path / "tunewright" / "library.db"
        library.add([donor()])
    with Library.open(read_only=True) as library:
        assert library.donors() == [donor()]


def test_a_library_that_is_not_there_is_empty_for_a_reader_and_is_not_made(path: Path) -> None:
    with Library.open(path, read_only=True) as library:
        assert library.entries() == []
        assert library.donors() == []
    assert not path.parent.exists()


def test_a_library_that_is_open_for_reading_refuses_changes(library: Library, path: Path) -> None:
    library.add([donor()])
    with Library.open(path, read_only=True) as reader:
        with pytest.raises(ProjectError, match="reading only"):
            reader.add([donor(1)])
        with pytest.raises(ProjectError, match="reading only"):
            reader.remove("resnet")
    assert len(library.donors()) == 1


def test_a_reader_sees_what_another_adds_meanwhile(library: Library, path: Path) -> None:
    library.add([donor(1)])
    with Library.open(path, read_only=True) as reader:
        library.add([donor(2)])
        assert len(reader.donors()) == 2


def test_several_processes_make_and_fill_it_at_once(path: Path) -> None:
    module = "tests.engine.passes.library_adder"
    adders = [
        subprocess.Popen([sys.executable, "-m", module, str(path), name, "6"], cwd=ROOT)
        for name in "abc"
    ]
    assert [adder.wait(60) for adder in adders] == [0, 0, 0]
    with Library.open(path, read_only=True) as library:
        counts = {entry.model: entry.records for entry in library.entries()}
        shared = [item.latency_s for item in library.donors() if item.model == "shared"]
    assert counts == {"a": 6, "b": 6, "c": 6, "shared": KEPT}
    assert shared == [1 / 6] * KEPT


def test_a_writer_that_never_ends_costs_the_others_a_sentence(
    library: Library, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.storage.sqlite_file.BUSY_S", 0.05)
    with Library.open(path) as other:
        holder = sqlite3.connect(path)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(ProjectError, match=r"using library\.db"):
            other.add([donor()])
        holder.rollback()
        holder.close()
        assert other.add([donor()]) == Added(new=1)


def test_an_error_half_way_adds_nothing(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    put, calls = library._put, []

    def fail(item: Donor) -> str:
        calls.append(item)
        if len(calls) == 2:
            raise OSError(28, "No space left on device")
        return put(item)

    monkeypatch.setattr(library, "_put", fail)
    with pytest.raises(StorageError, match="disk is full"):
        library.add([donor(1), donor(2)])
    assert library.donors() == []


def test_a_folder_that_cannot_be_made_is_told(path: Path) -> None:
    path.parent.write_text("a file where the folder should be")
    with pytest.raises(StorageError, match=r"library\.db cannot be used here"):
        Library.open(path)
