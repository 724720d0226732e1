"""What there is to say about one task or one trial, in words."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from engine.history.history import History
from engine.records.task import Task
from engine.records.trial import ErrorKind, Source, Trial
from engine.records.units import (
    format_duration,
    format_flops,
    format_ratio,
    format_seconds,
    format_share,
    format_work,
)
from widgets.look.language import told, tr
from widgets.look.states import source_word, state_label, state_text
from widgets.parts.facts import Fact


def task_facts(history: History, task: Task, best: Trial | None) -> list[Fact]:
    """Shapes, work, latency with its spread, speed, share, trials."""
    index = task.index
    source = best.source if best and best.number == history.record(index) else None
    return [
        (tr("State"), _state_text(history, index, source)),
        (tr("Best"), spread_text(best) if best else tr("not measured yet")),
        (tr("Untuned"), format_seconds(task.untuned_latency_s)),
        (tr("Gain"), format_ratio(history.speedup(index))),
        (tr("Speed"), format_flops(history.flops_per_s(index))),
        (tr("Share"), format_share(history.share(index))),
        _place(task),
        (tr("Work"), tr("{work} a call", work=format_work(task.flops))),
        (tr("Arguments"), "\n".join(map(str, task.args)) or tr("none")),
        (tr("Trials"), _trials_text(history, index)),
    ]


def _state_text(history: History, task: int, source: Source | None) -> str:
    state, why = history.state(task), history.why_failed(task)
    return state_text(state, why=told(why)) if why else state_label(state, source)


def _place(task: Task) -> Fact:
    """How often a task is in the model, or which of its operators it may stand for."""
    if task.merged:
        numbers = ", ".join(map(str, task.merged))
        return tr("Merges"), tr("operators {numbers}", numbers=numbers)
    return tr("Weight"), tr("{count} in the model", count=task.weight)


def _trials_text(history: History, task: int) -> str:
    trials, errors = f"{history.trials(task):,}", f"{history.errors(task):,}"
    return tr("{trials}, {errors} failed", trials=trials, errors=errors)


def trial_facts(trial: Trial, tasks: Mapping[int, Task]) -> list[Fact]:
    """Outcome, spread, cost and origin of a trial; `tasks` are the project's, by index."""
    task = tasks.get(trial.task)
    facts = [(tr("Task"), _name(tasks, trial.task))]
    if trial.error is None:
        facts += [
            (tr("Latency"), spread_text(trial)),
            (tr("Samples", "measured"), _samples_text(trial)),
        ]
        if task is not None and task.flops and trial.latency_s > 0:
            facts.append((tr("Speed"), format_flops(task.flops / trial.latency_s)))
    else:
        facts += [
            (tr("Error"), f"✕ {tr(trial.error.value)}"),
            (tr("Says"), _first_line(told(trial.error_text))),
        ]
    return [
        *facts,
        (tr("Source"), source_word(trial.source)),
        *_origin_facts(trial, tasks),
        (tr("Build"), format_seconds(trial.build_s or None)),
        (tr("Run", "time to measure"), format_seconds(trial.run_s or None)),
        (tr("Slot"), tr("{slot} of run {run}", slot=trial.slot, run=trial.run)),
        (tr("At"), format_duration(trial.elapsed_s)),
    ]


def _origin_facts(trial: Trial, tasks: Mapping[int, Task]) -> list[Fact]:
    """Where a pass took it from; a stranger's file may say anything there."""
    origin = trial.origin
    match trial.source, origin:
        case Source.SHARED, {"task": int(task), "trial": int(number)}:
            return [(tr("From"), _from_text(f"#{number:,}", _name(tasks, task)))]
        case Source.TRANSFERRED | Source.STARTER, {"model": str(model), "task": str(task)}:
            return [(tr("From"), _from_text(task, model)), *_there(origin.get("latency_s"))]
        case Source.DROPLET, {"from": int(number), "axis": str(axis)}:
            return [(tr("From"), f"#{number:,}"), (tr("Moved"), axis)]
        case Source.READY | Source.LIBRARY, {"kernel": str(kernel)}:
            return [(tr("Kernel"), kernel)]
    return []


def _from_text(what: str, whose: str) -> str:
    return tr("{what} of {whose}", what=what, whose=whose)


def _there(latency_s: Any) -> list[Fact]:
    known = type(latency_s) in (int, float) and 0 < latency_s < math.inf
    return [(tr("There"), format_seconds(float(latency_s)))] if known else []


def _name(tasks: Mapping[int, Task], index: int) -> str:
    task = tasks.get(index)
    return task.name if task else tr("task {number}", number=index)


def spread_text(trial: Trial) -> str:
    """Mean latency and the standard deviation of its samples."""
    samples = trial.confirmed or trial.samples
    text = format_seconds(trial.latency_s, 4)
    if len(samples) > 1 and trial.latency_s > 0:
        text += f" ± {statistics.stdev(samples) / trial.latency_s:.1%}".replace("%", " %")
    return text


def _samples_text(trial: Trial) -> str:
    text = f"{len(trial.samples)}"
    if trial.cut:
        text = tr("{count}, cut short: far slower than the best", count=text)
    if trial.confirmed:
        again = len(trial.confirmed)
        text = tr("{first}, and {again} when it was confirmed", first=text, again=again)
    return text


def error_facts(trials: Iterable[Trial]) -> list[Fact]:
    """Errors by kind, the commonest first, each with its commonest text."""
    texts: dict[ErrorKind, Counter[str]] = {}
    for trial in trials:
        if trial.error is not None:
            texts.setdefault(trial.error, Counter())[_first_line(told(trial.error_text))] += 1
    kinds = sorted(texts, key=lambda kind: -texts[kind].total())
    return [
        (
            tr("✕ {count} {error}", count=texts[kind].total(), error=tr(kind.value)),
            texts[kind].most_common(1)[0][0],
        )
        for kind in kinds
    ]


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0][:300] if lines else tr("no text")
