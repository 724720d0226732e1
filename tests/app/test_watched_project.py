"""The window over a project of another machine: it says so, and offers nothing that would write."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from app.process.recovery import _project, _wishes
from app.window.actions.actions import SPECS
from engine.measure.remote.given import VARIABLE, require_machine_given
from engine.records.errors import AddressNotGiven, UsageError
from engine.records.events import ProjectOpened, RunChanged, TrialDone, Watched
from engine.records.settings import Budget, RunSettings, RunState
from engine.records.snapshot import RunInfo, Snapshot
from tests.app.conftest import Console
from tests.samples import make_trial, squeezenet_like_snapshot

ADDRESS = "ssh://me@rack/runs/net.tune"
PLACE = "ssh://me@rack"
SNAPSHOT = squeezenet_like_snapshot(40)
RUN = RunInfo(9, RunState.RUNNING, RunSettings(), 1.7e9)
SHOWN: Snapshot = replace(
    SNAPSHOT, path="/tmp/copy/net.tune", watched=ADDRESS, read_only=True, runs=(RUN,)
)


@pytest.fixture(autouse=True)
def nobody_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.delenv(VARIABLE, raising=False)


def show(console: Console) -> None:
    console.tell(ProjectOpened(SHOWN), Watched(PLACE, 1.7e9))


def notices(console: Console) -> list[str]:
    return [row.what for row in console.window.console.messages.rows()]


def test_only_an_address_that_a_person_names_is_connected_to(console: Console) -> None:
    with pytest.raises(AddressNotGiven):
        require_machine_given(PLACE)
    with pytest.raises(UsageError):
        console.commands.watch("ssh://-x/net.tune")
    console.window.console.actions["watch"].trigger()
    sheet = console.window.aids.dialogs.watch()
    sheet.address.setEditText(ADDRESS)
    sheet.watch_button.click()
    assert console.engine.calls[-1] == ("watch_project", ADDRESS)
    require_machine_given(PLACE)
    assert console.commands.watched() == [ADDRESS]


def test_it_is_said_where_the_project_is_and_as_of_when(console: Console) -> None:
    show(console)
    assert "net.tune on rack (read-only)" in console.window.windowTitle()
    assert "Watching rack, read-only" in console.window.status.watched.text()
    assert any("on rack" in text for text in notices(console))


def test_nothing_that_writes_or_controls_the_run_is_offered(console: Console) -> None:
    show(console)
    assert console.document.state is RunState.RUNNING
    off = [spec.id for spec in SPECS if spec.writes] + ["pause", "stop"]
    assert [name for name in off if console.enabled(name)] == []
    assert console.enabled("open-model") and console.enabled("save-as")
    assert console.enabled("close-project")


def test_the_window_closes_without_asking_for_a_run_elsewhere(console: Console) -> None:
    show(console)
    assert not console.window.closing.ask()


def test_the_copy_is_not_remembered_as_a_file(console: Console) -> None:
    show(console)
    assert console.commands.recent() == []


def test_trials_and_the_end_show_as_those_of_a_run_here(console: Console) -> None:
    show(console)
    before = console.document.run_trials()
    trial = replace(make_trial(7, 0, 1e-3), number=5000, run=9)
    console.tell(TrialDone(trial), Watched(PLACE, 1.7e9 + 5))
    assert console.document.run_trials() == before + 1
    assert console.document.run is not None
    assert console.document.run.trials == before + 1
    assert console.document.scores is not None
    assert console.document.scores.trials == len(SNAPSHOT.trials) + 1
    console.tell(RunChanged(9, RunState.FINISHED, "the time is spent"))
    assert console.document.state is RunState.FINISHED


def test_the_time_left_is_what_the_budget_leaves(console: Console) -> None:
    before = replace(RUN, id=8, state=RunState.FINISHED, elapsed_s=100.0)
    run = replace(RUN, settings=RunSettings(budget=Budget(seconds=60)))
    trial = replace(make_trial(7, 0, 1e-3), number=5000, run=9, elapsed_s=120.0)
    console.tell(ProjectOpened(replace(SHOWN, runs=(before, run))), Watched(PLACE, 1.7e9))
    console.tell(TrialDone(trial), Watched(PLACE, 1.7e9))
    assert console.document.scores is not None
    assert console.document.scores.time_left_s == pytest.approx(40.0)
    console.tell(RunChanged(9, RunState.FINISHED), Watched(PLACE, 1.7e9))
    assert console.document.scores.time_left_s is None


def test_a_lost_connection_is_said_once_and_taken_back(console: Console) -> None:
    show(console)
    for _ in range(3):
        console.tell(Watched(PLACE, 1.7e9, "The connection to rack was cut."))
    lost = [text for text in notices(console) if "connection lost" in text]
    assert len(lost) == 1
    assert "was cut" in lost[0]
    assert "connection lost" in console.window.status.watched.text()
    assert console.document.is_open
    console.tell(Watched(PLACE, 1.7e9 + 60))
    assert not [text for text in notices(console) if "connection lost" in text]
    assert "Watching rack" in console.window.status.watched.text()


def test_another_project_takes_the_signs_away(console: Console) -> None:
    show(console)
    console.tell(Watched(PLACE, 1.7e9, "cut"))
    console.tell(ProjectOpened(SNAPSHOT))
    assert console.window.status.watched.text() == ""
    assert not notices(console)
    assert "rack" not in console.window.windowTitle()


def test_addresses_are_remembered_for_the_next_time(console: Console) -> None:
    for number in range(12):
        console.commands.watch(f"ssh://rack{number}/net.tune")
    kept = console.commands.watched()
    assert kept[0] == "ssh://rack11/net.tune"
    assert len(kept) == 8


def test_the_copy_is_no_edit_to_recover_after_a_crash(console: Console) -> None:
    assert _project(console.document) is None
    show(console)
    assert _project(console.document) is None
    assert _wishes(console.document) is None
    console.tell(ProjectOpened(SNAPSHOT))
    assert _project(console.document) is not None
