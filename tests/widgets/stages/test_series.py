"""A schedule as bars over time, and what is said of it."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.records.schedule import (
    FoundSchedule,
    IosOptions,
    Schedule,
    SearchState,
    Stage,
    Strategy,
    TradeOff,
    WayResult,
)
from tests.stage_data import DEVICE, branched_snapshot
from widgets.plots.time_axis import AHEAD, TimeSpan
from widgets.stages.series import SEQUENTIAL_LANE, Timeline, build_timeline
from widgets.stages.sheet import size_facts, size_of
from widgets.stages.view import CHOSEN, speed, ways_columns
from widgets.stages.words import (
    big_count,
    describe_bar,
    describe_stage,
    describe_tradeoff,
    end_sentence,
    lane_word,
    schedule_sentence,
    search_facts,
    search_sentence,
)

SIDE, MERGE = Strategy.CONCURRENT, Strategy.MERGE
STATE = SearchState(72, 1008, 3.7e9, 21, 201, 4.34e-4, 2.24e-4, 2.22e-4, True, 72.0, 228.0)


def made(
    stages: list[tuple[Strategy, tuple[tuple[int, ...], ...], float]], alone: tuple[float, ...]
) -> FoundSchedule:
    """A schedule of (strategy, groups, latency) over operators with these latencies alone."""
    return FoundSchedule(
        schedule=Schedule(
            tuple(Stage(strategy, groups) for strategy, groups, _ in stages),
            sum(latency for *_, latency in stages),
            1,
            DEVICE,
        ),
        way="ios_both",
        stage_s=tuple(latency for *_, latency in stages),
        alone_s=alone,
        kernels=tuple(f"k{number}" for number in range(len(alone))),
        options=IosOptions(),
        search=STATE,
        ended="exact",
        created_at=0.0,
    )


FOUND = made(
    [(SIDE, ((0,),), 1.0), (SIDE, ((1, 2), (3,)), 3.0), (MERGE, ((4, 5),), 1.5)],
    (1.0, 1.0, 3.0, 2.0, 1.0, 2.0),
)


def names(operator: int) -> str:
    return f"op{operator}"


# The bars


def test_stages_follow_each_other_and_operators_share_their_stage_by_latency_alone() -> None:
    timeline = build_timeline(FOUND)
    assert [(c.start_s, c.end_s) for c in timeline.columns] == [(0, 1), (1, 4), (4, 5.5)]
    bars = [(bar.operators, bar.lane, bar.start_s, bar.end_s) for bar in timeline.bars]
    assert bars == [
        ((0,), 0, 0, 1), ((1,), 0, 1, 1.75), ((2,), 0, 1.75, 4), ((3,), 1, 1, 2.5),
        ((4, 5), 0, 4, 5.5),
    ]  # fmt: skip
    assert (timeline.lanes, timeline.schedule_s, timeline.sequential_s) == (2, 5.5, 10.0)
    assert [column.gain for column in timeline.columns] == [1.0, 2.0, 2.0]


def test_the_sequential_program_has_every_operator_in_its_order() -> None:
    timeline = build_timeline(FOUND)
    assert [bar.operators for bar in timeline.sequential] == [(n,) for n in range(6)]
    assert all(a.end_s == b.start_s for a, b in pairwise(timeline.sequential))
    assert {bar.lane for bar in timeline.sequential} == {SEQUENTIAL_LANE}
    assert [bar.stage for bar in timeline.sequential] == [0, 1, 1, 1, 2, 2]


groups = st.lists(st.integers(1, 3), min_size=1, max_size=4)


@given(st.lists(st.tuples(groups, st.floats(1e-6, 1.0), st.booleans()), max_size=6), st.data())
def test_whatever_the_schedule_bars_keep_to_their_stage_and_lanes_never_overlap(
    shapes: list[tuple[list[int], float, bool]], data: st.DataObject
) -> None:
    stages, count = [], 0
    for sizes, latency, merged in shapes:
        made_groups = []
        for size in [sum(sizes)] if merged else sizes:
            made_groups.append(tuple(range(count, count + size)))
            count += size
        stages.append((MERGE if merged else SIDE, tuple(made_groups), latency))
    alone = tuple(data.draw(st.floats(0.0, 1.0)) for _ in range(count))
    timeline = build_timeline(made(stages, alone))
    assert sorted(o for bar in timeline.bars for o in bar.operators) == list(range(count))
    for column in timeline.columns:
        inside = [bar for bar in timeline.bars if bar.stage == column.place]
        assert min(bar.start_s for bar in inside) == pytest.approx(column.start_s)
        assert max(bar.end_s for bar in inside) == pytest.approx(column.end_s)
    lanes: dict[int, float] = {}
    for bar in timeline.bars:
        assert bar.start_s >= lanes.get(bar.lane, 0.0) - 1e-9
        lanes[bar.lane] = bar.end_s


def test_latencies_that_do_not_fit_the_stages_are_left_out() -> None:
    assert len(build_timeline(replace(FOUND, stage_s=(1.0,))).columns) == 1
    assert build_timeline(replace(FOUND, alone_s=(1.0,))).lanes == 1
    assert build_timeline(made([], ())) == Timeline()


# The words


def test_the_pointer_is_told_names_latencies_and_gain() -> None:
    timeline = build_timeline(FOUND)
    assert describe_bar(timeline, timeline.bars[2], names, FOUND).splitlines() == [
        "op2  3.000 s alone", "stage 2 of 3: 2 groups side by side",
        "takes 3.000 s, its operators one after another 6.000 s: 2.00x",
    ]  # fmt: skip
    assert describe_bar(timeline, timeline.bars[-1], names, FOUND).splitlines() == [
        "2 operators merged into one", "op4  1.000 s alone", "op5  2.000 s alone",
        "stage 3 of 3: merged", "takes 1.500 s, its operators one after another 3.000 s: 2.00x",
    ]  # fmt: skip
    assert describe_bar(timeline, timeline.sequential[5], names, FOUND).splitlines() == [
        "op5  2.000 s alone", "in stage 3 of 3: merged",
    ]  # fmt: skip
    whole = describe_stage(timeline.columns[0], timeline, names, FOUND)
    assert whole.splitlines() == [
        "stage 1 of 3: one group", "takes 1.000 s", "op0  1.000 s alone",
    ]  # fmt: skip


def test_a_large_stage_names_a_few_and_counts_the_others() -> None:
    found = made([(SIDE, tuple((n,) for n in range(9)), 1.0)], (1.0,) * 9)
    timeline = build_timeline(found)
    assert describe_stage(timeline.columns[0], timeline, names, found).endswith("and 3 more")


def test_the_sentence_says_how_fast_against_what() -> None:
    ways = (
        WayResult("sequential", 6, 10.0, 12.0),
        WayResult("ios_both", 3, 5.5, 6.0),
    )
    sentence = schedule_sentence(replace(FOUND, ways=ways))
    assert sentence == (
        "IOS, both: 6.00 s, 2.00x as fast as sequential (12.0 s). "
        "3 stages, 1 of groups side by side and 1 merged."
    )
    first = replace(FOUND, way="sequential", ways=ways)
    assert "nothing was measured that is surely faster" in schedule_sentence(first)
    assert schedule_sentence(FOUND).startswith("IOS, both: 5.50 s, ")
    busy = (ways[0], replace(ways[1], load=0.68))
    assert schedule_sentence(replace(FOUND, ways=busy)).endswith(
        "Disturbed: other programs had 68 % of the cores that it needs."
    )


@pytest.mark.parametrize(
    ("ended", "exact", "says"),
    [
        ("exact", True, "none is over 1 % faster"),
        ("exact", False, "searched in parts"),
        ("time", True, "The time ran out after 1:12, 21 stages measured, at most 201 left"),
        ("stopped", True, "It was stopped"),
        ("who knows", True, "The search has ended"),
    ],
)
def test_how_the_search_ended_is_said_in_words(ended: str, exact: bool, says: str) -> None:
    found = replace(FOUND, ended=ended, search=replace(STATE, exact=exact))
    assert says in end_sentence(found)
    assert "(r = 3, s = 8, side by side and merged)" in end_sentence(found)


def test_the_search_is_told_in_figures() -> None:
    facts = {name: value for name, value, _ in search_facts(STATE, FOUND.schedule)}
    assert facts == {
        "Best so far": "224 us (1.94x)",
        "Stages measured": "21 of at most 222",
        "Time": "1:12, 3:48 left",
        "Sequential": "434 us",
        "Floor": "222 us",
        "Sets of operators": "72",
        "Pairs": "1,008 of 3.7 × 10⁹",
        "Search": "exact",
    }
    nothing = {name: value for name, value, _ in search_facts(SearchState(exact=False), None)}
    assert nothing["Best so far"] == nothing["Floor"] == "–"
    assert nothing["Search"] == "large blocks in parts"
    line = "Finding stages: 21 measured, at most 201 to come   best 224 us (1.94x)   3:48 left"
    assert search_sentence(STATE) == line


@pytest.mark.parametrize(
    ("count", "text"),
    [(51230, "51,230"), (1e6, "1.0 × 10⁶"), (9.2e22, "9.2 × 10²²"),
     (math.inf, "more than can be counted")],
)  # fmt: skip
def test_large_counts_are_powers_of_ten(count: float, text: str) -> None:
    assert big_count(count) == text


def test_a_group_is_a_thread_on_a_cpu_and_a_stream_on_a_gpu() -> None:
    assert [lane_word(device) for device in ("cpu znver4 x2", "cuda NVIDIA H100", "")] == [
        "Thread", "Stream", "Stream",
    ]  # fmt: skip


def test_a_point_of_the_trade_off_says_what_its_search_costs() -> None:
    text = describe_tradeoff(TradeOff(2, 1, 1e-3, 401, 3120, 240), chosen=True)
    assert text.splitlines() == [
        "at most 2 operators a group, 1 group a stage", "1.000 ms by the stages measured",
        "240 stages to measure", "401 sets, 3,120 pairs", "what was searched",
    ]  # fmt: skip


# Ways and sizes


def test_the_speed_of_a_way_is_that_measured_or_else_that_predicted() -> None:
    first = WayResult("sequential", 6, 10.0, 12.0)
    assert speed(WayResult("greedy", 3, 5.0, 4.0), first) == 3.0
    assert speed(WayResult("greedy", 3, 5.0), first) == 2.0
    assert speed(WayResult("greedy", 3), first) is None
    assert speed(first, None) is None


def test_the_chosen_way_is_marked_with_a_word() -> None:
    snapshot = branched_snapshot(1)
    assert snapshot.schedule is not None
    ids, columns = ways_columns(snapshot.schedule)
    chosen = [columns["way"][row] for row in ids if columns["chosen"][row] == CHOSEN]
    assert chosen == ["IOS, both"]
    assert math.isnan(columns["predicted"][0])  # an eager program has no stages


def test_the_size_of_a_search_is_that_of_the_models_blocks() -> None:
    size = size_of(branched_snapshot(2, searched=False).operators)
    assert (size.operators, size.blocks, size.largest, size.width) == (20, 2, 8, 4)
    assert size.bound == pytest.approx(2 * (8 / 4 + 1) ** 8)
    assert dict(size_facts(size, "some"))["Pairs"] == "at most 13,122 without limits"
    chain = size_of(branched_snapshot(0, searched=False).operators)
    assert (chain.operators, chain.blocks, chain.bound) == (2, 0, 0.0)
    assert dict(size_facts(chain, "some"))["Blocks"].startswith("none")


# The time in sight


def test_all_of_the_time_is_in_sight_until_a_person_zooms() -> None:
    span = TimeSpan(0.5)
    assert span.range == (0.0, 0.5)
    span.end_s = 10.0
    assert span.range == (0.0, 10.0 * AHEAD)
    span.zoom(0.5, 4.0)
    low, high = span.range
    assert (high - low, (4.0 - low) / (high - low)) == pytest.approx((5.15, 4 / 10.3))
    span.end_s = 2.0
    assert span.range == (low, high)
    span.fit()
    assert span.range == (0.0, 2.0 * AHEAD)


@given(
    st.lists(
        st.tuples(st.floats(0.1, 4.0), st.floats(-5.0, 15.0), st.floats(-2.0, 2.0)), max_size=9
    )
)
def test_zooming_and_moving_never_leave_the_time(moves: list[tuple[float, float, float]]) -> None:
    span = TimeSpan(0.5)
    span.end_s = 10.0
    for factor, around, by in moves:
        span.zoom(factor, around)
        span.move(by)
        low, high = span.range
        assert low >= 0.0
        assert high <= 10.0 * AHEAD + 1e-9
        assert high - low >= 0.5 - 1e-9
