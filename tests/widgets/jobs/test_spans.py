"""Stages in lanes: which cores they are drawn on, what is cut out, why nothing was there."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.records.outstanding import StageKind
from tests.job_data import BEGIN_S, span, spans
from widgets.jobs.spans import CORES, Idle, Lane, SpanStore

STAGES = st.lists(
    st.tuples(st.integers(0, 400), st.integers(1, 60), st.integers(1, 4)), max_size=40
)


def store_of(*stages: object, cores: int = 2) -> SpanStore:
    made = SpanStore(cores)
    made.put(stages)  # type: ignore[arg-type]
    return made


def core_lane(store: SpanStore) -> Lane:
    lane = store.lane(CORES)
    assert lane is not None
    return lane


def idle(store: SpanStore, lane: str, at_s: float, row: int = 0, now_s: float = 10.0) -> Idle:
    found = store.lane(lane)
    assert found is not None
    answer = store.idle(found, at_s, row, now_s)
    assert answer is not None
    return answer


@settings(max_examples=60, deadline=None)
@given(STAGES)
def test_no_two_stages_are_drawn_on_one_core_at_a_time(stages: list[tuple[int, int, int]]) -> None:
    store = store_of(
        *(span(n, "build", at, at + long, cores) for n, (at, long, cores) in enumerate(stages))
    )
    lane = store.lane(CORES)
    bars = [] if lane is None else lane.bars.tolist()
    for place, (start, end, top, high, _) in enumerate(bars):
        for start2, end2, top2, high2, _ in bars[place + 1 :]:
            apart = end <= start2 or end2 <= start or top + high <= top2 or top2 + high2 <= top
            assert apart
    drawn = np.zeros(len(stages), int)
    for bar in bars:
        drawn[bar[4]] += bar[3]
    wanted = [cores for _, _, cores in sorted((at, n, c) for n, (at, _, c) in enumerate(stages))]
    assert drawn.tolist() == wanted


def test_stages_lie_side_by_side_where_there_is_room_and_else_in_pieces() -> None:
    store = store_of(
        *(span(n, "build", 0, end) for n, end in enumerate((1, 9, 1, 9))),
        span(5, "search", 2, 3, cores=2),
        cores=4,
    )
    pieces = core_lane(store).bars[-2:]
    assert pieces["top"].tolist() == [0, 2] and pieces["high"].tolist() == [1, 1]


def test_more_stages_than_cores_get_rows_of_their_own() -> None:
    store = store_of(*(span(n, "build", 0, 5) for n in range(3)), cores=2)
    assert core_lane(store).cores == 3


def test_an_end_that_is_told_a_little_late_costs_no_row() -> None:
    store = store_of(span(1, "build", 0, 1.01), span(2, "build", 1.0, 2), cores=1)
    assert core_lane(store).cores == 1


def test_a_stage_of_a_device_is_in_its_lane_and_on_its_cores() -> None:
    store = store_of(
        span(1, "measurement", 0, 1, cores=1, lane="cuda:0"),
        span(2, "measurement", 0, 1, cores=0, lane="board"),
        span(3, "measurement", 1, 2, cores=2, lane="cpu"),
    )
    assert [lane.name for lane in store.lanes] == [CORES, "board", "cuda:0"]
    assert core_lane(store).bars["high"].tolist() == [1, 2]


def test_what_becomes_of_a_stage_takes_the_place_of_what_was_known() -> None:
    store = store_of(span(1, "build", 0, None))
    assert store.running and math.isinf(core_lane(store).bars["end_s"][0])
    store.put([span(1, "build", 0, 3), span(2, "build", 3, None)])
    assert core_lane(store).bars["end_s"].tolist() == [3, math.inf]
    assert core_lane(store).bars["top"].tolist() == [0, 0]
    store.put([span(2, "build", 3, 4)])
    assert (store.running, store.end_s, store.origin_s) == (False, 4, BEGIN_S)


def test_a_stage_that_needs_all_cores_whatever_their_number_gets_those_there_are() -> None:
    store = store_of(span(1, "measurement", 0, 1, cores=1 << 30), cores=4)
    assert core_lane(store).bars["high"].tolist() == [4]


def test_of_stages_within_a_pixel_one_is_drawn_and_of_wider_ones_all() -> None:
    lane = Lane(CORES, 2)
    for n in range(20_000):
        lane.add(n, 1, n / 100, n / 100 + 0.005)
    lane.add(20_000, 1, 50.0, 150.0)
    found = lane.cut(0, 200, 100)
    assert len(found) <= 2 * 100 + 1 and 20_000 in found["span"]
    assert len(lane.cut(10, 10.1, 100)) == len(lane.cut(10, 10.1, 1e6)) <= 12


def test_the_stage_at_a_moment_is_that_of_the_row_and_a_near_one_counts() -> None:
    store = store_of(span(1, "build", 0, 2), span(2, "search", 0, 4))
    lane = core_lane(store)
    assert [lane.at(1, 0), lane.at(1, 1), lane.at(3, 0)] == [0, 1, None]
    assert lane.at(2.05, 0, slack_s=0.1) == 0


def test_where_nothing_ran_anywhere_that_is_all_that_is_said() -> None:
    store = store_of(span(1, "build", 0, 1), span(2, "build", 5, 6))
    assert idle(store, CORES, 3) == Idle(1, 5, False, 2, 0, ())


def test_a_device_is_idle_while_builds_and_searches_go_on() -> None:
    store = store_of(
        span(1, "measurement", 0, 1, lane="cuda:0"),
        span(2, "build", 1, 3),
        span(3, "build", 1, 3),
        span(4, "measurement", 3, 4, lane="cuda:0"),
        cores=3,
    )
    assert idle(store, "cuda:0", 2) == Idle(1, 3, True, 3, 2, ((StageKind.BUILD, 2),))


def test_a_core_that_waits_for_a_stage_of_more_cores_says_so() -> None:
    store = store_of(
        span(1, "build", 0, 4), span(2, "build", 0, 1), span(3, "measurement", 4, 5, cores=2)
    )
    found = idle(store, CORES, 2, row=1)
    assert (found.wanted, found.held, found.stages) == (2, 1, 1)


def test_what_is_idle_now_has_no_end_and_before_the_first_stage_nothing_is_said() -> None:
    store = store_of(span(1, "build", 0, 1))
    assert idle(store, CORES, 5).until_s is None
    assert store.idle(core_lane(store), -1, 0, 10) is None
    assert store.idle(core_lane(store), 11, 0, 10) is None


def test_all_stages_of_a_queue_find_a_place() -> None:
    store = store_of(*spans(), cores=4)
    assert {int(number) for number in core_lane(store).bars["span"]} == set(range(len(spans())))


# A long session


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 4), st.booleans(), st.booleans()), max_size=60))
def test_a_bounded_store_has_the_newest_stages_and_every_one_that_goes_on(
    stages: list[tuple[int, bool, bool]],
) -> None:
    whole, bounded = SpanStore(4), SpanStore(4, kept=8)
    for n, (cores, goes_on, device) in enumerate(stages):
        begun = span(n, "build", n, None, cores=cores, lane="cuda:0" if device else "", job=n % 3)
        over = replace(begun, until_s=begun.since_s + 0.5)
        for store in (whole, bounded):
            store.put([begun])
            if not goes_on:
                store.put([over])
                store.put([over])  # told twice
    kept = list(bounded.spans)
    assert kept == list(whole.spans)[bounded.forgotten :]
    assert len(whole.spans) == len(stages) and bounded.running == whole.running
    assert len(kept) <= 8 or kept[0].until_s is None
    for lane in bounded.lanes:
        of_whole = whole.lane(lane.name)
        assert of_whole is not None
        bars = of_whole.bars[of_whole.bars["span"] >= bounded.forgotten]
        bars["span"] -= bounded.forgotten
        assert np.array_equal(lane.bars, bars)
    for store in (whole, bounded):
        store.put([replace(each, until_s=each.since_s + 99) for each in list(store.spans)])
    assert not bounded.running and bounded.end_s == whole.end_s


def test_of_what_was_forgotten_no_idle_time_is_told() -> None:
    store = SpanStore(1, kept=4)
    store.put([span(n, "build", 2 * n, 2 * n + 1) for n in range(5)])
    assert store.forgotten == 2 and store.kept_from_s == 4
    lane = core_lane(store)
    assert store.idle(lane, 1.5, 0, 10.0) is None
    assert store.idle(lane, 5.5, 0, 10.0) is not None
