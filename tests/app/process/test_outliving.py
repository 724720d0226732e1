"""What parts of a window share outlives some of them: none is told what it can no longer hear."""

from __future__ import annotations

import re
import sys
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import TracebackType

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QMetaMethod, QObject
from PySide6.QtWidgets import QApplication

from app.process.application import choose_theme
from app.process.languages import speak
from app.process.session import Session
from app.window.siblings import Alone
from engine.records.events import ProjectOpened
from engine.workers.memory import collect_due
from tests.app.fake_engine import FakeEngine
from tests.app.window.whole_window import Walk, passed
from tests.samples import squeezenet_like_snapshot
from widgets.look.theme import theme_notifier

SAID_WITH_CAUSE = ("destroyed", "leaving", "opened", "closed", "triggered", "hovered")


@pytest.fixture
def raised(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What slots raised: Qt gives it to the hook alone."""
    found: list[str] = []

    def note(_: type[BaseException], value: BaseException, __: TracebackType | None) -> None:
        found.append("".join(traceback.format_exception(value)))

    monkeypatch.setattr(sys, "excepthook", note)
    return found


@pytest.fixture
def walk(qapp: QApplication) -> Iterator[Walk]:
    made = Walk()
    yield made
    made.close()
    speak(qapp, "en")


def _shake(*shared: QObject) -> None:
    """Emit every signal without arguments that these have."""
    collect_due()
    for each in shared:
        methods = [each.metaObject().method(n) for n in range(each.metaObject().methodCount())]
        for method in methods:
            name = method.name().toStdString()
            silent = not method.parameterCount() and name not in SAID_WITH_CAUSE
            if method.methodType() is QMetaMethod.MethodType.Signal and silent:
                getattr(each, name).emit()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


def _shake_all(session: Session, walk: Walk) -> None:
    window, settings = session.window, session.window.console.settings
    _shake(
        session.document, session.commands, session.commands.precisions, window.console.works,
        window.shortcuts, walk.desk, theme_notifier(), *window.console.actions.values(),
    )  # fmt: skip
    settings.told.changed.emit("shortcuts")


@pytest.mark.long
def test_a_walk_with_other_themes_languages_and_projects_calls_nothing_that_is_gone(
    walk: Walk, raised: list[str], qapp: QApplication
) -> None:
    snapshot = replace(squeezenet_like_snapshot(), path="/models/other.tune")
    settings = walk.window.console.settings
    for number, (name, _) in enumerate(walk.scenes()):
        if name == "message":
            choose_theme(settings, "dark")
            speak(qapp, "de")
            walk.engine.tell(ProjectOpened(snapshot), ProjectOpened(passed()))
            walk.session.bridge.tick()
        if number % 3 == 0:
            choose_theme(settings, "light" if number % 2 else "dark")
        _shake_all(walk.session, walk)
        assert raised == [], name
    _shake_all(walk.session, walk)
    assert raised == []


def test_a_window_that_was_closed_hears_nothing_of_what_the_others_share(
    walk: Walk, raised: list[str]
) -> None:
    settings = walk.window.console.settings
    other = Session(FakeEngine, settings, Alone(walk.desk))
    other.attach()
    other.window.complete()
    other.window.show()
    other.engine.events.put(ProjectOpened(passed()))
    other.bridge.tick()
    for page in other.window.console.workspace.pages:
        other.window.console.go_to(page)
        QCoreApplication.processEvents()
    other.window.close_now()
    other.end()
    other.window.deleteLater()
    other.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    _shake_all(walk.session, walk)
    settings.set("shortcuts", {})
    choose_theme(settings, "dark")
    _shake_all(walk.session, walk)
    assert raised == []


@pytest.mark.parametrize("room", ["app", "widgets"])
def test_no_widget_is_asked_for_the_next_one_that_the_keyboard_goes_to(room: str) -> None:
    """For the binding that is a child of the one asked, and counts as deleted with it."""
    files = (Path(__file__).parents[3] / room).rglob("*.py")
    asked = re.compile(r"(next|previous)InFocusChain\(")
    assert [path.name for path in files if asked.search(path.read_text("utf-8"))] == []
