"""Commands that are taken back: what they leave, and who learns of it."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from engine.jobs.cancelling import Cancelled, Cancelling, Stopped, run_stoppable, saying
from engine.jobs.resources import Need, Resources
from engine.records.errors import UsageError
from engine.records.events import Failure, ModelSeen, ProjectOpened
from engine.records.outstanding import Outstanding, StageKind
from engine.records.source import ModelSource
from tests.engine.jobs.support import Console
from tests.engine.models.build import conv_relu_model, save

PATIENCE_S = 30


def test_a_cancelled_command_ends_at_once_and_says_that_it_was_cancelled() -> None:
    async def scene() -> None:
        cancelling = Cancelling()
        running = asyncio.ensure_future(cancelling.run(asyncio.sleep(PATIENCE_S)))
        await asyncio.sleep(0)
        cancelling.cancel()
        with pytest.raises(Cancelled):
            await running

    asyncio.run(scene())


def test_what_a_command_gives_or_raises_comes_through() -> None:
    async def refuse() -> None:
        raise UsageError("No.", "Yes.")

    async def scene() -> None:
        cancelling = Cancelling()
        cancelling.cancel()  # nothing goes on: nothing happens
        assert await cancelling.run(asyncio.sleep(0, "done")) == "done"
        with pytest.raises(UsageError):
            await cancelling.run(refuse())

    asyncio.run(scene())


def test_a_cancelled_thread_learns_it_and_keeps_its_cores_until_it_has_ended() -> None:
    began, told = threading.Event(), threading.Event()

    def work(stopped: Stopped) -> None:
        began.set()
        assert told.wait(PATIENCE_S)
        with pytest.raises(Cancelled):
            saying(lambda text: None, stopped)("next step")

    async def scene() -> None:
        resources = Resources(2)
        with ThreadPoolExecutor(1) as threads:
            running = asyncio.ensure_future(run_stoppable(resources, Need(cores=2), threads, work))
            await asyncio.to_thread(began.wait, PATIENCE_S)
            running.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            assert resources.cores_in_use == 2
            told.set()
            async with asyncio.timeout(PATIENCE_S), resources.hold(Need(cores=2)):
                pass

    asyncio.run(scene())


def test_stages_are_outstanding_from_their_begin_to_their_end_even_if_it_is_an_error() -> None:
    outstanding = Outstanding()
    searching = outstanding.during(StageKind.SEARCH, 3, outstanding.now)
    assert outstanding.now() == ()
    with outstanding.stage(StageKind.BUILD, 1):
        inside = searching()
        assert [(stage.kind, stage.task) for stage in inside] == [
            (StageKind.BUILD, 1),
            (StageKind.SEARCH, 3),
        ]
        assert inside[0].since <= inside[1].since
    with pytest.raises(ZeroDivisionError), outstanding.stage(StageKind.MEASUREMENT):
        raise ZeroDivisionError
    assert outstanding.now() == ()


def test_a_model_that_is_opened_is_seen_before_its_project(
    console: Console, tmp_path: Path
) -> None:
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    source = ModelSource("file", str(model))
    console.engine.open_model(source, "cpu", tmp_path / "tiny.tune").result(PATIENCE_S)
    (seen,) = console.of(ModelSeen)
    assert isinstance(seen, ModelSeen)
    assert (seen.name, [node.op_type for node in seen.nodes]) == ("tiny", ["Conv", "Relu"])
    (opened,) = console.of(ProjectOpened)
    assert seen.at < opened.at


def test_a_model_whose_opening_is_cancelled_leaves_no_project_and_no_error(
    console: Console, tmp_path: Path
) -> None:
    model = save(conv_relu_model(), tmp_path / "tiny.onnx")
    future = console.engine.open_model(
        ModelSource("file", str(model)), "cpu", tmp_path / "tiny.tune"
    )
    console.engine.cancel()
    with pytest.raises(Cancelled):
        future.result(PATIENCE_S)
    assert not console.of(Failure)
    assert not console.of(ProjectOpened)
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.onnx"]
    with pytest.raises(UsageError, match="No project is open"):
        console.engine.snapshot().result(PATIENCE_S)
