"""What a policy sees of the tasks."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from engine.allocation.board import Board, slots_so_far
from engine.records.snapshot import SlotInfo
from engine.records.task import Task
from engine.records.trial import Source, Trial

TASKS = tuple(Task(index, f"t{index}", 2, 1e6, "conv2d", (), "") for index in range(3))


def board(**options: object) -> Board:
    """A board over three tasks; task i has had the latencies [i] and was i seconds untuned."""
    return Board(
        TASKS,
        lambda index: [float(index)],
        lambda index: float(index) or None,
        batch=16,
        **options,  # type: ignore[arg-type]
    )


def test_a_task_is_seen_with_its_facts_and_its_history() -> None:
    view = board(peak_flops=1e9).views()[2]
    assert (view.index, view.weight, view.flops, view.op_class) == (2, 2, 1e6, "conv2d")
    assert (view.latencies, view.untuned_s, view.peak_flops) == ([2.0], 2.0, 1e9)
    assert (view.slots, view.slot_s, view.slot_trials, view.open) == (0, None, 16, True)
    assert board().views()[0].untuned_s is None


def test_a_slot_in_flight_counts_and_closes_its_task_until_it_is_over() -> None:
    made = board()
    made.give(1)
    view = made.views()[1]
    assert (view.slots, view.in_flight, view.open, made.busy) == (1, True, False, True)
    made.take_back(1, 3.0)
    made.give(1)
    made.take_back(1, 5.0)
    view = made.views()[1]
    assert (view.slots, view.slot_s, view.open, made.busy) == (2, 4.0, True, False)


def test_a_slot_without_a_result_says_nothing_about_the_time_of_a_slot() -> None:
    made = board()
    made.give(0)
    made.take_back(0)
    assert (made.views()[0].slots, made.views()[0].slot_s) == (1, None)


def test_a_finished_task_is_closed_for_good() -> None:
    made = board()
    made.give(0)
    made.take_back(0, 1.0, finished=True)
    assert made.views()[0].finished
    assert not made.views()[0].open


def test_a_projects_earlier_slots_count_as_long_as_they_lasted() -> None:
    slots = [SlotInfo(1, 1, 0, 0.0), SlotInfo(2, 1, 1, 1.0), SlotInfo(3, 1, 0, 4.0)]
    slots.append(SlotInfo(4, 1, 0, 9.0))  # a pass's, which tells nothing of searches
    trials = [
        Trial(1, 0, "", "a", slot=1, elapsed_s=3.0),
        Trial(2, 0, "", "b", slot=1, elapsed_s=2.0),
        Trial(3, 0, "", "c", slot=3, elapsed_s=9.0, source=Source.READY),
        Trial(4, 0, "", "d", slot=4, elapsed_s=9.5, source=Source.DROPLET),
    ]
    earlier = slots_so_far(slots, trials)
    assert earlier == [(0, 3.0), (1, None), (0, 5.0)]
    views = board(earlier=earlier).views()
    assert [(view.slots, view.slot_s) for view in views] == [(2, 4.0), (1, None), (0, None)]


@pytest.mark.parametrize(
    ("latencies", "untuned_s", "floor_s", "at_floor"),
    [
        ((), None, 1e-6, False),
        ((), 1.2e-6, 1e-6, True),
        ((), 1.4e-6, 1e-6, False),
        ((9e-6, 1.3e-6), 5e-6, 1e-6, True),
        ((9e-6, math.inf), 5e-6, 1e-6, False),
        ((1e-6,), 1e-6, None, False),
    ],
)
def test_a_task_is_at_the_floor_where_its_best_is_about_the_shortest_kernel(
    latencies: Sequence[float], untuned_s: float | None, floor_s: float | None, at_floor: bool
) -> None:
    made = Board(TASKS, lambda index: latencies, lambda index: untuned_s, batch=16, floor_s=floor_s)
    assert made.views()[0].at_floor is at_floor
