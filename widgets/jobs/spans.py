"""What stages held over time, as bars in lanes: NumPy columns that grow, quick to cut out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine.records.outstanding import StageKind
from engine.records.stage import StageSpan

_ROW = np.dtype(
    [("number", "i8"), ("since_s", "f8"), ("until_s", "f8")]
    + [(name, "i4") for name in ("cores", "job", "kind", "task", "lane")]
)


class SpanColumns:
    """A list of StageSpans; each is made anew when it is looked at."""

    def __init__(self) -> None:
        self._rows = np.empty(64, _ROW)
        self._count = 0
        self._words: list[Any] = []
        self._codes: dict[Any, int] = {}

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[StageSpan]:
        return (self[place] for place in range(self._count))

    def __getitem__(self, place: int) -> StageSpan:
        number, since_s, until_s, cores, *codes = self._row(place).tolist()
        job, kind, task, lane = (self._words[code] for code in codes)
        end_s = None if math.isnan(until_s) else until_s
        return StageSpan(number, job, kind, task, lane, cores, since_s, end_s)

    def __setitem__(self, place: int, span: StageSpan) -> None:
        self._row(place)[...] = self._packed(span)

    def job(self, place: int) -> int | str:
        found: int | str = self._words[int(self._row(place)["job"])]
        return found

    def append(self, span: StageSpan) -> None:
        if self._count == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty(self._count, _ROW)])
        self._rows[self._count] = self._packed(span)
        self._count += 1

    def drop(self, count: int) -> None:
        """Forget so many, the first ones."""
        self._rows = self._rows[count : self._count].copy()
        self._count -= count

    def _row(self, place: int) -> Any:
        if not 0 <= place < self._count:
            raise IndexError(place)
        return self._rows[place : place + 1].reshape(())

    def _packed(self, span: StageSpan) -> tuple[Any, ...]:
        end_s = math.nan if span.until_s is None else span.until_s
        words = map(self._code, (span.job, span.kind, span.task, span.lane))
        cores = min(span.cores, np.iinfo(np.int32).max)
        return (span.number, span.since_s, end_s, cores, *words)

    def _code(self, word: Any) -> int:
        code = self._codes.get(word)
        if code is None:
            code = self._codes[word] = len(self._words)
            self._words.append(word)
        return code


Bars: TypeAlias = NDArray[Any]
"""Rows of start_s, end_s (infinite while it runs), top and high in cores, and span."""

CORES, PROCESSOR = "", "cpu"
_BAR = np.dtype([("start_s", "f8"), ("end_s", "f8"), ("top", "i4"), ("high", "i4"), ("span", "i4")])
_MOST_CORES = 4096
_LATE_S = 0.05
KEPT = 1_000_000  # stages: seventeen hours of sixteen a second, in a hundred megabytes


class Lane:
    """The bars of one core group or device; `cores` is how many rows it has, 1 for a device."""

    def __init__(self, name: str, cores: int = 1) -> None:
        self.name, self.cores = name, max(1, cores)
        self._bars = np.empty(64, _BAR)
        self._count = 0
        self._busy_until = np.full(self.cores, -math.inf)

    @property
    def bars(self) -> Bars:
        """All of them, in the order in which they began."""
        return self._bars[: self._count]

    def add(self, span: int, cores: int, start_s: float, end_s: float) -> range:
        """Give a stage the lowest free cores, side by side where there is room; its bars."""
        wanted = max(cores, 1) if cores <= _MOST_CORES else self.cores
        taken = self._take(wanted, start_s)
        self._busy_until[taken] = end_s
        first = self._count
        for piece in _pieces(taken):
            self._append((start_s, end_s, piece[0], len(piece), span))
        return range(first, self._count)

    def end(self, bars: range, end_s: float) -> None:
        """These bars of one stage end."""
        for place in bars:
            bar = self._bars[place]
            bar["end_s"] = end_s
            self._busy_until[bar["top"] : bar["top"] + bar["high"]] = end_s

    def cut(self, low: float, high: float, pixels: float) -> Bars:
        """What is to be drawn of these seconds on so many pixels: one of those that share a pixel
        of a row, all others."""
        bars = self.bars
        found = bars[(bars["end_s"] > low) & (bars["start_s"] < high)]
        pixel = (high - low) / max(1.0, pixels)
        narrow = found["end_s"] - found["start_s"] < pixel
        if np.count_nonzero(narrow) < 2:
            return found
        thin = found[narrow]
        column = np.floor((thin["start_s"] - low) / pixel).astype(np.int64)
        _, first = np.unique(column * self.cores + thin["top"], return_index=True)
        return np.concatenate([thin[first], found[~narrow]])

    def at(self, at_s: float, row: int, slack_s: float = 0.0) -> int | None:
        """The stage that has a row at a moment, or within `slack_s` of it."""
        bars = self.bars
        here = (bars["top"] <= row) & (row < bars["top"] + bars["high"])
        here &= (bars["start_s"] <= at_s + slack_s) & (bars["end_s"] > at_s - slack_s)
        places = np.flatnonzero(here)
        if not len(places):
            return None
        away = np.maximum(bars["start_s"][places] - at_s, at_s - bars["end_s"][places])
        return int(bars["span"][places[np.argmin(np.maximum(away, 0.0))]])

    def gap(self, at_s: float, row: int) -> tuple[float, float]:
        """From when until when nothing has a row around a moment; infinite where it is open."""
        bars = self.bars
        here = bars[(bars["top"] <= row) & (row < bars["top"] + bars["high"])]
        ended = here["end_s"][here["end_s"] <= at_s]
        later = here["start_s"][here["start_s"] > at_s]
        return (
            float(ended.max()) if len(ended) else -math.inf,
            float(later.min()) if len(later) else math.inf,
        )

    def holding(self, at_s: float) -> Bars:
        """The bars at a moment."""
        bars = self.bars
        return bars[(bars["start_s"] <= at_s) & (bars["end_s"] > at_s)]

    def starting(self, at_s: float) -> Bars:
        """The bars that begin at a moment."""
        bars = self.bars
        return bars[np.abs(bars["start_s"] - at_s) < 1e-6]

    def drop(self, spans: int) -> int:
        """Forget the bars of so many stages, the first ones; how many bars that were."""
        gone = int(np.searchsorted(self.bars["span"], spans))
        self._bars = self._bars[gone : self._count].copy()
        self._bars["span"] -= spans
        self._count -= gone
        return gone

    def _take(self, wanted: int, start_s: float) -> NDArray[np.int64]:
        if wanted == 1:
            lowest = int(np.argmax(self._busy_until <= start_s))
            if self._busy_until[lowest] <= start_s:
                return np.array([lowest], np.int64)
        free = np.flatnonzero(self._busy_until <= start_s)
        if len(free) < wanted:  # those whose end was told a little late, then more than there are
            late = (self._busy_until > start_s) & (self._busy_until <= start_s + _LATE_S)
            closing = np.flatnonzero(late)
            closing = closing[np.argsort(self._busy_until[closing])][: wanted - len(free)]
            lacking = wanted - len(free) - len(closing)
            more = np.arange(self.cores, self.cores + lacking)
            self._busy_until = np.concatenate([self._busy_until, np.full(lacking, -math.inf)])
            self.cores += lacking
            return np.sort(np.concatenate([free, closing, more])).astype(np.int64)
        for piece in _pieces(free):
            if len(piece) >= wanted:
                return piece[:wanted]
        return free[:wanted]

    def _append(self, bar: tuple[Any, ...]) -> None:
        if self._count == len(self._bars):
            self._bars = np.concatenate([self._bars, np.empty(max(64, self._count), _BAR)])
        self._bars[self._count] = bar
        self._count += 1


def _pieces(cores: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Cores that lie side by side."""
    if len(cores) == 1:
        return [cores]
    return np.split(cores, np.flatnonzero(np.diff(cores) > 1) + 1)


@dataclass(frozen=True, slots=True)
class Idle:
    """Why a row of a lane is empty, as far as the bars tell: seconds from the lane's beginning.

    `until_s` is None while it goes on. `held` of `cores` are in use by stages of the kinds in
    `kinds`, with their numbers; `wanted` are the cores of the stage that ended the wait, where
    there were too few for it, else 0.
    """

    since_s: float
    until_s: float | None
    device: bool
    cores: int
    held: int
    kinds: tuple[tuple[StageKind, int], ...]
    wanted: int = 0

    @property
    def stages(self) -> int:
        """How many stages went on meanwhile on the cores."""
        return sum(count for _, count in self.kinds)


@dataclass(slots=True)
class _Open:
    """A stage that goes on: its place among the stages, and its bars."""

    place: int
    bars: list[tuple[Lane, range]]


class SpanStore:
    """The stages of a queue, in lanes: the cores first, then devices by name.

    Times are seconds since the first stage began (`origin_s`, on the clock of the spans). Of more
    than `kept` stages the first quarter is forgotten: `kept_from_s` is when the first began that
    is still known, and `forgotten` how many are not.
    """

    def __init__(self, cores: int = 1, kept: int = KEPT) -> None:
        self._cores, self._kept = cores, kept
        self.origin_s = self.kept_from_s = 0.0
        self.forgotten = 0
        self.spans = SpanColumns()
        self.lanes: list[Lane] = []
        self._by_name: dict[str, Lane] = {}
        self._known = bytearray()  # by number
        self._going: dict[int, _Open] = {}
        self._last_s = 0.0

    def put(self, spans: Iterable[StageSpan]) -> None:
        """Take in stages that began, and what became of those that are known."""
        fresh: dict[int, StageSpan] = {}
        for span in spans:
            if span.number in self._going:
                self._renew(span)
            elif not self._is_known(span.number):
                fresh[span.number] = span
        for span in sorted(fresh.values(), key=lambda span: (span.since_s, span.number)):
            self._add(span)
        if len(self.spans) > self._kept:
            self._forget(len(self.spans) - max(1, self._kept * 3 // 4))

    @property
    def end_s(self) -> float:
        """When the last thing that is known happened."""
        return self._last_s

    @property
    def running(self) -> bool:
        """Whether a stage goes on."""
        return bool(self._going)

    def lane(self, name: str) -> Lane | None:
        """A lane by its name."""
        return self._by_name.get(name)

    def idle(self, lane: Lane, at_s: float, row: int, now_s: float) -> Idle | None:
        """Why a row is empty at a moment; None where it is not, or nothing has begun yet."""
        if not self.kept_from_s <= at_s <= now_s or lane.at(at_s, row) is not None:
            return None
        since_s, until_s = lane.gap(at_s, row)
        cores = self._by_name.get(CORES)
        bars = cores.holding(at_s) if cores is not None else lane.bars[:0]
        held = int(bars["high"].sum())
        kinds: dict[StageKind, int] = {}
        for place in np.unique(bars["span"]):
            kind = self.spans[int(place)].kind
            kinds[kind] = kinds.get(kind, 0) + 1
        return Idle(
            max(self.kept_from_s, since_s),
            until_s if until_s <= now_s else None,
            lane is not cores,
            cores.cores if cores is not None else 0,
            held,
            tuple(sorted(kinds.items())),
            self._wanted(lane, until_s, held) if lane is cores else 0,
        )

    def _wanted(self, lane: Lane, until_s: float, held: int) -> int:
        """The cores of the stage that took the row in the end, where it had to wait for more."""
        found: dict[int, int] = {}
        for bar in lane.starting(until_s):
            found[int(bar["span"])] = found.get(int(bar["span"]), 0) + int(bar["high"])
        wanted = max(found.values(), default=0)
        return wanted if wanted > lane.cores - held else 0

    def _add(self, span: StageSpan) -> None:
        if not self.spans:
            self.origin_s = span.since_s
        start_s = span.since_s - self.origin_s
        end_s = math.inf if span.until_s is None else span.until_s - self.origin_s
        place = len(self.spans)
        self._know(span.number)
        self.spans.append(span)
        lane = CORES if span.lane == PROCESSOR else span.lane
        held = {lane: 1, CORES: span.cores}  # a device's stage has cores beside it
        lanes = [(self._open(name), cores) for name, cores in held.items() if cores]
        bars = [(it, it.add(place, cores, start_s, end_s)) for it, cores in lanes]
        if span.until_s is None:
            self._going[span.number] = _Open(place, bars)
        self._last_s = max(self._last_s, start_s if span.until_s is None else end_s)

    def _renew(self, span: StageSpan) -> None:
        going = self._going[span.number]
        self.spans[going.place] = span
        if span.until_s is not None:
            del self._going[span.number]
            end_s = span.until_s - self.origin_s
            for lane, bars in going.bars:
                lane.end(bars, end_s)
            self._last_s = max(self._last_s, end_s)

    def _forget(self, count: int) -> None:
        """Drop the first stages, but none that goes on."""
        count = min([count, *(going.place for going in self._going.values())])
        if not count:
            return
        self.spans.drop(count)
        gone = {lane.name: lane.drop(count) for lane in self.lanes}
        for going in self._going.values():
            going.place -= count
            going.bars = [
                (lane, range(bars.start - gone[lane.name], bars.stop - gone[lane.name]))
                for lane, bars in going.bars
            ]
        self.forgotten += count
        self.kept_from_s = self.spans[0].since_s - self.origin_s

    def _is_known(self, number: int) -> bool:
        return number < len(self._known) and bool(self._known[number])

    def _know(self, number: int) -> None:
        if number >= len(self._known):
            self._known.extend(bytes(number + 1024 - len(self._known)))
        self._known[number] = 1

    def _open(self, name: str) -> Lane:
        if name in self._by_name:
            return self._by_name[name]
        lane = Lane(name, self._cores if name == CORES else 1)
        self._by_name[name] = lane
        self.lanes = sorted(
            self._by_name.values(), key=lambda lane: (lane.name != CORES, lane.name)
        )
        return lane
