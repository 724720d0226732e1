"""The exact values behind each plot, as rows; nothing here draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from engine.history.history import Curve, History
from engine.history.improvements import Improvements
from engine.replay.side_by_side import Contender
from widgets.droplet.neighbours import OUTCOMES
from widgets.droplet.series import Path
from widgets.parts.exporting import Sheet
from widgets.sources.series import factors

_CONVERGENCE = ("series", "task", "trial", "elapsed_s", "latency_s", "spread_s", "error")


def convergence_sheet(history: History, selected: int | None) -> Sheet:
    """The changes of the model and of each task, and all trials of the selected task."""
    return Sheet(_CONVERGENCE, _convergence_rows(history, selected))


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


def _convergence_rows(history: History, selected: int | None) -> Iterator[tuple[Any, ...]]:
    yield from _changes("model", "", history.model_curve())
    for task in history.tasks:
        untuned_s = history.untuned(task.index)
        if untuned_s is not None:
            yield ("untuned", task.name, 0, 0.0, untuned_s, None, "")
        yield from _changes("best so far", task.name, history.curve(task.index))
    if selected is not None:
        log, name = history.log(selected), history.name(selected)
        for row, number in enumerate(log.numbers):
            error = log.error(number)
            text = "" if error is None else error.value
            at, latency_s, spread_s = log.elapsed_s[row], log.latency_s[row], log.spread_s[row]
            yield ("trial", name, number, at, latency_s, spread_s or None, text)


def _changes(series: str, name: str, curve: Curve) -> Iterator[tuple[Any, ...]]:
    columns = (curve.trials.tolist(), curve.elapsed_s.tolist(), curve.latency_s.tolist())
    for trial, elapsed_s, latency_s in zip(*columns, strict=True):
        yield (series, name, trial, elapsed_s, latency_s, None, "")
