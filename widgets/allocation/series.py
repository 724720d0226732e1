"""What the allocation view says and draws: bars, sentences and the columns of its table."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.allocation.policies.registry import policy_options
from engine.allocation.scores import DecisionCost, Terms
from engine.history.history import History
from engine.history.slot_log import SlotSpan, lanes
from engine.records.errors import UsageError
from engine.records.settings import RunSettings
from engine.records.task import TaskState
from engine.records.units import format_duration, format_seconds, format_share
from widgets.look.language import told, tr
from widgets.look.states import state_word
from widgets.look.units import clock
from widgets.parts.column_model import Array

_BUSY = (TaskState.SEARCHING, TaskState.BUILDING, TaskState.MEASURING)
_TASK_NUMBER = re.compile(r"\b[Tt]ask (\d+)\b")

TERM_KEYS = ("gain_s", "spread_s", "bonus", "ucb", "probability", "gradient_s", "slot_s")
"""The terms that have a column, by their name in the scores."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One slot on the timeline: seconds of tuning time, its row from the top."""

    number: int
    task: int
    run: int
    row: int
    start_s: float
    end_s: float
    name: str
    running: bool


def build_bars(spans: Sequence[SlotSpan], name: Callable[[int], str]) -> tuple[Bar, ...]:
    """The slots as bars, in the order of their numbers."""
    return tuple(
        Bar(
            span.info.number,
            span.info.task,
            span.info.run,
            row,
            span.info.elapsed_s,
            span.end_s,
            name(span.info.task),
            span.running,
        )
        for span, row in zip(spans, lanes(spans), strict=True)
    )


def describe_slot(span: SlotSpan, name: Callable[[int], str]) -> str:
    """A slot for the pointer: number, task, why, what it took, what it gave."""
    info = span.info
    trials = tr("%n trials", "", span.trials)
    if span.errors:
        trials = tr("{trials}, {errors} failed", trials=trials, errors=f"{span.errors:,}")
    took = tr(
        "{time} from {start}", time=clock(span.seconds), start=format_duration(info.elapsed_s)
    )
    lines = [
        tr("slot {number}  {task}", number=info.number, task=name(info.task)),
        f"{took}, {trials}, {_gained(span)}",
    ]
    if info.reason:
        lines.insert(1, named(told(info.reason), name))
    return "\n".join(lines)


def why_now(span: SlotSpan | None, name: Callable[[int], str]) -> str:
    """Why the newest slot went where it went, in one sentence."""
    if span is None:
        return ""
    info = span.info
    number, task, reason = info.number, name(info.task), named(told(info.reason), name)
    if not reason:
        if span.running:
            return tr("Slot {number} goes to {task}.", number=number, task=task)
        return tr("Slot {number} went to {task}.", number=number, task=task)
    if span.running:
        return tr("Slot {number} goes to {task}: {why}.", number=number, task=task, why=reason)
    return tr("Slot {number} went to {task}: {why}.", number=number, task=task, why=reason)


def named(reason: str, name: Callable[[int], str]) -> str:
    """A policy's reason with the names of tasks instead of their numbers."""
    return _TASK_NUMBER.sub(lambda found: name(int(found[1])), reason)


def cost_text(cost: DecisionCost | None) -> str:
    """What deciding costs; empty where the policy does not say."""
    if cost is None:
        return ""
    return tr(
        "The policy takes {share} of the time ({time} a slot).",
        share=format_share(cost.share),
        time=format_seconds(cost.mean_s, 2),
    )


def finish_after(settings: RunSettings) -> int:
    """After how many trials without improvement the run's policy gives a task up; 0 for never."""
    try:
        options = policy_options(settings.policy, settings.policy_options)
    except UsageError:
        return 0
    return getattr(options, "finish_after", 0)


def trials_since_best(history: History, task: int) -> int:
    """How many trials of a task came after its best; all of them where none was valid."""
    latency_s = np.asarray(history.log(task).latency_s, np.float64)
    if not len(latency_s) or not np.isfinite(latency_s).any():
        return len(latency_s)
    return len(latency_s) - 1 - int(np.argmin(latency_s))


def task_condition(
    history: History, task: int, reason: str, stuck: frozenset[int] | None, limit: int
) -> str:
    """What the allocation does with a task, and why it is finished where it is.

    `reason` is what the engine said when it ended. `stuck` are the tasks that the policy says
    have left; where it does not say, those without improvement for `limit` trials (0: none).
    """
    state = history.state(task)
    reason = reason or history.why_failed(task)
    if state in _BUSY:
        return tr("has a slot")
    if state in (TaskState.FINISHED, TaskState.FAILED) and reason:
        return tr("{state}: {why}", state=state_word(state), why=told(reason))
    since = trials_since_best(history, task)
    left = 0 < limit <= since if stuck is None else task in stuck
    if left:
        return tr("finished: %n trials without improvement", "", since)
    return state_word(state) if state is TaskState.FAILED else tr("open")


@dataclass(frozen=True, slots=True)
class Standing:
    """What the rows of the table are made of, beside the history."""

    spans: tuple[SlotSpan, ...]
    terms: Mapping[int, Terms]
    reasons: Mapping[int, str]
    stuck: frozenset[int] | None
    limit: int


def allocation_columns(history: History, standing: Standing) -> dict[str, Array]:
    """The columns of the table by key, a row a task; unknown numbers are NaN."""
    indices = [task.index for task in history.tasks]
    own: dict[int, list[SlotSpan]] = {index: [] for index in indices}
    for span in standing.spans:
        own.setdefault(span.info.task, []).append(span)
    conditions = [
        task_condition(history, i, standing.reasons.get(i, ""), standing.stuck, standing.limit)
        for i in indices
    ]
    columns: dict[str, Array] = {
        "name": np.array([task.name for task in history.tasks], object),
        "condition": np.array(conditions, object),
        "slots": np.array([len(own[i]) for i in indices], np.int64),
        "trials": np.array([history.trials(i) for i in indices], np.int64),
        "seconds": np.array([math.fsum(s.seconds for s in own[i]) for i in indices], np.float64),
        "gained": np.array([math.fsum(s.gain_s or 0.0 for s in own[i]) for i in indices]),
    }
    for key in TERM_KEYS:
        values = [standing.terms.get(i, {}).get(key, math.nan) for i in indices]
        columns[key] = np.array(values, np.float64)
    return columns


def known_terms(terms: Mapping[int, Terms]) -> frozenset[str]:
    """The terms that the policy has."""
    return frozenset(key for own in terms.values() for key in own)


def _gained(span: SlotSpan) -> str:
    if span.running:
        return tr("going on")
    if span.gain_s is None:
        return tr("its first result") if span.trials > span.errors else tr("no result")
    if span.gain_s > 0:
        return tr("gained {time}", time=format_seconds(span.gain_s))
    return tr("gained nothing")
