"""`tune`, `resume`, `export`, `record` and `demo`: what needs a run, or is made of one."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from app.cli.options import (
    AsJson,
    Cluster,
    Cold,
    Connect,
    Despite,
    Device,
    Devices,
    Latency,
    Model,
    Plan,
    PolicyName,
    Precision,
    ProjectFile,
    Repeat,
    Seconds,
    Seed,
    Shapes,
    Target,
    Trials,
    Values,
    WithoutReference,
    budget_of,
    inputs_of,
    settings_of,
)
from app.cli.output import Reply, say
from engine.interface import models
from engine.interface.models import device_target, model_source
from engine.interface.shape_sets import with_shapes
from engine.records.addresses import DASK, DASK_TLS
from engine.records.precision import DEFAULT_PRECISION
from engine.records.settings import NONE, Budget, RunSettings


def tune(
    model: Model,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE.tune", help="The new project. Default: near the model."
        ),
    ] = None,
    target: Target = "auto",
    device: Device = None,
    devices: Devices = "",
    cluster: Cluster = "",
    shape: Shapes = None,
    value: Values = None,
    precision: Precision = DEFAULT_PRECISION,
    without_reference: WithoutReference = False,
    trials: Trials = None,
    seconds: Seconds = None,
    latency_ms: Latency = None,
    seed: Seed = 0,
    policy: PolicyName = RunSettings().policy,
    plan: Plan = "search",
    repeat: Repeat = False,
    despite: Despite = False,
    cold: Cold = False,
    as_json: AsJson = False,
) -> Reply:
    """Tune a model. Ctrl+C stops the run and keeps its results.

    The first limit that is reached ends the run; without one it takes 10 minutes.
    """
    from app.cli.driver import driving, make_progress
    from app.cli.reports import run_reply
    from engine.interface import work
    from engine.queueing.adding import refuse_place

    wanted = settings_of(
        trials, seconds, latency_ms, policy, seed, plan, repeat, devices, cluster, despite, cold
    )
    shapes, values = inputs_of(shape, value)
    source = with_shapes(model_source(model, {}, values, precision, without_reference), shapes)
    place = device_target(device, target, devices)
    began = time.monotonic()
    settings = settled(wanted)
    warn_of_cluster(settings.cluster, place)
    if output is not None:
        refuse_place(output)
    with driving(make_progress()) as driver:
        opened = work.tune(driver, source, place, settings, output)
    return run_reply(work.read_project(Path(opened.path)), time.monotonic() - began)


def resume(
    project: ProjectFile,
    trials: Trials = None,
    seconds: Seconds = None,
    latency_ms: Latency = None,
    devices: Devices = "",
    cluster: Cluster = "",
    despite: Despite = False,
    connect: Connect = None,
    as_json: AsJson = False,
) -> Reply:
    """Go on tuning a project.

    Without a budget, go on with the last run's. With one, a new run gets it. No candidate that
    was measured before is measured again. A run that was built on a cluster is again, unless
    another is named, or `--cluster none`; so are the devices, and `--devices none` is the target's.
    """
    from app.cli.driver import driving, make_progress
    from app.cli.reports import run_reply
    from engine.interface import work

    began = time.monotonic()
    budget = budget_of(trials, seconds, latency_ms)
    wanted = budget if budget != Budget() else None
    warn_of_cluster("" if cluster == NONE else cluster)
    with driving(make_progress()) as driver:
        work.resume(driver, project, wanted, despite, cluster=cluster, devices=devices)
    return run_reply(work.read_project(project), time.monotonic() - began)


def measure(project: ProjectFile, connect: Connect = None, as_json: AsJson = False) -> Reply:
    """Measure the whole model again, untuned and tuned, and what runs its file.

    For figures that were taken while the machine did other work. What is disturbed again never
    replaces a good measurement.
    """
    from app.cli.driver import driving, make_progress
    from app.cli.reports import measured_reply
    from engine.interface import work

    with driving(make_progress()) as driver:
        work.measure_again(driver, project)
    return measured_reply(work.read_project(project))


def export(
    project: ProjectFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="A new folder, or an old export.")
    ],
    wheel: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--wheel",
            metavar="NAME VERSION",
            help="Write a wheel, too, beside the folder: pip installs it.",
        ),
    ] = None,
    pad: Annotated[
        list[str] | None,
        typer.Option(
            metavar="INPUT=VALUE",
            help="Of a project of several shapes: where no shape is that of the inputs, pad this "
            "one to a larger shape; once an input.",
        ),
    ] = None,
    connect: Connect = None,
    as_json: AsJson = False,
) -> Reply:
    """Write the tuned module: compiled, checked against what runs the file, measured."""
    from app.cli.driver import driving, make_progress
    from app.cli.reports import export_reply
    from engine.deploy.packing.wheel import WheelName, wheel_path
    from engine.interface import work
    from engine.models.values import parse_values

    called = None if wheel is None else WheelName(*wheel)
    pads = parse_values(pad or ())
    with driving(make_progress()) as driver:
        opened, manifest = work.export(driver, project, output, called, pads)
    made = None if called is None else str(wheel_path(output, called, manifest))
    return export_reply(opened.path, str(output.absolute()), manifest, opened.precision, made)


def record(
    project: ProjectFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FILE.npz", help="The recording.")
    ],
    device: Annotated[str, typer.Option(help="The hardware's name.")] = "",
    cores: Annotated[
        int | None, typer.Option(metavar="N", help="Builds that went on at once.")
    ] = None,
    as_json: AsJson = False,
) -> Reply:
    """Write the curves of a tuned project as a recording, to be replayed and compared."""
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


def demo(
    seconds: Annotated[float, typer.Option(metavar="S", help="Seconds of tuning.")] = 180.0,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="Where everything goes.")
    ] = Path("build/demo"),
    as_json: AsJson = False,
) -> Reply:
    """Tune the SqueezeNet sample for three minutes, export it, and draw the console."""
    from app.cli.demo import demo as work

    return work(output, seconds)


def warn_of_cluster(address: str, target: str = "") -> None:
    """Say what a cluster is trusted with that builds, or that has the target's device."""
    device = target.partition(" ")[0]
    if address and not address.startswith(("tls://", DASK_TLS)):
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
