"""Knobs against latency: what each schedule of a task chose, and how much a choice explains."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import numpy as np

from engine.history.history import Floats, Ints
from engine.passes.decisions import Choice, Coordinate, Location, Tile, read_decisions, shown
from engine.project.repository import Project
from engine.records.trial import Trial
from engine.search.sketches import read_sketch
from engine.search.trace_text import parse

SKETCH = "sketch"
_ENTER = '["EnterPostproc"'
_TRIALS_A_VALUE = 2  # on average; with fewer, most groups say nothing of what varies within them
_MOST_KNOBS = 256  # ours have 40; a stranger's file may name millions
# What reading a trace that is none raises; msgspec's own are ValueErrors.
_UNREADABLE = (
    *(ValueError, TypeError, LookupError, ArithmeticError, AttributeError, RecursionError),
)
_Pick: TypeAlias = Callable[[Mapping[int, Any]], float]


@dataclass(frozen=True, slots=True, eq=False)
class KnobColumn:
    """One knob of which trials have at least two values.

    `texts` are its values for a person, ascending; `codes` has a place in them for each trial of
    the study, -1 where its schedule has no such knob. `importance` is the share of the variance of
    the logarithm of latency that the knob explains by itself, None where too few trials tell.
    """

    name: str
    texts: tuple[str, ...]
    codes: Ints
    importance: float | None


@dataclass(frozen=True, eq=False)
class KnobStudy:
    """The trials of one task that have a latency, as columns of one length, and their knobs.

    `numbers` are the trials', `latency_s` in seconds. `knobs` are sorted by importance. `failed`
    trials have no latency, `steady` knobs never had another value.
    """

    numbers: Ints
    latency_s: Floats
    knobs: tuple[KnobColumn, ...] = ()
    failed: int = 0
    steady: int = 0

    @cached_property
    def by_latency(self) -> Ints:
        """The rows of the trials, the fastest first."""
        order: Ints = np.argsort(self.latency_s, kind="stable")
        return order

    def medians_s(self, knob: KnobColumn) -> Floats:
        """The median latency in seconds of the trials with each value of a knob."""
        return np.array(
            [np.median(self.latency_s[knob.codes == code]) for code in range(len(knob.texts))]
        )

    def best_text(self, knob: KnobColumn) -> str:
        """The value that the fastest trial has, empty where it has no such knob."""
        code = int(knob.codes[self.by_latency[0]])
        return knob.texts[code] if code >= 0 else ""


NO_STUDY = KnobStudy(np.empty(0, np.int64), np.empty(0))


def study_of(path: str | Path, task: int) -> KnobStudy:
    """Study the trials of one of a project's tasks; 2,000 take about a quarter of a second.

    Raises ProjectError and StorageError as `Project.open` does.
    """
    with Project.open(path, read_only=True) as project:
        return study(project.trials_of(task))


def study(trials: Sequence[Trial]) -> KnobStudy:
    """Study trials of one task, which have their traces.

    A tile is a knob for each of its factors; "sketch" numbers the forms of schedules as they came.
    A trace that cannot be read is left out.
    """
    reader, read = _Reader(), []
    for trial in trials:
        if math.isfinite(trial.latency_s) and (values := reader.values(trial.trace)) is not None:
            read.append((trial.number, trial.latency_s, values))
    latency_s = np.array([latency for _, latency, _ in read], np.float64)
    every = dict.fromkeys(name for _, _, values in read for name in values)
    names = list(every)[:_MOST_KNOBS]
    columns = [
        _column(name, [values.get(name, math.nan) for _, _, values in read], latency_s, reader)
        for name in names
    ]
    knobs = [column for column in columns if len(column.texts) > 1]
    return KnobStudy(
        np.array([number for number, _, _ in read], np.int64),
        latency_s,
        tuple(sorted(knobs, key=_importance, reverse=True)),
        sum(trial.error is not None for trial in trials),
        len(columns) - len(knobs),
    )


def explained(values: Floats, groups: Ints) -> float | None:
    """The share of the variance of `values` that lies between their groups, in [0, 1].

    It is the correlation ratio less what so many groups would explain by chance:
    1 - (S_within / (n - k)) / (S_all / (n - 1)) for n values in k groups, 0 where that is negative
    (T. L. Kelley, "An unbiased correlation ratio measure", PNAS 21, 1935, pp. 554-559). None for
    one group, for fewer than two values a group on average, and where all values are equal.
    """
    count = len(values)
    sizes = np.bincount(groups) if count else np.zeros(0)
    sizes = sizes[sizes > 0]
    if len(sizes) < 2 or count < _TRIALS_A_VALUE * len(sizes):
        return None
    apart = values - values.mean()
    total = float((apart**2).sum())
    if not total > 0.0:
        return None
    sums = np.bincount(groups, weights=apart)[np.unique(groups)]
    within = max(0.0, total - float((sums**2 / sizes).sum()))
    share = 1.0 - (within / (count - len(sizes))) / (total / (count - 1))
    return min(max(share, 0.0), 1.0)


def _importance(knob: KnobColumn) -> float:
    return -1.0 if knob.importance is None else knob.importance


def _column(name: str, listed: Sequence[float], latency_s: Floats, reader: _Reader) -> KnobColumn:
    values = np.array(listed, np.float64)
    known = ~np.isnan(values)
    levels, found = np.unique(values[known], return_inverse=True)
    codes = np.full(len(values), -1, np.int64)
    codes[known] = found
    texts = tuple(map(reader.texts[name], levels.tolist()))
    return KnobColumn(name, texts, codes, explained(np.log(latency_s[known]), codes[known]))


class _Reader:
    """Reads what traces of one task decided; `texts` says how a knob's values are written.

    Most traces begin alike, up to what postprocessors made of them: what is decided where is found
    out once for each beginning.
    """

    def __init__(self) -> None:
        self.texts: dict[str, Callable[[float], str]] = {}
        self._layouts: dict[str, dict[str, _Pick]] = {}
        self._sketches: dict[str, int] = {}

    def values(self, trace: str) -> dict[str, float] | None:
        """The value of each knob by its name; None where the trace is none."""
        begin = trace.partition(_ENTER)[0]
        try:
            if begin not in self._layouts:
                self._layouts[begin] = self._layout(trace)
            made = dict(msgspec.json.decode(trace)[1])
            return {name: _real(pick(made)) for name, pick in self._layouts[begin].items()}
        except _UNREADABLE:
            return None

    def _layout(self, trace: str) -> dict[str, _Pick]:
        parsed = parse(trace)
        for at, (kind, _, attributes, _) in enumerate(parsed.instructions):
            if kind.startswith("Sample"):
                made = parsed.decisions[at]
                if kind == "SamplePerfectTile" and len(made) != attributes[0]:
                    raise ValueError(kind)
        structure, coordinates = read_sketch(parsed.text).structure, read_decisions(trace)
        number = self._sketches.setdefault(structure, len(self._sketches) + 1)
        layout: dict[str, _Pick] = {SKETCH: lambda _: number}
        self.texts.setdefault(SKETCH, _number)
        for coordinate in coordinates:
            for name, pick in _picks(coordinate):
                layout[name] = pick
                self.texts.setdefault(name, _writer(coordinate))
        return layout


def _picks(coordinate: Coordinate) -> Iterator[tuple[str, _Pick]]:
    """A decision's knobs by their names, each with how it is read from decisions by place."""
    match coordinate:
        case Tile(at=at, name=name, factors=factors):
            for part in range(len(factors)):
                yield f"{name}.{part + 1}", partial(_factor, at, part)
        case Choice(written=True, name=name, values=values, chosen=chosen):
            yield name, lambda _: values[chosen]
        case Choice(at=at, name=name, values=values):
            yield name, lambda made: values[made[at]]
        case Location(at=at, name=name):
            yield name, lambda made: made[at]


def _real(value: Any) -> float:
    """A number of a trace; ValueError where it is none."""
    if isinstance(value, bool | str) or not math.isfinite(value):
        raise ValueError(value)
    return float(value)


def _factor(at: int, part: int, made: Mapping[int, Any]) -> float:
    factor: float = made[at][part]
    return factor


def _writer(coordinate: Coordinate) -> Callable[[float], str]:
    if isinstance(coordinate, Location):
        return lambda value: shown(coordinate, int(value))
    return _number


def _number(value: float) -> str:
    return f"{value:.12g}"
