"""A writer that is killed loses nothing it has committed, and leaves the project free."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from engine.project.repository import Project
from engine.records.errors import ProjectError
from engine.records.settings import RunSettings, RunState
from engine.storage.copies import journal
from engine.storage.lock import is_held, sidecar
from tests.engine.project.support import new_project, new_trial

WITH_WORKER = """
import multiprocessing, sys, time
from engine.project.repository import Project
project = Project.open(sys.argv[1])
worker = multiprocessing.get_context("forkserver").Process(target=time.sleep, args=(60,))
worker.start()
print(worker.pid, flush=True)
worker.join()
"""


@contextmanager
def writing(path: Path, trials: int, until: str) -> Iterator[list[str]]:
    """A writing process that has printed `until`; killed at the end, the list then complete."""
    command = [sys.executable, "-m", "tests.engine.project.writer", str(path), str(trials)]
    lines: list[str] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        try:
            while until not in lines:
                lines.append(process.stdout.readline().strip())
                assert lines[-1], "the writer ended early"
            yield lines
        finally:
            process.kill()
        lines += process.stdout.read().split()


def test_all_that_was_committed_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "net.tune"
    with writing(path, 1_000_000, until="40") as printed:
        pass
    numbers = [int(line) for line in printed]
    with Project.open(path, read_only=True) as reader:
        assert [run.state for run in reader.snapshot().runs] == [RunState.INTERRUPTED]
    with Project.open(path) as project:
        snapshot = project.snapshot(texts=True)
        assert [trial.number for trial in snapshot.trials[: len(numbers)]] == numbers
        assert len(snapshot.trials) <= len(numbers) + 1
        assert snapshot.trials[20] == new_trial(20, number=21)
        last = snapshot.trials[-1]
        run = snapshot.runs[0]
        assert (run.state, run.settings.seed) == (RunState.INTERRUPTED, 7)
        assert (run.ended_at, run.elapsed_s) == (last.at, last.elapsed_s)
        assert run.reason
        assert snapshot.elapsed_s == last.elapsed_s
        assert project.add_trial(new_trial(2_000_000)).number == last.number + 1


def test_workers_that_outlive_a_killed_writer_do_not_keep_its_lock(tmp_path: Path) -> None:
    new_project(tmp_path / "net.tune").close()
    command = [sys.executable, "-c", WITH_WORKER, str(tmp_path / "net.tune")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        worker = int(process.stdout.readline())
        try:
            assert is_held(tmp_path / "net.tune")
            process.kill()
            process.wait()
            os.kill(worker, 0)
            Project.open(tmp_path / "net.tune").close()
        finally:
            os.kill(worker, signal.SIGKILL)


def test_a_second_writer_is_refused_and_a_reader_is_not(tmp_path: Path) -> None:
    path = tmp_path / "net.tune"
    with writing(path, 3, until="done"):
        with pytest.raises(ProjectError, match=r"net\.tune is already open in .*process \d+"):
            Project.open(path)
        with pytest.raises(ProjectError, match="already open"):
            new_project(path)
        with new_project(tmp_path / "other.tune") as other:
            with pytest.raises(ProjectError, match="already open"):
                other.save_as(path)
            assert other.path == tmp_path / "other.tune"
            other.set_reference(1.0)
        with Project.open(path, read_only=True) as reader:
            snapshot = reader.snapshot()
        assert len(snapshot.trials) == 3
        assert snapshot.runs[0].state is RunState.RUNNING
    Project.open(path).close()


def test_a_link_to_a_project_shares_its_lock(tmp_path: Path) -> None:
    (tmp_path / "link.tune").symlink_to(tmp_path / "net.tune")
    with new_project(tmp_path / "net.tune"), pytest.raises(ProjectError, match="another window"):
        Project.open(tmp_path / "link.tune")


def test_the_lock_ends_with_the_project_and_leaves_no_file(tmp_path: Path) -> None:
    project = new_project(tmp_path / "net.tune")
    assert is_held(project.path)
    project.close()
    assert not is_held(project.path)
    assert [file.name for file in tmp_path.iterdir()] == ["net.tune"]


def test_a_lock_file_that_a_kill_left_is_taken_over(tmp_path: Path) -> None:
    new_project(tmp_path / "net.tune").close()
    sidecar(tmp_path / "net.tune").write_text("not a number")
    with Project.open(tmp_path / "net.tune") as project:
        assert is_held(project.path)


def test_a_reader_plays_back_the_journal_of_a_commit_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "net.tune"
    with new_project(path) as project:
        stored = project.add_trial(new_trial(0))
        db = project._db
        db.conn.execute("PRAGMA cache_spill = 1")
        db.conn.execute("PRAGMA cache_size = 1")
        db.begin()
        db.execute("UPDATE trials SET error_text = ?", ["x" * 50_000])
        torn = tmp_path / "torn.tune"
        torn.write_bytes(path.read_bytes())
        journal(torn).write_bytes(journal(path).read_bytes())
        db.rollback()
    assert torn.read_bytes() != path.read_bytes()
    with Project.open(torn, read_only=True) as reader:
        assert reader.snapshot(texts=True).trials == (stored,)


@pytest.mark.parametrize("state", [state for state in RunState if state.active])
def test_a_run_in_any_active_state_is_interrupted_by_a_writers_open(
    tmp_path: Path, state: RunState
) -> None:
    with new_project(tmp_path / "net.tune") as project:
        ended = project.start_run(RunSettings())
        project.set_run(ended, state=RunState.FINISHED, ended_at=7.0)
        project.set_run(project.start_run(RunSettings()), state=state)
        before = project.snapshot().runs
    with Project.open(tmp_path / "net.tune", read_only=True) as reader:
        shown = reader.snapshot().runs
    with Project.open(tmp_path / "net.tune") as project:
        after = project.snapshot().runs
    assert before[1].state is state
    assert shown == (before[0], replace(before[1], state=RunState.INTERRUPTED))
    assert after[0] == before[0]
    assert after[1].state is RunState.INTERRUPTED
    assert after[1].ended_at == after[1].started_at
