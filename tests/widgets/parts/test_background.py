"""Work in a thread: its answers come in order, and only where somebody waits for them."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from engine.records.errors import UsageError
from widgets.parts.background import Background, Job


class Heard(QObject):
    """What a background said."""

    def __init__(self) -> None:
        super().__init__()
        self.background = Background(self)
        self.all: list[object] = []
        self.background.told.connect(self.all.append)
        self.background.done.connect(self.all.append)
        self.background.failed.connect(lambda *texts: self.all.append(texts))


@pytest.fixture
def heard(qtbot: QtBot) -> Iterator[Heard]:
    """A background with a listener."""
    made = Heard()
    yield made
    made.background.close()


def test_it_tells_on_the_way_and_at_the_end(heard: Heard, qtbot: QtBot) -> None:
    def work(job: Job) -> int:
        job.tell("half")
        return 7

    heard.background.start(work)
    qtbot.waitUntil(lambda: not heard.background.busy)
    assert heard.all == ["half", 7]


def test_cancelled_work_is_asked_to_stop_and_says_nothing(heard: Heard, qtbot: QtBot) -> None:
    ended = Event()

    def work(job: Job) -> int:
        while not job.stopped:
            ended.wait(0.001)
        ended.set()
        return 1

    heard.background.start(work)
    heard.background.cancel()
    qtbot.waitUntil(ended.is_set)
    heard.background.close()
    assert heard.all == []


def test_only_the_last_work_is_heard(heard: Heard, qtbot: QtBot) -> None:
    gate = Event()
    heard.background.start(lambda _: gate.wait(5))
    heard.background.start(lambda _: "second")
    gate.set()
    qtbot.waitUntil(lambda: not heard.background.busy)
    assert heard.all == ["second"]


def test_what_a_person_can_act_on_is_told_and_what_not_is_logged(
    heard: Heard, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    def refuse(_: Job) -> None:
        raise UsageError("It is late.", "Sleep.")

    def fail(_: Job) -> None:
        raise ZeroDivisionError

    for work in (refuse, fail):
        heard.background.start(work)
        qtbot.waitUntil(lambda: not heard.background.busy)
    assert heard.all == [
        ("It is late.", "Sleep."),
        ("That could not be worked out.", "See the log."),
    ]
    assert "ZeroDivisionError" in caplog.text
