"""What holds for every test: no display, no Qt warnings, nothing left behind."""

from __future__ import annotations

import gc
import os
import signal
import sys
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from engine.workers.faults import load_tvms_handler
from engine.workers.memory import collect_due

# A shell's background jobs have it ignored, and so would every command that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The journey alone has a display (tests/journey/test_journey.py).
os.environ["QT_QPA_PLATFORM"] = os.environ.get("TUNEWRIGHT_TEST_PLATFORM", "offscreen")
os.environ["TUNEWRIGHT_LANGUAGE"] = "en"  # whatever this desktop speaks
# Threads of kernels that wait take the cores that other processes of tests need.
os.environ.setdefault("TVM_THREAD_POOL_SPIN_COUNT", "0")
os.environ.setdefault("TUNEWRIGHT_TEST_TRIES", "1")  # tests disturb each other's measurements

# Before pytest enables its own.
load_tvms_handler()

# Qt's objects may end in the main thread alone, not where an engine's thread makes the next object.
gc.disable()

# Warnings that say nothing about our code. Keep each with its reason.
ALLOWED_QT_MESSAGES = (
    # The offscreen platform has no window manager to tell these things to.
    r"This plugin does not support .*",
    # Fontconfig of a bare container has no system bus to ask for the desktop's settings.
    r"QDBusConnection: .*",
    # The offscreen platform has one screen of 800x800, smaller than the windows we grab.
    r"QWindowsWindow::setGeometry: .*",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let Qt's warnings fail every test, save those of the allow-list; leave long ones to
    `make test-long`, for the CI's limit of time."""
    leave = pytest.mark.skip(reason="`make test-long` runs it")
    items.sort(key=lambda item: "journey" not in item.nodeid)  # takes longest, so it begins
    for item in items:
        if item.get_closest_marker("long") and not os.environ.get("TUNEWRIGHT_LONG"):
            item.add_marker(leave)
        if config.pluginmanager.hasplugin("pytest-qt"):  # which a machine without a desktop lacks
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore(*ALLOWED_QT_MESSAGES))


def pytest_sessionfinish() -> None:
    """Let go of what a test copied: the offscreen clipboard's contents outlive the interpreter."""
    gui = sys.modules.get("PySide6.QtGui")
    if gui is not None and gui.QGuiApplication.instance() is not None:
        gui.QGuiApplication.clipboard().clear()


@pytest.fixture(autouse=True, scope="session")
def _settings_of_whoever_runs_the_tests_stay(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[None]:
    """Commands that are given an address remember it among the settings."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("settings")))
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(autouse=True, scope="module")
def _what_lives_is_not_looked_through_at_every_collection() -> None:
    """Which took most of the time of the tests of widgets."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _the_application_is_one_for_widgets() -> Iterator[None]:
    """Fail a test that makes another, which the later ones of its process could not use."""
    yield
    core = sys.modules.get("PySide6.QtCore")
    made = core.QCoreApplication.instance() if core is not None else None
    if made is not None and not made.inherits("QApplication"):
        pytest.fail("The test made an application without widgets: it should take `qapp`.")


@pytest.fixture(autouse=True)
def _garbage_is_collected_here() -> Iterator[None]:
    yield
    gc.disable()
    collect_due()


@pytest.fixture(autouse=True)
def _nothing_of_qt_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a running QThread, an active QTimer or a top-level widget."""
    if "qtbot" not in request.fixturenames:
        yield
        return
    from PySide6.QtCore import QThread, QTimer

    with pytest.MonkeyPatch.context() as patch:
        timers = _record(patch, QTimer, "start")
        threads = _record(patch, QThread, "start")
        known = _top_levels()
        yield
        _delete_deferred()
        left = [f"active timer {timer!r}" for timer in timers() if _alive(timer, "isActive")]
        left += [f"running {thread!r}" for thread in threads() if _alive(thread, "isRunning")]
        left += [f"top-level {widget}" for widget in (_top_levels() - known)]
    if left:
        pytest.fail("The test left behind: " + "; ".join(left))


def _record(patch: pytest.MonkeyPatch, kind: Any, name: str) -> Callable[[], list[Any]]:
    """Note every object of `kind` whose method `name` is called from Python."""
    seen: list[weakref.ref[Any]] = []
    method = getattr(kind, name)

    def noted(self: Any, *args: Any) -> Any:
        seen.append(weakref.ref(self))
        return method(self, *args)

    patch.setattr(kind, name, noted)
    return lambda: [found for reference in seen if (found := reference()) is not None]


def _alive(thing: Any, question: str) -> bool:
    import shiboken6

    return shiboken6.isValid(thing) and bool(getattr(thing, question)())


def _top_levels() -> set[str]:
    widgets = sys.modules.get("PySide6.QtWidgets")
    if widgets is None or widgets.QApplication.instance() is None:
        return set()
    loose = [w for w in widgets.QApplication.topLevelWidgets() if w.parent() is None]
    return {f"{type(w).__name__} {id(w):x} {w.windowTitle()}" for w in loose}


def _delete_deferred() -> None:
    from PySide6.QtCore import QCoreApplication, QEvent

    for _ in range(2):
        QCoreApplication.processEvents()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
