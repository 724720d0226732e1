"""What the comparison says: the sentence, the columns of its table, the places it marks."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from engine.records.units import UNKNOWN, format_ratio, format_seconds
from engine.replay.side_by_side import Contender, Verdict
from widgets.look.language import tr
from widgets.look.units import clock
from widgets.parts.column_model import Array
from widgets.parts.exporting import Sheet


def verdict_text(verdict: Verdict, within: float) -> str:
    """Who was first and what that saved, in one sentence."""
    first, last = verdict.fastest, verdict.slowest
    if first is None or last is None:
        return ""
    name, percent, time = first.contender.name, _percent(within), clock(first.reached_s)
    if first is not last:
        text = tr(
            "{name} is within {percent} % of the best after {time}, {saved} before {last}: "
            "{ratio} as fast.",
            name=name,
            percent=percent,
            time=time,
            saved=_saved(verdict),
            last=last.contender.name,
            ratio=format_ratio(last.reached_s / first.reached_s) if first.reached_s else UNKNOWN,
        )
    elif len(verdict.rows) > 1:
        text = tr(
            "{name} is within {percent} % of the best after {time}; no other is.",
            name=name,
            percent=percent,
            time=time,
        )
    else:
        text = tr(
            "{name} is within {percent} % of the best after {time}.",
            name=name,
            percent=percent,
            time=time,
        )
    knew = tr("It knew what earlier runs had measured.") if first.contender.informed else ""
    return f"{text} {knew}".rstrip()


def near(within: float) -> str:
    return tr("within {percent} % of the best", percent=_percent(within))


def threshold_name(verdict: Verdict, within: float) -> str:
    """What the line at the threshold says before its latency."""
    saved = _saved(verdict)
    if saved:
        return tr("{time} saved at", time=saved)
    return tr("within {percent} %:", percent=_percent(within))


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
    now = tr("{latency} after {time}", latency=latency, time=clock(seconds))
    return f"{contender.name}\n{now}"


def has_oracle(contenders: Sequence[Contender]) -> bool:
    """Whether one of them knew the future."""
    return any(contender.key == "replay oracle" for contender in contenders)


def _saved(verdict: Verdict) -> str:
    first, last = verdict.fastest, verdict.slowest
    if first is None or last is None or first is last:
        return ""
    return clock(last.reached_s - first.reached_s)


def _percent(within: float) -> str:
    return f"{100 * within:g}"


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def comparison_sheet(contenders: Sequence[Contender]) -> Sheet:
    """Each change of each contender's latency."""
    return Sheet(
        ("name", "replayed", "elapsed_s", "latency_s"),
        (
            (each.name, each.replayed, seconds, latency_s)
            for each in contenders
            for seconds, latency_s in zip(
                [*each.seconds.tolist(), each.end_s],
                [*each.latency_s.tolist(), each.final_s],
                strict=True,
            )
        ),
    )
