"""The columns of the table of layers, by their keys those of `tunewright profile --csv`."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.history.layers import Layer, LayerTimes
from engine.records.units import format_ratio, format_share, format_work
from widgets.look.language import QT_TR_NOOP
from widgets.look.units import known
from widgets.parts.column_model import Array, Column, latency_column

COLUMNS = (
    Column("place", QT_TR_NOOP("#"),
           QT_TR_NOOP("Its place in the order in which layers run"),
           lambda n: f"{int(n)}"),
    Column("layer", QT_TR_NOOP("Layer"),
           QT_TR_NOOP("The name of the node of the model's file that leads it"),
           str, numeric=False),
    Column("share", QT_TR_NOOP("Share"),
           QT_TR_NOOP("Part of the model's latency"),
           known(format_share), bar=True),
    latency_column("latency", QT_TR_NOOP("Now"),
                   QT_TR_NOOP("What it takes in one inference with the schedules of now"), "s"),
    latency_column("untuned_latency", QT_TR_NOOP("Untuned"),
                   QT_TR_NOOP("What it took before any tuning"), "s"),
    Column("speedup", QT_TR_NOOP("Gain"),
           QT_TR_NOOP("Untuned latency / latency now"),
           known(format_ratio)),
    Column("peak_share", QT_TR_NOOP("Peak"),
           QT_TR_NOOP("Its speed / the most that the device can do in float32; not known before "
                      "a run on this machine measured that"),
           known(format_share)),
    Column("output", QT_TR_NOOP("Output"),
           QT_TR_NOOP("Shape and type of its result, in the axes of the file"),
           lambda text: text.partition(" ")[0], exact=str, plain=str, numeric=False),
    Column("flops", QT_TR_NOOP("Work"),
           QT_TR_NOOP("Floating-point operations of its kernels"),
           known(format_work)),
    Column("parameters", QT_TR_NOOP("Parameters"),
           QT_TR_NOOP("Elements of its weights and biases"),
           known(lambda n: f"{int(n):,}")),
    Column("operators", QT_TR_NOOP("Operators"),
           QT_TR_NOOP("The fused operators that compute it, without shapes"),
           str, numeric=False),
    Column("nodes", QT_TR_NOOP("Nodes"),
           QT_TR_NOOP("All nodes of the model's file that went into it"),
           str, numeric=False),
)  # fmt: skip
WIDTHS = (32, 132, 64, 72, 72, 60, 56, 108, 92, 84, 170, 200)


def place_of(key: str) -> int:
    """Where a column is."""
    return [column.key for column in COLUMNS].index(key)


def fixed_columns(found: Sequence[Layer]) -> dict[str, Array]:
    """What of layers never changes, by column; unknown numbers are NaN."""
    return {
        "place": np.array([layer.place for layer in found], np.int64),
        "layer": _texts([layer.name for layer in found]),
        "output": _texts([str(layer.output) for layer in found]),
        "flops": _numbers([layer.flops for layer in found]),
        "parameters": _numbers([layer.parameters for layer in found]),
        "operators": _texts([layer.kind for layer in found]),
        "nodes": _texts([layer.origin for layer in found]),
    }


def time_columns(times: Sequence[LayerTimes]) -> dict[str, Array]:
    """What layers take, by column."""
    return {
        "share": _numbers([each.share for each in times]),
        "latency": _numbers([each.now_s for each in times]),
        "untuned_latency": _numbers([each.untuned_s for each in times]),
        "speedup": _numbers([each.speedup for each in times]),
        "peak_share": _numbers([each.peak_share for each in times]),
    }


def _numbers(values: Sequence[float | None]) -> Array:
    return np.array([math.nan if value is None else value for value in values], np.float64)


def _texts(values: Sequence[str]) -> Array:
    return np.array(values, object)
