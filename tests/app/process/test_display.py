"""The window where no display can be had: a sentence and an exit code, never an abort."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.process.display import refusal
from tests.app.cli.support import environment, finish, start

CASES = {
    "no display": ({}, "There is no display here."),
    "dead display": ({"DISPLAY": ":99"}, "The display :99 cannot be reached."),
    "xcb by name": (
        {"DISPLAY": ":99", "QT_QPA_PLATFORM": "xcb"},
        "The display :99 cannot be reached by the platform xcb.",
    ),
    "dead Wayland": (
        {"WAYLAND_DISPLAY": "wayland-9", "QT_QPA_PLATFORM": "wayland"},
        "The display wayland-9 cannot be reached by the platform wayland.",
    ),
    "both dead": (
        {"DISPLAY": ":99", "WAYLAND_DISPLAY": "nowhere"},
        "The display nowhere and :99 cannot be reached.",
    ),
    "unknown platform": (
        {"DISPLAY": ":99", "QT_QPA_PLATFORM": "foo;bar"},
        "QT_QPA_PLATFORM names a platform that Qt does not have: foo, bar.",
    ),
    "no screen": ({"DISPLAY": ":99", "QT_QPA_PLATFORM": "linuxfb"}, "The display :99 cannot"),
    "no EGL": ({"DISPLAY": ":99", "QT_QPA_PLATFORM": "eglfs"}, "The display :99 cannot"),
    "not a name": ({"DISPLAY": "\x1b[31mred"}, "The display ?[31mred cannot be reached."),
}


@pytest.mark.parametrize("case", CASES)
def test_a_window_without_a_display_ends_in_a_sentence(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    variables, what = CASES[case]
    shown = environment(tmp_path) | variables
    monkeypatch.setattr("tests.app.cli.support.environment", lambda _: shown)
    done = finish(start(tmp_path, "gui", "--new-process"))
    assert done.code == 1
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert line.startswith(f"tunewright: {what}")


def test_a_platform_without_its_libraries_is_told_without_the_words_of_qt() -> None:
    said = [
        "From 6.5.0, xcb-cursor0 or libxcb-cursor0 is needed to load the Qt xcb platform plugin.",
        'Could not load the Qt platform plugin "xcb" in "" even though it was found.',
    ]
    error = refusal(said, {"DISPLAY": ":0"})
    assert error.what == "The display :0 cannot be reached."
    assert "doctor" in error.todo
