"""Droplet on made-up landscapes: it reaches the optimum, stops, and takes no noise for a gain."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import pytest

from engine.passes.decisions import Location, point_key, read_decisions
from engine.passes.droplet import Contender, Droplet, Proposal, around
from tests.engine.passes.landscape import Landscape, descend, make_trace

START = make_trace()
FLAT = (1e-3, 1.001e-3, 0.999e-3, 1.002e-3, 0.998e-3, 1e-3)


def optimal(landscape: Landscape, trace: str) -> bool:
    """Whether no neighbour is faster, noise aside."""
    here = landscape.latency(trace)
    droplet = Droplet(1, trace, here)
    nearby = [proposal for proposal in droplet.propose(999) if proposal.size == 1]
    assert nearby
    return all(landscape.latency(item.trace) >= here for item in nearby)


def fast(samples: tuple[float, ...], gain: float) -> tuple[float, ...]:
    """Samples that are faster by a gain."""
    return tuple(value / (1 + gain) for value in samples)


def observed(droplet: Droplet, latencies: Sequence[float | None]) -> list[Proposal]:
    """Proposals whose measurements gave these latencies."""
    made = droplet.propose(len(latencies))
    for trial, (proposal, latency) in enumerate(zip(made, latencies, strict=True), start=2):
        droplet.observe(proposal, latency, trial)
    return made


# The descent


@pytest.mark.parametrize("coupling", [0.0, 0.3])
@pytest.mark.parametrize("tail", [0.0, 3.0])
@pytest.mark.parametrize("seed", range(3))
def test_it_reaches_an_optimum_and_stops(coupling: float, tail: float, seed: int) -> None:
    landscape = Landscape(coupling=coupling, tail=tail, seed=seed)
    done = descend(landscape, START)
    assert optimal(landscape, done.droplet.point.trace)
    assert done.droplet.reason == "no neighbour is better"
    assert done.droplet.propose(8) == []


def test_it_tries_few_of_many_schedules() -> None:
    landscape = Landscape(best=((1, 1, 14, 4), (2, 1, 1, 32), (1, 7, 1, 8)), slope=0.03)
    done = descend(landscape, make_trace(((56, 1, 1, 1), (1, 8, 1, 8), (7, 1, 8, 1))))
    assert landscape.latency(done.droplet.point.trace) == pytest.approx(1e-3)
    assert len(done.tried) < 200  # of 4 million


def test_every_move_is_significant_and_leads_on_from_the_last() -> None:
    done = descend(Landscape(), START)
    stood = 1
    assert done.moves
    for move in done.moves:
        assert move.start == stood
        assert move.p_value <= 0.05
        assert move.gain > 0
        stood = move.contender.trial
    assert done.droplet.point.trial == stood


def test_nothing_is_proposed_twice() -> None:
    done = descend(Landscape(coupling=0.3), START)
    keys = [point_key(item.trace) for item in done.tried]
    assert len({*keys, point_key(START)}) == len(keys) + 1


def test_noise_is_accepted_no_more_often_than_stated() -> None:
    runs = [descend(Landscape(slope=0, tail=3, seed=seed), START) for seed in range(60)]
    contests = sum(bool(run.verdicts) for run in runs)
    assert contests > 20
    assert sum(bool(run.moves) for run in runs) / contests <= 0.1
    reasons = {run.droplet.reason.partition(":")[0] for run in runs if not run.moves}
    assert reasons == {"no improvement found"}


def test_the_budget_of_a_caller_ends_it_anywhere() -> None:
    done = descend(Landscape(), START, trials=11)
    assert len(done.tried) == 11
    assert not done.droplet.done
    assert done.droplet.reason == ""


def test_it_goes_on_from_the_best_trial_and_what_was_tried() -> None:
    landscape = Landscape()
    first = descend(landscape, START, trials=20)
    known = [START, *(item.trace for item in first.tried)]
    second = descend(landscape, first.droplet.point.trace, known=known)
    tried = {point_key(trace) for trace in known}
    assert not tried & {point_key(item.trace) for item in second.tried}
    assert optimal(landscape, second.droplet.point.trace)


def test_larger_steps_are_tried_before_it_gives_up_if_asked_for() -> None:
    near = descend(Landscape(slope=0), START, batch=1)
    far = descend(Landscape(slope=0), START, batch=1, reach=3)
    assert {item.size for item in near.tried} == {1}
    assert {item.size for item in far.tried} == {1, 2, 3}
    assert len(far.tried) == sum(s.size <= 3 for s in around(read_decisions(START)))


# The order


def test_axes_take_turns_and_larger_steps_fill_up_a_batch() -> None:
    droplet = Droplet(1, START, 1e-3)
    first = droplet.propose(3)
    assert [item.axis.partition(":")[0] for item in first] == [
        "tile dense loop 1",
        "tile dense loop 2",
        "unroll explicit of dense",
    ]
    rest = droplet.propose(999)
    sizes = [item.size for item in rest]
    assert sizes == sorted(sizes)
    assert sizes[-1] > 1


def test_a_batch_holds_no_larger_steps_while_neighbours_fill_it() -> None:
    assert {item.size for item in Droplet(1, START, 1e-3).propose(5)} == {1}


def test_the_line_of_a_success_comes_first_then_what_helped_and_last_what_did_not() -> None:
    start = make_trace(((64, 1, 1, 1), (27, 1)))
    near = {step.line for step in around(read_decisions(start)) if step.size == 1}
    droplet = Droplet(1, start, 1e-3)
    made = observed(droplet, [2e-3, 0.95e-3, 0.9e-3])
    best, second = droplet.contenders(2)
    droplet.settle(FLAT, [(best, fast(FLAT, 0.2)), (second, fast(FLAT, 0.1))])
    assert droplet.point.trial == best.trial == 4
    order = [item.line for item in droplet.propose(999)]
    assert order[0] == made[2].line
    others = [line for line in order if line != made[2].line]
    assert others[0] == made[1].line
    untried = {line for line in others if line not in {item.line for item in made}}
    assert others.index(made[0].line) > max(others.index(line) for line in untried & near)


# Contests


def test_only_what_is_measured_faster_contends_and_the_fastest_first() -> None:
    droplet = Droplet(1, START, 1e-3)
    observed(droplet, [0.9e-3, 1.1e-3, 0.8e-3, 0.999e-3, None, math.nan, math.inf, 0.0])
    assert [rival.latency_s for rival in droplet.contenders(9)] == [0.8e-3, 0.9e-3]
    assert [rival.latency_s for rival in droplet.contenders(1)] == [0.8e-3]


def test_of_several_that_are_faster_only_the_fastest_is_accepted() -> None:
    droplet = Droplet(1, START, 1e-3)
    observed(droplet, [0.9e-3, 0.8e-3, 0.85e-3])
    rivals = droplet.contenders(3)
    gains = {2: 0.3, 3: 0.1, 4: 0.2}
    verdicts = droplet.settle(FLAT, [(rival, fast(FLAT, gains[rival.trial])) for rival in rivals])
    assert [verdict.contender.trial for verdict in verdicts if verdict.accepted] == [2]
    assert all(verdict.p_value <= 0.05 for verdict in verdicts)
    assert droplet.point.trial == 2
    assert droplet.point.latency_s == pytest.approx(1e-3 / 1.3)
    assert droplet.contenders(9) == []


def test_a_lucky_first_measurement_is_not_accepted() -> None:
    droplet = Droplet(1, START, 1e-3)
    observed(droplet, [0.5e-3])
    (rival,) = droplet.contenders(9)
    (verdict,) = droplet.settle(FLAT, [(rival, FLAT)])
    assert not verdict.accepted
    assert droplet.contenders(9) == []
    assert droplet.point.trial == 1


def test_who_wins_without_being_significantly_faster_contends_once_more() -> None:
    noisy = (1e-3, 3e-3, 1e-3, 4e-3, 1e-3, 2e-3)
    droplet = Droplet(1, START, 1e-3)
    observed(droplet, [0.8e-3])
    for _ in range(2):
        (rival,) = droplet.contenders(1)
        (verdict,) = droplet.settle(noisy, [(rival, fast(noisy, 0.1))])
        assert not verdict.accepted
    assert droplet.contenders(9) == []


@pytest.mark.parametrize(("point", "end"), [(FLAT, ()), ((), FLAT), ((), ()), (FLAT, (1e-4,) * 3)])
def test_a_contest_that_could_not_be_held_settles_nothing(
    point: tuple[float, ...], end: tuple[float, ...]
) -> None:
    droplet = Droplet(1, START, 1e-3)
    observed(droplet, [0.5e-3])
    for proposal in droplet.propose(999):
        droplet.observe(proposal, 2e-3, 3)
    (rival,) = droplet.contenders(9)
    (verdict,) = droplet.settle(point, [(rival, end)])
    assert (verdict.accepted, verdict.p_value) == (False, 1.0)
    assert verdict.note
    assert droplet.point.trial == 1
    assert droplet.done
    assert droplet.reason == "no improvement found: 1 could not be compared well enough"


def test_the_point_is_known_better_after_a_new_measurement() -> None:
    droplet = Droplet(1, START, 0.5e-3)  # a lucky one
    observed(droplet, [0.8e-3])
    assert droplet.contenders(9) == []
    droplet.restate(1e-3)
    observed(droplet, [0.8e-3])
    assert len(droplet.contenders(9)) == 1
    droplet.restate(math.inf)
    assert droplet.point.latency_s == 1e-3


def test_no_contest_changes_nothing() -> None:
    droplet = Droplet(1, START, 1e-3)
    assert droplet.settle(FLAT, []) == []
    assert droplet.point.trial == 1


# The end


def test_a_schedule_without_decisions_has_nothing_to_improve() -> None:
    instructions, _ = json.loads(START)
    droplet = Droplet(1, json.dumps([instructions, []]), 1e-3)
    assert droplet.done
    assert droplet.reason == "no improvement found: the schedule leaves nothing to decide"


def test_neighbours_that_were_tried_before_are_left_out() -> None:
    known = [item.trace for item in Droplet(1, START, 1e-3).propose(999)]
    droplet = Droplet(1, START, 1e-3, map(point_key, known))
    assert droplet.done
    assert droplet.reason == "no improvement found: every neighbour was tried before"


def test_where_everything_fails_it_ends_with_that_truth() -> None:
    droplet = Droplet(1, START, 1e-3)
    while not droplet.done:
        for proposal in droplet.propose(8):
            droplet.observe(proposal, None)
    assert droplet.point == Droplet(1, START, 1e-3).point
    assert droplet.reason.startswith("no improvement found: none of ")


def test_it_is_not_done_before_each_proposal_is_observed() -> None:
    droplet = Droplet(1, START, 1e-3)
    made = droplet.propose(999)
    assert droplet.propose(8) == []
    for proposal in made:
        assert not droplet.done
        droplet.observe(proposal, 2e-3, 5)
    assert droplet.done


@pytest.mark.parametrize("text", ["", "[]", "{}"])
def test_a_start_that_is_no_trace_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match="trace"):
        Droplet(1, text, 1e-3)


# Code that does not change, and locations


def test_behind_a_step_that_changes_no_code_comes_the_next_one_on_its_line() -> None:
    trace = make_trace(((1, 1), (1, 1)), parallel=64)
    droplet = Droplet(1, trace, 1e-3)
    limits = []
    while not droplet.done:
        for proposal in droplet.propose(1):
            limits.append(proposal.axis)
            droplet.skip(proposal)
    reached = {axis.rpartition(" ")[2] for axis in limits if axis.startswith("parallel")}
    assert reached == {str(2**power) for power in range(11)} - {"64"}
    plain = descend(Landscape(slope=0, best=((1, 1), (1, 1))), trace, batch=1)
    assert sum(item.axis.startswith("parallel") for item in plain.tried) == 2


def test_locations_are_moved_where_valid_ones_are_known() -> None:
    trace = make_trace(place=4)
    at = next(x.at for x in read_decisions(trace) if isinstance(x, Location))

    def found(options: dict[str, Any]) -> set[int]:
        made = Droplet(1, trace, 1e-3, **options).propose(999)
        places = [x for item in made for x in read_decisions(item.trace) if x.at == at]
        return {place.chosen for place in places if isinstance(place, Location)}

    assert found({}) == {4}
    assert found({"locations": lambda _: {at: (-1, 2, 4, 7)}}) == {-1, 2, 4, 7}


def test_a_location_that_tvm_corrected_is_known_as_corrected() -> None:
    trace = make_trace(place=4)
    at = next(x.at for x in read_decisions(trace) if isinstance(x, Location))
    droplet = Droplet(1, trace, 1e-3, locations=lambda _: {at: (2, 4, 7)})
    made = droplet.propose(1)[0]
    droplet.observe(made, 0.5e-3, 2, make_trace(place=7))
    assert [rival.trace for rival in droplet.contenders(1)] == [make_trace(place=7)]
    assert point_key(make_trace(place=7)) not in {point_key(p.trace) for p in droplet.propose(999)}


def test_a_contender_carries_what_a_move_needs() -> None:
    droplet = Droplet(17, START, 1e-3)
    made = observed(droplet, [0.5e-3])
    assert droplet.contenders(1) == [Contender(made[0], 2, made[0].trace, 0.5e-3)]
    assert made[0].start == 17
