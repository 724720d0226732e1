"""The demonstration: a sample tuned, exported and drawn, with a table at the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.cli.driver import Driver, driving, make_progress
from app.cli.output import Reply, table
from engine.interface.following import Stopped
from engine.project.repository import Project
from engine.records.errors import ProjectError, StorageError, TuningError
from engine.records.sentences import Sentence
from engine.records.settings import Budget, RunSettings, RunState
from engine.records.snapshot import Snapshot
from engine.records.source import ModelSource
from engine.records.trial import speedup_of
from engine.records.units import format_duration, format_ratio, format_seconds
from engine.storage.lock import is_held

SAMPLE = ModelSource("sample", "squeezenet")
_PICTURE_S = 120.0


@dataclass(frozen=True, slots=True)
class Places:
    """What the demonstration writes."""

    project: Path
    module: Path
    picture: Path


def demo(folder: Path, seconds: float, source: ModelSource = SAMPLE) -> Reply:
    """Tune a model for `seconds`, export it, draw the console; all of it goes to `folder`."""
    began = time.monotonic()
    settings, name = RunSettings(budget=Budget(seconds=seconds)), Path(source.location).stem
    places = Places(folder / f"{name}.tune", folder / name, folder / "console.png")
    _make_room(folder, places)
    with driving(make_progress()) as driver:
        manifest = _tune_and_export(driver, source, places, settings)
        driver.progress.say("Drawing the console")
        drawn = _draw(places)
    with Project.open(places.project, read_only=True) as project:
        snapshot = project.snapshot()
    return _reply(snapshot, manifest, places, drawn, time.monotonic() - began)


def _make_room(folder: Path, places: Places) -> None:
    """Clear away an earlier demonstration."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if is_held(places.project):
            raise ProjectError(
                f"{places.project} is open in another Tunewright.", "Close it there first."
            )
        for old in (places.project, places.picture):
            old.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(
            f"{folder} cannot be written: {error.strerror}.", "Choose another with -o."
        ) from error


def _tune_and_export(
    driver: Driver, source: ModelSource, places: Places, settings: RunSettings
) -> dict[str, Any]:
    engine = driver.engine
    opened = driver.result(engine.open_model(source, "auto", places.project))
    driver.progress.say(
        f"{opened.model_name} for {opened.target}: {len(opened.tasks)} tasks, "
        f"{format_duration(settings.budget.seconds)} of tuning"
    )
    driver.result(engine.start_run(settings))
    driver.finish_run()
    if driver.stop_asked:
        raise Stopped(Sentence("Go on with: tunewright resume {project}.", project=places.project))
    return driver.whole_result(engine.export(places.module))


def _draw(places: Places) -> str:
    """Draw the console in a process of its own; why that failed, empty where it did not."""
    command = [sys.executable, "-m", "app", "picture", "--json", str(places.project),
               str(places.picture)]  # fmt: skip
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=_PICTURE_S,
            check=False, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return f"no end after {_PICTURE_S:g} s."
    if done.returncode == 0:
        return ""
    with suppress(ValueError, KeyError):
        return str(json.loads(done.stdout)["error"])
    return f"exit code {done.returncode}."


def _reply(
    snapshot: Snapshot, manifest: dict[str, Any], places: Places, drawn: str, wall_s: float
) -> Reply:
    run = snapshot.runs[-1]
    if run.state is not RunState.FINISHED:
        raise TuningError(f"The run is {run.state}: {run.reason}.", "Run it again.")
    data = {
        "project": str(places.project),
        "dir": str(places.module),
        "picture": None if drawn else str(places.picture),
        "picture_error": drawn or None,
        "target": snapshot.target,
        "untuned_latency_s": snapshot.untuned_latency_s,
        "tuned_latency_s": manifest["latency_s"],
        "reference_latency_s": snapshot.reference_latency_s,
        "max_abs_diff": manifest["max_abs_diff"],
        "coverage": manifest["coverage"],
        "trials": len(snapshot.trials),
        "errors": sum(trial.error is not None for trial in snapshot.trials),
        "tuning_s": snapshot.elapsed_s,
        "wall_s": wall_s,
    }
    return Reply(data, _text(data, manifest), 1 if drawn else 0)


def _text(data: dict[str, Any], manifest: dict[str, Any]) -> str:
    tuned_s = data["tuned_latency_s"]

    def against(latency_s: float | None) -> str:
        return f"{format_ratio(latency_s / tuned_s)} the tuned latency" if latency_s else ""

    untuned_s, reference_s = data["untuned_latency_s"], data["reference_latency_s"]
    speedup = speedup_of(untuned_s, tuned_s, manifest.get("latency_spread_s"))
    gain = "" if speedup is None else f"{format_ratio(speedup)} the tuned latency"
    threads = manifest["threads"]
    rows = [
        ("untuned", format_seconds(untuned_s), gain),
        ("tuned", format_seconds(tuned_s), "the exported module as a whole"),
        ("ONNX Runtime", format_seconds(reference_s),
         f"{against(reference_s)}; {threads} thread{'s' if threads != 1 else ''} each"),
        ("largest difference", f"{data['max_abs_diff']:.3g}", "from ONNX Runtime's outputs"),
        ("trials", f"{data['trials']:,}", f"{data['errors']} failed"),
        ("seconds", f"{data['tuning_s']:.0f}", f"of tuning; {data['wall_s']:.0f} in all"),
    ]  # fmt: skip
    files = [("project", data["project"]), ("module", data["dir"])]
    files.append(("picture", data["picture"] or f"not made: {data['picture_error']}"))
    return f"{table(rows)}\n\n{table(files)}"
