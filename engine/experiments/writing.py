"""Writes what came of an experiment: a page, drawings, tables, and what the console opens."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any
from xml.etree.ElementTree import Element, tostring

from engine.experiments.outcome import Outcome
from engine.experiments.place import Place
from engine.experiments.summary import WHY, Group, groups, rounds
from engine.experiments.table import (
    ROUND_HEADS,
    ROUND_NUMBERS,
    cell_values,
    group_values,
    round_rows,
    text_table,
)
from engine.records.units import UNKNOWN, format_seconds
from engine.report.charts import line, svg, words
from engine.report.look import colors
from engine.report.markup import node, page_text, table
from engine.report.page import page
from engine.storage.sheet import csv_text
from engine.storage.whole_file import save_whole

FORMAT = 1
_CELL_HEADS = (
    *("model", "target", "policy", "plan", "budget", "further", "seed", "state"),
    *("untuned", "tuned"),
)
_WIDTH, _LEFT, _RIGHT = 960, 330, 90
_ROW, _TOP, _BOTTOM = 26, 12, 40
_TICKS = 5
_MARGIN = 0.08  # of the range, on both sides
_LONGEST = 46


def write_results(name: str, outcomes: Sequence[Outcome], place: Place) -> dict[str, Any]:
    """Write all files over those of before; what `experiment.json` says. StorageError."""
    rows, drawn = groups(outcomes), list(charts(groups(outcomes)))
    cells = [cell_values(outcome, place.folder) for outcome in outcomes]
    summed = [group_values(group) for group in rows]
    together = rounds(outcomes)
    data = {"tunewright_experiment": FORMAT, "name": name, "groups": summed, "cells": cells}
    if together:
        shared = list(map(asdict, together))
        data["rounds"] = shared
        save_whole(place.folder / "rounds.csv", _csv(shared))
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
        table(*text_table(rows)),
    ]
    if together := rounds(outcomes):
        parts += [node("h2", "Rounds"), table(ROUND_HEADS, round_rows(together), ROUND_NUMBERS)]
    for title, drawing in drawn:
        parts += [node("h2", title), drawing]
    if drawn:
        parts.append(node("p", f"Square: median. Bar: its interval. Rings: seeds. {WHY}"))
    parts += [node("h2", "Cells"), table(_CELL_HEADS, map(_cell_row, outcomes), range(8, 10))]
    if failed:
        told = [(each.cell.name, each.message) for each in failed]
        parts += [node("h2", "Failures"), table(("cell", "what happened"), told)]
    return page(name, parts)


def _cell_row(outcome: Outcome) -> tuple[str, ...]:
    cell = outcome.cell
    return (
        *cell.group,
        ", ".join(filter(None, cell.further)),
        str(cell.seed),
        outcome.state,
        format_seconds(outcome.untuned_s),
        UNKNOWN if outcome.tuned_s is None else format_seconds(outcome.tuned_s, 4),
    )


def _csv(rows: Sequence[dict[str, Any]]) -> str:
    """Exact values, in SI units."""
    return csv_text(tuple(rows[0]), (tuple(row.values()) for row in rows))


def _finite(value: Any) -> Any:
    """JSON has neither infinity nor NaN."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list) else value


def charts(groups: Sequence[Group]) -> list[tuple[str, Element]]:
    """Titles and drawings; groups without a finished cell are left out."""
    known = [group for group in groups if group.values_s]
    ordered = sorted(known, key=_subject)
    return [
        (f"{model} on {target}", chart(list(members)))
        for (model, target), members in groupby(ordered, key=_subject)
    ]


def chart(groups: Sequence[Group]) -> Element:
    """A row for each group, over latency; lower is better, and left."""
    values = [value for group in groups for value in group.values_s]
    room = _MARGIN * ((max(values) - min(values)) or max(values))
    low, high = max(0.0, min(values) - room), max(values) + room
    height = _TOP + _ROW * len(groups) + _BOTTOM

    def x(latency_s: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (latency_s - low) / (high - low)

    label = "Tuned latency: median, interval and every seed"
    made = svg(_WIDTH, height, label)
    bottom = _TOP + _ROW * len(groups)
    ink = colors()
    for tick in range(_TICKS):
        latency_s = low + (high - low) * tick / (_TICKS - 1)
        made.append(line(x(latency_s), _TOP, x(latency_s), bottom, ink["grid"], stroke_width=1))
        text = format_seconds(latency_s, 3)
        made.append(words(text, x(latency_s), bottom + 16, ink["muted"], "middle"))
    made.append(words("tuned latency", _WIDTH - _RIGHT, bottom + 33, ink["muted"], "end"))
    for place, group in enumerate(groups):
        made.extend(_row(group, groups, _TOP + _ROW * (place + 0.5), x))
    return made


def _row(group: Group, groups: Sequence[Group], y: float, x: object) -> list[Element]:
    assert callable(x)
    found, ink = group.tuned_s, colors()
    assert found is not None
    parts = [words(_name(group, groups), _LEFT - 12, y + 4, ink["text"], "end")]
    if len(group.values_s) > 1:
        parts.append(line(x(found.low), y, x(found.high), y, ink["accent"], stroke_width=3))
        for end in (found.low, found.high):
            parts.append(line(x(end), y - 5, x(end), y + 5, ink["accent"], stroke_width=1.5))
    parts += [
        node("circle", cx=x(value), cy=y, r=3, fill="none", stroke=ink["muted"])
        for value in group.values_s
    ]
    parts.append(
        node("rect", x=x(found.median) - 4, y=y - 4, width=8, height=8, fill=ink["accent"])
    )
    text = format_seconds(found.median, 4)
    parts.append(words(text, _WIDTH - _RIGHT + 12, y + 4, ink["text"], "start"))
    return parts


def _name(group: Group, groups: Sequence[Group]) -> str:
    """What tells this group from the others."""
    parts = [(each.policy, each.plan, each.budget, *each.further) for each in groups]
    own = (group.policy, group.plan, group.budget, *group.further)
    kept = [word for place, word in enumerate(own) if len({part[place] for part in parts}) > 1]
    text = ", ".join(kept or own[:1])
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _subject(group: Group) -> tuple[str, str]:
    return group.model, group.target
