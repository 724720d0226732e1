"""Qt's objects end in the window's thread, whoever makes the next object or asks for memory."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from app.process.application import GarbageCollector
from engine.workers.memory import keep_libraries, settle_memory


@pytest.fixture
def ended_in(qtbot: QtBot) -> Iterator[list[int]]:
    """The threads in which an object that is garbage by now ended, with a collector at work."""
    threads: list[int] = []
    parent = QObject()
    gc.enable()
    GarbageCollector(parent)
    _leave(threads)
    yield threads
    parent.deleteLater()


def _leave(threads: list[int]) -> None:
    thing = QObject()
    thing.destroyed.connect(lambda: threads.append(threading.get_ident()))
    thing.itself = thing  # type: ignore[attr-defined]


def elsewhere(work: Callable[[], object]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_it_ends_in_the_windows_thread_though_another_makes_objects(
    qtbot: QtBot, ended_in: list[int]
) -> None:
    elsewhere(lambda: [[[]] for _ in range(200_000)])
    assert ended_in == []
    usual = gc.get_threshold()
    gc.set_threshold(1, 1, 1)  # whatever is due in the end is due now
    try:
        qtbot.waitUntil(lambda: bool(ended_in), timeout=20_000)
    finally:
        gc.set_threshold(*usual)
    assert ended_in == [threading.get_ident()]


def test_it_ends_there_though_another_settles_its_memory(qtbot: QtBot, ended_in: list[int]) -> None:
    frozen = gc.get_freeze_count()
    elsewhere(settle_memory)
    assert ended_in == []
    qtbot.waitUntil(lambda: gc.get_freeze_count() > frozen, timeout=20_000)
    assert ended_in == [threading.get_ident()]
    gc.unfreeze()


def test_libraries_are_kept_at_once_and_nothing_ends(ended_in: list[int]) -> None:
    frozen = gc.get_freeze_count()
    elsewhere(keep_libraries)
    assert gc.get_freeze_count() > frozen
    assert ended_in == []
    gc.unfreeze()
