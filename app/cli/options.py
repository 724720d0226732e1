"""Arguments and options that several commands take."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, TypeVar

import typer

from engine.measure.remote.given import give, give_place
from engine.records.errors import UsageError
from engine.records.settings import Budget, RunSettings
from engine.records.snapshot import Snapshot
from engine.records.source import InputShapes

T = TypeVar("T")

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")]
ProjectFile = Annotated[Path, typer.Argument(metavar="FILE.tune", help="A project.")]
Model = Annotated[str, typer.Argument(help="An .onnx, .pt2 or .tflite file, or a sample.")]


def _typed(value: T) -> T:
    """What a person types is an address that was given."""
    give(str(value or ""))
    return value


def _allowed(places: list[str] | None) -> list[str] | None:
    """Addresses of a file that a person confirms."""
    for text in places or ():
        give_place(text)
    return places


Connect = Annotated[
    list[str] | None,
    typer.Option(
        metavar="HOST:PORT",
        help="Allow connecting to an address that the file names, now and later; once an address. "
        "What answers there can run code here.",
        callback=_allowed,
    ),
]
Target = Annotated[
    str,
    typer.Option(metavar="T", help="auto, cpu, cuda, cuda:1, a TVM tag, or JSON.", callback=_typed),
]
Shapes = Annotated[
    list[str] | None,
    typer.Option(
        "--shape",
        metavar="NAME=1x3x224x224",
        help="An input's shape; once an input. Several shapes in one project: 'NAME=1x{32*5,64}', "
        "where 1x32 occurs five times as often.",
    ),
]
OfShape = Annotated[
    str,
    typer.Option(
        "--of",
        metavar="SHAPE",
        help="Of a project of several shapes: one of them alone, by its name in `info`.",
    ),
]
Values = Annotated[
    list[str] | None,
    typer.Option("--value", metavar="NAME=V", help="Make an input a constant; once an input."),
]
Precision = Annotated[
    str,
    typer.Option(
        metavar="P",
        help="What convolutions and matrix products are computed in: float32, tf32, float16 or "
        "bfloat16. All but float32 need a GPU's tensor cores.",
    ),
]
Despite = Annotated[
    bool,
    typer.Option(
        "--despite-wrong-answer",
        help="Tune although the untuned module answers wrongly. It cannot be exported.",
    ),
]
Cold = Annotated[
    bool,
    typer.Option(
        "--no-starter",
        help="Begin from nothing: without the schedules of the starter library and your own.",
    ),
]
WithoutReference = Annotated[
    bool,
    typer.Option(
        "--without-reference",
        help="Go on where nothing here runs the model's file, so that outputs cannot be compared.",
    ),
]
Device = Annotated[
    str | None,
    typer.Option(
        metavar="ADDRESS",
        help="Measure on a device elsewhere: rpc://HOST:PORT/KEY behind TVM's tracker, "
        "dask://HOST:PORT of a Dask cluster's worker.",
        callback=_typed,
    ),
]
Devices = Annotated[
    str,
    typer.Option(
        metavar="D,D", help="Spread measurements over these: cuda:0,cuda:1.", callback=_typed
    ),
]
Cluster = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="Build on the workers of a Dask cluster: tcp://HOST:8786. Whoever reaches it can run "
        "any code on them, and they on this machine.",
        callback=_typed,
    ),
]
Seed = Annotated[int, typer.Option(metavar="K", help="Makes the proposals repeatable.")]
PolicyName = Annotated[str, typer.Option(metavar="P", help="Who gets the next slot.")]
Plan = Annotated[str, typer.Option(metavar="STEPS", help='Like "search:500,transfer,droplet".')]
Repeat = Annotated[
    bool, typer.Option("--repeat", help="Take the plan's steps again until the budget ends.")
]
Trials = Annotated[int | None, typer.Option(metavar="N", help="End after N trials.")]
Seconds = Annotated[float | None, typer.Option(metavar="S", help="End after S seconds of tuning.")]
Latency = Annotated[
    float | None, typer.Option(metavar="L", help="End when the model takes L milliseconds.")
]


def budget_of(trials: int | None, seconds: float | None, latency_ms: float | None) -> Budget:
    """The budget that the options name; one without limits where they name none."""
    return Budget(trials, seconds, None if latency_ms is None else latency_ms / 1000)


def settings_of(
    trials: int | None,
    seconds: float | None,
    latency_ms: float | None,
    policy: str,
    seed: int,
    plan: str,
    repeat: bool,
    devices: str,
    cluster: str,
    despite: bool = False,
    cold: bool = False,
) -> RunSettings:
    """The settings of a new run that the options ask for."""
    from engine.jobs.steps.steps import parse_plan

    budget, steps = budget_of(trials, seconds, latency_ms), parse_plan(plan)
    return RunSettings(
        budget,
        policy,
        seed=seed,
        steps=steps,
        repeat=repeat,
        devices=devices,
        cluster=cluster,
        despite=despite,
        starter=not cold,
    )


def inputs_of(
    shapes: list[str] | None, values: list[str] | None
) -> tuple[tuple[InputShapes, ...], dict[str, float]]:
    """The set of shapes and the values by input that the options give."""
    from engine.interface.shape_sets import parse_shape_set
    from engine.models.values import parse_values

    return parse_shape_set(shapes or ()), parse_values(values or ())


def of_shape(snapshot: Snapshot, named: str, first: bool = False) -> Snapshot:
    """The project in the shape that was named; where none was, of a set the whole, or the `first`.
    UsageError where there is no such shape."""
    labels = [shape.label for shape in snapshot.shapes]
    if not named:
        return snapshot.of_shape(0) if first and labels else snapshot
    if named not in labels:
        known = f"It has {', '.join(labels)}." if labels else "It has one: leave --of out."
        raise UsageError(f"The project has no shape '{named}'.", known)
    return snapshot.of_shape(labels.index(named))
