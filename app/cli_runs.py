"""The commands that need the engine: tune, resume, export."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

from app.cli_driver import Driver, driving
from app.cli_output import Reply, say
from app.cli_progress import make_progress
from app.cli_reports import export_reply, run_reply
from engine.errors import ProjectError, StorageError, UsageError
from engine.jobs.settings import Budget, RunSettings
from engine.models.samples import SAMPLES
from engine.models.source import ModelSource
from engine.project.repository import Project
from engine.project.snapshot import Snapshot
from engine.words import budget_text

DEFAULT_SECONDS = 600.0


def tune(
    model: str,
    project: Path | None,
    target: str,
    shapes: dict[str, tuple[int, ...]],
    settings: RunSettings,
    values: dict[str, float] | None = None,
) -> Reply:
    """Import a model into a new project and tune it; what came of it."""
    began = time.monotonic()
    source = replace(find_model(model), shapes=shapes, values=values or {})
    settings = _settled(settings)
    if project is not None:
        _refuse_place(project)
    with driving(make_progress()) as driver:
        opened = driver.result(driver.engine.open_model(source, target, project))
        driver.progress.say(
            f"{opened.model_name} for {opened.target}: {len(opened.tasks)} tasks, "
            f"budget {budget_text(settings.budget)}, project {opened.path}"
        )
        driver.result(driver.engine.start_run(settings))
        driver.finish_run()
    return run_reply(_read(Path(opened.path)), time.monotonic() - began)


def resume(project: Path, budget: Budget | None) -> Reply:
    """Go on with a project's last run, or with its settings under another budget."""
    began = time.monotonic()
    with driving(make_progress()) as driver:
        opened = driver.result(driver.engine.open_project(project))
        driver.result(driver.engine.resume_run(budget))
        _say_where_from(driver, opened, budget)
        driver.finish_run()
    return run_reply(_read(project), time.monotonic() - began)


def export(project: Path, directory: Path) -> Reply:
    """Write the module with the best schedules so far, checked and measured."""
    with driving(make_progress()) as driver:
        opened = driver.result(driver.engine.open_project(project))
        if not opened.trials:
            driver.progress.say("Nothing is tuned yet: this exports the untuned module.")
        manifest = driver.whole_result(driver.engine.export(directory))
    return export_reply(opened.path, str(directory.absolute()), manifest)


def find_model(text: str) -> ModelSource:
    """A file, or else a sample, by what a person wrote."""
    path = Path(text)
    if path.suffix == ".tune":
        raise UsageError(
            f"{path.name} is a project, not a model.", f"Go on with it: tunewright resume {text}."
        )
    if path.exists():
        return ModelSource("file", str(path.absolute()))
    names = [sample.name for sample in SAMPLES]
    if text in names:
        return ModelSource("sample", text)
    raise UsageError(
        f"There is neither a file nor a sample model '{text}'.",
        f"Check the path, or choose a sample: {', '.join(names)}.",
    )


def _settled(settings: RunSettings) -> RunSettings:
    """The settings with a budget."""
    from engine.allocation.registry import make_policy

    make_policy(settings.policy, settings.policy_options, settings.seed)  # refused before import
    if settings.budget != Budget():
        return settings
    say(
        "No budget was given: tuning for 10 minutes. "
        "--seconds, --trials or --latency-ms set another."
    )
    return replace(settings, budget=Budget(seconds=DEFAULT_SECONDS))


def _refuse_place(project: Path) -> None:
    """Refuse now what the engine would refuse after a long import."""
    if project.is_dir():
        raise ProjectError(f"{project} is a folder.", "Name a .tune file in it.")
    if project.exists() and project.stat().st_size:
        raise ProjectError(
            f"{project.name} exists already.",
            f"Go on with `tunewright resume {project}`, or give another name.",
        )
    folder = project.absolute().parent
    if not folder.is_dir():
        raise StorageError(f"There is no folder {folder}.", "Make it, or choose another.")
    if not os.access(folder, os.W_OK):
        raise StorageError(f"The folder {folder} is protected.", "Choose another.")


def _say_where_from(driver: Driver, opened: Snapshot, budget: Budget | None) -> None:
    last = opened.runs[-1]
    wanted = budget or last.settings.budget
    driver.progress.say(
        f"{opened.model_name}: run {last.id} was {last.state}; going on after "
        f"{len(opened.trials)} trials, budget {budget_text(wanted)}"
    )


def _read(path: Path) -> Snapshot:
    with Project.open(path, read_only=True) as project:
        return project.snapshot()


def record(project: Path, output: Path, device: str, cores: int | None) -> Reply:
    """Write a project's curves as a recording."""
    from engine.project.record_columns import record as write

    made = write(project, output, device=device, cores=cores)
    trials = sum(len(task.latency_s) for task in made.tasks)
    data = {
        "recording": str(output),
        "model": made.model,
        "device": made.device,
        "tasks": len(made.tasks),
        "trials": trials,
        "bytes": output.stat().st_size,
    }
    return Reply(data, f"{output}: {trials} trials of {len(made.tasks)} tasks on {made.device}")
