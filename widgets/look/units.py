"""Numbers as a person reads them: those of the engine, which reports need them, too."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine.records.units import (
    UNKNOWN,
    figures,
    format_bytes,
    format_duration,
    format_flops,
    format_ratio,
    format_seconds,
    format_share,
    format_work,
    time_unit,
)

__all__ = [
    "UNKNOWN",
    "clock",
    "figures",
    "format_bytes",
    "format_duration",
    "format_flops",
    "format_ratio",
    "format_seconds",
    "format_share",
    "format_work",
    "known",
    "time_unit",
]


def clock(seconds: float) -> str:
    """Tuning time: tenths of a second below a minute."""
    if not math.isfinite(seconds):
        return UNKNOWN
    return f"{seconds:.1f} s" if seconds < 60 else format_duration(seconds)


def known(show: Callable[[float], str]) -> Callable[[Any], str]:
    """For a column of a table: what `show` makes of a number, and UNKNOWN of NaN."""
    return lambda value: UNKNOWN if math.isnan(value) else show(float(value))
