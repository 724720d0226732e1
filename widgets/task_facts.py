"""What there is to say about one task or one trial, in words."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from engine.history import History
from engine.measure.trial import ErrorKind, Source, Trial
from engine.tasks.task import Task
from widgets.facts import Fact
from widgets.source_words import source_word
from widgets.states import state_label
from widgets.units import (
    format_duration,
    format_flops,
    format_ratio,
    format_seconds,
    format_share,
    format_work,
)


def task_facts(history: History, task: Task, best: Trial | None) -> list[Fact]:
    """Shapes, work, latency with its spread, speed, share, trials."""
    index = task.index
    source = best.source if best and best.number == history.record(index) else None
    return [
        ("State", state_label(history.state(index), source)),
        ("Best", spread_text(best) if best else "not measured yet"),
        ("Untuned", format_seconds(task.untuned_latency_s)),
        ("Gain", format_ratio(history.speedup(index))),
        ("Speed", format_flops(history.flops_per_s(index))),
        ("Share", format_share(history.share(index))),
        _place(task),
        ("Work", f"{format_work(task.flops)} a call"),
        ("Arguments", "\n".join(map(str, task.args)) or "none"),
        ("Trials", f"{history.trials(index):,}, {history.errors(index):,} failed"),
    ]


def _place(task: Task) -> Fact:
    """How often a task is in the model, or which of its operators it may stand for."""
    if task.merged:
        return "Merges", f"operators {', '.join(map(str, task.merged))}"
    return "Weight", f"{task.weight} in the model"


def trial_facts(trial: Trial, tasks: Mapping[int, Task]) -> list[Fact]:
    """Outcome, spread, cost and origin of a trial; `tasks` are the project's, by index."""
    task = tasks.get(trial.task)
    facts = [("Task", _name(tasks, trial.task))]
    if trial.error is None:
        facts += [("Latency", spread_text(trial)), ("Samples", _samples_text(trial))]
        if task is not None and task.flops and trial.latency_s > 0:
            facts.append(("Speed", format_flops(task.flops / trial.latency_s)))
    else:
        facts += [("Error", f"✕ {trial.error.value}"), ("Says", _first_line(trial.error_text))]
    return [
        *facts,
        ("Source", source_word(trial.source)),
        *_origin_facts(trial, tasks),
        ("Build", format_seconds(trial.build_s or None)),
        ("Run", format_seconds(trial.run_s or None)),
        ("Slot", f"{trial.slot} of run {trial.run}"),
        ("At", format_duration(trial.elapsed_s)),
    ]


def _origin_facts(trial: Trial, tasks: Mapping[int, Task]) -> list[Fact]:
    """Where a pass took it from; a stranger's file may say anything there."""
    origin = trial.origin
    match trial.source, origin:
        case Source.SHARED, {"task": int(task), "trial": int(number)}:
            return [("From", f"#{number:,} of {_name(tasks, task)}")]
        case Source.TRANSFERRED, {"model": str(model), "task": str(task)}:
            return [("From", f"{task} of {model}"), *_there(origin.get("latency_s"))]
        case Source.DROPLET, {"from": int(number), "axis": str(axis)}:
            return [("From", f"#{number:,}"), ("Moved", axis)]
    return []


def _there(latency_s: Any) -> list[Fact]:
    known = type(latency_s) in (int, float) and 0 < latency_s < math.inf
    return [("There", format_seconds(float(latency_s)))] if known else []


def _name(tasks: Mapping[int, Task], index: int) -> str:
    task = tasks.get(index)
    return task.name if task else f"task {index}"


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
        text += ", cut short: far slower than the best"
    if trial.confirmed:
        text += f", and {len(trial.confirmed)} when it was confirmed"
    return text


def error_facts(trials: Iterable[Trial]) -> list[Fact]:
    """Errors by kind, the commonest first, each with its commonest text."""
    texts: dict[ErrorKind, Counter[str]] = {}
    for trial in trials:
        if trial.error is not None:
            texts.setdefault(trial.error, Counter())[_first_line(trial.error_text)] += 1
    kinds = sorted(texts, key=lambda kind: -texts[kind].total())
    return [
        (f"✕ {texts[kind].total()} {kind.value}", texts[kind].most_common(1)[0][0])
        for kind in kinds
    ]


def _first_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[0][:300] if lines else "no text"
