"""The indices of ordered policies find what a look at every waiting stage would."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from engine.records.errors import UsageError
from engine.records.stage import ALL_CORES, Job, Needs, Stage
from engine.scheduling.free import Free
from engine.scheduling.ordered import OrderedPolicy
from engine.scheduling.policy import Waiting
from engine.scheduling.registry import SCHEDULING, make_scheduling
from tests.engine.scheduling.plays import GROUPS, Play, Scene, scenes, stage


def plain(kind: type[OrderedPolicy]) -> type[OrderedPolicy]:
    """The policy with its rules, but without its indices: it ranks and visits all that waits."""

    class Plain(kind):  # type: ignore[valid-type, misc]
        """Every stage, every time."""

        def _enqueue(self, stage: Stage, now_s: float) -> None:
            super()._enqueue(stage, now_s)
            self.__dict__.setdefault("own", {})[stage.order] = self._own_rank(stage, now_s)

        def start(self, now_s: float) -> list[Stage]:
            started: list[Stage] = []
            for group in list(self._changed):
                started += self._visit(group, now_s)
            self._changed.clear()
            return started

        def _visit(self, group: str, now_s: float) -> list[Stage]:
            ranked = []
            for waiting in self._waiting.values():
                needs = waiting.stage.needs
                own = self.__dict__["own"][waiting.stage.order]
                rank = self._place(waiting.stage.job, needs, own)
                if needs.group == group and rank is not None:
                    ranked.append((rank, waiting))
            started: list[Stage] = []
            blocked: list[tuple[str, Waiting]] = []
            held: set[int] = set()
            for _, waiting in sorted(ranked, key=lambda item: item[0]):
                found = waiting.stage
                device = bool(self.free.busy(found.needs))
                if device and not self.waits_for_device:
                    continue
                lane = self._lane(found)
                queue = self._groups[group].queue(found, lane)
                ahead = [waiting for whose, waiting in blocked if whose in ("", lane)]
                passes = not ahead or (
                    id(queue) not in held
                    and self._may_any_pass(group, ahead, now_s)
                    and self._may_pass(found, group, ahead, now_s)
                )
                if not passes:
                    held.add(id(queue))
                    continue
                if self.free.fits(found.needs):
                    queue.drop(found)
                    self._groups[group].long += found.long
                    self._begin(found, now_s)
                    started.append(found)
                else:
                    alike = [w.since_s for _, w in ranked if self._alike(w, queue)]
                    oldest = Waiting(found, min(alike))
                    if device or self._holds(oldest, now_s):
                        blocked.append((lane if device else "", oldest))
            return started

        def _alike(self, waiting: Waiting, queue: Any) -> bool:
            found = waiting.stage
            return (
                found.order in self._waiting
                and self._groups[found.needs.group].queue(found, self._lane(found)) is queue
            )

    return Plain


@pytest.mark.parametrize("name", ["in-order", "sequential", "interleaved", "predictive"])
@settings(max_examples=120, deadline=None)
@given(scenes)
def test_the_indices_find_what_a_look_at_all_stages_finds(name: str, scene: Scene) -> None:
    kind: Any = SCHEDULING[name]
    indexed = Play(kind(Free(GROUPS))).run(scene).starts
    looked = Play(plain(kind)(Free(GROUPS))).run(scene).starts
    assert indexed == looked


@pytest.mark.parametrize("name", ["in-order", "sequential"])
@settings(max_examples=120, deadline=None)
@given(scenes)
def test_they_find_it_where_jobs_have_devices_too(name: str, scene: Scene) -> None:
    kind: Any = SCHEDULING[name]
    lanes = {"a": "g0", "b": "g0", "c": "g1", "d": ""}
    scene = replace(scene, jobs=tuple(replace(job, device=lanes[job.name]) for job in scene.jobs))
    indexed = Play(kind(Free(GROUPS))).run(scene).starts
    looked = Play(plain(kind)(Free(GROUPS))).run(scene).starts
    assert indexed == looked


def make(name: str, cores: int, **options: Any) -> Any:
    return make_scheduling(name, Free({"": cores}), options)


def test_measurements_that_need_all_cores_gather_while_others_go_on() -> None:
    policy = make("interleaved", 2, gather_s=5.0)
    builds = [stage(n) for n in range(3)]
    runs = [stage(n, needs=Needs(ALL_CORES, ("cpu",))) for n in (3, 4)]
    for item in builds[:2]:
        policy.add(item, 0.0)
    assert policy.start(0.0) == builds[:2]
    for item in (*runs, builds[2]):
        policy.add(item, 0.0)
    policy.ended(builds[0], 1.0)
    assert policy.start(1.0) == [builds[2]]
    policy.ended(builds[1], 2.0)
    policy.ended(builds[2], 2.0)
    assert policy.start(2.0) == [runs[0]]
    policy.ended(runs[0], 3.0)
    assert policy.start(3.0) == [runs[1]]


def test_after_gathering_a_measurement_is_passed_by_no_stage_but_brief_ones() -> None:
    policy = make("interleaved", 2, gather_s=1.0)
    search, run = stage(0, long=True), stage(1, needs=Needs(ALL_CORES, ("cpu",)))
    brief, other = stage(2, brief=True), stage(3)
    policy.add(search, 0.0)
    assert policy.start(0.0) == [search]
    policy.add(run, 0.0)
    assert policy.start(0.0) == []
    policy.add(brief, 2.0)
    policy.add(other, 2.0)
    assert policy.start(2.0) == [brief]
    policy.ended(brief, 2.5)
    assert policy.start(2.5) == []


def test_patience_ends_a_row_of_brief_stages_that_turn_out_long() -> None:
    policy = make("interleaved", 2, gather_s=0.0, patience_s=10.0)
    run = stage(0, needs=Needs(ALL_CORES, ("cpu",)))
    last = stage(1, brief=True)
    policy.add(last, 0.0)
    assert policy.start(0.0) == [last]
    policy.add(run, 0.0)
    for order in range(2, 30):
        now_s = 2.0 * order
        policy.lasts(last)
        following = stage(order, brief=True)
        policy.add(following, now_s)
        started = policy.start(now_s)
        if not started:
            break
        assert started == [following]
        policy.ended(last, now_s)
        last = following
    assert now_s == 10.0
    policy.ended(last, now_s)
    assert policy.start(now_s) == [run]


def test_a_policy_looks_only_at_the_first_of_each_need() -> None:
    policy = make("interleaved", 4)
    asked = 0

    def counted(*given: Any) -> Any:
        nonlocal asked
        asked += 1
        return may_pass(*given)

    may_pass, policy._may_pass = policy._may_pass, counted
    policy.add(stage(0, long=True), 0.0)
    policy.start(0.0)
    policy.add(stage(1, needs=Needs(4, ("cpu",))), 0.0)
    for order in range(2, 3000):
        policy.add(stage(order, brief=order % 2 == 0), 0.0)
    policy.start(5.0)
    assert asked < 10


@pytest.mark.parametrize(
    ("name", "options", "text"),
    [
        ("nobody's", {}, "no scheduling policy"),
        ("interleaved", {"speed": 1}, "no option speed"),
        ("sequential", {"speed": 1}, "It has none"),
        ("interleaved", {"gather_s": 9.0, "patience_s": 1.0}, "do not fit"),
        ("predictive", {"stretch": -1.0}, "stretch is -1.0. Give a number of 0 or more"),
    ],
)
def test_a_wrong_name_or_option_is_refused_with_a_sentence(
    name: str, options: dict[str, Any], text: str
) -> None:
    with pytest.raises(UsageError, match=text):
        make(name, 1, **options)


def test_a_group_may_change_its_size_while_a_stage_holds_all_of_it() -> None:
    policy = make("interleaved", 2)
    run = stage(0, needs=Needs(ALL_CORES))
    policy.add(run, 0.0)
    policy.start(0.0)
    policy.free.put_group("", 6)
    policy.ended(run, 1.0)
    assert policy.free.free_cores("") == 6
    assert replace(run, order=1) not in policy.running


def test_what_passes_a_blocked_stage_leaves_it_the_device() -> None:
    policy = make("interleaved", 2, gather_s=0.0)
    search, run = stage(0, long=True), stage(1, needs=Needs(ALL_CORES, ("gpu",)))
    thief, build = stage(2, needs=Needs(1, ("gpu",)), urgency=1, brief=True), stage(3, brief=True)
    policy.add(search, 0.0)
    assert policy.start(0.0) == [search]
    for item in (run, thief, build):
        policy.add(item, 0.0)
    assert policy.start(0.0) == [build]


@pytest.mark.parametrize("name", ["in-order", "interleaved", "predictive"])
def test_the_indices_do_not_grow_with_what_has_gone(name: str) -> None:
    policy = make(name, 1)
    policy.put_job(Job("held", place=1, paused=True))
    policy.put_job(Job("last", place=2, priority=9))
    policy.add(stage(0, "held"), 0.0)
    policy.add(stage(1, "last"), 0.0)
    for order in range(2, 4000):
        policy.put_job(Job("busy", left_s=order % 7))
        policy.add(stage(order, "busy", urgency=order % 3), 0.0)
        (started,) = policy.start(0.0)
        policy.put_job(Job("held", place=1, paused=order % 2 == 0))
        policy.ended(started, 0.0)
    (group,) = policy._groups.values()
    (queue,) = group._queues.values()
    held = sum(len(ages) for ages in queue._held_ages.values())
    assert max(len(queue._ages), len(queue._firsts), held) < 100
    assert sum(len(heads) for heads in group._heads) < 200
    assert len(queue._since) == policy.waiting
