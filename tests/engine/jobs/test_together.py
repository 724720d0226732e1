"""After an error or a stop nothing that a run began is left behind in the engine's loop."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import engine
from engine.jobs import allocating as slots
from engine.jobs.allocating import Allocation
from engine.jobs.cancelling import Cancelling
from engine.jobs.find_schedule import Finding
from engine.jobs.steps import turns
from engine.jobs.steps.droplet import _Polish
from engine.jobs.steps.tries import Tries
from engine.jobs.together import all_of, beside
from engine.jobs.verifying import finalists as finals
from engine.records.errors import TunewrightError, TuningError
from engine.records.events import TrialDone
from engine.records.machine import TargetSpec
from engine.records.settings import RunSettings
from engine.records.snapshot import NO_PROJECT
from engine.records.trial import Protocol
from tests.engine.jobs.support import QUICK, Console

Work = Callable[[], Awaitable[Any]]
LOST = TuningError("The device is lost.", "See to it.")


class Stage:
    """Stands for a part of a run: it goes on for ever, but one of them that fails."""

    def __init__(self, fails: bool) -> None:
        self.begun = self.going = 0
        self._fails = fails

    async def __call__(self, *_: Any, **__: Any) -> Any:
        self.begun += 1
        self.going += 1
        mine = self.begun
        try:
            await asyncio.sleep(0)
            if self._fails and mine == 2:
                raise LOST
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)  # as what clears away does
            self.going -= 1


def context(**more: Any) -> Any:
    """As much of a run's context as is asked for here."""
    program = SimpleNamespace(target=TargetSpec("cpu", "cpu", "cpu", 2))
    known = {
        "emit": lambda _: None,
        "model": SimpleNamespace(program=program),
        "resources": SimpleNamespace(cores=2),
        "runner": SimpleNamespace(serves=lambda _: True),
    }
    return SimpleNamespace(**{**known, **more})


async def _propose(_: int) -> list[Any]:
    return [object()] * 3


def a_slot(stage: Stage, patch: pytest.MonkeyPatch) -> Work:
    patch.setattr(slots, "try_candidate", stage)
    searches: Any = SimpleNamespace(propose=_propose)
    return partial(slots.run_slot, context(), searches, 0, 1, lambda wanted: wanted, lambda: False)


def the_finals(stage: Stage, patch: pytest.MonkeyPatch) -> Work:
    patch.setattr(finals, "_settle", stage)
    whole: Any = context(run=1, project=SimpleNamespace(snapshot=lambda: NO_PROJECT))
    whole.model.program.tasks = [SimpleNamespace(index=index) for index in range(3)]
    whole.history = SimpleNamespace(best=lambda _: 1e-3)
    return partial(finals.confirm_finalists, whole)


def a_comparison(stage: Stage, patch: pytest.MonkeyPatch) -> Work:
    patch.setattr(turns, "_rebuild", stage)
    trials: Any = [None] * 3
    return partial(turns.measure_in_turns, context(), trials, Protocol())


def a_pass(stage: Stage, patch: pytest.MonkeyPatch) -> Work:
    spending: Any = None
    return partial(Tries(context(), spending).take_all, [stage] * 3, "Trying")


def the_lanes(stage: Stage, patch: pytest.MonkeyPatch) -> Work:
    patch.setattr(Allocation, "_lane", stage)
    unused: Any = None
    spending: Any = SimpleNamespace(over=False)
    return Allocation(context(), spending, unused, unused, unused).run


def a_descent(stage: Stage, patch: pytest.MonkeyPatch) -> Work:
    droplet = SimpleNamespace(done=False, propose=lambda limit: [None] * 3)

    async def begin() -> Any:
        return droplet

    unused: Any = None
    tries: Any = SimpleNamespace(begin=lambda *_: 1)
    options: Any = SimpleNamespace(per_task=8)
    spending: Any = SimpleNamespace(over=False)
    polish = _Polish(unused, spending, options, tries, 0)
    patch.setattr(polish, "_begin", begin)
    patch.setattr(polish, "_try", stage)
    return polish.run


PARTS = [a_slot, the_finals, a_comparison, a_pass, the_lanes, a_descent]


def others() -> set[asyncio.Task[Any]]:
    """What goes on in the loop beside who asks."""
    return asyncio.all_tasks() - {asyncio.current_task()}


@pytest.mark.parametrize("part", PARTS)
def test_an_error_in_one_ends_the_others_before_it_is_seen(
    part: Callable[..., Work], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check() -> None:
        stage = Stage(fails=True)
        with pytest.raises(TuningError) as caught:
            await part(stage, monkeypatch)()
        assert caught.value is LOST
        assert stage.begun > 1
        assert stage.going == 0
        assert not others()

    asyncio.run(check())


@pytest.mark.parametrize("part", PARTS)
def test_a_stop_ends_all_of_them_before_it_is_over(
    part: Callable[..., Work], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def check() -> None:
        stage = Stage(fails=False)
        whole = asyncio.ensure_future(part(stage, monkeypatch)())
        while stage.going < 2:
            await asyncio.sleep(0.001)
        whole.cancel()
        with pytest.raises(asyncio.CancelledError):
            await whole
        assert stage.going == 0
        assert not others()

    asyncio.run(check())


def test_results_come_in_order_and_what_is_done_is_told() -> None:
    async def give(value: int) -> int:
        await asyncio.sleep(0.01 * (3 - value))
        return value

    told: list[int] = []
    works = [partial(give, value) for value in range(3)]
    assert asyncio.run(all_of(works, told.append)) == [0, 1, 2]
    assert told == [1, 2, 3]


def test_an_error_keeps_its_cause() -> None:
    async def fail() -> None:
        try:
            raise ValueError("a disk")
        except ValueError as error:
            raise TuningError("It failed.") from error

    with pytest.raises(TuningError) as caught:
        asyncio.run(all_of([fail]))
    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize("error", [None, LOST])
def test_what_goes_on_beside_a_block_ends_with_it(error: Exception | None) -> None:
    async def check() -> None:
        stage = Stage(fails=False)
        with suppress(TuningError):
            async with beside(stage()):
                await asyncio.sleep(0.01)
                if error is not None:
                    raise error
        assert (stage.begun, stage.going) == (1, 0)
        assert not others()

    asyncio.run(check())


def a_command(stage: Stage) -> Work:
    return partial(Cancelling().run, stage())


def a_search_for_stages(stage: Stage) -> Work:
    finding = Finding.__new__(Finding)
    finding._task = None
    finding._run = stage  # type: ignore[method-assign]
    return finding.run


@pytest.mark.parametrize("command", [a_command, a_search_for_stages])
def test_who_waits_for_a_command_takes_it_along_when_cancelled(
    command: Callable[[Stage], Work],
) -> None:
    async def check() -> None:
        stage = Stage(fails=False)
        waiting = asyncio.ensure_future(command(stage)())
        while not stage.going:
            await asyncio.sleep(0.001)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert stage.going == 0
        assert not others()

    asyncio.run(check())


def in_the_loop(console: Console) -> set[str]:
    """What goes on in the engine's loop."""

    async def look() -> set[str]:
        return {str(task.get_coro()) for task in others()}

    return asyncio.run_coroutine_threadsafe(look(), console.engine._host.loop).result(10)


@pytest.mark.long
def test_a_stopped_run_leaves_nothing_in_the_engines_loop(console: Console, tmp_path: Path) -> None:
    console.open(tmp_path)
    before = in_the_loop(console)
    console.engine.start_run(RunSettings(search=QUICK.search, protocol=QUICK.protocol)).result(60)
    console.until(lambda event: isinstance(event, TrialDone))
    assert in_the_loop(console) - before
    console.engine.stop().result(60)
    assert in_the_loop(console) == before


@pytest.mark.long
def test_a_failed_run_leaves_nothing_in_the_engines_loop(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    console.open(tmp_path)
    before = in_the_loop(console)
    monkeypatch.setattr(slots, "try_candidate", Stage(fails=True))
    console.engine.start_run(QUICK).result(60)
    with pytest.raises(TunewrightError, match="The device is lost"):
        console.engine.wait().result(120)
    assert in_the_loop(console) == before


def test_only_task_groups_let_coroutines_go_on_together() -> None:
    """`gather` and `as_completed` leave the others running where one fails."""
    root = Path(engine.__file__).parent
    for path in root.rglob("*.py"):
        text = path.read_text()
        assert "asyncio.gather" not in text, path
        assert "as_completed" not in text, path
