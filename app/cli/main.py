"""The command line, `tunewright`: what each command takes. The work is done elsewhere."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Literal

import typer

from app.cli.experiment_command import experiment
from app.cli.hints import advice
from app.cli.ios_command import ios
from app.cli.log import log_path, logging_to_file
from app.cli.options import (
    AsJson,
    Cluster,
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
    Trials,
    Values,
    budget_of,
)
from app.cli.output import Output, Reply, require_streams
from app.cli.pass_commands import add_passes
from app.cli.queue_commands import add_queue
from app.cli.rpc import add_rpc
from engine.interface.models import device_target, model_source
from engine.records.errors import TunewrightError
from engine.records.precision import DEFAULT_PRECISION
from engine.records.settings import Budget, RunSettings
from engine.storage.refusals import refusal

app = typer.Typer(
    name="tunewright",
    help="Tunes deep-learning models with Apache TVM. Only gui needs a screen.",
    epilog="Exit codes: 0 done (a run that was stopped keeps its results), 1 failed, 2 bad use.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        with suppress(PackageNotFoundError):
            print(f"tunewright {version('tunewright')}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Say which.")
    ] = False,
) -> None:
    """What holds for all commands."""


@app.command()
def tune(
    model: Model,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", metavar="FILE.tune", help="The new project. Default: near the model."
        ),
    ] = None,
    target: Annotated[
        str, typer.Option(metavar="T", help="auto, cpu, cuda, cuda:1, a TVM tag, or JSON.")
    ] = "auto",
    device: Device = None,
    devices: Devices = "",
    cluster: Cluster = "",
    shape: Shapes = None,
    value: Values = None,
    precision: Precision = DEFAULT_PRECISION,
    trials: Trials = None,
    seconds: Seconds = None,
    latency_ms: Latency = None,
    seed: Seed = 0,
    policy: PolicyName = RunSettings().policy,
    plan: Plan = "search",
    repeat: Repeat = False,
    as_json: AsJson = False,
) -> Reply:
    """Tune a model. Ctrl+C stops the run and keeps its results.

    The first limit that is reached ends the run; without one it takes 10 minutes.
    """
    from app.cli.runs import tune as work
    from engine.jobs.steps.steps import parse_plan
    from engine.models.shapes import parse_shapes
    from engine.models.values import parse_values

    budget = budget_of(trials, seconds, latency_ms)
    steps = parse_plan(plan)
    settings = RunSettings(
        budget, policy, seed=seed, steps=steps, repeat=repeat, devices=devices, cluster=cluster
    )
    shapes, values = parse_shapes(shape or ()), parse_values(value or ())
    source = model_source(model, shapes, values, precision)
    return work(source, output, device_target(device, target, devices), settings)


@app.command()
def resume(
    project: ProjectFile,
    trials: Trials = None,
    seconds: Seconds = None,
    latency_ms: Latency = None,
    devices: Devices = "",
    cluster: Cluster = "",
    as_json: AsJson = False,
) -> Reply:
    """Go on tuning a project.

    Without a budget, go on with the last run's. With one, a new run gets it. No candidate that
    was measured before is measured again. A run that was built on a cluster is again, unless
    another is named, or `--cluster none`; so are the devices, and `--devices none` is the target's.
    """
    from app.cli.runs import resume as work

    budget = budget_of(trials, seconds, latency_ms)
    return work(project, budget if budget != Budget() else None, cluster, devices)


@app.command()
def info(project: ProjectFile, as_json: AsJson = False) -> Reply:
    """Show a project: its state, tasks, runs. Works while another process tunes it."""
    from app.cli.lists import info as work

    return work(project)


@app.command()
def report(
    project: ProjectFile,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.html", help="Default: beside the project."),
    ] = None,
    as_json: AsJson = False,
) -> Reply:
    """Write a project's report: one HTML file with curves, tasks, passes, stages, settings."""
    from app.cli.lists import report as work

    return work(project, output)


@app.command()
def export(
    project: ProjectFile,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="DIR", help="A new folder, or an old export.")
    ],
    as_json: AsJson = False,
) -> Reply:
    """Write the tuned module: compiled, checked against what runs the file, measured."""
    from app.cli.runs import export as work

    return work(project, output)


add_passes(app)
add_queue(app)
add_rpc(app)
app.command()(ios)
app.command()(experiment)


@app.command()
def check(
    model: Model,
    shape: Shapes = None,
    value: Values = None,
    as_json: AsJson = False,
) -> Reply:
    """List a model's operators: supported, rewritten or missing. Nothing is tuned."""
    from app.cli.check import check as work
    from engine.models.shapes import parse_shapes
    from engine.models.values import parse_values

    return work(model, parse_shapes(shape or ()), parse_values(value or ()))


@app.command()
def samples(as_json: AsJson = False) -> Reply:
    """List the sample models."""
    from app.cli.lists import samples as work

    return work()


@app.command()
def targets(as_json: AsJson = False) -> Reply:
    """List what this machine can tune for; `auto` is the first."""
    from app.cli.lists import targets as work

    return work()


@app.command()
def doctor(as_json: AsJson = False) -> Reply:
    """Check what Tunewright needs, and say how to get what is missing."""
    from app.doctor.doctor import examine

    return examine()


@app.command()
def gui(
    file: Annotated[
        str | None, typer.Argument(metavar="FILE", help="A model, a sample or a project.")
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
    from app.cli.gui import gui as work

    return work(file, replay, speed, new_process, language)


@app.command()
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
    from app.cli.runs import record as work

    return work(project, output, device, cores)


@app.command()
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


@app.command(hidden=True)
def picture(project: Path, png: Path, as_json: AsJson = False) -> Reply:
    """Draw the console showing a project; needs Qt, but no display."""
    from app.cli.gui import picture as work

    return work(project, png)


def run(arguments: Sequence[str]) -> int:
    """Carry out one command line; its exit code. No exception comes out."""
    with Output("--json" in arguments) as output, logging_to_file():
        try:
            reply = app(args=list(arguments), prog_name="tunewright", standalone_mode=False)
            return output.answer(reply) if isinstance(reply, Reply) else int(reply or 0)
        except TunewrightError as error:
            return output.refuse(error.what, advice(error), 2 if error.usage else 1, _asked(error))
        except typer.TyperException as error:
            return _refuse_usage(output, error)
        except KeyboardInterrupt:
            return output.refuse("Stopped.", "", 130)
        except Exception as error:
            if (refused := refusal(error)) is not None:
                return output.refuse(refused.what, refused.todo, 2 if refused.usage else 1)
            import logging

            logging.getLogger("tunewright").exception("uncaught")
            return output.refuse(
                f"Tunewright met an error of its own ({type(error).__name__}).",
                f"What was measured is kept; {log_path()} has the details.",
                1,
            )


def _asked(error: TunewrightError) -> dict[str, object]:
    """What an error asks beside its words: the inputs whose shapes are wanted."""
    questions = getattr(error, "questions", ())
    if not questions:
        return {}
    from app.cli.check import input_data

    return {"inputs": [input_data(item) for item in questions]}


def _refuse_usage(output: Output, error: typer.TyperException) -> int:
    """A command line that the parser does not understand."""
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "tunewright"
    what = error.format_message().rstrip(".").splitlines()
    if "Usage:" in error.message:  # no command was given at all: this is the help
        print(error.message)
        return 2
    return output.refuse(f"{' '.join(what)}.", f"`{command} --help` says more.", 2)


def main() -> None:
    """The entry point of the `tunewright` script."""
    require_streams()
    code = run(sys.argv[1:])
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    busy = any(not thread.daemon for thread in threading.enumerate()[1:])
    if busy and "PySide6" not in sys.modules:  # Qt wants an orderly end, to write its settings
        os._exit(code)  # a search cannot be interrupted, and its result is not wanted
    sys.exit(code)


if __name__ == "__main__":
    main()
