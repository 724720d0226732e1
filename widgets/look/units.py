"""Numbers as a person reads them in windows alone; `engine/records/units.py` has the others."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from engine.records.units import UNKNOWN, format_duration


def clock(seconds: float) -> str:
    """Tuning time: tenths of a second below a minute."""
    if not math.isfinite(seconds):
        return UNKNOWN
    return f"{seconds:.1f} s" if seconds < 60 else format_duration(seconds)


def known(show: Callable[[float], str]) -> Callable[[Any], str]:
    """For a column of a table: what `show` makes of a number, and UNKNOWN of NaN."""
    return lambda value: UNKNOWN if math.isnan(value) else show(float(value))
