"""`check`: what of a model can be tuned. It starts no engine."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from app.cli.output import Reply, table
from engine.interface.models import find_model

if TYPE_CHECKING:
    from engine.jobs.opening.checking import Checked
    from engine.models.questions import InputQuestion
    from engine.models.support import OperatorSupport

_NODES_SHOWN = 3


def check(
    model: str, shapes: dict[str, tuple[int, ...]], values: dict[str, float] | None = None
) -> Reply:
    """Every operator with its state; exit code 1 where one is missing."""
    from engine.jobs.opening.checking import check_source
    from engine.records.machine import prepare_environment

    prepare_environment()
    found = check_source(replace(find_model(model), shapes=shapes, values=values or {}))
    missing = sum(item.state == "missing" for item in found.operators)
    data = {
        "model": found.name,
        "sha256": found.sha256,
        "inputs": [input_data(item) for item in found.inputs],
        "operators": [asdict(item) for item in found.operators],
        "missing": missing,
    }
    return Reply(data, _text(found, missing), 1 if missing else 0)


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
    verdict = (
        f"{missing} of {len(found.operators)} kinds of operators cannot be imported."
        if missing
        else "Every operator can be imported."
    )
    parts = (table(inputs), table(operators, frozenset({1})), verdict)
    return "\n\n".join(parts)


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
