"""What a stop leaves behind can be gone on with, or is not there."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from engine.interface import work
from engine.interface.following import Stopped, following
from engine.interface.models import DEFAULT_SECONDS
from engine.records.events import Event, Progress, ProjectOpened, RunStarted
from engine.records.settings import Budget, RunState
from engine.records.source import ModelSource
from engine.records.words import Doing
from tests.engine.interface.fakes import PROJECT, AnsweringEngine, answered
from tests.engine.jobs.support import QUICK
from tests.engine.models.build import conv_relu_model, save

MOMENTS: dict[str, Callable[[Event], bool]] = {
    "reading": lambda event: isinstance(event, Progress) and event.text == Doing.READING,
    "lowering": lambda event: isinstance(event, Progress) and event.text == Doing.LOWERING,
    "opened": lambda event: isinstance(event, ProjectOpened),
    "started": lambda event: isinstance(event, RunStarted),
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "moment",
    [
        *(
            pytest.param(moment, marks=pytest.mark.long)
            for moment in ("reading", "lowering", "opened")
        ),
        "started",
    ],
)
def test_a_stop_at_any_moment_of_opening_leaves_nothing_or_what_can_be_resumed(
    moment: str, tmp_path: Path
) -> None:
    model, path = save(conv_relu_model(), tmp_path / "tiny.onnx"), tmp_path / "tiny.tune"
    source, seen = ModelSource("file", str(model)), MOMENTS[moment]
    budget = Budget(trials=2)

    def hear(event: Event) -> None:
        follow.stop_asked |= seen(event)

    with following(hear) as follow, suppress(Stopped):
        work.tune(follow, source, "cpu", replace(QUICK, budget=budget), path)
    with following(None) as again:
        if path.exists():
            work.resume(again, path)
        else:
            assert moment != "started"
            work.tune(again, source, "cpu", replace(QUICK, budget=budget), path)
    assert work.read_project(path).runs[-1].state is RunState.FINISHED


def test_a_project_without_a_run_is_resumed_by_its_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.jobs.engine.Engine", AnsweringEngine)
    never = replace(PROJECT, runs=())
    for budget, places in ((None, {}), (Budget(trials=3), {"devices": "cuda:0,cuda:1"})):
        with following(None) as follow:
            monkeypatch.setattr(follow.engine, "open_project", lambda _: answered(never))
            work.resume(follow, Path("net.tune"), budget, False, **places)
        asked = AnsweringEngine.last
        assert "resume_run" not in asked.names
        (settings,) = asked.call("start_run")
        assert settings.budget == (budget or Budget(seconds=DEFAULT_SECONDS))
        assert settings.devices == places.get("devices", "")


@pytest.mark.parametrize("ran", [True, False])
def test_a_project_of_a_wrong_answer_is_resumed_despite_it_by_a_new_run(
    ran: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.jobs.engine.Engine", AnsweringEngine)
    project = PROJECT if ran else replace(PROJECT, runs=())
    with following(None) as follow:
        monkeypatch.setattr(follow.engine, "open_project", lambda _: answered(project))
        work.resume(follow, Path("net.tune"), Budget(trials=3), True, devices="cuda:1")
    asked = AnsweringEngine.last
    assert "resume_run" not in asked.names
    (settings,) = asked.call("start_run")
    assert (settings.despite, settings.budget, settings.devices) == (
        True,
        Budget(trials=3),
        "cuda:1",
    )
