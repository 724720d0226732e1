"""What every scheduling policy keeps to, whatever comes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.records.stage import ALL_CORES, Job, Needs, Stage
from engine.scheduling.free import Free
from engine.scheduling.registry import SCHEDULING, make_scheduling
from tests.engine.scheduling.plays import (
    GROUPS,
    Coming,
    Play,
    Scene,
    make_scene,
    overcommitted,
    play,
    scenes,
    seeds,
    stage,
)

each_policy = pytest.mark.parametrize("name", SCHEDULING)
exclusive = [name for name, kind in SCHEDULING.items() if kind.exclusive]
each_exclusive = pytest.mark.parametrize("name", exclusive)
each_conserving = pytest.mark.parametrize(
    "name", [name for name, kind in SCHEDULING.items() if kind.work_conserving]
)
some = settings(max_examples=60, deadline=None)


@each_policy
@some
@given(scenes)
def test_nothing_is_held_twice_and_no_more_than_there_is(name: str, scene: Scene) -> None:
    def check(now: Play) -> None:
        running = list(now.running.values())
        if SCHEDULING[name].exclusive:
            assert not overcommitted(running)
        for job in {item.job for item in running}:
            assert not overcommitted([item for item in running if item.job == job])

    play(name, scene, check)


@each_policy
@some
@given(scenes)
def test_no_stage_of_a_paused_job_starts_and_every_other_stage_does_once(
    name: str, scene: Scene
) -> None:
    seen = 0

    def check(now: Play) -> None:
        nonlocal seen
        assert not now.paused & {item.job for _, item in now.starts[seen:]}
        seen = len(now.starts)

    done = play(name, scene, check)
    assert sorted(item.order for _, item in done.starts) == list(range(len(scene.coming)))
    assert not done.waiting
    assert done.policy.waiting == 0
    assert all(done.policy.free.free_cores(group) == GROUPS[group] for group in GROUPS)


@each_policy
@settings(max_examples=25, deadline=None)
@given(scenes)
def test_the_same_happens_again(name: str, scene: Scene) -> None:
    assert play(name, scene).starts == play(name, scene).starts


@each_conserving
@some
@given(scenes)
def test_what_fits_is_started_but_for_one_that_waits_for_more_cores(
    name: str, scene: Scene
) -> None:
    def check(now: Play) -> None:
        free = now.policy.free
        waiting = [c.stage for c in now.waiting.values() if c.stage.job not in now.paused]
        for item in waiting:
            if free.fits(item.needs):
                assert any(
                    other.needs.group == item.needs.group
                    and free.wanted(other.needs) > free.free_cores(other.needs.group)
                    and not free.busy(other.needs)
                    for other in waiting
                )

    play(name, scene, check)


@each_exclusive
def test_a_more_urgent_job_goes_first_whatever_came_first(name: str) -> None:
    policy = make_scheduling(name, Free({"": 1}))
    first = stage(0, "first")
    policy.add(first, 0.0)
    assert policy.start(0.0) == [first]
    ranks = {"c": 2, "a": 0, "d": 3, "b": 1}
    for place, (job, rank) in enumerate(ranks.items()):
        policy.put_job(Job(job, priority=rank, place=place + 1))
        policy.add(stage(place + 1, job), 0.0)
    order, last = [], first
    for now_s in range(1, 5):
        policy.ended(last, now_s)
        policy.end_job(last.job)
        (last,) = policy.start(now_s)
        order.append(last.job)
    assert order == ["a", "b", "c", "d"]


@each_policy
def test_a_device_measures_one_of_a_jobs_candidates_at_a_time(name: str) -> None:
    policy = make_scheduling(name, Free({"": 8}))
    runs = [stage(order, needs=Needs(1, ("gpu",))) for order in range(3)]
    for item in runs:
        policy.add(item, 0.0)
    for now_s, item in enumerate(runs):
        assert policy.start(now_s) == [item]
        assert policy.start(now_s) == []
        policy.ended(item, now_s)


@each_exclusive
def test_a_device_is_measured_on_by_one_job_at_a_time(name: str) -> None:
    policy = make_scheduling(name, Free({"": 8}))
    for order, job in enumerate("ab"):
        policy.add(stage(order, job, Needs(1, ("gpu",))), 0.0)
    assert len(policy.start(0.0)) == 1


@each_exclusive
def test_nothing_runs_beside_a_measurement_that_needs_all_cores(name: str) -> None:
    policy = make_scheduling(name, Free({"": 8}))
    measuring = stage(0, "a", Needs(ALL_CORES, ("cpu",)))
    policy.add(measuring, 0.0)
    assert policy.start(0.0) == [measuring]
    policy.add(stage(1, "a"), 0.0)
    policy.add(stage(2, "b"), 0.0)
    assert policy.start(0.5) == []


@each_policy
def test_a_stage_that_was_withdrawn_or_whose_job_ended_does_not_start(name: str) -> None:
    policy = make_scheduling(name, Free({"": 1}))
    running, given_up, dropped, kept = (stage(n, job) for n, job in enumerate("aabc"))
    for item in (running, given_up, dropped, kept):
        policy.add(item, 0.0)
    assert policy.start(0.0)[0] == running
    policy.withdraw(given_up)
    policy.withdraw(given_up)
    assert policy.end_job("b") == ((dropped,) if SCHEDULING[name].exclusive else ())
    policy.ended(running, 1.0)
    policy.end_job("a")
    assert [item.job for item in policy.start(1.0)] == (["c"] if SCHEDULING[name].exclusive else [])


@pytest.mark.parametrize("name", [name for name in SCHEDULING if name != "sequential"])
@some
@given(st.builds(make_scene, st.integers(0, 24), seeds, st.just(0)))
def test_a_pause_that_ends_at_once_changes_nothing(name: str, scene: Scene) -> None:
    def played(pausing: bool) -> list[tuple[float, Stage]]:
        policy = make_scheduling(name, Free(GROUPS))

        def blink(now: Play) -> None:
            for job in policy.jobs:
                policy.put_job(replace(job, paused=pausing))
                policy.put_job(job)

        return Play(policy, blink).run(scene).starts

    assert played(True) == played(False)


@some
@given(scenes)
def test_sequential_never_runs_two_jobs_at_once(scene: Scene) -> None:
    def check(now: Play) -> None:
        assert len({item.job for item in now.running.values()}) <= 1

    play("sequential", scene, check)


@some
@given(scenes)
def test_sequential_runs_one_job_a_device_where_jobs_have_devices(scene: Scene) -> None:
    lanes = {"a": "x", "b": "x", "c": "y", "d": "y"}
    jobs = tuple(replace(job, device=lanes[job.name]) for job in scene.jobs)

    def check(now: Play) -> None:
        running = {item.job for item in now.running.values()}
        assert len(running & {"a", "b"}) <= 1
        assert len(running & {"c", "d"}) <= 1

    play("sequential", replace(scene, jobs=jobs), check)


@each_policy
def test_jobs_on_different_devices_wait_for_none_of_the_others_measurements(name: str) -> None:
    policy = make_scheduling(name, Free({"": 16, "rpc://127.0.0.1:9190/board": 1}))
    needs = {
        "cuda:0": Needs(1, ("cuda:0",)),
        "cuda:1": Needs(1, ("cuda:1",)),
        "board": Needs(1, (), "rpc://127.0.0.1:9190/board"),
    }
    runs, builds = {}, {}
    for place, device in enumerate(needs):
        policy.put_job(Job(device, place=place, device=device))
        runs[device] = [stage(10 * place + n, device, needs[device]) for n in range(3)]
        builds[device] = stage(10 * place + 5, device, urgency=2)
    for order in range(3):
        for device in needs:
            policy.add(runs[device][order], 0.0)
    started = policy.start(0.0)
    assert {item.order for item in started} == {mine[0].order for mine in runs.values()}
    policy.add(builds["cuda:1"], 1.0)  # its own measurements may hold it back, no other's do
    policy.ended(runs["cuda:1"][0], 1.0)
    more = policy.start(1.0)
    assert runs["cuda:1"][1] in more
    assert all(item.job == "cuda:1" for item in more)


def test_a_device_holds_back_its_own_jobs_alone_and_cores_all() -> None:
    policy = make_scheduling("in-order", Free({"": 4}))
    for place, device in enumerate(("cuda:0", "cuda:1", "cpu")):
        policy.put_job(Job(device, place=place, device=device))
    first, second = (stage(n, "cuda:0", Needs(1, ("cuda:0",))) for n in (0, 1))
    held, free = stage(2, "cuda:0", urgency=3), stage(3, "cuda:1", urgency=3)
    whole, late = stage(4, "cpu", Needs(ALL_CORES, ("cpu",))), stage(5, "cuda:1", urgency=3)
    for item in (first, second, held, free):
        policy.add(item, 0.0)
    assert policy.start(0.0) == [first, free]
    policy.add(whole, 1.0)
    policy.add(late, 1.0)
    assert policy.start(1.0) == []


def test_a_jobs_device_stays_what_it_was_first() -> None:
    policy = make_scheduling("in-order", Free({"": 4}))
    policy.put_job(Job("a", device="cuda:0"))
    policy.put_job(Job("a", device="cuda:1", paused=True))
    assert policy.jobs == (Job("a", device="cuda:0", paused=True),)


def test_sequential_waits_for_the_end_of_a_job_between_its_stages() -> None:
    policy = make_scheduling("sequential", Free({"": 4}))
    only, other, late = stage(0, "a"), stage(1, "b"), stage(2, "a")
    policy.add(only, 0.0)
    policy.add(other, 0.0)
    assert policy.start(0.0) == [only]
    policy.ended(only, 1.0)
    assert policy.start(1.0) == []
    policy.add(late, 2.0)
    assert policy.start(2.0) == [late]
    policy.ended(late, 3.0)
    policy.end_job("a")
    assert policy.start(3.0) == [other]


@pytest.mark.parametrize("name", ["sequential", "interleaved"])
def test_jobs_go_in_the_order_that_a_person_gives_them(name: str) -> None:
    policy = make_scheduling(name, Free({"": 1}))
    items = {job: stage(n, job) for n, job in enumerate("abcd")}
    for item in items.values():
        policy.add(item, 0.0)
    policy.start(0.0)
    policy.reorder(["d", "b", "c"])
    assert [job.name for job in policy.jobs] == ["a", "d", "b", "c"]
    for now_s, (last, following) in enumerate([("a", "d"), ("d", "b"), ("b", "c")]):
        policy.ended(items[last], now_s)
        policy.end_job(last)
        assert policy.start(now_s) == [items[following]]


@pytest.mark.parametrize("name", ["interleaved", "predictive"])
def test_builds_go_on_beside_a_busy_device(name: str) -> None:
    policy = make_scheduling(name, Free({"": 3}))
    runs = [stage(n, needs=Needs(1, ("gpu",))) for n in range(2)]
    builds = [stage(n, "b") for n in (2, 3)]
    for item in (*runs, *builds):
        policy.add(item, 0.0)
    assert policy.start(0.0) == [runs[0], *builds]


def test_parallel_disturbs_as_jobs_that_know_nothing_of_each_other() -> None:
    policy = make_scheduling("parallel", Free({"": 2}))
    runs = [stage(n, job, Needs(ALL_CORES, ("cpu",))) for n, job in enumerate("ab")]
    for item in runs:
        policy.add(item, 0.0)
    assert policy.start(0.0) == runs
    assert policy.free.free_cores("") == -2
    assert policy.free.holders("cpu") == 2


@each_policy
def test_a_stage_that_no_machine_can_hold_is_refused(name: str) -> None:
    policy = make_scheduling(name, Free({"": 2, "far": 2}))
    policy.add(stage(0, needs=Needs(1, ("gpu",))), 0.0)
    for needs in (Needs(group="nowhere"), Needs(1, ("gpu",), "far")):
        with pytest.raises(ValueError, match="does not have"):
            policy.add(stage(1, needs=needs), 0.0)
    with pytest.raises(ValueError, match="0 cores"):
        Needs(0)
    assert policy.waiting == 1


def test_a_scene_of_one_stage_is_played_to_its_end() -> None:
    done = play("interleaved", Scene((Coming(stage(0), 1.0, 2.0),)))
    assert [(at_s, item.order) for at_s, item in done.starts] == [(1.0, 0)]
    assert done.now_s == 3.0
