"""What the allocation view says and draws: bars, sentences and the columns of its table."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.allocation.registry import POLICIES
from engine.allocation.scores import DecisionCost, Terms
from engine.history import History
from engine.jobs.settings import RunSettings
from engine.slot_log import SlotSpan, lanes
from engine.tasks.task import TaskState
from widgets.column_model import Array
from widgets.units import format_duration, format_seconds, format_share

_BUSY = (TaskState.SEARCHING, TaskState.BUILDING, TaskState.MEASURING)
_TASK_NUMBER = re.compile(r"\btask (\d+)\b")

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
    failed = f", {span.errors:,} failed" if span.errors else ""
    count = f"{span.trials:,} trial{'' if span.trials == 1 else 's'}{failed}"
    if span.running:
        gained = "going on"
    elif span.gain_s is None:
        gained = "its first result" if span.trials > span.errors else "no result"
    else:
        gained = f"gained {format_seconds(span.gain_s)}" if span.gain_s > 0 else "gained nothing"
    took = f"{_short(span.seconds)} from {format_duration(info.elapsed_s)}"
    lines = [f"slot {info.number}  {name(info.task)}", f"{took}, {count}, {gained}"]
    if info.reason:
        lines.insert(1, named(info.reason, name))
    return "\n".join(lines)


def why_now(span: SlotSpan | None, name: Callable[[int], str]) -> str:
    """Why the newest slot went where it went, in one sentence."""
    if span is None:
        return ""
    info = span.info
    goes = "goes" if span.running else "went"
    reason = f": {named(info.reason, name)}" if info.reason else ""
    return f"Slot {info.number} {goes} to {name(info.task)}{reason}."


def named(reason: str, name: Callable[[int], str]) -> str:
    """A policy's reason with the names of tasks instead of their numbers."""
    return _TASK_NUMBER.sub(lambda found: name(int(found[1])), reason)


def cost_text(cost: DecisionCost | None) -> str:
    """What deciding costs; empty where the policy does not say."""
    if cost is None:
        return ""
    share = format_share(cost.share)
    return f"The policy takes {share} of the time ({format_seconds(cost.mean_s, 2)} a slot)."


def finish_after(settings: RunSettings) -> int:
    """After how many trials without improvement the run's policy gives a task up; 0 for never."""
    policy = POLICIES.get(settings.policy)
    default = getattr(policy.Options(), "finish_after", 0) if policy else 0
    value = settings.policy_options.get("finish_after", default)
    return value if type(value) is int else 0


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
    if state in _BUSY:
        return "has a slot"
    if state in (TaskState.FINISHED, TaskState.FAILED) and reason:
        return f"{state.value}: {reason}"
    since = trials_since_best(history, task)
    left = 0 < limit <= since if stuck is None else task in stuck
    if left:
        return f"finished: {since:,} trials without improvement"
    return "failed" if state is TaskState.FAILED else "open"


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


def _short(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds < 60 else format_duration(seconds)
