"""The beginning of a report: how fast the model is, against what, and its curve."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath
from xml.etree.ElementTree import Element

from engine.history.figure import figure_of
from engine.history.figure_words import notes_text
from engine.records.precision import DEFAULT_PRECISION, title_of
from engine.records.units import format_duration, format_ratio, format_seconds, format_share
from engine.report.charts import Level, curve_chart
from engine.report.markup import facts, node
from engine.report.subject import Subject

NO_RESULT = "Nothing was measured yet."


def head(subject: Subject) -> Iterator[Element]:
    """Title, the sentence of the result, the facts, the curve."""
    snapshot = subject.snapshot
    yield node("h1", snapshot.model_name)
    yield node("p", f"Tuned for {subject.target_title}{_precision(subject)}", class_="muted")
    yield node("p", result_sentence(subject), class_="headline")
    yield facts(_facts(subject))
    yield node("h2", "Convergence")
    levels = [
        Level(name, latency_s)
        for name, latency_s in (
            ("untuned", snapshot.untuned_latency_s),
            ("ONNX Runtime", snapshot.reference_latency_s),
        )
        if latency_s
    ]
    chart = curve_chart(subject.history.model_curve(), snapshot.elapsed_s, levels)
    if chart is None:
        yield node("p", NO_RESULT)
        return
    yield node("p", chart)
    yield node(
        "p",
        "The model's latency by first measurements: the sum over all tasks of weight times best.",
        class_="muted",
    )


def result_sentence(subject: Subject) -> str:
    """Untuned, now, and how much faster."""
    figure = subject.figure
    if figure.latency_s is None:
        return NO_RESULT
    before, now = format_seconds(figure.untuned_s), format_seconds(figure.latency_s)
    if figure.speedup is None:
        unsure = f"{before} untuned, {now} now: no more apart than measurements are"
        return f"{now} untuned" if not figure.tuned else unsure if figure.untuned_s else now
    return f"{before} untuned, {now} now: {format_ratio(figure.speedup)} as fast"


def _precision(subject: Subject) -> str:
    """Said with the target where it is not that of most files."""
    precision = subject.source.precision
    return "" if precision == DEFAULT_PRECISION else f", in {title_of(precision)}"


def _facts(subject: Subject) -> list[tuple[str, str]]:
    snapshot, history = subject.snapshot, subject.history
    failed = sum(history.errors(task.index) for task in history.tasks)
    figure, reference_s = subject.figure, snapshot.reference_latency_s
    now = figure.latency_s
    compared = ""
    if reference_s and now:
        compared = f" ({format_ratio(reference_s / now)} the latency now)"
    return [
        ("Latency now", f"{format_seconds(now)}. {notes_text(figure)}" if now else ""),
        ("ONNX Runtime", f"{format_seconds(reference_s)}{compared}" if reference_s else ""),
        *_shapes(subject),
        ("Tuned share of latency", format_share(history.share_tuned())),
        ("Tasks", f"{len(snapshot.own_tasks):,}, for {len(snapshot.operators):,} operators"),
        ("Trials", f"{len(snapshot.trials):,}, of which {failed:,} failed"),
        ("Tuning time", format_duration(snapshot.elapsed_s)),
        ("Project", file_name(snapshot.path)),
        ("Report of", f"{moment(subject.made_at)}, by {subject.made_by}"),
    ]


def _shapes(subject: Subject) -> list[tuple[str, str]]:
    """Of a set of shapes each one's latency; all others are means."""
    snapshot = subject.snapshot
    told = [
        f"{shape.label}, {shape.frequency:,} times: "
        f"{format_seconds(figure_of(snapshot.of_shape(place)).latency_s)}"
        for place, shape in enumerate(snapshot.shapes)
    ]
    return [("Shapes, whose mean the latencies are", "; ".join(told))] if told else []


def file_name(path: str) -> str:
    """A path without the folders, which are nobody else's business."""
    return PureWindowsPath(path).name if "\\" in path else Path(path).name


def moment(seconds: float) -> str:
    """A date and time of this machine's clock."""
    try:
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds))
    except (OverflowError, ValueError, OSError):  # a stranger's file may hold any number
        return ""
