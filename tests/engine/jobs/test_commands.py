"""The one list of an engine's commands, and who answers them."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import pytest

from app.process.no_engine import NoEngine
from engine.jobs.commands import EngineCommands
from engine.jobs.engine import Engine
from engine.records.errors import UsageError
from engine.records.events import Failure
from engine.replay.replay_job import ReplayEngine
from tests.app.fake_engine import FakeEngine
from tests.engine.allocation.curves_data import recording

COMMANDS = [
    name
    for name, method in inspect.getmembers(EngineCommands, inspect.isfunction)
    if not name.startswith("_") and name not in ("start", "shutdown")
]


def call(engine: EngineCommands, name: str) -> Future[Any]:
    """Ask a command, each of its arguments None."""
    command: Callable[..., Future[Any]] = getattr(engine, name)
    return command(*(None for _ in inspect.signature(command).parameters))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_engine_has_a_method_of_its_own_for_every_command(name: str) -> None:
    own = inspect.signature(vars(Engine)[name])
    assert own == inspect.signature(getattr(EngineCommands, name))


def test_no_engine_has_a_command_that_is_not_in_the_list() -> None:
    for kind in (Engine, ReplayEngine, NoEngine):
        public = {name for name in vars(kind) if not name.startswith("_")}
        assert public <= {*COMMANDS, "start", "shutdown"}


@pytest.mark.parametrize("name", COMMANDS)
def test_no_engine_refuses_every_command_with_a_sentence(name: str) -> None:
    error = call(NoEngine(), name).exception(0)
    assert isinstance(error, UsageError)
    assert error.what and error.todo


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in vars(ReplayEngine)])
def test_a_replay_says_why_it_cannot_do_a_command(name: str) -> None:
    engine = ReplayEngine(recording(), math.inf)
    engine.start()
    try:
        error = call(engine, name).exception(10)
    finally:
        engine.shutdown()
    assert isinstance(error, UsageError)
    assert error.what.startswith("A replay")
    assert error.what != "A replay cannot do this."
    told = [event for event in engine.events.drain() if isinstance(event, Failure)]
    assert [event.what for event in told] == ([] if name == "look_at_target" else [error.what])


@pytest.mark.parametrize("name", COMMANDS)
def test_the_tests_engine_remembers_every_command(name: str) -> None:
    engine = FakeEngine()
    assert not call(engine, name).done()
    assert name in engine.futures
