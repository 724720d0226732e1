"""The part of a report on stages: the schedule, against what it was measured, stage by stage."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import zip_longest
from xml.etree.ElementTree import Element

from engine.records.schedule import FoundSchedule, Stage, Strategy
from engine.records.units import (
    UNKNOWN,
    format_bytes,
    format_duration,
    format_ratio,
    format_seconds,
)
from engine.records.words import way_name
from engine.report.markup import facts, node, table
from engine.report.subject import Subject

_STAGES_SHOWN = 200
_ENDS = {"exact": "complete", "time": "ended by its time", "stopped": "stopped"}


def stages(subject: Subject) -> Iterator[Element]:
    """The stored schedule, where there is one."""
    found = subject.snapshot.schedule
    if found is None:
        return
    yield node("h2", "Stages")
    yield facts(_facts(found))
    if found.ways:
        yield node("h3", "Ways to schedule")
        heads = ("Way", "Stages", "Measured", "Sum of stages", "Speed", "Intermediates")
        yield table(heads, _ways(found), range(1, 6))
    shown = found.schedule.stages[:_STAGES_SHOWN]
    if shown:
        yield node("h3", "Stage by stage")
        names = {item.id: item.name for item in subject.snapshot.operators}
        rows = [
            _stage(place, stage, seconds, names)
            for place, (stage, seconds) in enumerate(
                zip_longest(shown, found.stage_s[: len(shown)]), start=1
            )
            if stage is not None
        ]
        yield table(("Stage", "Latency", "How", "Operators"), rows, (0, 1))
    left = len(found.schedule.stages) - len(shown)
    if left:
        yield node("p", f"{left:,} more stages are left out.", class_="muted")


def _facts(found: FoundSchedule) -> list[tuple[str, str]]:
    options, search = found.options, found.search
    return [
        ("Chosen", way_name(found.way)),
        ("Device", found.schedule.device),
        ("Limits", f"{options.r} operators a group, {options.s} groups a stage"),
        ("Search", f"{_ENDS.get(found.ended, found.ended)} after "
                   f"{format_duration(search.seconds)}, {search.measured:,} stages measured"),
    ]  # fmt: skip


def _ways(found: FoundSchedule) -> list[tuple[str, ...]]:
    base = found.way_named("sequential")
    before = base.measured_s if base else None

    def speed(measured_s: float | None) -> str:
        return format_ratio(before / measured_s) if before and measured_s else UNKNOWN

    return [
        (
            way_name(item.way),
            f"{item.stages:,}",
            format_seconds(item.measured_s),
            format_seconds(item.predicted_s),
            speed(item.measured_s),
            UNKNOWN if item.peak_bytes is None else format_bytes(item.peak_bytes),
        )
        for item in found.ways
    ]


def _stage(
    place: int, stage: Stage, seconds: float | None, names: Mapping[int, str]
) -> tuple[str | Element, ...]:
    groups = [
        ", ".join(names.get(operator, f"operator {operator}") for operator in group)
        for group in stage.groups
    ]
    how = "one operator"
    if stage.strategy is Strategy.MERGE:
        how = "merged"
    elif len(stage.groups) > 1:
        how = f"{len(stage.groups)} groups side by side"
    elif len(stage.operators) > 1:
        how = "one after another"
    return f"{place}", format_seconds(seconds), how, node("code", " | ".join(groups))
