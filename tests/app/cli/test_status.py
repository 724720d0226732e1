"""What a terminal is told while a run goes on."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from rich.console import Console

from app.cli.driver import LiveProgress, Progress
from app.cli.status import Status
from engine.records.events import (
    Message,
    ProjectOpened,
    RunChanged,
    Scores,
    SlotStarted,
    TrialDone,
)
from engine.records.events import Progress as Step
from engine.records.settings import Budget, RunState
from engine.records.snapshot import SlotInfo
from engine.records.trial import ErrorKind
from engine.records.words import budget_text
from tests.figures import figure
from tests.samples import make_trial, squeezenet_like_snapshot

SCORES = Scores(
    elapsed_s=42.0,
    figure=figure(0.230, 4.31e-3),
    reference_s=1.65e-3,
    share=0.68,
    trials=312,
    trials_per_s=5.25,
    time_left_s=138.0,
)


def test_a_line_has_every_figure_with_its_unit() -> None:
    status = Status()
    snapshot = squeezenet_like_snapshot()
    slot = SlotInfo(12, 1, 0, 41.0)
    failed = make_trial(1, 0, None, error=ErrorKind.BUILD_ERROR)
    status.take([ProjectOpened(snapshot), SlotStarted(slot), TrialDone(failed), SCORES])
    line = status.line()
    for part in (
        *("0:42", "312 trials (1 failed)", "5.2 trials/s", "4.31 ms", "230 ms", "1.65 ms"),
        *("2:18 left", "slot 12", snapshot.tasks[0].name),
    ):
        assert part in line


def test_nothing_is_said_of_a_rate_or_a_time_left_that_nobody_knows() -> None:
    status = Status()
    status.take([replace(SCORES, trials=0, trials_per_s=0.0, time_left_s=None)])
    rows = dict(status.rows())
    for text in (status.line(), rows["trials"], rows["time"]):
        assert "trials/s" not in text
        assert "a second" not in text
        assert "0:00" not in text
    status.take([replace(SCORES, time_left_s=0.0)])
    assert "left" not in status.line()
    assert dict(status.rows())["time"] == "0:42, the budget is spent"


def test_ratios_are_against_the_latency_now() -> None:
    status = Status()
    status.take([SCORES])
    rows = dict(status.rows())
    assert rows["untuned"] == "230 ms (53.4x the latency now)"
    assert rows["ONNX Runtime"] == "1.65 ms (0.383x the latency now)"


def test_a_step_is_told_once_and_its_count_goes_on() -> None:
    status = Status()
    assert status.take([Step("Measuring", 1, 3)]) == ["Measuring"]
    assert status.take([Step("Measuring", 2, 3)]) == []
    assert status.doing == "Measuring (2 of 3)"
    status.take([Step("")])
    assert status.doing == ""


def test_states_are_told_when_they_change_with_their_reason() -> None:
    status = Status()
    assert status.take([RunChanged(1, RunState.RUNNING)]) == ["running"]
    assert status.take([RunChanged(1, RunState.RUNNING)]) == []
    ended = RunChanged(1, RunState.FINISHED, "the time is spent")
    assert status.take([ended]) == ["finished: the time is spent"]
    assert status.take([RunChanged(1, RunState.STOPPED, "stopped")]) == ["stopped"]


def test_messages_are_told_with_their_level_unless_it_is_info() -> None:
    told = Status().take([Message("info", "a."), Message("warning", "b.")])
    assert told == ["a.", "warning: b."]


def test_figures_come_every_few_seconds_while_a_run_goes_on(
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = 100.0
    monkeypatch.setattr("time.monotonic", lambda: clock)
    progress = Progress()
    progress.show([RunChanged(1, RunState.RUNNING), SCORES])
    clock = 104.0
    progress.show([SCORES])
    assert "312" not in capfd.readouterr().err
    clock = 106.0
    progress.show([])
    assert "312 trials" in capfd.readouterr().err


def test_a_terminal_shows_the_figures_in_place_and_the_lines_above() -> None:
    progress = LiveProgress()
    screen = Console(file=io.StringIO(), force_terminal=True, width=100, highlight=False)
    progress._live.console = screen
    with progress:
        progress.show([RunChanged(1, RunState.RUNNING), Message("info", "A [line]."), SCORES])
        progress._live.refresh()
    assert isinstance(screen.file, io.StringIO)
    shown = screen.file.getvalue()
    assert "A [line]." in shown
    assert "312 (0 failed), 5.2 a second" in shown


def test_a_budget_in_words() -> None:
    assert budget_text(Budget(seconds=600)) == "10:00 of tuning"
    assert budget_text(Budget(500, None, 2e-3)) == "500 trials or a latency of 2.00 ms"
    assert budget_text(Budget()) == "no limit"
