"""The commands that need the engine: tune, resume, export."""

from __future__ import annotations

import time
from pathlib import Path

from app.cli.driver import driving
from app.cli.output import Reply, say
from app.cli.progress import make_progress
from app.cli.reports import export_reply, run_reply
from engine.interface import models, work
from engine.queueing.adding import refuse_place
from engine.records.addresses import DASK
from engine.records.settings import NONE, Budget, RunSettings
from engine.records.source import ModelSource


def tune(source: ModelSource, project: Path | None, target: str, settings: RunSettings) -> Reply:
    """Import a model into a new project and tune it; what came of it."""
    began = time.monotonic()
    settings = settled(settings)
    warn_of_cluster(settings.cluster, target)
    if project is not None:
        refuse_place(project)
    with driving(make_progress()) as driver:
        opened = work.tune(driver, source, target, settings, project)
    return run_reply(work.read_project(Path(opened.path)), time.monotonic() - began)


def resume(project: Path, budget: Budget | None, cluster: str = "", devices: str = "") -> Reply:
    """Go on with a project's last run, or with its settings under another budget."""
    began = time.monotonic()
    warn_of_cluster("" if cluster == NONE else cluster)
    with driving(make_progress()) as driver:
        work.resume(driver, project, budget, cluster=cluster, devices=devices)
    return run_reply(work.read_project(project), time.monotonic() - began)


def export(project: Path, directory: Path) -> Reply:
    """Write the module with the best schedules so far, checked and measured."""
    with driving(make_progress()) as driver:
        opened, manifest = work.export(driver, project, directory)
    return export_reply(opened.path, str(directory.absolute()), manifest, opened.precision)


def warn_of_cluster(address: str, target: str = "") -> None:
    """Say what a cluster is trusted with that builds, or that has the target's device."""
    device = target.partition(" ")[0]
    if address and not address.startswith("tls://"):
        what = f"Builds go to the Dask cluster at {address}"
    elif device.startswith(DASK):
        what = f"Measurements go to the Dask cluster at {device}"
    else:
        return
    say(
        f"{what}. Dask asks for no password here: whoever reaches it can run any code on its "
        "workers, and they on this machine."
    )


def settled(settings: RunSettings) -> RunSettings:
    """The settings with a budget; says so where that is our own."""
    chosen = models.settled(settings)
    if chosen != settings:
        say(
            "No budget was given: tuning for 10 minutes. "
            "--seconds, --trials or --latency-ms set another."
        )
    return chosen


def record(project: Path, output: Path, device: str, cores: int | None) -> Reply:
    """Write a project's curves as a recording."""
    from engine.replay.record_columns import record as write

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
