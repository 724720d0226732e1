"""Numbers in the sentences that say why."""

from __future__ import annotations


def counted(count: int, noun: str) -> str:
    """A count with its noun: "1 slot", "3 slots"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def short(value: float, digits: int = 4) -> float:
    """A number with few digits, for storing."""
    return float(f"{value:.{digits}g}")
