"""What a killed group of processes leaves behind, and what the next start makes of it."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.storage import notes as notes_of_all
from engine.storage.lock import ProjectLock, sidecar
from engine.storage.notes import sweep
from engine.workers import artifacts
from engine.workers.artifacts import ArtifactFolder, scratch

ROOT = Path(__file__).parents[3]
# Has all that a run has beside its files: a lock, a worker of a fork server, scratch folders.
SESSION = """
import sys, time
from pathlib import Path
from engine.storage.lock import ProjectLock
from engine.workers.artifacts import ArtifactFolder, scratch
from engine.workers.fork_server import ForkServerContext
held = ProjectLock(Path(sys.argv[1]))
context = ForkServerContext()
worker = context.Process(target=time.sleep, args=(3600,), daemon=True)
worker.start()
kept = ArtifactFolder()
Path(kept.fresh()).write_bytes(b"library")
with scratch() as folder:
    (folder / "weights.bin").write_bytes(b"weights")
    print(kept.path, folder, flush=True)
    time.sleep(3600)
"""
NEXT = """
from engine.storage.notes import sweep
from engine.workers.fork_server import ForkServerContext
sweep()
context = ForkServerContext()
worker = context.Process(target=print, daemon=True)
worker.start()
worker.join()
context.stop()
"""


@pytest.fixture
def places(tmp_path: Path) -> Iterator[dict[str, str]]:
    """An environment whose temporary folder and home are the test's own, with a short name: the
    names of sockets end at 108 letters."""
    with tempfile.TemporaryDirectory(prefix="tw-", dir="/tmp") as short:
        yield {**os.environ, "TMPDIR": short, "XDG_STATE_HOME": str(tmp_path / "state")}


def killed(environment: dict[str, str], project: Path) -> list[Path]:
    """The folders of a session whose whole group was killed."""
    command = [sys.executable, "-c", SESSION, str(project)]
    process = subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    folders = [Path(name) for name in process.stdout.readline().split()]
    assert all(folder.is_dir() for folder in folders)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    return folders


def test_the_next_start_sweeps_up_what_a_killed_group_left(
    places: dict[str, str], tmp_path: Path
) -> None:
    project = tmp_path / "projects" / "net.tune"
    project.parent.mkdir()
    for _ in range(2):
        folders = killed(places, project)
        assert sidecar(project).exists()
        subprocess.run([sys.executable, "-c", NEXT], cwd=ROOT, env=places, check=True)
        assert not any(folder.exists() for folder in folders)
        assert list(project.parent.iterdir()) == []
        assert list((tmp_path / "state/tunewright/locks").iterdir()) == []
        left = [path for path in Path(places["TMPDIR"]).rglob("*") if path.is_file()]
        assert left == []
        assert not list(Path(places["TMPDIR"]).glob("pymp-*"))


# Only ours, only of the dead


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    monkeypatch.setattr(notes_of_all, "_notes", lambda: folder)
    return folder


def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def note_of(notes: Path, file: Path, pid: int, host: str = "") -> Path:
    note = notes / "a.lock"
    note.write_text(f"{host or socket.gethostname()}\n{pid}\n{file}")
    return note


def test_a_lock_of_a_dead_process_is_removed_with_its_note(notes: Path, tmp_path: Path) -> None:
    file, pid = tmp_path / ".net.tune.lock", dead_pid()
    file.write_text(str(pid))
    note = note_of(notes, file, pid)
    sweep()
    assert not file.exists()
    assert not note.exists()


@pytest.mark.parametrize("kind", ["held", "alive", "another host", "another file", "link"])
def test_what_is_somebody_elses_stays(notes: Path, tmp_path: Path, kind: str) -> None:
    file, pid = tmp_path / ".net.tune.lock", dead_pid()
    file.write_text("a diary" if kind == "another file" else str(pid))
    if kind == "link":
        file.rename(tmp_path / "real")
        file.symlink_to(tmp_path / "real")
    if kind == "held":
        file.unlink()
        holder = ProjectLock(tmp_path / "net.tune")
        pid = os.getpid()
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as alive:
        pid = alive.pid if kind == "alive" else pid
        note_of(notes, file, pid, "elsewhere" if kind == "another host" else "")
        sweep()
    assert file.exists()
    assert (tmp_path / "real").exists() == (kind == "link")
    if kind == "held":
        holder.release()
        assert not file.exists()


@pytest.mark.parametrize("text", ["", "x", "a\nb\nc", "\n\n", "host\n-1\n/etc/passwd"])
def test_a_damaged_note_harms_nobody(notes: Path, text: str) -> None:
    (notes / "a.lock").write_text(text)
    sweep()


def test_a_lock_that_is_given_back_leaves_no_note(notes: Path, tmp_path: Path) -> None:
    held = ProjectLock(tmp_path / "net.tune")
    assert len(list(notes.iterdir())) == 1
    held.release()
    assert list(notes.iterdir()) == []


def test_a_lock_is_had_where_nothing_can_be_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(notes_of_all, "_notes", lambda: tmp_path / "file" / "notes")
    ProjectLock(tmp_path / "net.tune").release()
    sweep()


def test_a_folder_that_lost_its_lock_is_removed_once_it_is_old(tmp_path: Path) -> None:
    for name, age_s in (("run-young", 0), ("run-old", 7200), ("other-old", 7200)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("")
        at = time.time() - age_s
        os.utime(tmp_path / name, (at, at))
    ArtifactFolder(tmp_path).close()
    assert {path.name for path in tmp_path.iterdir()} == {"run-young", "other-old"}


@pytest.mark.parametrize("kind", ["somebody's folder", "link", "file"])
def test_a_folder_of_somebody_else_is_neither_used_nor_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    taken, other = tmp_path / f"tunewright-{os.getuid()}", tmp_path / "other"
    other.mkdir()
    (other / "run-x.lock").write_text("")
    if kind == "link":
        taken.symlink_to(other)
    elif kind == "file":
        taken.write_text("")
    else:
        other.rename(taken)
        monkeypatch.setattr(artifacts, "_is_own", lambda folder: folder != taken)
    with scratch() as folder:
        assert taken not in folder.parents
        assert other not in folder.resolve().parents
    assert kind == "file" or (taken / "run-x.lock").exists()


def test_where_others_took_our_names_one_folder_is_used_again_and_swept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for taken in (f"tunewright-{os.getuid()}", f"tunewright-{os.getuid()}-1"):
        (tmp_path / taken).write_text("")
    with scratch() as folder:
        assert folder.parent.name == f"tunewright-{os.getuid()}-2"
    left = folder.parent / "run-dead"
    left.mkdir()
    left.with_name("run-dead.lock").write_text("")
    ArtifactFolder(tmp_path / "elsewhere").close()
    with scratch() as again:
        assert again.parent == folder.parent
    assert list(folder.parent.iterdir()) == []


HURRIED = """
import sys, threading, time
from pathlib import Path
from app.cli import main
from engine.workers import artifacts
artifacts._MEMORY = Path(sys.argv[1])
threading.Thread(target=time.sleep, args=(3600,)).start()  # a search that nothing interrupts
main.run = lambda words: artifacts.keep_sockets() or artifacts.ArtifactFolder() and 3
main.main()
"""


def test_a_command_that_waits_for_no_thread_leaves_no_folder(tmp_path: Path) -> None:
    environment = {**os.environ, "TMPDIR": str(tmp_path / "tmp")}
    for name in ("memory", "tmp"):
        (tmp_path / name).mkdir()
    command = [sys.executable, "-c", HURRIED, str(tmp_path / "memory")]
    assert subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 3
    left = [path for path in tmp_path.rglob("*") if path.name.startswith(("run-", "pymp-"))]
    assert left == []
