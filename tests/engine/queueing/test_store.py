"""The queue on the disk: several processes change it, and nothing in it is believed."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.queueing.rows import job_row, read_any
from engine.queueing.store import QueueStore, changes_of
from engine.records.errors import ProjectError, UsageError
from engine.records.job import JobState
from engine.scheduling.stage_times import StageTimes
from engine.storage.lock import ProjectLock
from tests.engine.queueing.support import job


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "data" / "queue.db"


def titles(store: QueueStore) -> list[str]:
    return [each.title for each in store.jobs()]


def test_a_job_comes_back_as_it_was_added(path: Path) -> None:
    with QueueStore.open(path) as store:
        made = store.add(job(priority=-2, project="/models/net.tune"))
    with QueueStore.open(path) as store:
        assert store.jobs() == (made,)
    assert (made.id, made.place, made.state) == (1, 0, JobState.WAITING)
    assert made.objective_s == made.settings.budget.latency_s == 1e-3
    assert made.created


def test_the_order_is_by_priority_then_place_and_places_are_exchanged(path: Path) -> None:
    with QueueStore.open(path) as store:
        a, b, c, d = (store.add(job(title)).id for title in "abcd")
        store.set_priority(d, -1)
        store.reorder([c, a])
        assert titles(store) == ["d", "c", "b", "a"]
        store.move(a, 1)
        assert titles(store) == ["d", "a", "c", "b"]
        store.move(a, 99)
        assert titles(store) == ["d", "c", "b", "a"]
        store.remove(c)
        assert titles(store) == ["d", "b", "a"]
        assert store.add(job("e")).id == 5
        with pytest.raises(UsageError, match="cannot be put in the order 1, 1"):
            store.reorder([a, a])
        assert b in {each.id for each in store.jobs()}


def test_a_second_process_sees_what_the_first_changed(path: Path) -> None:
    with QueueStore.open(path) as first, QueueStore.open(path) as second:
        before = first.version()
        made = second.add(job())
        assert first.version() != before
        first.put(changes_of([made]))
        second.set_paused(made.id, True)
        assert first.jobs()[0].paused


@pytest.mark.parametrize("mode", ["wal", "persist", "delete"])
def test_nothing_of_the_queue_needs_memory_that_processes_share(path: Path, mode: str) -> None:
    with QueueStore.open(path) as store:
        store.add(job("a"))
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA journal_mode = {mode}")
    with QueueStore.open(path) as store:
        assert store._db.journal_mode == "delete"
        store.add(job("b"))
        assert titles(store) == ["a", "b"]
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_several_write_and_read_at_once(path: Path) -> None:
    failed: list[BaseException] = []

    def work() -> None:
        try:
            with QueueStore.open(path) as store:
                for _ in range(20):
                    made = store.add(job())
                    store.put({made.id: {"message": "x"}})
                    store.jobs()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    with QueueStore.open(path) as store:
        assert len(store.jobs()) == 80


def test_a_job_that_runs_is_asked_to_end_and_one_that_waits_ends_at_once(path: Path) -> None:
    with QueueStore.open(path) as store:
        a, b = (store.add(job(title)).id for title in "ab")
        store.put({a: {"state": "running"}})
        lock = ProjectLock(store.path)
        store.cancel(a)
        store.cancel(b)
        assert [each.state for each in store.jobs()] == [JobState.RUNNING, JobState.CANCELLED]
        assert store.cancelled() == {a}
        with pytest.raises(UsageError, match="runs"):
            store.remove(a)
        lock.release()


def test_a_job_that_begins_while_it_is_cancelled_ends_nevertheless(path: Path) -> None:
    with QueueStore.open(path) as store:
        made = store.add(job("a"))
        store.cancel(made.id)
        store.put({made.id: {"state": "preparing"}})  # by a runner that read it before
        assert store.cancelled() == {made.id}


def test_what_a_killed_process_left_waits_again_unless_it_was_to_end(path: Path) -> None:
    with QueueStore.open(path) as store:
        a, b = (store.add(job(title)).id for title in "ab")
        store.put({a: {"state": "running", "cancel": 1}, b: {"state": "paused"}})
        assert {each.state for each in store.jobs()} == {JobState.INTERRUPTED}
        store.interrupt()
        lock = ProjectLock(store.path)
        assert [each.state for each in store.jobs()] == [JobState.CANCELLED, JobState.INTERRUPTED]
        lock.release()


def test_what_is_over_or_not_there_cannot_be_changed(path: Path) -> None:
    with QueueStore.open(path) as store:
        number = store.add(job()).id
        store.cancel(number)
        refused: list[Callable[[], None]] = [
            lambda: store.set_paused(number, True),
            lambda: store.cancel(number),
            lambda: store.move(number, 1),
            lambda: store.remove(77),
        ]
        for call in refused:
            with pytest.raises(UsageError):
                call()


def test_learned_seconds_are_kept_and_nonsense_is_forgotten(path: Path) -> None:
    times = StageTimes()
    times.add("build on cpu", "k", 2.0)
    with QueueStore.open(path) as store:
        assert store.stage_times().as_dict() == StageTimes().as_dict()
        store.put_stage_times(times)
        assert store.stage_times().as_dict() == times.as_dict()
    with sqlite3.connect(path) as raw:
        raw.execute("UPDATE notes SET value = '[['")
    raw.close()
    with QueueStore.open(path) as store:
        assert store.stage_times().as_dict() == StageTimes().as_dict()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("settings", '{"budget": {"trials": "many"}}'),
        ("settings", "[" * 5000),
        ("source", '{"kind": "pickle", "location": "x"}'),
        ("state", "exploded"),
        ("project", "a\0b"),
        ("priority", -(2**60)),
        ("progress", float("inf")),
    ],
)
def test_a_row_that_makes_no_sense_is_said_in_a_sentence_and_stays_until_it_is_removed(
    path: Path, column: str, value: object
) -> None:
    with QueueStore.open(path) as store:
        bad, good = store.add(job("bad")).id, store.add(job("good")).id
        with sqlite3.connect(path) as raw:
            raw.execute(f"UPDATE jobs SET {column} = ? WHERE id = ?", [value, bad])
        raw.close()
        found = {each.id: each for each in store.jobs()}
        assert found[good].state is JobState.WAITING
        assert found[bad].state is JobState.FAILED
        assert found[bad].message.endswith("Remove it.")
        store.remove(bad)
        assert titles(store) == ["good"]


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(st.sampled_from(sorted(job_row(job()))), st.one_of(
    st.none(), st.text(), st.integers(), st.floats(), st.binary()
)))  # fmt: skip
def test_whatever_a_row_holds_it_is_a_job(values: dict[str, Any]) -> None:
    read = read_any({**job_row(job()), "id": 3, **values})
    assert read.id == 3
    assert isinstance(read.state, JobState)


def test_what_is_no_queue_or_a_newer_one_is_refused_and_left_as_it_is(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"SQLite format 3\0 and then nothing of the kind" * 40)
    with pytest.raises(ProjectError, match="is not a queue"):
        QueueStore.open(path)
    path.unlink()
    with sqlite3.connect(path) as raw:
        raw.execute("CREATE TABLE jobs (id)")
    raw.close()
    with pytest.raises(ProjectError, match="is not a queue"):
        QueueStore.open(path)
    path.unlink()
    QueueStore.open(path).close()
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version = 99")
    raw.close()
    with pytest.raises(ProjectError, match="newer Tunewright"):
        QueueStore.open(path)
    with sqlite3.connect(path) as raw:
        raw.execute("PRAGMA user_version = 1")
        raw.execute("CREATE TRIGGER t AFTER UPDATE ON jobs BEGIN DELETE FROM jobs; END")
    raw.close()
    with pytest.raises(ProjectError, match="is damaged"):
        QueueStore.open(path)
