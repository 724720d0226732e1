"""The scores of slots, read back for a view: each task's terms, and what deciding cost."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.records.snapshot import SlotInfo

Terms: TypeAlias = dict[str, float]

_LARGEST = 1e300


@dataclass(frozen=True, slots=True)
class DecisionCost:
    """Seconds that a policy took for its choices: the mean, and the part of the tuning time."""

    mean_s: float
    share: float


def terms_of(scores: Mapping[str, Any]) -> dict[int, Terms]:
    """What a slot's scores say of each task, by name; whatever makes no sense is left out.

    Scores hold columns under "tasks", with the tasks' indices among them, or numbers by task.
    """
    found: dict[int, Terms] = {}
    for name, values in scores.items():
        if name == "tasks" and isinstance(values, Mapping):
            _add_columns(found, values)
        elif isinstance(values, Mapping):
            _add_numbers(found, name, values)
    return found


def stuck_tasks(scores: Mapping[str, Any]) -> frozenset[int] | None:
    """The tasks that had left when a slot was given; None where its policy does not say."""
    found = scores.get("stuck")
    return frozenset(t for t in found if type(t) is int) if isinstance(found, list) else None


def decision_cost(slots: Sequence[SlotInfo], seconds: float) -> DecisionCost | None:
    """What the choices of these slots cost, of so many seconds of tuning; None where unknown."""
    known = [cost for slot in slots if (cost := _number(slot.scores.get("decision_s"))) is not None]
    if not known or not seconds > 0:
        return None
    return DecisionCost(math.fsum(known) / len(known), math.fsum(known) / seconds)


def _add_columns(found: dict[int, Terms], columns: Mapping[str, Any]) -> None:
    tasks = columns.get("task")
    if not isinstance(tasks, list):
        return
    for name, values in columns.items():
        if name == "task" or not isinstance(values, list) or len(values) != len(tasks):
            continue
        for task, value in zip(tasks, values, strict=True):
            number = _number(value)
            if type(task) is int and number is not None:
                found.setdefault(task, {})[name] = number


def _add_numbers(found: dict[int, Terms], name: str, values: Mapping[Any, Any]) -> None:
    for task, value in values.items():
        number = _number(value)
        if str(task).isascii() and str(task).isdecimal() and number is not None:
            found.setdefault(int(task), {})[name] = number


def _number(value: Any) -> float | None:
    """A finite number, None for anything else: the file may be a stranger's."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    number = math.inf if abs(value) > _LARGEST else float(value)
    return number if math.isfinite(number) else None
