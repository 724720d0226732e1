"""What a person calls the engine's things, in windows, terminals and reports."""

from __future__ import annotations

from engine.records.settings import Budget
from engine.records.trial import Source
from engine.records.units import format_duration, format_seconds

WAYS = {
    "sequential_eager": "Sequential, eager",
    "sequential": "Sequential",
    "greedy": "Greedy, by levels",
    "ios_parallel": "IOS, side by side",
    "ios_merge": "IOS, merged",
    "ios_both": "IOS, both",
}
_SOURCES = {
    Source.SEARCH: "search",
    Source.SHARED: "shared",
    Source.TRANSFERRED: "transferred",
    Source.DROPLET: "polished",
}


def source_word(source: Source) -> str:
    """What a person calls a source."""
    return _SOURCES[source]


def way_name(way: str) -> str:
    """A way to schedule a program in a person's words."""
    return WAYS.get(way, way.replace("_", " "))


def budget_text(budget: Budget) -> str:
    """A budget in words: "10:00 of tuning or 500 trials"."""
    parts = []
    if budget.seconds is not None:
        parts.append(f"{format_duration(budget.seconds)} of tuning")
    if budget.trials is not None:
        parts.append(f"{budget.trials:,} trials")
    if budget.latency_s is not None:
        parts.append(f"a latency of {format_seconds(budget.latency_s)}")
    return " or ".join(parts) or "no limit"
