"""`ios`: the search for a schedule of stages, and a table of every way."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from app.cli.options import AsJson, Connect, ProjectFile
from app.cli.output import Reply, table
from engine.records.schedule import FoundSchedule, IosOptions, Strategy, WayResult
from engine.records.snapshot import Snapshot
from engine.records.trial import LOAD_LIMIT
from engine.records.units import (
    UNKNOWN,
    format_bytes,
    format_duration,
    format_ratio,
    format_seconds,
    format_share,
)

if TYPE_CHECKING:
    from engine.records.snapshot import Snapshot

ENDS = {
    "exact": "complete",
    "time": "the time was over",
    "stopped": "stopped",
}


_DEFAULT = IosOptions()


def ios(
    project: ProjectFile,
    r: Annotated[
        int, typer.Option("--r", metavar="N", help="Operators a group, at most.")
    ] = _DEFAULT.r,
    s: Annotated[
        int, typer.Option("--s", metavar="N", help="Groups a stage, at most.")
    ] = _DEFAULT.s,
    strategy: Annotated[
        str, typer.Option(metavar="WHICH", help="parallel, merge or both.")
    ] = _DEFAULT.strategies,
    seconds: Annotated[
        float, typer.Option(metavar="S", help="End the search after S seconds.")
    ] = _DEFAULT.seconds,
    merge_trials: Annotated[
        int | None,
        typer.Option(metavar="N", help="First tune merged operators, N trials for each."),
    ] = None,
    connect: Connect = None,
    as_json: AsJson = False,
) -> Reply:
    """Find operators to run side by side, or merged, by measuring stages of them.

    Ctrl+C ends the search with the best schedule so far. Asked again, it goes on from what was
    measured.
    """  # fmt: skip
    from app.cli.driver import driving, make_progress
    from engine.interface import work

    began = time.monotonic()
    options = IosOptions(r, s, strategy, seconds)
    work.check_schedule(options, merge_trials)
    with driving(make_progress()) as driver:
        opened = driver.result(driver.engine.open_project(project))
        found = work.find_schedule(driver, opened, options, merge_trials)
    return _reply(opened, found, time.monotonic() - began)


def _reply(opened: Snapshot, found: FoundSchedule, wall_s: float) -> Reply:
    schedule, search = found.schedule, found.search
    data: dict[str, Any] = {
        "project": opened.path,
        "model": opened.model_name,
        "device": schedule.device,
        "batch": schedule.batch,
        "way": found.way,
        "latency_s": _measured(found, found.way),
        "sequential_latency_s": _measured(found, "sequential"),
        "ended": found.ended,
        "exact": search.exact,
        "ways": [asdict(way) for way in found.ways],
        "stages": [
            {
                "strategy": stage.strategy.value,
                "groups": [list(group) for group in stage.groups],
                "latency_s": latency_s,
            }
            for stage, latency_s in zip(schedule.stages, found.stage_s, strict=True)
        ],
        "tradeoffs": [asdict(item) for item in found.tradeoffs],
        "states": search.states,
        "pairs": search.pairs,
        "bound": search.bound,
        "stages_measured": search.measured,
        "search_s": search.seconds,
        "wall_s": wall_s,
    }
    return Reply(data, f"{_ways(found)}\n\n{_summary(opened, found, wall_s)}")


def _ways(found: FoundSchedule) -> str:
    """Every way: what the table of stages predicts, and the whole program measured."""
    before = _measured(found, "sequential")
    rows = [("way", "predicted", "measured", "speed", "stages", "memory")]
    for way in found.ways:
        speed = before / way.measured_s if before and way.measured_s else None
        rows.append(
            (
                f"{way.way}{' (chosen)' if way.way == found.way else ''}",
                format_seconds(way.predicted_s),
                format_seconds(way.measured_s),
                UNKNOWN if speed is None else format_ratio(speed),
                f"{way.stages:,}",
                format_bytes(way.peak_bytes),
            )
        )
    return table(rows, frozenset(range(1, 6)))


def _summary(opened: Snapshot, found: FoundSchedule, wall_s: float) -> str:
    schedule, search = found.schedule, found.search
    merged = sum(stage.strategy is Strategy.MERGE for stage in schedule.stages)
    beside = sum(len(stage.groups) > 1 for stage in schedule.stages)
    parts = "" if search.exact else ", large blocks in parts"
    rows = [
        ("schedule", f"{found.way}, {len(schedule.stages):,} stages: {beside:,} of groups side "
                     f"by side, {merged:,} merged"),
        *_disturbed_rows(found),
        ("made for", f"{schedule.device}, batch size {schedule.batch}"),
        ("search", f"{ENDS[found.ended]}{parts}: {search.states:,} sets, {search.pairs:,} pairs, "
                   f"{search.measured:,} stages measured"),
        ("took", f"{format_duration(search.seconds)} to search, {format_duration(wall_s)} in all"),
        ("project", opened.path),
        ("go on with", f"tunewright export {opened.path} -o FOLDER"),
    ]  # fmt: skip
    return table(rows)


def _disturbed_rows(found: FoundSchedule) -> list[tuple[str, str]]:
    """Where other programs had the cores while the ways were compared."""
    load = max((way.load for way in found.ways if way.load is not None), default=0.0)
    if load <= LOAD_LIMIT:
        return []
    return [("disturbed", f"other programs had {format_share(load)} of the cores that it needs")]


def _measured(found: FoundSchedule, way: str) -> float | None:
    result: WayResult | None = found.way_named(way)
    return None if result is None else result.measured_s
