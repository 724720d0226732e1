"""Numbers in the sentences that say why."""

from __future__ import annotations


def duration(seconds: float) -> str:
    """Seconds with three digits and their unit: "12.3 us", "1.92 ms", "3.2 s"."""
    for scale, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "us")):
        if abs(seconds) >= scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"


def counted(count: int, noun: str) -> str:
    """A count with its noun: "1 slot", "3 slots"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def short(value: float, digits: int = 4) -> float:
    """A number with few digits, for storing."""
    return float(f"{value:.{digits}g}")
