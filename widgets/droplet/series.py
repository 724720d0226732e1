"""The numbers and sentences of the Droplet view; nothing here draws."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.history.history import Floats, History, Ints
from engine.records.units import UNKNOWN, format_ratio, format_seconds
from widgets.droplet.neighbours import (
    LEVEL,
    OUTCOMES,
    Neighbour,
    Outcome,
    outcome_label,
    outcomes,
)
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.column_model import Array
from widgets.parts.exporting import Sheet

DIGITS = 4
NO_IMPROVEMENT = QT_TR_NOOP("no improvement found")


@dataclass(frozen=True, slots=True)
class Path:
    """What was tried of a task in order, as columns of one length.

    `steps` counts from 1: the neighbours of a step are those of one point. `places` are on the
    axis of steps: the accepted at the end of their step, the others before it.
    `latency_s` is the latency of the point where the path began over the gains on the way, which
    were measured in turns; NaN where nothing is known. `codes` are places in OUTCOMES.
    `line_x` and `line_s` are the vertices of the path, NaN where it began anew elsewhere;
    `begin_x` and `begin_s` are the points where it did.
    """

    tried: tuple[Neighbour, ...]
    steps: Ints
    places: Floats
    latency_s: Floats
    codes: Ints
    line_x: Floats
    line_s: Floats
    begin_x: Floats
    begin_s: Floats

    @property
    def ratio(self) -> float:
        """The gains of all accepted neighbours together, as a ratio."""
        return gain_of(self.tried)

    @property
    def accepted(self) -> int:
        """How many neighbours Droplet went to."""
        return sum(each.accepted for each in self.tried)

    @property
    def p_values(self) -> Floats:
        """NaN where there was no comparison."""
        known = [math.nan if each.p_value is None else each.p_value for each in self.tried]
        return np.array(known, np.float64)


def build_path(
    tried: Sequence[Neighbour], latency_of: Callable[[int], float], level: float = LEVEL
) -> Path:
    """The path of one task; `latency_of` gives a trial's latency in seconds, NaN if unknown."""
    steps = _steps(tried)
    line = _Line()
    latency_s = np.full(len(tried), np.nan)
    places = np.zeros(len(tried))
    codes = np.zeros(len(tried), np.int64)
    for step in range(1, int(steps[-1]) + 1 if len(steps) else 1):
        rows: list[int] = np.flatnonzero(steps == step).tolist()
        own = [tried[row] for row in rows]
        base_s = line.begin(step, own[0].start, latency_of)
        codes[rows] = [OUTCOMES.index(outcome) for outcome in outcomes(own, level)]
        places[rows] = step - 1 + _within(own)
        latency_s[rows] = [neighbour_latency(base_s, each.gain) for each in own]
        for row in rows:
            if tried[row].accepted:
                line.go(step, tried[row].end, float(latency_s[row]))
    return Path(tuple(tried), steps, places, latency_s, codes, *line.arrays())


def neighbour_latency(base_s: float, gain: float) -> float:
    """The latency of a point that is `gain` faster than one of `base_s`; NaN if it has none."""
    return base_s / (1.0 + gain) if math.isfinite(gain) and gain > -1.0 else math.nan


def gain_of(tried: Sequence[Neighbour]) -> float:
    """The gains of the accepted together, as a ratio."""
    return math.prod(1.0 + each.gain for each in tried if each.accepted)


def _steps(tried: Sequence[Neighbour]) -> Ints:
    starts = np.array([each.start for each in tried], np.int64)
    changed = np.concatenate([[1], np.diff(starts) != 0]) if len(starts) else starts
    steps: Ints = np.cumsum(changed).astype(np.int64)
    return steps


def _within(step: Sequence[Neighbour]) -> Floats:
    """Places in (0, 1]: the accepted at 1, the others spread evenly before it, in order."""
    others = sum(not each.accepted for each in step)
    spread = iter(np.arange(1, others + 1) / (others + 1))
    return np.array([1.0 if each.accepted else next(spread) for each in step])


class _Line:
    """The path as it is followed step by step."""

    def __init__(self) -> None:
        self._x: list[float] = []
        self._s: list[float] = []
        self._begins: list[tuple[float, float]] = []
        self._trial: int | None = None
        self._now_s = math.nan

    def begin(self, step: int, trial: int, latency_of: Callable[[int], float]) -> float:
        """Level through a step that leaves `trial`; the latency there."""
        if trial != self._trial:
            self._now_s = latency_of(trial)
            if self._x:
                self._add(step - 1.0, math.nan)
            self._begins.append((step - 1.0, self._now_s))
        self._trial = trial
        self._add(step - 1.0, self._now_s)
        self._add(float(step), self._now_s)
        return self._now_s

    def go(self, step: int, trial: int, latency_s: float) -> None:
        """Upright to the accepted point."""
        self._trial, self._now_s = trial, latency_s
        self._add(float(step), latency_s)

    def arrays(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Vertices, then the points where a path begins."""
        begins = np.array(self._begins, np.float64).reshape(-1, 2)
        return np.array(self._x), np.array(self._s), begins[:, 0], begins[:, 1]

    def _add(self, x: float, latency_s: float) -> None:
        self._x.append(x)
        self._s.append(latency_s)


def latency_in(history: History, task: int, number: int) -> float:
    """The latency of a trial in seconds, the confirmed one where there is one; NaN if unknown."""
    try:
        log = history.log(task)
        return log.confirmed(number) or log.latency_s[log.row(number)]
    except KeyError:
        return math.nan


def tried_columns(path: Path) -> tuple[Ints, dict[str, Array]]:
    """The rows of the table of neighbours by their id, and its columns."""
    tried = path.tried
    return np.array([each.id for each in tried], np.int64), {
        "step": path.steps,
        "axis": np.array([each.axis for each in tried], object),
        "start": np.array([each.start for each in tried], np.int64),
        "end": np.array([each.end for each in tried], np.int64),
        "gain": np.array([each.gain for each in tried], np.float64),
        "p_value": path.p_values,
        "outcome": path.codes,
    }


def polished_columns(
    tried: Sequence[Sequence[Neighbour]], names: Sequence[str]
) -> dict[str, Array]:
    """The columns of the table of polished tasks, a row for each list of neighbours."""
    return {
        "name": np.array(names, object),
        "tried": np.array([_count(own) for own in tried], np.int64),
        "accepted": np.array([sum(each.accepted for each in own) for own in tried], np.int64),
        "ratio": np.array([gain_of(own) for own in tried], np.float64),
    }


def path_sentence(path: Path, name: str, going_on: bool) -> str:
    """What Droplet came to on a task; says so where it found nothing."""
    tried = _count(path.tried)
    failed = sum(bool(each.error) for each in path.tried)
    count = tr("%n neighbours tried", "", tried)
    if failed:
        count = tr("{trials}, {errors} failed", trials=count, errors=f"{failed:,}")
    if path.accepted:
        return f"{_gain_sentence(path, name)} {count}."
    none = tr("{task}: no improvement found.", task=name)
    if going_on:
        none = tr("{task}: no improvement found so far.", task=name)
    end = tr("{count}, none was significantly faster.", count=count)
    if tried == 1:
        end = tr("{count}, it was not significantly faster.", count=count)
    return f"{none} {end}"


def _gain_sentence(path: Path, name: str) -> str:
    ratio, steps = format_ratio(path.ratio), tr("%n steps", "", path.accepted)
    if len(path.begin_s) != 1 or not math.isfinite(path.line_s[-1]):
        return tr("{task}: {ratio} faster in {steps}.", task=name, ratio=ratio, steps=steps)
    return tr(
        "{task}: {ratio} faster in {steps}, {before} → {after}.",
        task=name,
        ratio=ratio,
        steps=steps,
        before=format_seconds(float(path.begin_s[0]), DIGITS),
        after=format_seconds(float(path.line_s[-1]), DIGITS),
    )


def _count(tried: Sequence[Neighbour]) -> int:
    return len({each.end for each in tried})


def describe_tried(path: Path, row: int) -> str:
    """One neighbour for the pointer."""
    each, outcome = path.tried[row], OUTCOMES[path.codes[row]]
    lines = [
        tr("step {number}  {decision}", number=path.steps[row], decision=each.axis),
        tr("trial {start} → trial {end}", start=f"{each.start:,}", end=f"{each.end:,}"),
    ]
    if outcome is not Outcome.FAILED and math.isfinite(each.gain):
        lines.append(_measured(each))
    if math.isfinite(path.latency_s[row]):
        base_s = path.latency_s[row] * (1.0 + each.gain)
        after = format_seconds(float(path.latency_s[row]), DIGITS)
        lines.append(f"{format_seconds(base_s, DIGITS)} → {after}")
    error = f": {tr(each.error)}" if each.error else ""
    return "\n".join([*lines, f"{outcome_label(outcome)}{error}"])


def _measured(each: Neighbour) -> str:
    gain = gain_text(each.gain)
    if each.p_value is None:
        return tr("{gain} measured once", gain=gain)
    return tr("{gain} measured in turns, p-value {p}", gain=gain, p=p_text(each.p_value))


def gain_text(gain: float) -> str:
    """A relative gain with its sign: "+7.9 %"."""
    return UNKNOWN if math.isnan(gain) else f"{gain * 100:+.1f} %".replace("-", "−")


def p_text(p_value: float) -> str:
    """A p-value with two figures."""
    if math.isnan(p_value):
        return UNKNOWN
    return "<0.0001" if p_value < 1e-4 else f"{float(f'{p_value:.1e}'):.6g}"


def droplet_sheet(path: Path) -> Sheet:
    """Each neighbour that was tried, in order."""
    return Sheet(
        ("step", "from_trial", "trial", "decision", "outcome", "latency_s", "gain", "p_value"),
        (
            (step, each.start, each.end, each.axis, OUTCOMES[code].value, latency_s, each.gain,
             each.p_value)
            for step, each, code, latency_s in zip(
                path.steps.tolist(),
                path.tried,
                path.codes.tolist(),
                path.latency_s.tolist(),
                strict=True,
            )
        ),
    )  # fmt: skip
