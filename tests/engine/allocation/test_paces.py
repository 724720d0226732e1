"""How long a slot will take, by what slots took."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.allocation.forecast import Paces
from tests.engine.allocation.support import task


def test_without_any_seconds_every_pace_is_one() -> None:
    assert Paces([]).of(task(0, [1e-3] * 8, slot_s=5.0)) == 1.0
    assert Paces([task(0)]).of(task(0)) == 1.0


def test_a_tasks_seconds_are_pulled_towards_its_classes_and_those_towards_all() -> None:
    slow = task(0, [1e-3] * 8, slot_s=12.0)
    quick = task(1, [1e-3] * 8, slot_s=2.0, op_class="add")
    paces = Paces([slow, quick])
    mean_s = 7.0
    class_s = (2.0 + 4 * mean_s) / 5
    assert paces.of(quick) == pytest.approx(mean_s / ((2 * 2.0 + 4 * class_s) / 6))
    assert paces.of(slow) < 1.0 < paces.of(quick)


def test_an_untried_task_takes_what_its_class_takes() -> None:
    known = [task(index, [1e-3] * 4, slot_s=2.0, op_class="add") for index in range(4)]
    others = [task(4 + index, [1e-3] * 4, slot_s=10.0) for index in range(4)]
    paces = Paces([*known, *others])
    assert paces.of(task(9, op_class="add")) == pytest.approx(6.0 / 4.0)
    assert paces.of(task(9, op_class="new")) == pytest.approx(1.0)


def test_many_slots_speak_for_themselves() -> None:
    known = [task(0, [1e-3] * 400, slot_s=2.0), task(1, [1e-3] * 400, slot_s=6.0)]
    assert Paces(known).of(known[0]) == pytest.approx(2.0, rel=0.05)


def test_a_slot_in_flight_is_not_counted_and_a_half_empty_one_would_take_twice_as_long() -> None:
    view = task(0, [1e-3] * 8, slot_s=4.0)
    paces = Paces([view, task(1, [1e-3] * 8, slot_s=8.0)])
    assert paces.of(replace(view, slots=3, in_flight=True)) == paces.of(view)
    full_s, half_s = (6.0 / paces.of(view, filled) for filled in (1.0, 0.5))
    assert half_s - full_s == pytest.approx(2 * 4.0 / 6)
