"""A whole console over a fake engine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from app.process.job_desk import JobDesk
from app.process.main import Session
from app.process.settings import Settings
from app.window.siblings import Alone
from tests.app.fake_engine import FakeEngine


class Console:
    """A session, its engine, and the way to let time pass without a clock."""

    def __init__(
        self, qtbot: QtBot, settings: Settings | None = None, desk: JobDesk | None = None
    ) -> None:
        self.engine = FakeEngine()
        self.settings = settings or Settings(memory=True)
        self.session = Session(lambda: self.engine, self.settings, Alone(desk))
        self.session.attach()
        self.window = self.session.window
        self.document = self.session.document
        self.commands = self.session.commands
        qtbot.addWidget(self.window, before_close_func=lambda _: self.window.views.close())

    def tick(self) -> None:
        """What the bridge's timer does every 33 ms."""
        self.session.bridge.tick()

    def tell(self, *events: object) -> None:
        """Let the engine say something and the window hear it."""
        self.engine.tell(*events)  # type: ignore[arg-type]
        self.tick()

    def enabled(self, action: str) -> bool:
        """Whether an action can be used now."""
        return self.window.console.actions[action].isEnabled()

    def do(self, action: str) -> None:
        """Use an action."""
        self.window.console.actions[action].trigger()


@pytest.fixture
def console(qtbot: QtBot) -> Iterator[Console]:
    """A console that was never shown, with nothing open."""
    made = Console(qtbot)
    yield made
    made.window.close_now()
    made.session.end()
