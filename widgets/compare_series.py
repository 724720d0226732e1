"""What the comparison says: the sentence, the columns of its table, the places it marks."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.allocation.side_by_side import Contender, Verdict
from widgets.column_model import Array
from widgets.units import UNKNOWN, format_duration, format_ratio, format_seconds


def verdict_text(verdict: Verdict, within: float) -> str:
    """Who was first and what that saved, in one sentence."""
    first, last = verdict.fastest, verdict.slowest
    if first is None or last is None:
        return ""
    text = f"{first.contender.name} is {near(within)} after {clock(first.reached_s)}"
    knew = " It knew what earlier runs had measured." if first.contender.informed else ""
    if first is last:
        return f"{text}; no other is.{knew}" if len(verdict.rows) > 1 else f"{text}.{knew}"
    times = format_ratio(last.reached_s / first.reached_s) if first.reached_s else UNKNOWN
    return f"{text}, {_saved(verdict)} before {last.contender.name}: {times} as fast.{knew}"


def near(within: float) -> str:
    """A threshold in words."""
    return f"within {100 * within:g} % of the best"


def threshold_name(verdict: Verdict, within: float) -> str:
    """What the line at the threshold says before its latency."""
    saved = _saved(verdict)
    return f"{saved} saved at" if saved else f"within {100 * within:g} %:"


def clock(seconds: float) -> str:
    """Tuning time: tenths of a second below a minute."""
    if not math.isfinite(seconds):
        return UNKNOWN
    return f"{seconds:.1f} s" if seconds < 60 else format_duration(seconds)


def compare_columns(verdict: Verdict) -> dict[str, Array]:
    """The columns of the table by key, a row a contender; unknown numbers are NaN."""
    rows = verdict.rows
    fastest = verdict.fastest
    base_s = fastest.reached_s if fastest else math.nan
    reached = [row.reached_s if math.isfinite(row.reached_s) else math.nan for row in rows]
    return {
        "name": np.array([row.contender.name for row in rows], object),
        "reached": np.array(reached, np.float64),
        "saved": np.array([_or_nan(row.saved_s) for row in rows], np.float64),
        "ratio": np.array([time / base_s if base_s else math.nan for time in reached]),
        "final": np.array([row.contender.final_s for row in rows], np.float64),
        "lasted": np.array([row.contender.end_s for row in rows], np.float64),
        "regret": np.array([_or_nan(row.contender.regret) for row in rows], np.float64),
    }


def describe_contender(contender: Contender, seconds: float) -> str:
    """A curve at a moment, for the pointer."""
    place = max(0, int(np.searchsorted(contender.seconds, seconds, side="right")) - 1)
    latency = format_seconds(float(contender.latency_s[place]), 4)
    return f"{contender.name}\n{latency} after {clock(seconds)}"


def has_oracle(contenders: Sequence[Contender]) -> bool:
    """Whether one of them knew the future."""
    return any(contender.key == "replay oracle" for contender in contenders)


def _saved(verdict: Verdict) -> str:
    first, last = verdict.fastest, verdict.slowest
    if first is None or last is None or first is last:
        return ""
    return clock(last.reached_s - first.reached_s)


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value
