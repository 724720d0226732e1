"""The commands that only look: at models, this machine and projects. They start no engine."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.options import AsJson, Model, OfShape, ProjectFile, Shapes, Values, inputs_of, of_shape
from app.cli.output import Reply, table
from app.cli.watching import ProjectAnywhere, snapshot_of
from engine.interface.models import find_model
from engine.interface.shape_sets import with_shapes
from engine.jobs.opening.places import report_path
from engine.models.samples import SAMPLES
from engine.records.errors import ModelError
from engine.records.words import one_line

if TYPE_CHECKING:
    from engine.graph.repeats import Row
    from engine.graph.shown import ShownNode
    from engine.jobs.opening.checking import Checked
    from engine.models.questions import InputQuestion
    from engine.models.support import OperatorSupport

_NODES_SHOWN = 3


def info(project: ProjectAnywhere, of: OfShape = "", as_json: AsJson = False) -> Reply:
    """Show a project: its state, tasks, runs. Works while another process tunes it."""
    from app.cli.reports import info_reply

    return info_reply(of_shape(snapshot_of(project), of))


def profile(
    project: ProjectAnywhere,
    csv: Annotated[
        bool, typer.Option("--csv", help="Print the table as CSV, for spreadsheets.")
    ] = False,
    of: OfShape = "",
    as_json: AsJson = False,
) -> Reply:
    """Show where the time goes: a row for each layer of the model, the slowest first.

    Of a project of several shapes it is the first of them, unless another is named."""
    from app.cli.profile import profile_reply
    from engine.targets.known_peak import peak_of

    snapshot = of_shape(snapshot_of(project), of, first=True)
    return profile_reply(snapshot, peak_of(snapshot), csv)


def report(
    project: ProjectFile,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE.html", help="Default: beside the project."),
    ] = None,
    as_json: AsJson = False,
) -> Reply:
    """Write a project's report: one HTML file with curves, tasks, passes, stages, settings."""
    from engine.report.page import write_report
    from engine.report.subject import subject_of

    path = output or report_path(project)
    write_report(subject_of(project), path)
    return Reply({"project": str(project), "report": str(path)}, str(path))


def look(model: Model, as_json: AsJson = False) -> Reply:
    """Show an ONNX file's nodes by type, and its blocks that repeat: at once, whatever its size."""
    from engine.graph.repeats import find_rows, gathered
    from engine.graph.shown import file_shown
    from engine.models.sketch import sketch_of

    source = find_model(model)
    found = sketch_of(source)
    if found is None:
        raise ModelError(
            f"There is nothing to look at in {source.location}.",
            "It is no ONNX file, or damaged: `tunewright check` says more.",
        )
    nodes = gathered(file_shown(found.nodes))
    rows = find_rows(nodes)
    kinds = Counter(node.op_type for node in found.nodes).most_common()
    data = {
        "model": found.name,
        "nodes": len(found.nodes),
        "parameters": found.parameters,
        "operators": dict(kinds),
        "repeats": [_row_data(row, nodes) for row in rows],
    }
    head = f"{found.name}: {len(found.nodes):,} nodes, {found.parameters:,} weights"
    listed = table(
        [("operator", "count"), *((kind, f"{n:,}") for kind, n in kinds)], frozenset({1})
    )
    repeats = [line for row in rows for line in _row_lines(row, nodes)] or ["No block repeats."]
    return Reply(data, "\n\n".join((head, listed, "\n".join(repeats))))


def _row_data(row: Row, nodes: Sequence[ShownNode]) -> dict[str, object]:
    part = nodes[row.start : row.start + row.period]
    return {
        "count": row.count,
        "nodes": row.period,
        "first": part[0].name,
        "last": part[-1].name,
        "inner": [_row_data(inner, nodes) for inner in row.inner],
    }


def _row_lines(row: Row, nodes: Sequence[ShownNode], indent: str = "") -> Iterator[str]:
    first, last = nodes[row.start], nodes[row.start + row.period - 1]
    what = f"block of {row.period} nodes" if row.period > 1 else first.kind
    span = f"{first.name} to {last.name}" if row.period > 1 else first.name
    within = f"{indent}in each " if indent else ""
    yield f"{within}{row.count} x {what}, the first: {one_line(span)}"
    for inner in row.inner:
        yield from _row_lines(inner, nodes, f"{indent}  ")


def check(
    model: Model,
    shape: Shapes = None,
    value: Values = None,
    as_json: AsJson = False,
) -> Reply:
    """List a model's operators, and open it as for tuning. Nothing is tuned."""
    from engine.jobs.opening.checking import check_source
    from engine.records.machine import prepare_environment

    shapes, values = inputs_of(shape, value)
    prepare_environment()
    found = check_source(with_shapes(replace(find_model(model), values=values), shapes))
    missing = sum(item.state == "missing" for item in found.operators)
    data = {
        "model": found.name,
        "sha256": found.sha256,
        "inputs": [input_data(item) for item in found.inputs],
        "operators": [asdict(item) for item in found.operators],
        "missing": missing,
        "lowered": found.lowered,
        "refusal": found.refusal,
    }
    return Reply(data, _text(found, missing), 1 if missing or found.refusal else 0)


def samples(as_json: AsJson = False) -> Reply:
    data = [
        {"name": item.name, "title": item.title, "description": item.description}
        for item in SAMPLES
    ]
    rows = [(item.name, item.title, item.description) for item in SAMPLES]
    return Reply({"samples": data}, table(rows))


def targets(as_json: AsJson = False) -> Reply:
    """List what this machine can tune for, `auto` the first, and boards that it knows by a word."""
    from engine.targets.presets import PRESETS, telling_features
    from engine.targets.targets import local_targets

    found = local_targets()
    data = [
        {"name": item.device, "title": item.title, "target": item.text, "cores": item.cores}
        for item in found
    ]
    features = [telling_features(item.fields) for item in PRESETS]
    boards = [
        {
            "name": item.name,
            "title": item.title,
            "target": json.dumps(item.fields, sort_keys=True),
            "cores": item.cores,
            "features": has,
        }
        for item, has in zip(PRESETS, features, strict=True)
    ]
    rows = [("--target", "", "target"), *((item.device, item.title, item.text) for item in found)]
    known = [("--target", "of another machine", "processor", "cores", "features")]
    known += [
        (item.name, item.title, item.mcpu, str(item.cores), ", ".join(has))
        for item, has in zip(PRESETS, features, strict=True)
    ]
    text = f"{table(rows)}\n\n{table(known, frozenset({3}))}"
    return Reply({"targets": data, "auto": found[0].device, "presets": boards}, text)


def doctor(as_json: AsJson = False) -> Reply:
    """Check what Tunewright needs, and say how to get what is missing."""
    from app.doctor.doctor import examine

    return examine()


def input_data(item: InputQuestion) -> dict[str, object]:
    """An input, JSON-ready: null stands for sizes that are open, and for an unknown rank."""
    return {
        "name": item.name,
        "dtype": item.dtype,
        "declared": None if item.dims is None else list(item.dims),
        "proposal": list(item.proposal),
        "why": item.why,
    }


def _text(found: Checked, missing: int) -> str:
    inputs: list[tuple[str, ...]] = [("input", "declared", "shape", "")]
    inputs += [
        (item.name, item.declared, item.form if item.proposal else "-", item.why)
        for item in found.inputs
    ]
    operators: list[tuple[str, ...]] = [("operator", "count", "state", "note")]
    operators += [_row(item) for item in found.operators]
    parts = (table(inputs), table(operators, frozenset({1})), _verdict(found, missing))
    return "\n\n".join(parts)


def _verdict(found: Checked, missing: int) -> str:
    if missing:
        kinds = f"{missing} of {len(found.operators)} kinds of operators cannot be imported."
        return f"{kinds}\n{found.refusal} {found.remedy}".strip()
    if found.refusal:
        return f"{found.refusal} {found.remedy}"
    if found.lowered is None:
        return f"Every operator is known. The model was not lowered: {found.remedy}"
    return "Every operator can be imported. The model can be lowered."


def _row(item: OperatorSupport) -> tuple[str, ...]:
    name = f"{item.domain}::{item.op}" if item.domain else item.op
    note = item.note
    if item.state == "missing":
        shown = ", ".join(item.nodes[:_NODES_SHOWN])
        more = (
            f" and {len(item.nodes) - _NODES_SHOWN} more" if len(item.nodes) > _NODES_SHOWN else ""
        )
        note = f"{note} ({shown}{more})".strip() if shown else note
    return name, str(item.count), str(item.state), note
