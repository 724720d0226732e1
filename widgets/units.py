"""Numbers as a person reads them: those of the engine, which reports need them, too."""

from __future__ import annotations

from engine.units import (
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
    "figures",
    "format_bytes",
    "format_duration",
    "format_flops",
    "format_ratio",
    "format_seconds",
    "format_share",
    "format_work",
    "time_unit",
]
