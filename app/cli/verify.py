"""`verify`: whether the untuned module answers what the model's file does. Starts no engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.cli.options import (
    AsJson,
    Device,
    Model,
    Precision,
    Shapes,
    Target,
    Values,
    WithoutReference,
    inputs_of,
)
from app.cli.output import Reply, say, table
from engine.interface.models import device_target, model_source
from engine.interface.shape_sets import with_shapes
from engine.records.precision import DEFAULT_PRECISION

if TYPE_CHECKING:
    from engine.records.network import Judged, Verdict


def verify(
    model: Model,
    target: Target = "auto",
    device: Device = None,
    shape: Shapes = None,
    value: Values = None,
    precision: Precision = DEFAULT_PRECISION,
    without_reference: WithoutReference = False,
    as_json: AsJson = False,
) -> Reply:
    """Compare the untuned module with what runs the file, on all kinds of inputs. Nothing is
    tuned."""
    from engine.jobs.verifying.judging import verify_source
    from engine.records.machine import prepare_environment
    from engine.targets.targets import resolve

    shapes, values = inputs_of(shape, value)
    source = with_shapes(model_source(model, {}, values, precision, without_reference), shapes)
    prepare_environment()
    place = resolve(device_target(device, target))

    def tell(text: str, about: str = "") -> None:
        say(text.format(about=about))

    name, judged = verify_source(source, place, tell)
    data = {"model": name, "target": place.title, "right": judged.wrong is None}
    return Reply(data | judged.as_dict(), _text(name, judged), 0 if judged.wrong is None else 1)


def _text(name: str, judged: Judged) -> str:
    if not judged.reference:
        return f"{name} was compared with nothing: no reference runs its file."
    rows = [("inputs", "largest difference", ""), *map(_row, judged.verdicts)]
    lines = [table(rows, frozenset({1}))]
    wrong = sum(one.wrong for one in judged.verdicts)
    what = f"differs from {judged.reference} on {wrong} of {len(judged.verdicts)} kinds of inputs"
    lines.append(f"{name} {what}." if wrong else f"{name} agrees with {judged.reference}.")
    if (first := judged.first) is not None:
        named = f"{first.operator} ({first.node})" if first.node else first.operator
        sides = f"{first.ours:.6g}, and {first.theirs:.6g} is right"
        lines.append(f"The first node of the file that differs is {named}: {first.output} {sides}.")
    return "\n\n".join(lines)


def _row(one: Verdict) -> tuple[str, str, str]:
    draw = f"{one.shape}: {one.draw}" if one.shape else one.draw
    if one.difference is not None:
        return draw, f"{one.difference:.3g}", ""
    sides = f" ({one.ours}, and {one.theirs} is right)" if one.ours else ""
    return draw, "wrong" if one.wrong else "-", f"{one.note.rstrip('.')}{sides}."
