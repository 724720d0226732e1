"""What `tunewright profile` answers: which layers of a project's model take how long."""

from __future__ import annotations

from typing import Any

from app.cli.output import Reply, table
from app.cli.reports import figure_data, latency_rows
from engine.history.layers import Layer, LayerTimes, layer_times, layers, slowest_first
from engine.history.open_project import OpenProject
from engine.history.overview import Overview, advice_text, overview
from engine.records.snapshot import Snapshot
from engine.records.units import (
    UNKNOWN,
    format_flops,
    format_ratio,
    format_seconds,
    format_share,
    format_work,
)

_HEAD = ("layer", "operators", "output", "work", "parameters", "untuned", "now", "share",
         "speed-up", "peak")  # fmt: skip
_RIGHT = frozenset(range(3, 10))


def profile_reply(snapshot: Snapshot, peak_flops: float | None, csv: bool = False) -> Reply:
    """The layers of a project; `peak_flops` is its device's peak in FLOP/s."""
    opened = OpenProject(snapshot)
    found, known = overview(opened, peak_flops), layers(snapshot)
    rows = slowest_first(known, layer_times(known, opened.history, peak_flops))
    names = [task.name for task in snapshot.tasks]
    listed = [_data(layer, times, names) for layer, times in rows]
    data = {
        "project": snapshot.path,
        "model": snapshot.model_name,
        "target": snapshot.target,
        "precision": snapshot.precision,
        "figure": figure_data(found.figure),
        "reference_latency_s": found.reference_s,
        "peak_flop_per_s": peak_flops,
        "peak_share": found.peak_share,
        "next": advice_text(found.advice),
        "layers": listed,
    }
    return Reply(data, _csv(listed) if csv else _text(snapshot, found, rows, peak_flops))


def _data(layer: Layer, times: LayerTimes, names: list[str]) -> dict[str, Any]:
    """A layer for programs; latencies in seconds."""
    return {
        "place": layer.place,
        "layer": layer.name,
        "nodes": layer.origin,
        "operators": layer.kind,
        "tasks": ", ".join(dict.fromkeys(names[task] for task in layer.tasks)),
        "output": str(layer.output),
        "flops": layer.flops,
        "parameters": layer.parameters,
        "untuned_latency_s": times.untuned_s,
        "latency_s": times.now_s,
        "share": times.share,
        "speedup": times.speedup,
        "peak_share": times.peak_share,
    }


def _csv(listed: list[dict[str, Any]]) -> str:
    from engine.storage.sheet import csv_text

    header = tuple(listed[0]) if listed else ()
    return csv_text(header, (tuple(row.values()) for row in listed)).rstrip("\n")


def _text(
    snapshot: Snapshot,
    found: Overview,
    rows: list[tuple[Layer, LayerTimes]],
    peak_flops: float | None,
) -> str:
    head = [*latency_rows(snapshot, found.figure), ("peak", _peak_text(found, peak_flops))]
    listed = [_HEAD, *(_cells(layer, times) for layer, times in rows)]
    parts = [table(head), table(listed, _RIGHT), advice_text(found.advice)]
    return "\n\n".join(part for part in parts if part)


def _peak_text(found: Overview, peak_flops: float | None) -> str:
    """How much of the peak the model reaches: "12 % of 410 GFLOP/s"."""
    if peak_flops is None:
        return f"{UNKNOWN} (not measured on this machine)"
    return f"{format_share(found.peak_share)} of {format_flops(peak_flops)}"


def _cells(layer: Layer, times: LayerTimes) -> tuple[str, ...]:
    return (
        layer.name,
        layer.kind,
        str(layer.output),
        format_work(layer.flops),
        UNKNOWN if layer.parameters is None else f"{layer.parameters:,}",
        format_seconds(times.untuned_s),
        format_seconds(times.now_s),
        format_share(times.share),
        format_ratio(times.speedup),
        format_share(times.peak_share),
    )
