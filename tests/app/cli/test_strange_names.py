"""Names of a stranger's file reach a terminal, a log and a page as text, in their own cell."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli.driver import LiveProgress, Progress
from app.cli.output import log_path, logging_to_file, say
from engine.jobs.opening.places import default_project_path
from engine.passes.library import Library
from engine.queueing.adding import make_job
from engine.queueing.store import QueueStore
from engine.records.events import Message, ProjectOpened, SlotStarted
from engine.records.settings import Budget, RunSettings, RunState
from engine.records.snapshot import SlotInfo
from engine.records.source import ModelSource
from engine.records.trial import ErrorKind
from tests.app.cli.support import Here
from tests.engine.passes.donor_data import donor
from tests.engine.project.support import OPERATORS, SOURCE, TASKS, new_project, new_trial

STRANGE = {
    "a terminal's escapes": "net\x1b[2J\x1b]0;title\x07\x9b31m",
    "backspaces and returns": "net\b\b\b\rgone\x7f",
    "another direction": "net\u202egnp.exe\u2066",
    "more lines": "net\nTrials 7 of 7\u2028failed",
    "markup": "net<script>alert(1)</script>[bold]&amp;",
    "no end": "net" * 20_000,
}
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / "home"))


@pytest.fixture
def here(capfd: pytest.CaptureFixture[str]) -> Here:
    return Here(capfd)


@pytest.fixture(params=STRANGE)
def name(request: pytest.FixtureRequest) -> str:
    return STRANGE[request.param]


def strange_project(path: Path, name: str) -> Path:
    """A project in which all that has a name has this one."""
    with new_project(
        path,
        model_name=name,
        target_title=name,
        tvm_version=name,
        source=replace(SOURCE, location=name),
        tasks=tuple(replace(task, name=name, op_class=name) for task in TASKS),
        operators=tuple(replace(item, name=name, op_class=name) for item in OPERATORS),
    ) as project:
        run = project.start_run(RunSettings(budget=Budget(trials=4)))
        project.add_slot(SlotInfo(1, run, 0, 0.0, name))
        for seed in range(4):
            project.add_trial(new_trial(seed, task=seed % 2))
        bad = new_trial(9, samples=(), error=ErrorKind.BUILD_ERROR, error_text=name)
        project.add_trial(bad)
        project.set_run(run, state=RunState.FAILED, reason=name, elapsed_s=5.0, ended_at=1.8e9)
        project.add_export(f"/tmp/{name}", {"files": {}, "latency_s": 1e-3, "coverage": 0.5})
    return path


def queue_a_job(here: Here, path: Path, name: str) -> None:
    with QueueStore.open() as store:
        job = make_job(None, path, "auto", RunSettings(budget=Budget(trials=4)), name, 0)
        store.add(replace(job, message=name))


def donate(here: Here, path: Path, name: str) -> None:
    with Library.open() as library:
        library.add([replace(donor(), model=name, task=name, target_title=name, place=name)])


def nothing(here: Here, path: Path, name: str) -> None:
    pass


COMMANDS: dict[str, tuple[Callable[[Here, Path, str], None], tuple[str, ...]]] = {
    "info": (nothing, ("info", "{path}")),
    "profile": (nothing, ("profile", "{path}")),
    "profile as CSV": (nothing, ("profile", "{path}", "--csv")),
    "report": (nothing, ("report", "{path}")),
    "record": (nothing, ("record", "{path}", "-o", "{path}.npz")),
    "library add": (nothing, ("library", "add", "{path}")),
    "library list": (donate, ("library", "list")),
    "library remove": (donate, ("library", "remove", "nobody")),
    "queue list": (queue_a_job, ("queue", "list")),
    "queue add": (nothing, ("queue", "add", "{path}", "--title", "{name}", "--trials", "2")),
    "no such file": (nothing, ("info", "{name}")),
    "no such command": (nothing, ("{name}",)),
    "no such option": (nothing, ("info", "--{name}")),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_name_is_printed_as_text(here: Here, tmp_path: Path, command: str, name: str) -> None:
    path = strange_project(tmp_path / "net.tune", name)
    prepare, arguments = COMMANDS[command]
    prepare(here, path, name)
    given = [part.format(path=path, name=name.replace("\0", "")) for part in arguments]
    for more in ((), ("--json",)):
        done = here(*given, *more)
        assert not OBEYED.search(done.out + done.err), command
        assert "an error of its own" not in done.err
        if not more:
            assert max(map(len, (done.out + done.err).splitlines())) < 10_000


def test_a_name_of_two_lines_stays_in_its_cell(here: Here, tmp_path: Path) -> None:
    path = strange_project(tmp_path / "net.tune", STRANGE["more lines"])
    plain = strange_project(tmp_path / "plain.tune", "net")
    assert len(here("info", path).out.splitlines()) == len(here("info", plain).out.splitlines())


def test_a_page_holds_a_name_as_text(here: Here, tmp_path: Path, name: str) -> None:
    path = strange_project(tmp_path / "net.tune", name)
    assert here("report", path, "-o", tmp_path / "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    assert not OBEYED.search(page)
    assert "<script" not in page
    assert len(page) < 400_000


@pytest.mark.parametrize("make", [Progress, LiveProgress])
def test_what_goes_on_is_told_as_text(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, make: Callable[[], Progress], name: str
) -> None:
    from engine.project.repository import Project

    path = strange_project(tmp_path / "net.tune", name)
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot()
    progress = make()
    progress.show([ProjectOpened(snapshot), SlotStarted(SlotInfo(1, 1, 0, 0.0))])
    progress.show([Message("warning", name)])
    say(progress.status.line())
    if isinstance(progress, LiveProgress):
        progress._live.console.print(progress._table())
    told = capfd.readouterr().err
    assert "net" in told
    assert not OBEYED.search(told)


def test_a_log_has_a_name_in_one_line(name: str) -> None:
    with logging_to_file():
        logging.getLogger("engine").warning("The task %s failed.", name)
        logging.getLogger("engine").error("uncaught", exc_info=ValueError(name))
    text = log_path().read_text()
    assert not OBEYED.search(text)
    assert len([line for line in text.splitlines() if "WARNING" in line]) == 1


@pytest.mark.parametrize("name", [*STRANGE.values(), "../../evil", "/etc/evil"])
def test_a_samples_name_leads_into_no_other_folder(tmp_path: Path, name: str) -> None:
    found = default_project_path(ModelSource("sample", name))
    assert found.parent == tmp_path / "home" / "tunewright" / "projects"
    assert not OBEYED.search(found.name)
    assert len(found.name) < 120
