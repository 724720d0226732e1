"""Engines of one host: one thread, one queue a device, and nobody ends what others use."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from engine.jobs import engine as engine_module
from engine.jobs import host as host_module
from engine.jobs.engine import Engine
from engine.jobs.host import Host, RunQueue
from engine.records.errors import TargetError
from engine.records.events import Failure, LabelChanged
from engine.records.labels import Label, task_subject
from engine.records.machine import TargetSpec
from engine.records.words import Doing
from tests.engine.project.support import new_project


async def _hold(queue: RunQueue, name: str, said: list[str], gate: asyncio.Event) -> None:
    async with queue.turn("cpu", name, lambda *words: said.append(": ".join(words))):
        said.append(f"{name} begins")
        await gate.wait()


async def _settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


def test_a_second_run_on_a_device_waits_and_says_for_whom() -> None:
    async def story() -> list[str]:
        queue, said, gate = RunQueue(), list[str](), asyncio.Event()
        runs = [asyncio.create_task(_hold(queue, name, said, gate)) for name in ("a", "b")]
        await _settle()
        before = list(said)
        gate.set()
        await asyncio.gather(*runs)
        assert before == ["a begins", f"{Doing.WAITING}: a"]
        return said[2:]

    assert asyncio.run(story()) == ["", "b begins"]


def test_a_run_that_is_stopped_while_it_waits_holds_up_nobody() -> None:
    async def story() -> list[str]:
        queue, said, gate = RunQueue(), list[str](), asyncio.Event()
        runs = [asyncio.create_task(_hold(queue, name, said, gate)) for name in ("a", "b", "c")]
        await _settle()
        runs[1].cancel()
        gate.set()
        await asyncio.wait(runs)
        return said

    assert [text for text in asyncio.run(story()) if "begins" in text] == ["a begins", "c begins"]


def test_other_devices_are_not_waited_for() -> None:
    async def story() -> None:
        queue = RunQueue()
        async with queue.turn("cpu", "a"), queue.turn("cuda:0", "b"):
            pass

    asyncio.run(asyncio.wait_for(story(), 10))


def test_the_thread_lives_until_the_last_engine_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    loads = list[int]()
    monkeypatch.setattr(host_module, "load_libraries", lambda: loads.append(1))
    host = Host()
    first, second = Engine(host), Engine(host)
    first.start()
    second.start()
    first.shutdown()
    first.shutdown()
    assert host.alive and second.wait().result(10) is None
    second.shutdown()
    assert not host.alive and loads == [1]


def test_names_and_notes_are_stored_and_told_of(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(host_module, "load_libraries", lambda: None)
    new_project(tmp_path / "net.tune").close()
    engine = Engine()
    engine.start()
    try:
        engine.open_project(tmp_path / "net.tune").result(10)
        engine.set_label(task_subject(1), Label("stem", "a note")).result(10)
        told = [event for event in engine.events.drain() if isinstance(event, LabelChanged)]
        assert (told[0].subject, told[0].label) == (task_subject(1), Label("stem", "a note"))
        assert engine.snapshot().result(10).labels == {task_subject(1): Label("stem", "a note")}
    finally:
        engine.shutdown()


def test_a_target_is_looked_at_when_the_libraries_are_there_and_no_failure_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    said = list[str]()
    cpu = TargetSpec("{}", "cpu test x2", "cpu", 2)

    def resolve(text: str) -> TargetSpec:
        if text != "cpu":
            raise TargetError("There is none.", "Choose cpu.")
        said.append("resolved")
        return cpu

    monkeypatch.setattr(host_module, "load_libraries", lambda: said.append("loaded"))
    monkeypatch.setattr(engine_module, "resolve", resolve)
    engine = Engine()
    engine.start()
    try:
        assert engine.look_at_target("cpu").result(10) == cpu and said == ["loaded", "resolved"]
        with pytest.raises(TargetError):
            engine.look_at_target("cuda:9").result(10)
        assert not [each for each in engine.events.drain() if isinstance(each, Failure)]
    finally:
        engine.shutdown()


def test_an_engine_that_was_never_started_has_nothing_to_end() -> None:
    Engine().shutdown()
