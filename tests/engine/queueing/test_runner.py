"""Which jobs of a queue run, and when the queue is given back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.jobs.host import RunQueue
from engine.jobs.resources import Need, Resources
from engine.queueing import runner as runner_module
from engine.queueing.runner import QueueRunner, Scheduling, SharedTurns
from engine.queueing.store import QueueStore, changes_of
from engine.records.errors import StorageError, UsageError
from engine.records.job import JobState, QueuedJob
from engine.records.outstanding import Wait
from engine.records.words import Doing
from engine.scheduling.registry import SCHEDULING
from tests.engine.queueing.support import job


class FakeRun:
    """A job that does what the test says."""

    made: list[FakeRun]

    def __init__(self, job: QueuedJob, *given: Any) -> None:
        self.job = replace(job, state=JobState.RUNNING, left_s=10.0)
        placed, self.builds = given[-2:]
        placed(job.target)
        self.done = self.away = False
        FakeRun.made.append(self)

    def look(self) -> None: ...

    def tell_wait(self, wait: Wait | None, text: str) -> None:
        self.job = replace(self.job, wait=wait, message=text)

    def follow(self, row: QueuedJob) -> None:
        self.job = replace(self.job, paused=row.paused, priority=row.priority, place=row.place)

    def end(self, state: JobState) -> None:
        self.job, self.done = replace(self.job, state=state), True

    async def wait(self) -> None:
        assert self.done


class Host:
    """A machine of two cores."""

    def __init__(self) -> None:
        self.resources = Resources(2)
        self.queue = RunQueue()


@pytest.fixture
def play(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Plays a story with a runner, its store, and another process's store."""
    monkeypatch.setattr(runner_module, "JobRun", FakeRun)
    FakeRun.made = []

    def run(story: Callable[[QueueRunner, QueueStore], Awaitable[None]], jobs: str) -> None:
        async def whole() -> None:
            path = tmp_path / "queue.db"
            with QueueStore.open(path) as ours, QueueStore.open(path) as theirs:
                for title in jobs:
                    theirs.add(job(title))
                runner = QueueRunner(Host(), ours, print)  # type: ignore[arg-type]
                await story(runner, theirs)
                await runner.stop()
                assert not ours.is_run
                assert not runner.jobs or {each.state.active for each in runner.jobs} == {False}

        asyncio.run(whole())

    yield run


def running(runner: QueueRunner) -> list[str]:
    return [run.job.title for run in runner.runs.values()]


def finish(runner: QueueRunner, number: int) -> None:
    runner.runs[number].end(JobState.FINISHED)
    runner.reconcile()


def test_so_many_jobs_run_at_once_in_their_order_and_then_the_next(
    play: Callable[..., None],
) -> None:
    async def story(runner: QueueRunner, store: QueueStore) -> None:
        runner.limit = 2
        store.move(3, 1)
        runner.run()
        assert running(runner) == ["c", "a"]
        assert runner.running and store.is_run
        finish(runner, 3)
        assert running(runner) == ["a", "b"]
        store.add(job("d"))
        finish(runner, 1)
        finish(runner, 2)
        assert running(runner) == ["d"]
        finish(runner, 4)
        assert not runner.running and runner.idle.is_set()
        assert {each.state for each in store.jobs()} == {JobState.FINISHED}

    play(story, "abc")


def test_a_job_that_is_held_makes_room_for_another_one_and_keeps_the_queue(
    play: Callable[..., None],
) -> None:
    async def story(runner: QueueRunner, store: QueueStore) -> None:
        runner.limit = 1
        store.set_paused(2, True)
        runner.run()
        store.set_paused(1, True)
        runner.reconcile()
        assert running(runner) == ["a"]
        runner.reconcile()
        store.set_paused(2, False)
        runner.reconcile()
        assert running(runner) == ["a", "b"]
        policy = runner._granting.policy
        assert [(each.name, each.paused) for each in policy.jobs] == [("1", True), ("2", False)]
        finish(runner, 2)
        assert runner.running

    play(story, "ab")


def test_a_job_whose_device_is_away_makes_room_for_another_one(play: Callable[..., None]) -> None:
    async def story(runner: QueueRunner, store: QueueStore) -> None:
        runner.limit = 1
        runner.run()
        FakeRun.made[0].away = True
        runner.reconcile()
        assert running(runner) == ["a", "b"]
        FakeRun.made[0].away = False
        finish(runner, 2)
        assert running(runner) == ["a"] and runner.running

    play(story, "abc")


def test_two_jobs_of_one_project_do_not_run_at_once(
    play: Callable[..., None], tmp_path: Path
) -> None:
    async def story(runner: QueueRunner, store: QueueStore) -> None:
        for title in "xy":
            store.add(job(title, source=None, project=str(tmp_path / "net.tune")))
        runner.run()
        assert running(runner) == ["x"]
        finish(runner, 1)
        assert running(runner) == ["y"]

    play(story, "")


def test_what_another_process_asks_is_done(play: Callable[..., None]) -> None:
    async def story(runner: QueueRunner, store: QueueStore) -> None:
        runner.run()
        store.cancel(1)
        runner.reconcile()
        runner.reconcile()
        assert running(runner) == ["b"]
        assert store.job(1).state is JobState.CANCELLED
        store.set_priority(2, 5)
        runner.reconcile()
        assert [each.priority for each in runner._granting.policy.jobs] == [5]

    play(story, "ab")


def test_jobs_that_are_interrupted_go_on_at_the_next_run(play: Callable[..., None]) -> None:
    async def story(runner: QueueRunner, store: QueueStore) -> None:
        runner.run()
        await runner.stop()
        assert [each.state for each in store.jobs()] == [JobState.INTERRUPTED] * 2
        assert not runner.running
        runner.run()
        assert running(runner) == ["a", "b"]
        runner.hold()
        store.add(job("c"))
        finish(runner, 1)
        finish(runner, 2)
        assert not runner.running and store.job(3).state is JobState.WAITING

    play(story, "ab")


def test_a_queue_whose_file_breaks_can_be_stopped_and_is_given_back(
    play: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: Any) -> None:
        raise StorageError("The disk is full.", "Make room.")

    async def story(runner: QueueRunner, store: QueueStore) -> None:
        runner.run()
        with monkeypatch.context() as broken:
            broken.setattr(QueueStore, "put", fail)
            with pytest.raises(StorageError, match="full"):
                await runner.stop()
        assert runner.idle.is_set() and not runner.running
        assert [each.state for each in store.jobs()] == [JobState.INTERRUPTED]

    play(story, "a")


def test_one_process_runs_a_queue(play: Callable[..., None]) -> None:
    async def story(runner: QueueRunner, store: QueueStore) -> None:
        other = QueueRunner(Host(), store, print)  # type: ignore[arg-type]
        runner.run()
        with pytest.raises(UsageError, match="Another Tunewright"):
            other.run()
        other.reconcile()
        assert other.elsewhere and not other.running
        assert [each.state for each in other.jobs] == [JobState.RUNNING]

    play(story, "a")


def test_a_queue_has_its_policy_while_it_runs_and_what_was_learned_is_kept(
    play: Callable[..., None],
) -> None:
    async def story(runner: QueueRunner, store: QueueStore) -> None:
        granting = runner._granting
        with pytest.raises(UsageError):
            runner.follow(Scheduling("fastest"))
        runner.follow(Scheduling("predictive"))
        assert granting.policy.name == "in-order"
        runner.run()
        assert granting.policy.name == "predictive"
        granting.policy.times.add("build on cpu", "", 3.0)
        finish(runner, 1)
        assert granting.policy.name == "in-order"
        assert store.stage_times().expected("build on cpu") == 3.0

    play(story, "a")


def test_the_jobs_of_a_queue_share_its_turn_on_a_device_and_a_window_waits() -> None:
    async def story() -> list[str]:
        outer, said, gate = RunQueue(), list[str](), asyncio.Event()
        shared = SharedTurns(outer)

        async def hold(queue: RunQueue, name: str) -> None:
            async with queue.turn("cpu", name, lambda *words: said.append(": ".join(words))):
                said.append(f"{name} begins")
                await gate.wait()

        runs = [asyncio.create_task(hold(shared, name)) for name in ("a", "b")]
        await asyncio.sleep(0)
        runs.append(asyncio.create_task(hold(outer, "window")))
        for _ in range(9):
            await asyncio.sleep(0)
        begun = list(said)
        gate.set()
        await asyncio.wait_for(asyncio.gather(*runs), 10)
        assert begun[:2] == ["a begins", "b begins"]
        assert begun[2] == f"{Doing.WAITING}: the job queue"
        return said

    assert asyncio.run(story())[-1] == "window begins"


def test_a_job_that_waits_for_cores_says_so_to_everyone_until_it_has_them(
    play: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner_module, "WAITS_S", 0.0)

    async def story(runner: QueueRunner, store: QueueStore) -> None:
        runner.run()
        granting = runner._granting
        held = await granting.acquire(Need(cores=2), "1")
        asked = asyncio.create_task(granting.acquire(Need(cores=1), "2"))
        await asyncio.sleep(0)
        runner.reconcile()
        assert [each.wait for each in runner.jobs] == [None, Wait(1, "", ("1",))]
        assert store.job(2).message == "waits for 1 core, held by a"
        granting.release(held)
        second = await asked
        runner.reconcile()
        assert store.job(2).message == "" and runner.jobs[1].wait is None
        granting.release(second)

    play(story, "ab")


def test_who_is_killed_while_it_waits_leaves_no_word_of_it(tmp_path: Path) -> None:
    with QueueStore.open(tmp_path / "queue.db") as store:
        made = store.add(job("a"))
        said = replace(made, state=JobState.PREPARING, message="waits for 1 core, held by b")
        store.put(changes_of([said]))
        assert store.job(1).message == "" and store.job(1).state is JobState.INTERRUPTED
        store.interrupt()
        assert store.job(1).message == ""


@pytest.mark.parametrize("name", [name for name in SCHEDULING if SCHEDULING[name].exclusive])
def test_under_every_policy_jobs_on_two_devices_measure_at_once(
    play: Callable[..., None], name: str
) -> None:
    async def story(runner: QueueRunner, store: QueueStore) -> None:
        for target in ("cuda:0", "cuda:0", "cuda:1"):
            store.add(job(target, target=target))
        runner.follow(Scheduling(name))
        runner.run()
        granting, begun = runner._granting, list[str]()
        assert [each.device for each in granting.policy.jobs] == ["cuda:0", "cuda:0", "cuda:1"]

        async def measure(job: str, device: str) -> None:
            stage = await granting.acquire(Need(1, device), job)
            begun.append(job)
            await asyncio.sleep(0.01)
            granting.release(stage)

        asked = [("1", "cuda:0"), ("1", "cuda:0"), ("2", "cuda:0"), ("3", "cuda:1")]
        going = [asyncio.create_task(measure(*each)) for each in asked]
        for _ in range(4):
            await asyncio.sleep(0)
        assert begun == ["1", "3"]
        await asyncio.wait_for(asyncio.gather(going[0], going[1], going[3]), 10)
        finish(runner, 1)
        await asyncio.wait_for(going[2], 10)
        assert begun == ["1", "3", "1", "2"]

    play(story, "")
