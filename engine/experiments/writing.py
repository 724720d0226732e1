"""Writes what came of an experiment: a page, drawings, tables, and what the console opens."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Sequence
from typing import Any
from xml.etree.ElementTree import Element, tostring

from engine.experiments.charts import charts
from engine.experiments.outcome import Outcome
from engine.experiments.place import Place
from engine.experiments.summary import WHY, Group, groups
from engine.experiments.table import HEADS, NUMBERS, cell_values, group_values, text_rows
from engine.records.units import UNKNOWN, format_seconds
from engine.report.markup import node, page_text, table
from engine.report.page import page
from engine.storage.whole_file import save_whole

FORMAT = 1
_CELL_HEADS = ("model", "target", "policy", "plan", "budget", "seed", "state", "untuned", "tuned")


def write_results(name: str, outcomes: Sequence[Outcome], place: Place) -> dict[str, Any]:
    """Write all files over those of before; what `experiment.json` says. StorageError."""
    rows, drawn = groups(outcomes), list(charts(groups(outcomes)))
    cells = [cell_values(outcome, place.folder) for outcome in outcomes]
    summed = [group_values(group) for group in rows]
    data = {"tunewright_experiment": FORMAT, "name": name, "groups": summed, "cells": cells}
    save_whole(place.folder / "cells.csv", _csv(cells))
    save_whole(place.folder / "groups.csv", _csv(summed))
    for number, (title, drawing) in enumerate(drawn, 1):
        stem = re.sub(r"[^\w.-]+", "-", title)[:60].strip("-.")
        save_whole(place.folder / f"{number}-{stem}.svg", tostring(drawing, encoding="unicode"))
    save_whole(place.folder / "index.html", page_text(_page(name, rows, outcomes, drawn)))
    save_whole(place.result, json.dumps(_finite(data), indent=1))
    return data


def _page(
    name: str,
    rows: Sequence[Group],
    outcomes: Sequence[Outcome],
    drawn: Sequence[tuple[str, Element]],
) -> Element:
    failed = [each for each in outcomes if each.message and each.state == "failed"]
    parts = [
        node("h1", name),
        node("p", f"{sum(each.done for each in outcomes)} of {len(outcomes)} cells done"),
        table(HEADS, text_rows(rows), NUMBERS),
    ]
    for title, drawing in drawn:
        parts += [node("h2", title), drawing]
    if drawn:
        parts.append(node("p", f"Square: median. Bar: its interval. Rings: seeds. {WHY}"))
    parts += [node("h2", "Cells"), table(_CELL_HEADS, map(_cell_row, outcomes), range(7, 9))]
    if failed:
        words = [(each.cell.name, each.message) for each in failed]
        parts += [node("h2", "Failures"), table(("cell", "what happened"), words)]
    return page(name, parts)


def _cell_row(outcome: Outcome) -> tuple[str, ...]:
    cell = outcome.cell
    return (
        *cell.group,
        str(cell.seed),
        outcome.state,
        format_seconds(outcome.untuned_s),
        UNKNOWN if outcome.tuned_s is None else format_seconds(outcome.tuned_s, 4),
    )


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    """Exact values in SI units; a text that a spreadsheet would calculate is quoted for it."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow(["" if value is None else _shown(value) for value in row.values()])
    return text.getvalue()


def _shown(value: Any) -> Any:
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value


def _finite(value: Any) -> Any:
    """JSON has neither infinity nor NaN."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value
