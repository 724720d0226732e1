"""Stage latencies and the schedule to and from rows."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, TypeVar

from engine.ios.options import Strategies
from engine.records.network import Operator
from engine.records.schedule import (
    FoundSchedule,
    IosOptions,
    Schedule,
    SearchState,
    Stage,
    Strategy,
    TradeOff,
    WayResult,
)
from engine.storage.fields import Malformed, Row, clean, dump, integers

_T = TypeVar("_T")
_ENDS = ("exact", "time", "stopped")

Values = dict[str, Any]


def cost_row(cost: Values) -> Values:
    """A row of CostTable.rows."""
    return {
        "device": clean(cost["device"]),
        "batch": cost["batch"],
        "strategy": cost["strategy"],
        "groups": dump(cost["groups"]),
        "latency_s": cost["latency_s"],
    }


def read_cost(row: Row) -> Values:
    """What CostTable.of reads."""
    groups = row.json("groups")
    if not groups or not all(map(_texts, _list(groups))):
        raise Malformed("groups")
    return {
        "device": row.text("device"),
        "batch": row.integer("batch"),
        "strategy": row.enum("strategy", Strategy).value,
        "groups": groups,
        "latency_s": row.optional("latency_s", lambda name: _latency(row.values[name])),
    }


def schedule_row(found: FoundSchedule) -> Values:
    """The project's schedule."""
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
    data = Row(row.mapping("schedule"))
    schedule = Schedule(
        _each(data, "stages", _read_stage),
        _latency(data.values.get("latency_s")),
        data.integer("batch"),
        data.text("device"),
    )
    found = FoundSchedule(
        schedule=schedule,
        way=data.text("way"),
        stage_s=_each(data, "stage_s", _latency),
        alone_s=_each(data, "alone_s", _latency),
        kernels=_each(data, "kernels", _text),
        options=_read_options(_part(data, "options")),
        search=_read_search(_part(data, "search")),
        ended=data.text("ended"),
        created_at=data.real("created_at"),
        ways=_each(data, "ways", _read_way),
        tradeoffs=_each(data, "tradeoffs", _read_tradeoff),
    )
    whole = len(found.stage_s) == len(schedule.stages) and len(found.alone_s) == len(found.kernels)
    if not whole or found.ended not in _ENDS or found.way_named(found.way) is None:
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


def _read_stage(value: Any) -> Stage:
    pair = _list(value)
    if len(pair) != 2 or pair[0] not in list(Strategy):
        raise Malformed("stages")
    groups = tuple(map(integers, _list(pair[1])))
    if not groups or not all(groups) or (pair[0] == Strategy.MERGE and len(groups) > 1):
        raise Malformed("stages")
    return Stage(Strategy(pair[0]), groups)


def _read_options(row: Row) -> IosOptions:
    strategies = row.enum("strategies", Strategies).value
    return IosOptions(row.integer("r", 1), row.integer("s", 1), strategies, row.real("seconds"))


def _read_search(row: Row) -> SearchState:
    exact = row.values.get("exact")
    if type(exact) is not bool:
        raise Malformed("exact")
    bound = row.optional("bound", row.real)
    return SearchState(
        states=row.integer("states"),
        pairs=row.integer("pairs"),
        bound=math.inf if bound is None else bound,
        measured=row.integer("measured"),
        open_stages=row.integer("open_stages"),
        sequential_s=row.optional("sequential_s", row.real),
        best_s=row.optional("best_s", row.real),
        floor_s=row.real("floor_s"),
        exact=exact,
        seconds=row.real("seconds"),
        seconds_left=row.optional("seconds_left", row.real),
    )


def _read_way(value: Any) -> WayResult:
    row = _row(value)
    return WayResult(
        way=row.text("way"),
        stages=row.integer("stages"),
        predicted_s=row.optional("predicted_s", row.real),
        measured_s=row.optional("measured_s", row.real),
        peak_bytes=row.optional("peak_bytes", row.integer),
    )


def _read_tradeoff(value: Any) -> TradeOff:
    row = _row(value)
    counts = [row.integer(name) for name in ("states", "pairs", "stages")]
    return TradeOff(row.integer("r", 1), row.integer("s", 1), row.real("latency_s"), *counts)


def _part(row: Row, name: str) -> Row:
    return _row(row.values.get(name))


def _row(value: Any) -> Row:
    if type(value) is not dict:
        raise Malformed("an object")
    return Row(value)


def _each(row: Row, name: str, read: Callable[[Any], _T]) -> tuple[_T, ...]:
    return tuple(map(read, _list(row.values.get(name))))


def _latency(value: Any) -> float:
    if type(value) is not float or not 0 < value < math.inf:
        raise Malformed("a latency")
    return value


def _text(value: Any) -> str:
    if type(value) is not str:
        raise Malformed("a text")
    return value


def _texts(value: Any) -> bool:
    return type(value) is list and bool(value) and all(type(item) is str for item in value)


def _list(value: Any) -> list[Any]:
    if type(value) is not list:
        raise Malformed("a list")
    return value
