"""The rows of an experiment as texts and as plain values: one place that says what a column is."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engine.experiments.matrix import FURTHER
from engine.experiments.outcome import Outcome
from engine.experiments.summary import Group, Round
from engine.records.units import UNKNOWN, format_duration, format_ratio, format_seconds

_AXES = ("model", "target", "policy", "plan", "budget")
_FIGURES = ("done", "untuned", "median", "interval", "confidence", "gain", "tuning time")
HEADS = (*_AXES, *_FIGURES)
NUMBERS = frozenset(range(5, 12))
ROUND_HEADS = (*("scheduling", "concurrency", "cores", "seed", "done", "makespan", "mean end"),)
ROUND_NUMBERS = frozenset(range(1, 7))


def varied(groups: Sequence[Group]) -> tuple[int, ...]:
    """The places in `FURTHER` of the axes on which the groups differ."""
    return tuple(
        place
        for place in range(len(FURTHER))
        if len({group.further[place] for group in groups}) > 1
    )


def text_table(
    groups: Sequence[Group],
) -> tuple[tuple[str, ...], list[tuple[str, ...]], frozenset[int]]:
    """The table for a person: its heads, a row for each group, and which columns are numbers."""
    places = varied(groups)
    heads = (*_AXES, *(FURTHER[place] for place in places), *_FIGURES)
    rows = [
        (*row[: len(_AXES)], *(group.further[place] for place in places), *row[len(_AXES) :])
        for group, row in zip(groups, text_rows(groups), strict=True)
    ]
    return heads, rows, frozenset(place + len(places) for place in NUMBERS)


def round_rows(rounds: Sequence[Round]) -> list[tuple[str, ...]]:
    """The table of the rounds for a person."""
    return [
        (
            *(each.scheduling or UNKNOWN, each.concurrency or UNKNOWN, each.cores or UNKNOWN),
            str(each.seed),
            f"{each.done} of {each.cells}",
            UNKNOWN if each.makespan_s is None else format_duration(each.makespan_s),
            UNKNOWN if each.mean_end_s is None else format_duration(each.mean_end_s),
        )
        for each in rounds
    ]


def text_rows(groups: Sequence[Group]) -> list[tuple[str, ...]]:
    """The rows of that table under `HEADS`."""
    return [
        (
            *(group.model, group.target, group.policy, group.plan, group.budget),
            f"{group.done} of {group.cells}" + (f", {group.failed} failed" if group.failed else ""),
            format_seconds(group.untuned_s),
            *_interval(group),
            UNKNOWN if group.gain is None else format_ratio(group.gain),
            UNKNOWN if group.elapsed_s is None else format_duration(group.elapsed_s),
        )
        for group in groups
    ]


def _interval(group: Group) -> tuple[str, str, str]:
    found = group.tuned_s
    if found is None:
        return UNKNOWN, UNKNOWN, UNKNOWN
    median = format_seconds(found.median, 4)
    if group.done < 2:
        return median, UNKNOWN, UNKNOWN
    span = f"{format_seconds(found.low, 4)} – {format_seconds(found.high, 4)}"
    return median, span, f"{100 * found.confidence:.4g} %"


def cell_values(outcome: Outcome, folder: Path) -> dict[str, Any]:
    """A cell, JSON-ready; its project as a path in the experiment's folder."""
    cell = outcome.cell
    return {
        "cell": cell.name,
        "model": cell.model.name,
        "target": cell.target,
        "policy": cell.policy.name,
        "plan": cell.plan,
        "budget": cell.group[-1],
        **dict(zip(FURTHER, cell.further, strict=True)),
        "seed": cell.seed,
        "state": outcome.state,
        "message": outcome.message,
        "untuned_latency_s": outcome.untuned_s,
        "tuned_latency_s": outcome.tuned_s,
        "measured_whole": outcome.measured,
        "reference_latency_s": outcome.reference_s,
        "gain": outcome.gain,
        "trials": outcome.trials,
        "failed_trials": outcome.failed_trials,
        "tuning_s": outcome.elapsed_s,
        "began_at": outcome.began_at,
        "ended_at": outcome.ended_at,
        "project": Path(outcome.project).relative_to(folder).as_posix(),
    }


def group_values(group: Group) -> dict[str, Any]:
    found = group.tuned_s
    return {
        "model": group.model,
        "target": group.target,
        "policy": group.policy,
        "plan": group.plan,
        "budget": group.budget,
        **dict(zip(FURTHER, group.further, strict=True)),
        "cells": group.cells,
        "done": group.done,
        "failed": group.failed,
        "untuned_latency_s": group.untuned_s,
        "median_latency_s": None if found is None else found.median,
        "low_latency_s": None if found is None else found.low,
        "high_latency_s": None if found is None else found.high,
        "confidence": None if found is None else found.confidence,
        "gain": group.gain,
        "tuning_s": group.elapsed_s,
    }
