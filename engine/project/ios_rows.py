"""Stage latencies and the schedule to and from rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any

from msgspec import Meta

from engine.records.network import Operator
from engine.records.options import Latency
from engine.records.schedule import FoundSchedule, IosOptions, SearchState, Stage, Strategy
from engine.storage.fields import Malformed, Row, clean, dump, read

_Kernels = Annotated[list[Annotated[list[str], Meta(min_length=1)]], Meta(min_length=1)]

Values = dict[str, Any]


def cost_row(cost: Values) -> Values:
    return {
        "device": clean(cost["device"]),
        "batch": cost["batch"],
        "strategy": cost["strategy"],
        "groups": dump(cost["groups"]),
        "latency_s": cost["latency_s"],
    }


def read_cost(row: Row) -> Values:
    return {
        "device": row.text("device"),
        "batch": row.integer("batch"),
        "strategy": row.enum("strategy", Strategy).value,
        "groups": row.made("groups", lambda value: read(value, _Kernels)),
        "latency_s": row.optional("latency_s", lambda name: read(row.values[name], Latency)),
    }


def schedule_row(found: FoundSchedule) -> Values:
    schedule = found.schedule
    data = {
        "stages": [[stage.strategy.value, stage.groups] for stage in schedule.stages],
        "latency_s": schedule.latency_s,
        "batch": schedule.batch,
        "device": clean(schedule.device),
        "way": found.way,
        "stage_s": found.stage_s,
        "alone_s": found.alone_s,
        "kernels": found.kernels,
        "options": asdict(found.options) | {"seconds": float(found.options.seconds)},
        "search": asdict(found.search)
        | {"bound": found.search.bound if math.isfinite(found.search.bound) else None},
        "ended": found.ended,
        "created_at": found.created_at,
        "ways": [asdict(way) for way in found.ways],
        "tradeoffs": [asdict(item) for item in found.tradeoffs],
    }
    return {"id": 1, "schedule": dump(data)}


def read_schedule(row: Row) -> FoundSchedule:
    """The project's schedule, which agrees with itself; see `fits` for the rest."""
    return row.made("schedule", _found)


def _found(data: Any) -> FoundSchedule:
    if not isinstance(data, dict):
        raise Malformed("schedule")
    stages = read(data.get("stages"), tuple[tuple[Strategy, Any], ...])
    parts: Values = {
        "schedule": {**data, "stages": [{"strategy": one, "groups": some} for one, some in stages]},
        "options": read(data.get("options"), IosOptions),
        "search": _read_search(data.get("search")),
    }
    found = read({**data, **parts}, FoundSchedule)
    schedule = found.schedule
    whole = len(found.stage_s) == len(schedule.stages) and len(found.alone_s) == len(found.kernels)
    if not whole or not found.way_named(found.way) or not all(map(_one_merged, schedule.stages)):
        raise Malformed("schedule")
    return found


def fits(found: FoundSchedule, operators: Sequence[Operator]) -> bool:
    """Whether a schedule is one of these operators: each in one stage, after what it reads."""
    places: dict[int, tuple[int, int, int]] = {}
    for stage, item in enumerate(found.schedule.stages):
        merged = item.strategy is Strategy.MERGE
        for group, members in enumerate(item.groups):
            for turn, operator in enumerate(members):
                if operator in places:
                    return False
                places[operator] = (stage, group, 0 if merged else turn)
    ids = [operator.id for operator in operators]
    if sorted(places) != sorted(ids) or len(found.kernels) != len(ids):
        return False
    return all(
        read in places and _before(places[read], places[operator.id])
        for operator in operators
        for read in operator.inputs
    )


def _before(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    return one[0] < other[0] or (one[:2] == other[:2] and one[2] < other[2])


def _one_merged(stage: Stage) -> bool:
    return len(stage.groups) == 1 or stage.strategy is not Strategy.MERGE


def _read_search(data: Any) -> SearchState:
    """How far the search was; what JSON has no number for is none there."""
    endless = isinstance(data, dict) and data.get("bound", 0) is None
    return read({**data, "bound": math.inf} if endless else data, SearchState)
