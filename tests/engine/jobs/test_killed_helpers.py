"""A run whose helpers are killed at seeded moments ends as it would without."""

from __future__ import annotations

import signal
import time
from dataclasses import replace
from pathlib import Path

import pytest

from engine.measure import build_pool
from engine.project.repository import Project
from engine.records.errors import TuningError
from engine.records.events import RunChanged, Scores, TrialDone
from engine.records.settings import Budget, RunState
from engine.records.source import ModelSource
from engine.records.trial import ErrorKind
from engine.workers import fork_server
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import conv_relu_model, save
from tests.killing import ROLES, killing

TRIALS = 16
RUN = replace(QUICK, budget=Budget(trials=TRIALS))
CRASHES = (ErrorKind.BUILD_CRASH, ErrorKind.RUN_CRASH, ErrorKind.DEVICE_LOST)


@pytest.mark.long
@pytest.mark.parametrize(
    ("seed", "signum"), [(1, signal.SIGKILL), (2, signal.SIGTERM), (3, signal.SIGKILL)]
)
def test_no_trial_is_lost_whatever_helper_is_killed(
    seed: int, signum: signal.Signals, console: Console, tmp_path: Path
) -> None:
    path = console.open(tmp_path)
    with killing(ROLES, seed=seed, every_s=0.6, kills=10, signum=signum) as killer:
        console.engine.start_run(RUN).result(60)
        console.engine.wait().result(300)
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot(texts=True)
    assert killer.killed
    assert [run.state for run in snapshot.runs] == [RunState.FINISHED]
    assert len({trial.trace for trial in snapshot.trials}) == len(snapshot.trials) == TRIALS
    assert not [trial for trial in snapshot.trials if trial.error in CRASHES]


@pytest.mark.long
def test_all_helpers_killed_at_one_moment_cost_nothing(console: Console, tmp_path: Path) -> None:
    path = console.open(tmp_path)
    console.engine.start_run(RUN).result(60)
    console.until(lambda event: isinstance(event, TrialDone), 120)
    # Two deaths of its own and two of its server are what a call's four successors are for.
    with killing(ROLES, seed=4, every_s=0.3, kills=12, at_once=True, rounds=2) as killer:
        console.engine.wait().result(300)
    assert killer.killed
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot()
    assert [run.state for run in snapshot.runs] == [RunState.FINISHED]
    assert len(snapshot.trials) == TRIALS
    assert not [trial for trial in snapshot.trials if trial.error in CRASHES]


@pytest.mark.long
def test_a_run_that_can_build_nothing_fails_and_keeps_what_it_has(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = console.open(tmp_path)
    console.engine.start_run(RUN).result(60)
    console.until(lambda event: isinstance(event, TrialDone), 120)
    monkeypatch.setattr(build_pool, "_PAUSES_S", (0.0, 0.1))
    monkeypatch.setattr(fork_server, "_PAUSES_S", (0.05,))
    with (
        killing(("build worker",), seed=5, every_s=0.01, kills=100_000, at_once=True),
        pytest.raises(TuningError, match="again and again"),
    ):
        console.engine.wait().result(300)
    ended = [event for event in console.of(RunChanged) if isinstance(event, RunChanged)][-1]
    assert ended.state is RunState.FAILED
    assert "build workers" in ended.reason
    with Project.open(path, read_only=True) as project:
        kept = project.snapshot().trials
    assert 0 < len(kept) < TRIALS
    assert not [trial for trial in kept if trial.error in CRASHES]
    monkeypatch.undo()
    console.engine.resume_run().result(30)
    console.engine.wait().result(300)
    with Project.open(path, read_only=True) as project:
        assert len(project.snapshot().trials) == TRIALS


@pytest.mark.parametrize("role", ["opener", "fork server"])
def test_a_model_is_opened_though_its_helpers_are_killed(
    role: str, console: Console, tmp_path: Path
) -> None:
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    with killing((role,), seed=6, every_s=0.1, kills=1):
        opened = console.engine.open_model(
            ModelSource("file", str(model)), "cpu", tmp_path / "tiny.tune"
        )
        opened.result(120)


@pytest.mark.long
def test_a_clock_that_is_set_back_an_hour_changes_nothing(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = console.open(tmp_path)
    console.engine.start_run(replace(QUICK, budget=Budget(trials=8, seconds=600))).result(60)
    console.until(lambda event: isinstance(event, TrialDone), 120)
    right = time.time
    monkeypatch.setattr(time, "time", lambda: right() - 3600)
    console.engine.wait().result(300)
    scores = [event for event in console.of(Scores) if isinstance(event, Scores)]
    assert min(score.elapsed_s for score in scores) >= 0
    assert min(score.time_left_s or 0 for score in scores) >= 0
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot()
    assert len(snapshot.trials) == 8
    assert 0 < snapshot.elapsed_s < 600
    seconds = [(trial.build_s, trial.run_s, trial.elapsed_s) for trial in snapshot.trials]
    assert min(min(each) for each in seconds) > 0
    assert seconds == sorted(seconds, key=lambda each: each[2])
