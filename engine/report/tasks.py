"""The tables of tasks, of what failed, and of what the sources of trials gave."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from engine.records.task import Task
from engine.records.trial import Source, Trial
from engine.records.units import UNKNOWN, format_flops, format_ratio, format_seconds, format_share
from engine.records.words import source_word
from engine.report.charts import spark
from engine.report.markup import node, table
from engine.report.subject import Subject

_ERRORS_SHOWN = 20
_ERROR_WORDS = 300


def tasks(subject: Subject) -> Iterator[Element]:
    """All tasks, the costliest first, each with its curve."""
    snapshot, history = subject.snapshot, subject.history
    if not snapshot.tasks:
        return
    yield node("h2", "Tasks")
    shares = history.shares()
    ordered = sorted(snapshot.tasks, key=lambda task: -shares.get(task.index, 0.0))
    records = _records(subject)
    heads = ("Task", "Weight", "Share", "Untuned", "Best", "Speed-up", "Speed", "Trials", "Failed",
             "Best from", "Curve")  # fmt: skip
    rows = [_task(subject, task, records.get(task.index)) for task in ordered]
    yield table(heads, rows, range(1, 9))
    if any(task.merged for task in snapshot.tasks):
        text = "Tasks of weight 0 are merged operators, which only a schedule of stages may use."
        yield node("p", text, class_="muted")


def _task(subject: Subject, task: Task, record: Trial | None) -> tuple[str | Element, ...]:
    history, index = subject.history, task.index
    curve = spark(history.best_so_far(index), task.untuned_latency_s, subject.snapshot.elapsed_s)
    return (
        task.name,
        f"{task.weight}",
        format_share(history.share(index)),
        format_seconds(task.untuned_latency_s),
        format_seconds(history.best(index)),
        format_ratio(history.speedup(index)),
        format_flops(history.flops_per_s(index)),
        f"{history.trials(index):,}",
        f"{history.errors(index):,}",
        source_word(record.source) if record else "untuned" if history.now(index) else UNKNOWN,
        UNKNOWN if curve is None else curve,
    )


def _records(subject: Subject) -> dict[int, Trial]:
    """The trial that each task would be compiled with."""
    history = subject.history
    wanted = {history.record(task.index) for task in subject.snapshot.tasks}
    return {trial.task: trial for trial in subject.snapshot.trials if trial.number in wanted}


def sources(subject: Subject) -> Iterator[Element]:
    """What search and passes tried and gave, where there was a pass."""
    snapshot = subject.snapshot
    tried = Counter(trial.source for trial in snapshot.trials)
    if set(tried) <= {Source.SEARCH}:
        return
    yield node("h2", "Passes")
    failed = Counter(trial.source for trial in snapshot.trials if trial.error)
    kept = Counter(trial.source for trial in _records(subject).values())
    gained = subject.improvements.totals
    rows = [
        (
            source_word(source).capitalize(),
            f"{tried[source]:,}",
            f"{failed[source]:,}",
            f"{kept[source]:,}",
            format_seconds(gained.get(source)),
        )
        for source in Source
        if source in tried
    ]
    heads = ("Source", "Trials", "Failed", "Tasks whose best it is", "Taken off the latency")
    yield table(heads, rows, range(1, 5))
    if snapshot.clustering is not None:
        count = len(snapshot.clustering.clusters)
        yield node("p", f"{len(snapshot.own_tasks):,} tasks are in {count:,} clusters.")
    if snapshot.moves:
        accepted = sum(move.accepted for move in snapshot.moves)
        yield node("p", f"Droplet compared {len(snapshot.moves):,} neighbours, {accepted:,} moves.")


def errors(subject: Subject) -> Iterator[Element]:
    """What failed, how often, and the words of the commonest errors."""
    failed = [trial for trial in subject.snapshot.trials if trial.error is not None]
    if not failed:
        return
    yield node("h2", "Errors")
    total, of = len(failed), len(subject.snapshot.trials)
    yield node("p", f"{total:,} of {of:,} trials failed ({format_share(total / of)}).")
    names = {task.index: task.name for task in subject.snapshot.tasks}
    counts = Counter((trial.error, _words(trial.error_text)) for trial in failed)
    where: dict[tuple[object, str], set[str]] = {}
    for trial in failed:
        key = (trial.error, _words(trial.error_text))
        where.setdefault(key, set()).add(names.get(trial.task, "?"))
    rows = [
        (f"{kind}", f"{count:,}", f"{len(where[kind, text]):,}", node("code", text))
        for (kind, text), count in counts.most_common(_ERRORS_SHOWN)
    ]
    yield table(("Kind", "Trials", "Tasks", "Words"), rows, (1, 2))
    if len(counts) > _ERRORS_SHOWN:
        rest = len(counts) - _ERRORS_SHOWN
        yield node("p", f"{rest:,} rarer errors are left out.", class_="muted")


def _words(text: str) -> str:
    """The first line of an error, or its last where that names it."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    line = lines[0] if lines else ""
    return line if len(line) <= _ERROR_WORDS else f"{line[:_ERROR_WORDS]}…"
