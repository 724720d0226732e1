"""The console over a replay: the demo mode, and a whole run without a device."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from app.process.main import Session
from app.process.settings import Settings
from engine.records.settings import RunSettings, RunState
from engine.replay.replay_job import ReplayEngine
from tests.engine.allocation.curves_data import recording


@pytest.fixture
def session(qtbot: QtBot) -> Iterator[Session]:
    """A session whose engine replays a synthetic recording at once."""
    made = Session(lambda: ReplayEngine(recording(), math.inf), Settings(memory=True))
    qtbot.addWidget(made.window, before_close_func=lambda _: made.window.views.close())
    made.begin()
    qtbot.waitUntil(lambda: made.document.is_open)
    yield made
    made.window.close_now()
    made.end()


def test_a_replay_opens_by_itself_and_is_called_one(session: Session) -> None:
    snapshot = session.document.head
    assert snapshot is not None
    assert snapshot.target.startswith("replay of")
    assert session.commands.recent() == []


def test_a_whole_run_goes_through_the_window_without_a_device(
    session: Session, qtbot: QtBot
) -> None:
    session.commands.keep(RunSettings(policy="round-robin"))
    session.commands.start()
    qtbot.waitUntil(lambda: session.document.state is RunState.FINISHED, timeout=10_000)
    assert session.document.project.history.trial_count == 147
    run: Any = session.document.run
    assert run.reason == "replayed: nothing is left to try"
    scores = session.document.scores
    assert scores is not None
    assert scores.figure.speedup is not None and scores.figure.speedup > 1


def test_an_export_is_refused_with_a_sentence(
    session: Session, qtbot: QtBot, tmp_path: Any
) -> None:
    told: list[str] = []
    session.document.failed.connect(lambda what, _: told.append(what))
    session.commands.export(tmp_path)
    qtbot.waitUntil(lambda: bool(told))
    assert told == ["A replay exports nothing."]
