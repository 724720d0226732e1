"""No place calls a model faster where nothing is tuned or the difference is that of measuring."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from unittest.mock import Mock

import pytest

from app.cli.reports import info_reply
from app.cli.status import Status
from app.document.document import Document
from app.window.aids.notify import _run_sentence
from engine.history.figure import figure_of, schedules_key, with_measured
from engine.history.history import History
from engine.history.open_project import OpenProject
from engine.history.overview import overview
from engine.project.glance import Glance
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import UNTUNED, RunInfo, Snapshot
from engine.records.source import ModelSource
from engine.records.trial import Measured, speedup_of
from engine.report.head import result_sentence
from engine.report.subject import Subject
from tests.samples import make_task, make_trial
from widgets.tasks.model_summary import _facts
from widgets.window.recent_list import Recent, recent_text
from widgets.window.scoreboard import scoreboard_texts


def project(untuned_s: float, now_s: float, spread_s: float, tuned: bool = True) -> Snapshot:
    """A project of one task whose model took so long before and takes so long now."""
    task = make_task(0, "conv", untuned_s)
    trials = (make_trial(1, 0, now_s),) if tuned else ()
    run = RunInfo(1, RunState.FINISHED, RunSettings(), 0.0, 1.0, trials=len(trials))
    made = Snapshot("/a/net.tune", "net", "net.onnx", "llvm", (task,), (), trials, (run,))
    made = with_measured(made, UNTUNED, Measured(untuned_s, spread_s, 0.0, untuned_s, 1.0))
    key = schedules_key(History(made))
    if key == UNTUNED:
        return made
    return with_measured(made, key, Measured(now_s, spread_s, 0.0, now_s, 2.0))


ALIKE = {
    "nothing tuned": project(1.24e-6, 0.724e-6, 1e-9, tuned=False),
    "a microsecond": project(1.24e-6, 0.724e-6, 1e-9),
    "within the spread": project(4.2e-3, 4.1e-3, 0.2e-3),
    "slower by less than the spread": project(4.0e-3, 3.999e-3, 0.1e-3),
}
FASTER = project(4.1e-3, 2.05e-3, 0.2e-3)


def scoreboard(snapshot: Snapshot) -> str:
    return scoreboard_texts(OpenProject(snapshot).scores(), False)["speedup"].value


def start_page(snapshot: Snapshot) -> str:
    figure = figure_of(snapshot)
    facts = Glance(
        snapshot.model_name,
        snapshot.target,
        snapshot.untuned_latency_s,
        figure.latency_s,
        len(snapshot.trials),
        1.7e9,
        figure.tuned,
        figure.measured,
        figure.disturbed,
        figure.speedup,
    )
    return recent_text(Recent(snapshot.path, facts), 1.7e9 + 60)


def inspector(snapshot: Snapshot) -> str:
    return str(_facts(overview(OpenProject(snapshot), None), None))


def command_status(snapshot: Snapshot) -> str:
    status = Status()
    status.take([OpenProject(snapshot).scores()])
    return str(status.rows())


def info(snapshot: Snapshot) -> str:
    reply = info_reply(snapshot)
    assert reply.data["figure"]["speedup"] in (None, 2.0)
    return reply.text


def report(snapshot: Snapshot) -> str:
    source = ModelSource("file", "net.onnx")
    return result_sentence(Subject(snapshot, source, "", "llvm", "", 0.0, ""))


def message(snapshot: Snapshot) -> str:
    document = Mock(Document)
    document.run, document.scores = snapshot.runs[-1], OpenProject(snapshot).scores()
    document.head = snapshot
    return _run_sentence(document)


PLACES: tuple[Callable[[Snapshot], str], ...] = (
    *(scoreboard, start_page, inspector, command_status, info, report, message),
)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("case", ALIKE)
def test_nothing_is_called_faster_that_is_not(place: Callable[[Snapshot], str], case: str) -> None:
    text = place(ALIKE[case])
    for ratio in ("1.71x", "1.72x", "1.02x", "1.03x", "1x", "1.00x"):
        assert ratio not in text


@pytest.mark.parametrize("place", PLACES)
def test_what_is_faster_is_called_so(place: Callable[[Snapshot], str]) -> None:
    assert "2.00x" in place(FASTER)


@pytest.mark.parametrize("factor", [0.5, 0.999, 1.0, 1.001, 2.0])
@pytest.mark.parametrize("spreads", [(), (None, None), (0.01, None), (0.3, 0.01)])
def test_a_ratio_is_told_beyond_the_largest_spread(
    factor: float, spreads: tuple[float | None, ...]
) -> None:
    most = max((spread or 0.0 for spread in spreads), default=0.0)
    found = speedup_of(1.0, factor, *spreads)
    assert (found is not None) is (abs(1 - factor) > max(most, 1e-6))
    assert found in (None, 1 / factor)


def test_a_disturbed_spread_claims_nothing() -> None:
    wild = replace(
        FASTER,
        measured={
            kind: replace(known, spread_s=12 * known.latency_s)
            for kind, known in FASTER.measured.items()
        },
    )
    assert figure_of(wild).speedup is None
