"""The log has the story of a run, as it comes and when its project is opened again."""

from __future__ import annotations

from dataclasses import replace

from pytestqt.qtbot import QtBot

from engine.records.events import (
    ExportDone,
    ProjectOpened,
    RunChanged,
    Scores,
    TrialConfirmed,
    TrialDone,
)
from engine.records.settings import RunState
from engine.records.snapshot import ExportInfo
from tests.figures import figure
from tests.samples import make_trial, run_begins, squeezenet_like_snapshot
from widgets.window.log_view import LogView

FRESH = squeezenet_like_snapshot(0)


def texts(log: LogView) -> str:
    return "\n".join(line.text for line in log.lines())


def test_a_run_is_told_from_its_beginning_to_its_export(qtbot: QtBot) -> None:
    log = LogView()
    qtbot.addWidget(log)
    best = make_trial(1, 0, 2e-3, run=1)
    log.apply([
        ProjectOpened(replace(FRESH, untuned_latency_s=None, reference_latency_s=None)),
        *run_begins(1),
        Scores(0.0, figure(91e-3), 28e-3),
        TrialDone(best),
        TrialDone(make_trial(2, 0, 3e-3, run=1)),
        TrialDone(make_trial(3, 0, None, run=1)),
        TrialConfirmed(replace(best, confirmed=(2.1e-3,) * 8)),
        Scores(9.0, figure(91e-3, 40e-3, 41e-3), 28e-3, 1.0, 3),
        RunChanged(1, RunState.FINISHED),
        ExportDone("/exports/net", {}),
    ])  # fmt: skip
    told = texts(log)
    for part in (
        "Run 1 begins", "untuned model takes 91.0 ms, ONNX Runtime 28.0 ms", "Trial #1",
        "its best", "measured again", "tuned model was measured: 41.0 ms", "Run 1 is finished",
        "Exported to /exports/net",
    ):  # fmt: skip
        assert part in told, part
    assert "Trial #2" not in told and "Trial #3" not in told


def test_a_reopened_project_has_its_story_once(qtbot: QtBot) -> None:
    log = LogView()
    qtbot.addWidget(log)
    whole = squeezenet_like_snapshot(60)
    whole = replace(whole, exports=(ExportInfo(1, "/exports/net", 2e9, {}),))
    log.apply([ProjectOpened(whole)])
    told = texts(log)
    assert "Run 1 begins" in told and "its best" in told and "/exports/net" in told
    count = len(log.lines())
    assert count > 12
    log.apply([ProjectOpened(whole)])
    assert len(log.lines()) == count + 1  # that it was opened
