"""The numbers and sentences of the picture of sources; nothing here draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.history.history import Floats
from engine.history.improvements import Improvement, Improvements
from engine.records import words
from engine.records.trial import Source
from engine.records.units import format_duration, format_ratio, format_seconds
from widgets.look.language import tr
from widgets.look.states import source_word
from widgets.parts.column_model import Array
from widgets.parts.exporting import Sheet
from widgets.plots.convergence_series import Across

DIGITS = 5
NOTHING = Improvements((), None, np.empty(0, np.int64), np.empty(0), {})


@dataclass(frozen=True, slots=True)
class Stack:
    """Step areas, one on another.

    `x` are places on the axis, the last area lasts until `end`. `edges` has a row more than there
    are `sources`: between rows i and i + 1 is what source i gave until then.
    """

    sources: tuple[Source, ...]
    x: Floats
    edges: Floats
    end: float

    @property
    def top(self) -> Floats:
        edge: Floats = self.edges[-1]
        return edge


def build_stack(found: Improvements, across: Across, ratio: bool, end: float) -> Stack:
    """Seconds gained so far, or with `ratio` the decimal logarithm of the factor.

    A source whose gains were taken back by a confirmation counts as nothing, not as less.
    """
    sources = tuple(found.by_source)
    x = found.elapsed_s if across is Across.SECONDS else found.trials.astype(np.float64)
    parts = factors(found) if ratio else found.by_source
    heights = np.array([np.maximum(parts[source], 0.0) for source in sources])
    heights = heights.reshape(len(sources), len(x))
    edges = np.concatenate([np.zeros((1, len(x))), np.cumsum(heights, axis=0)])
    return Stack(sources, x, edges, max(end, float(x[-1]) if len(x) else 0.0))


def factors(found: Improvements) -> dict[Source, Floats]:
    """The decimal logarithm of the factor that each source gave so far.

    The latency before an improvement over that after it belongs to its source, so that the sum
    over the sources is the logarithm of the whole speed-up.
    """
    if found.start_s is None:
        return {}
    gained = np.array([0.0, *(item.gained_s for item in found.items)])
    now_s = np.maximum(found.start_s - np.cumsum(gained), 1e-15)
    steps = np.concatenate([[0.0], -np.diff(np.log10(now_s))])
    own = np.array([None, *(item.source for item in found.items)], object)
    return {source: np.cumsum(np.where(own == source, steps, 0.0)) for source in found.by_source}


def source_columns(found: Improvements, tried: Counter[Source]) -> tuple[Array, dict[str, Array]]:
    """Rows by their place among the sources, those that were tried; and their columns."""
    shown = [source for source in Source if tried[source] or source in found.by_source]
    totals, logs = found.totals, factors(found)
    whole = sum(totals.values())
    counts = Counter(item.source for item in found.items if not item.confirmed)
    gained = np.array([totals.get(source, 0.0) for source in shown], np.float64)
    return np.array([tuple(Source).index(source) for source in shown], np.int64), {
        "source": np.array([words.source_word(source) for source in shown], object),
        "gained": gained,
        "share": gained / whole if whole > 0 else np.full(len(shown), np.nan),
        "factor": np.array([10.0 ** logs[s][-1] if s in logs else 1.0 for s in shown], np.float64),
        "improvements": np.array([counts[source] for source in shown], np.int64),
        "trials": np.array([tried[source] for source in shown], np.int64),
    }


def place_at(found: Improvements, across: Across, x: float) -> int:
    """The point that holds at a place on the axis; -1 before the start."""
    along = found.elapsed_s if across is Across.SECONDS else found.trials
    return int(np.searchsorted(along, x, side="right")) - 1


def describe_place(found: Improvements, place: int, name: Callable[[int], str]) -> str:
    """What each source has given at a point, and what the newest improvement was."""
    lines = []
    if place > 0:
        item = found.items[place - 1]
        lines = [name(item.task), _change_text(item)]
    moment, trial = format_duration(float(found.elapsed_s[place])), f"{int(found.trials[place]):,}"
    lines.append(tr("trial {number} at {time}", number=trial, time=moment))
    given = [(s, float(series[place])) for s, series in found.by_source.items()]
    lines += [
        tr(
            "{source}  {time} so far",
            source=source_word(source),
            time=format_seconds(gained_s, DIGITS),
        )
        for source, gained_s in given
        if gained_s
    ]
    if found.start_s is not None:
        now_s = found.start_s - sum(gained_s for _, gained_s in given)
        lines.append(tr("model  {time}", time=format_seconds(now_s, DIGITS)))
    return "\n".join(lines)


def _change_text(item: Improvement) -> str:
    fields = {
        "source": source_word(item.source),
        "time": format_seconds(abs(item.gained_s), DIGITS),
    }
    if item.gained_s >= 0:
        text = tr("{source} gained {time}", **fields)
    else:
        text = tr("{source} took back {time}", **fields)
    return tr("{change} when it was confirmed", change=text) if item.confirmed else text


def sources_sentence(found: Improvements) -> str:
    """All sources together, and the part of each, in words."""
    totals = found.totals
    whole = sum(totals.values())
    if found.start_s is None or not whole > 0:
        return ""
    now_s = found.start_s - whole
    parts = [f"{source_word(s)} {format_seconds(total)}" for s, total in totals.items()]
    change = f"{format_seconds(found.start_s, 4)} → {format_seconds(now_s, 4)}"
    return f"{change} ({format_ratio(found.start_s / now_s)}): {joined(parts)}."


def joined(parts: Sequence[str]) -> str:
    """Words in a row, the last after "and"."""
    if len(parts) < 2:
        return "".join(parts)
    return tr("{first} and {last}", first=", ".join(parts[:-1]), last=parts[-1])


def improvements_sheet(found: Improvements, name: Callable[[int], str]) -> Sheet:
    """The start, then each improvement, with what each source has given until then."""
    gained = {f"{source.value}_gained_s": found.by_source[source] for source in found.by_source}
    tens = {f"{source.value}_log10_factor": part for source, part in factors(found).items()}
    series = {**gained, **tens}
    own: list[tuple[Any, ...]] = [("", "", "", "")]
    own += [
        (name(item.task), item.source.value, item.gained_s, item.confirmed) for item in found.items
    ]
    header = ("trial", "elapsed_s", "task", "source", "gained_s", "confirmed", *series)
    points = zip(found.trials.tolist(), found.elapsed_s.tolist(), own, strict=False)
    return Sheet(
        header,
        (
            (trial, elapsed_s, *item, *(float(part[row]) for part in series.values()))
            for row, (trial, elapsed_s, item) in enumerate(points)
        ),
    )
