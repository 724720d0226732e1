"""An engine shows a project of another machine and tells what becomes of it; it changes nothing."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.history.open_project import OpenProject
from engine.project.repository import Project
from engine.records.errors import AddressNotGiven, TunewrightError
from engine.records.events import (
    Failure,
    ProjectOpened,
    RunChanged,
    TrialConfirmed,
    TrialDone,
    Watched,
)
from engine.records.labels import PROJECT, Label
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import SlotInfo
from engine.watching import watch
from engine.watching.changes import changes
from tests.engine.jobs.support import Console
from tests.engine.project.support import new_project, new_trial
from tests.fake_ssh import FakeSsh, given


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeSsh:
    monkeypatch.setattr(watch.Watch.__init__, "__defaults__", (0.05,))
    monkeypatch.setattr(watch, "_FIRST_PAUSE_S", 0.05)
    return FakeSsh(tmp_path / "ssh", monkeypatch)


@pytest.fixture
def console() -> Iterator[Console]:
    made = Console()
    yield made
    made.engine.shutdown()


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    with new_project(tmp_path / "net.tune") as made:
        made.set_run(made.start_run(RunSettings()), state=RunState.RUNNING)
        yield made


def test_a_run_elsewhere_is_told_trial_by_trial(
    ssh: FakeSsh, console: Console, project: Project
) -> None:
    file = given(project.path)
    shown = console.engine.watch_project(str(file)).result(20)
    assert (shown.watched, shown.read_only) == (str(file), True)
    assert shown.runs[-1].state is RunState.RUNNING
    console.until(lambda event: isinstance(event, Watched) and event.place == "ssh://me@rack")
    console.drain()
    opened = len(console.of(ProjectOpened))
    project.add_slot(SlotInfo(0, 1, 0, 0.0, "first"))
    stored = project.add_trial(new_trial(1))
    told = console.until(lambda event: isinstance(event, TrialDone))
    assert isinstance(told, TrialDone)
    assert told.trial == replace(stored, trace="")
    assert len(console.of(ProjectOpened)) == opened
    project.set_run(1, state=RunState.FINISHED, reason="the time is spent")
    ended = console.until(lambda event: isinstance(event, RunChanged))
    assert isinstance(ended, RunChanged)
    assert ended.state is RunState.FINISHED


def test_a_cut_is_told_with_the_moment_of_the_picture(
    ssh: FakeSsh, console: Console, project: Project
) -> None:
    console.engine.watch_project(str(given(project.path))).result(20)
    ssh.answer("echo 'ssh: connect to host rack port 22: No route to host' >&2; exit 255")
    os.killpg(ssh.started()[0], 9)
    lost = console.until(lambda event: isinstance(event, Watched) and "route" in event.lost)
    assert isinstance(lost, Watched)
    assert lost.seen_at > 0
    ssh.answer("")
    console.until(lambda event: isinstance(event, Watched) and not event.lost)


@pytest.mark.parametrize(
    "ask",
    [
        lambda engine: engine.start_run(RunSettings()),
        lambda engine: engine.resume_run(),
        lambda engine: engine.pause(),
        lambda engine: engine.set_label(PROJECT, Label("name", "note")),
        lambda engine: engine.set_used(1, False),
        lambda engine: engine.measure_again(),
        lambda engine: engine.find_spaces(),
        lambda engine: engine.export(Path("/nowhere")),
        lambda engine: engine.locate_model(Path("/nowhere")),
    ],
)
def test_no_command_changes_what_is_watched(
    ssh: FakeSsh, console: Console, project: Project, ask: Callable[[Any], Any]
) -> None:
    shown = console.engine.watch_project(str(given(project.path))).result(20)
    before = project.path.read_bytes(), Path(shown.path).read_bytes()
    with pytest.raises(TunewrightError):
        ask(console.engine).result(20)
    assert (project.path.read_bytes(), Path(shown.path).read_bytes()) == before


def test_a_copy_that_is_saved_here_is_a_project_of_this_machine(
    ssh: FakeSsh, console: Console, project: Project, tmp_path: Path
) -> None:
    shown = console.engine.watch_project(str(given(project.path))).result(20)
    console.engine.save_as(tmp_path / "mine.tune").result(20)
    mine = console.of(ProjectOpened)[-1]
    assert isinstance(mine, ProjectOpened)
    assert (mine.snapshot.watched, mine.snapshot.read_only) == ("", False)
    assert mine.snapshot.runs[-1].state is RunState.INTERRUPTED
    assert not Path(shown.path).exists()


def test_what_was_open_stays_where_no_connection_comes_about(
    ssh: FakeSsh, console: Console, project: Project, tmp_path: Path
) -> None:
    new_project(tmp_path / "own.tune").close()
    own = console.engine.open_project(tmp_path / "own.tune").result(20)
    ssh.answer("echo 'me@rack: Permission denied (publickey).' >&2; exit 255")
    with pytest.raises(TunewrightError, match="password"):
        console.engine.watch_project(str(given(project.path))).result(20)
    assert console.of(Failure)
    assert console.engine.snapshot().result(20).path == own.path
    with pytest.raises(AddressNotGiven):
        console.engine.watch_project("ssh://somebody@else/a.tune").result(20)
    assert len(ssh.started()) == 1


def test_the_copy_is_gone_with_the_engine_and_with_another_project(
    ssh: FakeSsh, console: Console, project: Project, tmp_path: Path
) -> None:
    new_project(tmp_path / "own.tune").close()
    first = console.engine.watch_project(str(given(project.path))).result(20)
    console.engine.open_project(tmp_path / "own.tune").result(20)
    assert not Path(first.path).exists()
    second = console.engine.watch_project(str(given(project.path))).result(20)
    console.engine.shutdown()
    assert not Path(second.path).exists()


def add_trials(project: Project) -> None:
    for seed in range(3):
        project.add_trial(new_trial(seed + 100))


CHANGES: tuple[Callable[[Project], object], ...] = (
    lambda project: None,
    add_trials,
    lambda project: project.confirm_trial(1, (1e-4, 2e-4)),
    lambda project: project.add_slot(SlotInfo(0, 1, 0, 1.0, "why")),
    lambda project: project.set_run(1, state=RunState.FINISHED, reason="over", tuned_latency_s=1.0),
    lambda project: project.start_run(RunSettings(seed=3)),
    lambda project: project.set_label(PROJECT, Label("name", "note")),
    lambda project: project.set_untuned(0.5, {0: 0.25}),
    lambda project: project.set_reference(0.25),
    lambda project: project.set_used(1, False),
    lambda project: project.add_export("/out", {"latency_s": 1.0}),
    lambda project: project.check_trial(1, None, "wrong"),
)


@pytest.mark.parametrize("change", CHANGES)
def test_what_is_told_makes_of_the_picture_before_the_one_now(
    project: Project, change: Callable[[Project], object]
) -> None:
    project.add_trial(new_trial(1))
    before = project.snapshot()
    change(project)
    now = project.snapshot()
    kept = OpenProject(before)
    for event in changes(before, now):
        if isinstance(event, ProjectOpened):
            kept.reset(event.snapshot)
        else:
            kept.apply([event])
    seen, wanted = OpenProject(now).snapshot(), kept.snapshot()
    assert seen.trials == wanted.trials
    assert seen.slots == wanted.slots
    assert [run.state for run in seen.runs] == [run.state for run in wanted.runs]
    assert replace(seen, runs=(), elapsed_s=0) == replace(wanted, runs=(), elapsed_s=0)


def test_single_trials_do_not_open_the_whole_project_anew(project: Project) -> None:
    project.add_trial(new_trial(1))
    before = project.snapshot()
    add_trials(project)
    project.confirm_trial(1, (1e-4,))
    told = [type(event) for event in changes(before, project.snapshot())]
    assert told == [TrialConfirmed, TrialDone, TrialDone, TrialDone]
