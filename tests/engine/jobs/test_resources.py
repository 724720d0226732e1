"""Who gets cores and devices, and when."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.jobs.resources import Need, Resources


class Stages:
    """Stages that end when told, and the names of those that run."""

    def __init__(self, cores: int) -> None:
        self.resources = Resources(cores)
        self.running: list[str] = []
        self._ends: dict[str, asyncio.Event] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}

    async def ask(self, name: str, need: Need) -> None:
        """Queue a stage and let the loop settle."""
        self._ends[name] = asyncio.Event()
        self._tasks[name] = asyncio.create_task(self._stage(name, need))
        await self.settle()

    async def end(self, name: str) -> None:
        """Let a stage end."""
        self._ends[name].set()
        await self.settle()

    async def cancel(self, name: str) -> None:
        """Cancel a stage."""
        self._tasks[name].cancel()
        await self.settle()

    async def settle(self) -> None:
        for _ in range(6):
            await asyncio.sleep(0)

    async def _stage(self, name: str, need: Need) -> None:
        async with self.resources.hold(need):
            self.running.append(name)
            try:
                await self._ends[name].wait()
            finally:
                self.running.remove(name)


def play(scene: Callable[[Stages], object], cores: int = 2) -> None:
    async def run() -> None:
        stages = Stages(cores)
        await scene(stages)  # type: ignore[misc]
        for task in stages._tasks.values():
            task.cancel()
        await asyncio.gather(*stages._tasks.values(), return_exceptions=True)
        assert stages.resources.cores_in_use == 0

    asyncio.run(run())


BUILD = Need(cores=1, priority=2, brief=True)
SEARCH = Need(cores=1, priority=3, long=True)
RUN = Need(cores=2, device="cpu", priority=0)


def test_a_measurement_on_the_cpu_waits_for_builds_and_builds_wait_for_it() -> None:
    async def scene(stages: Stages) -> None:
        await stages.ask("build", BUILD)
        await stages.ask("run", RUN)
        await stages.ask("next build", BUILD)
        assert stages.running == ["build"]
        await stages.end("build")
        assert stages.running == ["run"]
        await stages.end("run")
        assert stages.running == ["next build"]

    play(scene)


def test_a_measurement_is_not_overtaken_by_builds_that_would_fit() -> None:
    async def scene(stages: Stages) -> None:
        await stages.ask("build", BUILD)
        await stages.ask("run", RUN)
        await stages.ask("late build", BUILD)
        assert "late build" not in stages.running

    play(scene)


def test_builds_go_on_while_a_measurement_waits_for_a_long_search() -> None:
    async def scene(stages: Stages) -> None:
        await stages.ask("search", SEARCH)
        await stages.ask("run", RUN)
        await stages.ask("build", BUILD)
        assert stages.running == ["search", "build"]
        await stages.end("search")
        await stages.ask("late build", BUILD)
        assert stages.running == ["build"]
        await stages.end("build")
        assert stages.running == ["run"]

    play(scene)


def test_a_device_is_used_by_one_stage_at_a_time_and_others_go_on_beside_it() -> None:
    gpu = Need(cores=1, device="cuda:0", priority=0)

    async def scene(stages: Stages) -> None:
        await stages.ask("run", gpu)
        await stages.ask("second run", gpu)
        assert stages.running == ["run"]
        await stages.end("run")
        await stages.ask("build", BUILD)
        assert stages.running == ["second run", "build"]

    play(scene, cores=4)


def test_a_cancelled_stage_gives_back_what_it_holds_and_its_place_in_the_queue() -> None:
    async def scene(stages: Stages) -> None:
        await stages.ask("build", BUILD)
        await stages.ask("run", RUN)
        await stages.ask("other build", BUILD)
        await stages.cancel("run")
        assert stages.running == ["build", "other build"]
        await stages.cancel("build")
        await stages.ask("third build", BUILD)
        assert stages.running == ["other build", "third build"]

    play(scene)


def test_a_need_for_more_cores_than_there_are_gets_all_of_them() -> None:
    async def scene(stages: Stages) -> None:
        await stages.ask("run", Need(cores=16))
        assert stages.running == ["run"]

    play(scene)


def test_a_cancelled_thread_holds_its_cores_until_it_has_ended() -> None:
    async def run() -> None:
        resources, release = Resources(1), threading.Event()
        with ThreadPoolExecutor() as threads:
            task = asyncio.create_task(resources.run(Need(cores=1), threads, release.wait))
            await asyncio.sleep(0.02)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert resources.cores_in_use == 1
            release.set()
            while resources.cores_in_use:
                await asyncio.sleep(0.001)

    asyncio.run(run())


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.integers(1, 4), st.sampled_from(["", "gpu"]), st.integers(0, 3), st.booleans()
        ),
        max_size=20,
    )
)
def test_whatever_is_asked_nothing_is_used_twice_and_all_of_it_ends(
    asked: list[tuple[int, str, int, bool]],
) -> None:
    async def run() -> None:
        resources = Resources(4)
        cores, devices = 0, set()

        async def stage(need: Need) -> None:
            nonlocal cores
            async with resources.hold(need):
                cores += need.cores
                assert cores <= 4
                assert not need.device or need.device not in devices
                devices.add(need.device)
                await asyncio.sleep(0)
                devices.discard(need.device)
                cores -= need.cores

        needs = [
            Need(number, device, priority, long=flag, brief=not flag)
            for number, device, priority, flag in asked
        ]
        await asyncio.wait_for(asyncio.gather(*map(stage, needs)), 10)

    asyncio.run(run())


def test_a_build_that_takes_long_lets_other_builds_pass_a_waiting_measurement(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("engine.jobs.resources._BRIEF_S", 0.01)

    async def scene(stages: Stages) -> None:
        await stages.ask("slow build", BUILD)
        await stages.ask("run", RUN)
        await stages.ask("build", BUILD)
        assert stages.running == ["slow build"]
        monkeypatch.setattr("engine.jobs.resources._BRIEF_S", 60.0)
        await asyncio.sleep(0.03)
        await stages.settle()
        assert stages.running == ["slow build", "build"]
        await stages.end("slow build")
        await stages.ask("late build", BUILD)
        await stages.end("build")
        assert stages.running == ["run"]

    play(scene)
