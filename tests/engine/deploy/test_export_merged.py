"""A manifest tells of the merged operators that the exported program has, and of no others."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from engine.deploy.export import unused_tasks
from engine.deploy.export_stages import Staging
from engine.records.schedule import Stage, Strategy
from tests.samples import make_task


def program() -> Any:
    """Four operators of two tasks; pairs of unlike ones and of the first kind have tasks."""
    own = [make_task(0, "a", 1e-3), make_task(1, "b", 1e-3)]
    kinds = (0, 1, 1, 0)
    merged = [SimpleNamespace(index=2, merged=(0, 1)), SimpleNamespace(index=3, merged=(0, 3))]
    operators = [SimpleNamespace(task=task) for task in kinds]
    return SimpleNamespace(tasks=(*own, *merged), operators=operators)


def staging(*merged: tuple[int, ...]) -> Staging:
    """A schedule with these sets merged."""
    stages = tuple(Stage(Strategy.MERGE, (members,)) for members in merged)
    schedule: Any = SimpleNamespace(stages=stages)
    found: Any = SimpleNamespace(schedule=schedule)
    return Staging(found, {})


def test_merged_tasks_are_told_where_the_schedule_uses_them_or_one_like_them() -> None:
    assert unused_tasks(program(), None, None) == {2, 3}
    assert unused_tasks(program(), staging((0, 1)), {"used": False}) == {2, 3}
    assert unused_tasks(program(), staging((0, 1)), {"used": True}) == {3}
    assert unused_tasks(program(), staging((2, 3)), {"used": True}) == {3}
    assert unused_tasks(program(), staging((0, 3), (1, 2)), {"used": True}) == {2}
