"""A project that another process writes is seen as it grows, through cuts, and nothing is left."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import queue
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from engine.records.errors import AddressNotGiven, TunewrightError
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import Snapshot
from engine.storage.copies import journal
from engine.watching import there, watch
from engine.watching.address import parse_watched
from engine.watching.link import Link, Pages
from engine.watching.watch import Lost, Seen, Watch, fetched
from engine.workers.artifacts import on_disk
from tests.engine.project.support import new_project, new_trial
from tests.fake_ssh import FakeSsh, given

EVERY_S = 0.05


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSsh:
    monkeypatch.setattr(watch, "_FIRST_PAUSE_S", EVERY_S)
    return FakeSsh(tmp_path / "ssh", monkeypatch)


@contextmanager
def watching(path: Path) -> Iterator[Callable[[type], Seen | Lost]]:
    """A watch of a file; what waits for the next of a kind that it tells."""
    told: queue.Queue[Seen | Lost] = queue.Queue()
    watched = Watch(given(path), told.put, EVERY_S)

    def wait(kind: type) -> Seen | Lost:
        while True:
            found = told.get(timeout=10)
            if type(found) is kind and (kind is Lost or getattr(found, "snapshot", None)):
                return found

    watched.start()
    try:
        yield wait
    finally:
        watched.close()


def snapshot_of(found: Seen | Lost) -> Snapshot:
    assert isinstance(found, Seen)
    assert found.snapshot is not None
    return found.snapshot


def lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def everything(folder: Path) -> dict[Path, tuple[bytes, int]]:
    files = (path for path in folder.iterdir() if path.is_file())
    return {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_trials_show_while_another_process_adds_them(ssh: FakeSsh, tmp_path: Path) -> None:
    with new_project(tmp_path / "net.tune") as project, watching(project.path) as wait:
        assert not snapshot_of(wait(Seen)).trials
        run = project.start_run(RunSettings())
        project.set_run(run, state=RunState.RUNNING)
        for seed in range(3):
            stored = replace(project.add_trial(new_trial(seed, run=run)), trace="")
            while stored not in (found := snapshot_of(wait(Seen))).trials:
                pass
        assert found.runs[-1].state is RunState.RUNNING
        assert [trial.number for trial in found.trials] == [1, 2, 3]


def test_a_run_whose_process_has_died_shows_as_interrupted(ssh: FakeSsh, tmp_path: Path) -> None:
    project = new_project(tmp_path / "net.tune")
    project.set_run(project.start_run(RunSettings()), state=RunState.RUNNING)
    with watching(project.path) as wait:
        assert snapshot_of(wait(Seen)).runs[-1].state is RunState.RUNNING
        project.close()
        assert snapshot_of(wait(Seen)).runs[-1].state is RunState.INTERRUPTED


def test_only_what_has_changed_is_sent_also_over_a_new_connection(
    ssh: FakeSsh, tmp_path: Path
) -> None:
    with new_project(tmp_path / "net.tune") as project:
        for seed in range(40):
            project.add_trial(new_trial(seed))
        whole = project.path.stat().st_size
        with Link(given(project.path), 0) as first:
            pages = [look for look in first.looks() if isinstance(look, Pages)]
        assert sum(len(look.data) for look in pages) == whole
        known: dict[int, bytes] = {}
        for look in pages:
            for place, number in enumerate(look.numbers):
                page = look.data[place * look.size : (place + 1) * look.size]
                digest = hashlib.blake2b(page, digest_size=there.DIGEST_BYTES)
                known[number] = digest.digest()
        project.add_trial(new_trial(99))
        digests = b"".join(known[number] for number in sorted(known))
        with Link(given(project.path), 0, digests) as second:
            later = [look for look in second.looks() if isinstance(look, Pages)]
        assert 0 < sum(len(look.data) for look in later) < whole / 3
        assert second.received_bytes < first.received_bytes / 3


def test_a_cut_is_told_and_the_watch_goes_on_by_itself(ssh: FakeSsh, tmp_path: Path) -> None:
    with new_project(tmp_path / "net.tune") as project, watching(project.path) as wait:
        assert not snapshot_of(wait(Seen)).trials
        ssh.answer("echo 'ssh: connect to host rack port 22: No route to host' >&2; exit 255")
        os.killpg(ssh.started()[0], 9)
        lost = wait(Lost)
        assert isinstance(lost, Lost)
        assert "cut" in lost.error.what
        assert "No route to host" in str(getattr(wait(Lost), "error", ""))
        stored = project.add_trial(new_trial(1))
        ssh.answer("")
        assert snapshot_of(wait(Seen)).trials == (replace(stored, trace=""),)


def test_nothing_there_is_written_and_nothing_here_is_left(ssh: FakeSsh, tmp_path: Path) -> None:
    folder = tmp_path / "there"
    folder.mkdir()
    with new_project(folder / "net.tune") as project:
        project.add_trial(new_trial(1))
        before = everything(folder)
        with watching(project.path) as wait:
            copy = Path(snapshot_of(wait(Seen)).path)
            assert copy.exists()
            assert copy.is_relative_to(on_disk())
        with fetched(given(project.path)) as once:
            assert once.exists()
        assert everything(folder) == before
        assert not copy.parent.exists()
        assert not once.parent.exists()


def test_a_copy_that_a_kill_left_is_swept_up_by_the_next_start(
    ssh: FakeSsh, tmp_path: Path
) -> None:
    new_project(tmp_path / "net.tune").close()
    code = (
        "import sys, time; from pathlib import Path; from tests.fake_ssh import given\n"
        "from engine.watching.watch import Watch\n"
        "Watch(given(Path(sys.argv[1])), lambda seen: print(seen.snapshot.path, flush=True),"
        " 9).start(); time.sleep(60)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "net.tune")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        left = Path(process.stdout.readline().strip())
        process.kill()
    assert left.exists()
    with fetched(given(tmp_path / "net.tune")):
        assert not left.parent.exists()


def test_the_other_side_ends_with_the_connection(ssh: FakeSsh, tmp_path: Path) -> None:
    with new_project(tmp_path / "net.tune") as project, watching(project.path) as wait:
        wait(Seen)
    (group,) = ssh.started()
    until = time.monotonic() + 10
    while lives(group):
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_machine_that_nobody_named_is_not_connected_to(ssh: FakeSsh, tmp_path: Path) -> None:
    with pytest.raises(AddressNotGiven), fetched(parse_watched("ssh://other/a.tune")):
        pass
    given(tmp_path / "net.tune")
    for other in ("ssh://other@rack/a.tune", "ssh://me@rack:23/a.tune", "ssh://me@rack2/a.tune"):
        with pytest.raises(AddressNotGiven), fetched(parse_watched(other)):
            pass
    assert ssh.started() == []


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("echo 'me@rack: Permission denied (publickey,password).' >&2; exit 255", "password"),
        ("echo 'Host key verification failed.' >&2; exit 255", "key of rack"),
        ("echo 'ssh: Could not resolve hostname rack: x' >&2; exit 255", "No machine is called"),
        ("echo 'ssh: connect to host rack port 22: Refused' >&2; exit 255", "port 22: Refused"),
        ("echo 'sh: 1: python3: not found' >&2; exit 127", "no python3 on rack"),
        ("echo This account is not available.; exit 1", "does not run"),
        ("cat /dev/zero", "something else than a project"),
        ("exit 0", "does not run"),
        (r"printf '\033[2Jred\n' >&2; exit 255", "cannot be reached"),
    ],
)
def test_why_there_is_no_connection_is_said_in_a_sentence(
    ssh: FakeSsh, tmp_path: Path, answer: str, says: str
) -> None:
    ssh.answer(answer)
    with pytest.raises(TunewrightError, match=says) as caught, fetched(given(tmp_path / "a.tune")):
        pass
    assert str(caught.value).isprintable()
    assert caught.value.todo


def header(**fields: object) -> str:
    return json.dumps(fields)


@pytest.mark.parametrize(
    "sent",
    [
        "nothing",
        "[]",
        "{}",
        header(kind=1),
        header(kind="unknown"),
        header(kind="whole", size=-1),
        header(kind="whole", size=1 << 50),
        header(kind="whole", size="4096"),
        header(kind="pages", page=3, count=1, bytes=10),
        header(kind="pages", page=512, count=10**9, bytes=10),
        header(kind="pages", page=512, count=1, bytes=1 << 40),
        header(kind="pages", page=512, count=1, bytes=5) + "\nabcde",
        "[" * 4000,
        "x" * 10_000,
    ],
)
def test_what_no_honest_side_sends_ends_in_a_sentence(
    ssh: FakeSsh, tmp_path: Path, sent: str
) -> None:
    (tmp_path / "sent").write_bytes(there.MAGIC + sent.encode() + b"\n")
    ssh.answer(f'cat "{tmp_path}/sent"; exit 0')
    with pytest.raises(TunewrightError) as caught, fetched(given(tmp_path / "a.tune")):
        pass
    assert caught.value.what.endswith(".")


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda path: None, "There is no file net.tune"),
        (lambda path: path.mkdir(), "is no project"),
        (lambda path: path.write_bytes(b"hello"), "is no project"),
        (lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(200)), "is no project"),
        (os.mkfifo, "is no project"),
        (lambda path: path.symlink_to(path), "cannot be read"),
    ],
)
def test_a_file_that_is_no_project_is_not_sent(
    ssh: FakeSsh, tmp_path: Path, make: Callable[[Path], object], says: str
) -> None:
    make(tmp_path / "net.tune")
    with (
        pytest.raises(TunewrightError, match=says) as caught,
        fetched(given(tmp_path / "net.tune")),
    ):
        pass
    assert "me@" not in str(caught.value)


def test_a_change_that_a_kill_left_unfinished_is_not_read_as_one(
    ssh: FakeSsh, tmp_path: Path
) -> None:
    with new_project(tmp_path / "net.tune") as project:
        project.add_trial(new_trial(0))
        db = project._db
        db.conn.execute("PRAGMA cache_spill = 1")
        db.conn.execute("PRAGMA cache_size = 1")
        db.begin()
        db.execute("UPDATE trials SET error_text = ?", ["x" * 50_000])
        torn = tmp_path / "torn.tune"
        torn.write_bytes(project.path.read_bytes())
        journal(torn).write_bytes(journal(project.path).read_bytes())
        db.rollback()
    before = torn.read_bytes(), journal(torn).read_bytes()
    with pytest.raises(TunewrightError, match="unfinished"), fetched(given(torn)):
        pass
    assert (torn.read_bytes(), journal(torn).read_bytes()) == before


def test_a_path_in_the_home_of_the_account_is_found(ssh: FakeSsh, tmp_path: Path) -> None:
    new_project(ssh.folder / "home" / "my 'net'; $(x).tune").close()
    file = parse_watched("ssh://me@rack/~/my 'net'; $(x).tune")
    given(tmp_path / "any.tune")
    with fetched(file) as path:
        assert path.name == file.name


def test_greetings_of_a_shell_are_skipped(ssh: FakeSsh, tmp_path: Path) -> None:
    ssh.answer("echo Welcome; echo TUNEWRIGHT")
    new_project(tmp_path / "net.tune").close()
    with fetched(given(tmp_path / "net.tune")) as path:
        assert path.exists()


def test_what_runs_there_needs_no_newer_words_than_those_of_python_3_6() -> None:
    text = Path(there.__file__).read_text()
    ast.parse(text, feature_version=(3, 6))
    assert "__future__" not in text  # annotations: 3.7
    modules = {
        name.name.split(".")[0]
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert modules <= sys.stdlib_module_names
