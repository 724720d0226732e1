"""A scheduling policy at work: jobs, policies that change, who is told, shares of the machine."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.jobs.clock import RunClock
from engine.jobs.granting import Granting, Need, Own, share_of
from engine.jobs.resources import Resources
from engine.records.outstanding import StageKind
from engine.records.stage import Job, Needs, Stage
from engine.scheduling.stage_times import StageTimes

BUILD = Need(cores=1, priority=2, brief=True, kind=StageKind.BUILD, target="cpu", key="k")
RUN = Need(cores=2, device="cpu", kind=StageKind.MEASUREMENT)


class Scene:
    """Stages of several jobs, by name."""

    def __init__(self, cores: int = 2) -> None:
        self.granting = Granting(cores)
        self.running: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self.tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, name: str, need: Need, job: str = "") -> None:
        self._ends[name] = asyncio.Event()
        resources = Resources(0, granting=self.granting, job=job)
        self.tasks[name] = asyncio.create_task(self._stage(name, need, resources))
        await self.settle()

    async def end(self, name: str) -> None:
        self._ends[name].set()
        await self.settle()

    async def settle(self) -> None:
        for _ in range(6):
            await asyncio.sleep(0)

    async def _stage(self, name: str, need: Need, resources: Resources) -> None:
        async with resources.hold(need):
            self.running.append(name)
            try:
                await self._ends[name].wait()
            finally:
                self.running.remove(name)


def play(story: Callable[[Scene], Awaitable[None]], cores: int = 2) -> None:
    """Play a story; nothing is held when its stages have ended."""

    async def run() -> None:
        scene = Scene(cores)
        await story(scene)
        for task in scene.tasks.values():
            task.cancel()
        await asyncio.gather(*scene.tasks.values(), return_exceptions=True)
        assert scene.granting.policy.free.free_cores("") == cores
        assert not scene.granting.policy.running

    asyncio.run(run())


def test_a_paused_job_starts_nothing_and_goes_on_later() -> None:
    async def story(scene: Scene) -> None:
        scene.granting.put_job(Job("1", paused=True))
        await scene.ask("a", BUILD, "1")
        await scene.ask("b", BUILD, "2")
        assert scene.running == ["b"]
        scene.granting.put_job(Job("1"))
        await scene.settle()
        assert scene.running == ["b", "a"]

    play(story)


def test_another_policy_takes_over_when_nothing_runs_and_no_stage_is_lost() -> None:
    async def story(scene: Scene) -> None:
        scene.granting.put_job(Job("1", place=1))
        await scene.ask("a", RUN, "1")
        scene.granting.use("interleaved", {}, StageTimes())
        scene.granting.put_job(Job("2", place=0))
        await scene.ask("b", RUN, "1")
        await scene.ask("c", RUN, "2")
        assert scene.granting.policy.name == "in-order"
        await scene.end("a")
        assert scene.granting.policy.name == "interleaved"
        assert scene.running == ["c"]
        await scene.end("c")
        assert scene.running == ["b"]

    play(story)


def test_a_job_that_is_no_ones_leaves_its_turn_when_it_has_no_stage() -> None:
    async def story(scene: Scene) -> None:
        scene.granting.use("sequential", {}, StageTimes())
        await scene.ask("window", BUILD)
        scene.granting.put_job(Job("1"))
        await scene.ask("a", BUILD, "1")
        assert scene.running == ["window"]
        await scene.end("window")
        assert scene.running == ["a"]
        assert [job.name for job in scene.granting.policy.jobs] == ["1"]

    play(story)


def test_a_job_that_ends_takes_its_waiting_stages_along() -> None:
    async def story(scene: Scene) -> None:
        scene.granting.put_job(Job("1"))
        await scene.ask("a", RUN, "2")
        await scene.ask("b", RUN, "1")
        scene.granting.end_job("1")
        await scene.settle()
        assert scene.tasks["b"].cancelled()
        assert [job.name for job in scene.granting.policy.jobs] == ["2"]

    play(story)


def test_a_device_of_another_machine_is_one_stages_alone_and_uses_no_core_here() -> None:
    away = Need(cores=1, device="rpc://a:1/b", group="rpc://a:1/b")

    async def story(scene: Scene) -> None:
        await scene.ask("here", RUN)
        await scene.ask("away", away)
        await scene.ask("away too", away)
        assert scene.running == ["here", "away"]
        await scene.end("away")
        assert scene.running == ["here", "away too"]

    play(story)


def test_who_listens_hears_when_each_stage_begins_and_ends() -> None:
    heard: list[tuple[object, ...]] = []

    class Listener:
        def began(self, number: int, job: str, need: Need, cores: int, at_s: float) -> None:
            heard.append((number, job, need.kind, cores))

        def ended(self, number: int, at_s: float) -> None:
            heard.append((number,))

    async def story(scene: Scene) -> None:
        scene.granting.listener = Listener()
        await scene.ask("a", Need(cores=16, kind=StageKind.MEASUREMENT), "7")
        await scene.ask("never", BUILD, "7")
        scene.tasks["never"].cancel()
        await scene.end("a")

    play(story)
    assert heard == [(1, "7", "measurement", 2), (1,)]


def test_seconds_are_learned_by_kind_and_target_but_not_of_stages_without_a_kind() -> None:
    async def story(scene: Scene) -> None:
        await scene.ask("a", BUILD)
        await scene.ask("b", Need(cores=1))
        await scene.end("a")
        await scene.end("b")
        assert list(scene.granting.policy.times.as_dict()["kinds"]) == ["build on cpu"]

    play(story)


def test_a_clock_runs_with_the_share_that_its_job_has() -> None:
    told: list[float] = []

    async def story(scene: Scene) -> None:
        scene.granting.put_job(Job("1"))
        scene.granting.tell_share("1", told.append)
        await scene.ask("other", RUN, "2")
        await scene.ask("a", BUILD, "1")
        assert told[-1] == 0.0
        await scene.end("other")
        assert told[-1] == 1.0

    play(story)


def test_half_a_pace_is_half_the_time() -> None:
    clock = RunClock(run_s=3.0)
    clock.pace(0.0)
    clock.start()
    clock.stop()
    assert clock.run_s == 3.0


def _stage(order: int, cores: int, device: str = "", urgency: int = 0, group: str = "") -> Stage:
    needs = Needs(cores, (device,) if device else (), group)
    return Stage(order, "1", "", needs, urgency=urgency)


def _own(running: list[Stage], waiting: list[Stage]) -> Own:
    return Own({s.order: s for s in waiting}, {s.order: s for s in running})


def test_what_others_hold_is_lost_and_what_the_job_itself_holds_is_not() -> None:
    build, other = _stage(1, 1, urgency=2), _stage(2, 1, urgency=2)
    run = _stage(3, 4, "cpu")
    assert share_of(_own([], []), 4) == 1.0
    assert share_of(_own([], [build]), 4) == 0.0
    assert share_of(_own([build], [other]), 4) == 0.5
    assert share_of(_own([build], [run, other]), 4) == 1.0  # its own build keeps it waiting
    assert share_of(_own([build], [_stage(4, 1, "gpu"), _stage(5, 1, "gpu")]), 4) == 0.5
    assert share_of(_own([_stage(4, 1, "gpu")], [_stage(5, 1, "gpu"), other]), 4) == 0.5
    assert share_of(_own([_stage(4, 1, "gpu")], [_stage(5, 1, "gpu"), other]), 4, False) == 1.0
    assert share_of(_own([], [_stage(6, 1, group="rpc://a")]), 4) == 0.0


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 5), st.sampled_from(["", "gpu"]), st.integers(0, 3))))
def test_a_job_alone_has_its_whole_share(asked: list[tuple[int, str, int]]) -> None:
    async def run() -> None:
        granting, shares = Granting(4), list[float]()
        granting.put_job(Job("1"))
        granting.tell_share("1", shares.append)

        async def stage(need: Need) -> None:
            async with Resources(0, granting=granting, job="1").hold(need):
                await asyncio.sleep(0)

        needs = [Need(cores, device, urgency) for cores, device, urgency in asked]
        await asyncio.gather(*map(stage, needs))
        assert all(share == 1.0 for share in shares)

    asyncio.run(run())
