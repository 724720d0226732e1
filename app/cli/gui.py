"""The commands that need Qt: the window, and a picture of it."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from types import ModuleType
from typing import Any

from app.cli.output import Reply
from app.doctor.system_packages import missing_packages
from app.process.handing_over import Request, hand_over, socket_place
from engine.records.errors import TunewrightError, UsageError
from engine.records.formats import is_project


def gui(
    file: str | None,
    replay: Path | None = None,
    speed: float = 10.0,
    new_process: bool = False,
    language: str | None = None,
) -> Reply:
    """Show the window until it is closed; over a replay where a recording is given.

    Where the console is open on this screen already, it is asked to show the file instead.
    """
    path, sample = (None, None) if file is None else _found(file)
    engine = None if replay is None else _replayed(replay, speed)
    offscreen = os.environ.get("QT_QPA_PLATFORM", "") in ("offscreen", "minimal", "vnc")
    if not (offscreen or has_display()):
        raise TunewrightError(
            "There is no display here.",
            "Set DISPLAY, or use `tunewright tune` and the other commands.",
        )
    alone = new_process or offscreen or replay is not None
    place = None if alone else socket_place()
    token = os.environ.get("XDG_ACTIVATION_TOKEN", "")
    if hand_over(Request(str(path.absolute()) if path else "", sample or "", token), place):
        return Reply({}, "Shown by the console that is open already.")
    _require_libraries(window=not offscreen)
    if language is not None:
        os.environ["TUNEWRIGHT_LANGUAGE"] = language  # as app.process.languages reads it
    run_gui = _import_main().run_gui
    code: int = run_gui(path, sample, engine, place)
    return Reply({}, "", code)


def picture(project: Path, png: Path) -> Reply:
    """Draw the window without a display."""
    _require_libraries(window=False)
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    _import_main().render_console(project, png)
    return Reply({"png": str(png)}, str(png))


def has_display() -> bool:
    """Whether a window could be shown."""
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _found(file: str) -> tuple[Path | None, str | None]:
    """A path, or a sample's name."""
    if Path(file).exists() or is_project(file):
        return Path(file), None
    from engine.interface.models import find_model

    return None, find_model(file).location


def _replayed(recording: Path, speed: float) -> Any:
    from engine.replay.recording_file import load_recording
    from engine.replay.replay_job import ReplayEngine

    if not speed > 0:
        raise UsageError(f"A speed of {speed} is not above zero.", "Give more, such as 10.")
    return ReplayEngine(load_recording(recording), speed)


def _require_libraries(window: bool) -> None:
    """Qt aborts the process where one of its system libraries is missing; say so instead."""
    missing = missing_packages(window, linker=False)
    if missing:
        raise TunewrightError(
            f"Qt lacks system libraries, which are in: {', '.join(missing)}.",
            f"Install them: apt-get install {' '.join(missing)}.",
        )


def _import_main() -> ModuleType:
    try:
        return importlib.import_module("app.process.main")
    except ImportError as error:
        raise TunewrightError(
            f"The window cannot be loaded: {error}.", "Run `tunewright doctor`."
        ) from error
