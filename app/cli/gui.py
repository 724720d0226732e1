"""`gui` and `picture`: the commands that need Qt."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal

import typer

from app.cli.options import AsJson
from app.cli.output import Reply
from app.doctor.system_packages import missing_packages
from app.process.handing_over import Request, hand_over, socket_place
from engine.records.errors import TunewrightError, UsageError
from engine.records.formats import is_project
from engine.watching.address import names_machine, parse_watched


def gui(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE",
            help="A model, a sample, a project, or a project elsewhere: ssh://USER@HOST/PATH.tune.",
        ),
    ] = None,
    replay: Annotated[
        Path | None,
        typer.Option(metavar="FILE.npz", help="Replay a recording; nothing is measured."),
    ] = None,
    speed: Annotated[float, typer.Option(metavar="X", help="How many times real time.")] = 10.0,
    new_process: Annotated[
        bool, typer.Option("--new-process", help="Even where a console is open already.")
    ] = False,
    language: Annotated[
        Literal["system", "en", "de"] | None, typer.Option(help="Of the window, this time.")
    ] = None,
) -> Reply:
    """Open the console, the window; one that is open already shows the file."""
    watched = str(parse_watched(file)) if file is not None and names_machine(file) else ""
    path, sample = (None, None) if file is None or watched else _found(file)
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
    if hand_over(
        Request(str(path.absolute()) if path else "", sample or "", token, watched), place
    ):
        return Reply({}, "Shown by the console that is open already.")
    _require_libraries(window=not offscreen)
    if language is not None:
        os.environ["TUNEWRIGHT_LANGUAGE"] = language  # as app.process.languages reads it
    run_gui = _import_main().run_gui
    code: int = run_gui(path, sample, engine, place, watched)
    return Reply({}, "", code)


def picture(project: Path, png: Path, as_json: AsJson = False) -> Reply:
    """Draw the console showing a project; needs Qt, but no display."""
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
