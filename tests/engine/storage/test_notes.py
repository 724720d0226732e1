"""What killed processes left beside a person's files goes; what the living have stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.storage.notes import Note, sweep

ROOT = Path(__file__).parents[3]
EXPORTING = """
from engine.deploy.folder import export_folder
from pathlib import Path
def export(mark):
    with export_folder(place / "out") as folder:
        for name in ("executor.py", "module.so"):
            (folder / name).write_text(mark)
        (folder / "manifest.json").write_text('{"files": {"executor.py": "", "module.so": ""}}')
        if mark == "new":
            halt("filled")
"""
START = """
import sys, time
from pathlib import Path
place, moment = Path(sys.argv[1]), sys.argv[2]
def halt(here):
    if here == moment:
        print(here, flush=True)
        time.sleep(3600)
"""
# Each ends up halted at the moment that it is told.
PROGRAMS = {
    "an export that is filled": ("filled", EXPORTING + 'export("old")\nexport("new")'),
    "an export beside an earlier one": (
        "between",
        EXPORTING
        + """
export("old")
rename = Path.rename
def watched(self, target):
    if self.name.startswith(".export-"):
        halt("between")
    return rename(self, target)
Path.rename = watched
export("new")
""",
    ),
    "an export of which the earlier one is left": (
        "replaced",
        EXPORTING
        + """
import shutil
export("old")
remove = shutil.rmtree
shutil.rmtree = lambda path, **more: halt("replaced") or remove(path, **more)
export("new")
""",
    ),
    "a file that is written": (
        "written",
        """
from engine.storage.whole_file import replacing
(place / "page.html").write_text("old")
with replacing(place / "page.html") as draft:
    draft.write_text("new")
    halt("written")
""",
    ),
    "a project that is copied": (
        "copied",
        """
from engine.storage import copies
from tests.engine.project.support import new_project
copies.sync = lambda path: halt("copied")
with new_project(place / "net.tune") as project:
    project.save_as(place / "copy.tune")
""",
    ),
}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state/tunewright/locks"


@contextmanager
def halted(name: str, place: Path) -> Iterator[None]:
    """A process that is at that moment of its work while the block runs, and is killed then."""
    place.mkdir()
    moment, program = PROGRAMS[name]
    command = [sys.executable, "-c", START + program, str(place), moment]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == moment
        try:
            yield
        finally:
            process.send_signal(signal.SIGKILL)


def listed(place: Path) -> list[str]:
    return sorted(path.name for path in place.iterdir())


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_a_killed_process_left_is_swept_and_a_living_ones_is_not(
    name: str, tmp_path: Path, home: Path
) -> None:
    place = tmp_path / "place"
    with halted(name, place):
        before = listed(place)
        sweep()
        assert listed(place) == before
        assert [each for each in before if each.startswith(".")]
    sweep()
    assert not [each for each in listed(place) if each.startswith(".")]
    assert listed(home) == []
    if "export" in name:
        kept = "new" if "left" in name else "old"
        assert (place / "out" / "module.so").read_text() == kept
    if name == "a file that is written":
        assert (place / "page.html").read_text() == "old"


@pytest.mark.parametrize(
    "name",
    [".export-abc", ".export-0123456z", "export-01234567", ".replaced-", ".net.0123456z.part", "x"],
)
@pytest.mark.parametrize("kind", ["folder", "file"])
def test_what_has_none_of_our_names_is_never_removed(
    name: str, kind: str, tmp_path: Path, home: Path
) -> None:
    strange = tmp_path / name
    strange.mkdir() if kind == "folder" else strange.write_text("")
    leave_a_note_of(strange, home)
    sweep()
    assert strange.exists()


@pytest.mark.parametrize("name", [".export-01234567", ".replaced-01234567", ".a.01234567.part"])
def test_a_link_of_our_name_is_never_followed(name: str, tmp_path: Path, home: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "diary").write_text("")
    (tmp_path / name).symlink_to(tmp_path / "real")
    leave_a_note_of(tmp_path / name, home)
    sweep()
    assert (tmp_path / "real" / "diary").exists()


def leave_a_note_of(path: Path, home: Path) -> None:
    """As a process does that is killed."""
    program = "import os, sys; from pathlib import Path; from engine.storage.notes import Note; "
    program += "Note(Path(sys.argv[1])); os._exit(0)"
    subprocess.run([sys.executable, "-c", program, str(path)], cwd=ROOT, check=True)
    assert len(listed(home)) == 1


def test_a_folder_of_a_process_that_only_seems_dead_stays(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As one does that is in another container, with numbers of its own."""
    monkeypatch.setattr(os, "getpid", lambda: 4_000_000)
    folder = tmp_path / ".export-01234567"
    note = Note(folder)
    folder.mkdir()
    sweep()
    assert folder.exists()
    note.remove()
    assert listed(home) == []
