"""A display that cannot be had: a sentence instead of the abort in which Qt ends."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import NoReturn, TypeVar

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler
from PySide6.QtGui import QGuiApplication

from engine.records.errors import TunewrightError

_A = TypeVar("_A", bound=QGuiApplication)
PLATFORM = "QT_QPA_PLATFORM"
_MISSING = re.compile(r'Could not find the Qt platform plugin "([^"]*)"')
_ELSE = "use `tunewright tune` and the other commands."


def on_display(make: Callable[[], _A]) -> _A:
    """Qt's application as `make` makes it. Where Qt finds no display it ends the process: with the
    exit code 1 and a sentence. TunewrightError where the display has no screen."""
    said: list[str] = []

    def hear(kind: QtMsgType, _: QMessageLogContext, text: str) -> None:
        if kind is QtMsgType.QtFatalMsg:  # when this returns, Qt aborts
            _end(refusal(said, os.environ))
        said.append(text)

    before = qInstallMessageHandler(hear)
    try:
        app = make()
    finally:
        qInstallMessageHandler(before)
    if app.primaryScreen() is None:
        raise refusal(said, os.environ)
    for text in said:
        print(text, file=sys.stderr)
    return app


def refusal(said: Sequence[str], environment: Mapping[str, str]) -> TunewrightError:
    """Why there is no display, by what Qt said before it gave up."""
    unknown = [name for text in said for name in _MISSING.findall(text)]
    if unknown:
        what = f"{PLATFORM} names a platform that Qt does not have: "
        names = ", ".join(map(_plain, unknown))
        return TunewrightError(f"{what}{names}.", f"Unset it, or {_ELSE}")
    wanted = environment.get(PLATFORM, "")
    given = [environment.get(name, "") for name in ("WAYLAND_DISPLAY", "DISPLAY")]
    which = " and ".join(map(_plain, filter(None, given))) or "of this machine"
    how = f" by the platform {_plain(wanted)}" if wanted else ""
    return TunewrightError(
        f"The display {which} cannot be reached{how}.",
        f"Set DISPLAY to one that runs, or {_ELSE} `tunewright doctor` looks for what Qt may lack.",
    )


def _plain(text: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in text)


def _end(error: TunewrightError) -> NoReturn:
    """End the process from within a call of Qt's, through which no exception gets."""
    print(f"tunewright: {error.what} {error.todo}", file=sys.stderr, flush=True)
    os._exit(1)
