"""A search for a schedule as a job: stopped, ended, out of time, gone on with; on a made-up
device."""

from __future__ import annotations

import asyncio
import math
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.deploy.stage_bench import StageLatency
from engine.deploy.stage_meter import Measured
from engine.ios.cost_table import CostTable, StageCosts
from engine.ios.keys import graph_of
from engine.ios.options import Way
from engine.jobs import find_schedule
from engine.jobs.find_schedule import Ended
from engine.jobs.resources import Resources
from engine.jobs.schedule_work import Comparison
from engine.jobs.session import Session
from engine.project.repository import Project
from engine.records.errors import TuningError, UsageError
from engine.records.events import Event, Message, ScheduleFound, StageSearch
from engine.records.schedule import FoundSchedule, IosOptions, Schedule, Stage, WayResult
from tests.engine.ios.dags import Device
from tests.engine.project.support import OPERATORS, new_project

# Three operators of which none waits for another, and one that reads them all.
WIDE = (
    *(replace(OPERATORS[0], id=place) for place in range(3)),
    replace(OPERATORS[2], id=3, inputs=(0, 1, 2)),
)
OPTIONS = IosOptions(strategies="parallel")
DEVICE = Device((1e-3, 2e-3, 1.5e-3, 0.7e-3), (0.6,) * 4)


def latency_of(stage: Stage) -> float:
    """The made-up device's, which three groups at once overtax."""
    return 10e-3 if len(stage.groups) > 2 else DEVICE.latency(stage)


class Meter:
    """Measures one stage a call on the made-up device; `before` hears of each."""

    def __init__(self, latency: Callable[[Stage], float], before: Callable[[Stage], None]) -> None:
        self.latency, self.before = latency, before
        self.halted = self.closed = False

    def measure(self, stages: Sequence[Stage], seconds: float) -> list[Measured]:
        """The first of them."""
        assert not self.closed
        assert seconds > 0
        self.before(stages[0])
        latency = self.latency(stages[0])
        return [(stages[0], StageLatency(latency, "" if latency < 1 else "No memory."))]

    def halt(self) -> None:
        """Remembered."""
        self.halted = True

    def close(self) -> None:
        """Remembered."""
        self.closed = True


class Work:
    """Stands for the compiled model."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self.graph = graph_of(WIDE)
        self.keys = tuple(f"k{place}" for place in range(self.graph.n))
        self.device, self.batch = "made up", 1
        self.merged: dict[tuple[int, ...], str] = {}

    def costs(self, table: CostTable) -> StageCosts:
        """As seen from here."""
        return StageCosts(table, self.keys)

    def may_merge(self, operators: tuple[int, ...]) -> bool:
        """Never."""
        return False

    def meter(self, protocol: Any) -> Meter:
        """The bench's."""
        self._bench.meter = Meter(self._bench.latency, self._bench.before)
        return self._bench.meter

    def compare(self, schedules: dict[Way, Schedule]) -> Comparison:
        """As the table predicts."""
        self._bench.compared()
        best = min(schedules, key=lambda way: schedules[way].latency_s)
        ways = [
            WayResult(way, len(schedule.stages), schedule.latency_s, schedule.latency_s, 1)
            for way, schedule in schedules.items()
        ]
        return Comparison(best, tuple(ways), ("greedy: its outputs differ",))


class Loaded(Session):
    """A session whose model is read."""

    async def load_model(self) -> Any:
        """As little of it as a search needs."""
        target = SimpleNamespace(device="cpu", remote="")
        return SimpleNamespace(program=SimpleNamespace(target=target))


class Bench:
    """A session with a project whose model is made up, and what goes on in it."""

    def __init__(self, project: Project) -> None:
        self.project, self.events = project, list[Event]()
        self.measured = list[Stage]()
        self.latency: Callable[[Stage], float] = latency_of
        self.hook: Callable[[int], None] = lambda _: None
        self.compared: Callable[[], None] = lambda: None
        self.meter: Meter | None = None

    def before(self, stage: Stage) -> None:
        """A stage is about to be measured."""
        self.measured.append(stage)
        self.hook(len(self.measured))

    def states(self) -> list[StageSearch]:
        """What was told of the search."""
        return [event for event in self.events if isinstance(event, StageSearch)]

    def find(
        self, options: IosOptions, during: Callable[[Session], Any] | None = None
    ) -> FoundSchedule:
        """Search; `during` is a coroutine beside it."""
        return asyncio.run(self._find(options, during))

    async def _find(
        self, options: IosOptions, during: Callable[[Session], Any] | None
    ) -> FoundSchedule:
        async def libraries() -> None:
            return None

        with ThreadPoolExecutor(4) as threads:
            session = Loaded(self.project, Resources(2), threads, self.events.append, libraries)
            search = asyncio.create_task(find_schedule.find_schedule(session, options))
            if during is not None:
                await asyncio.sleep(0)
                await during(session)
            return await search


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    with new_project(tmp_path / "net.tune", operators=WIDE) as project:
        made = Bench(project)
        monkeypatch.setattr(find_schedule, "ScheduleWork", lambda *_: Work(made))
        monkeypatch.setattr(find_schedule, "_TELL_S", 0.0)
        yield made


def test_a_search_stores_its_schedule_and_tells_of_it(bench: Bench) -> None:
    found = bench.find(OPTIONS)
    assert found.way == "ios_parallel"
    assert found.ended == "exact"
    assert found.schedule.latency_s == pytest.approx(3.8e-3)
    assert sorted(found.stage_s) == pytest.approx([0.7e-3, 1e-3, 2.1e-3])
    assert found.alone_s == DEVICE.seconds
    assert found.kernels == ("k0", "k1", "k2", "k3")
    assert found.search.measured == len(bench.measured) == len(bench.project.stage_costs())
    assert [way.way for way in found.ways] == ["sequential", "greedy", "ios_parallel"]
    assert len(found.tradeoffs) == 12
    assert bench.project.snapshot().schedule == found
    assert [event.found for event in bench.events if isinstance(event, ScheduleFound)] == [found]
    states = bench.states()
    assert [event.running for event in states] == [True] * (len(states) - 1) + [False]
    assert [event.state.measured for event in states] == sorted(e.state.measured for e in states)
    assert states[-1].best is not None
    assert any("greedy: its outputs" in e.text for e in bench.events if isinstance(e, Message))
    assert bench.meter is not None
    assert bench.meter.closed


def test_a_second_search_measures_nothing(bench: Bench) -> None:
    first = bench.find(OPTIONS)
    before = len(bench.measured)
    second = bench.find(OPTIONS)
    assert len(bench.measured) == before
    assert second.search.measured == 0
    assert second.schedule == first.schedule


def test_every_stage_is_in_the_file_when_the_next_is_measured(bench: Bench) -> None:
    bench.hook = lambda count: stored.append((count, len(rows())))
    stored: list[tuple[int, int]] = []

    def rows() -> list[Any]:
        with Project.open(bench.project.path, read_only=True) as reader:
            return reader.stage_costs()

    bench.find(OPTIONS)
    assert stored
    assert all(kept == count - 1 for count, kept in stored)


def test_stopped_it_keeps_the_best_so_far_and_goes_on_from_there(bench: Bench) -> None:
    async def stop(session: Session) -> None:
        while len(bench.measured) < 5:
            await asyncio.sleep(0.001)
        assert session.finding is not None
        await session.finding.stop()

    bench.hook = lambda _: time.sleep(0.02)
    found = bench.find(OPTIONS, stop)
    assert found.ended == "stopped"
    assert found.tradeoffs == ()
    assert bench.project.snapshot().schedule == found
    assert len(bench.project.stage_costs()) == 5
    again = bench.find(OPTIONS)
    assert again.ended == "exact"
    assert again.schedule.latency_s <= found.schedule.latency_s
    assert len(bench.measured) == len(bench.project.stage_costs()) > 5


def test_stopped_before_every_operator_was_measured_it_has_no_result(bench: Bench) -> None:
    async def stop(session: Session) -> None:
        while not bench.measured:
            await asyncio.sleep(0.001)
        assert session.finding is not None
        await session.finding.stop()

    bench.hook = lambda _: time.sleep(0.05)
    with pytest.raises(Ended):
        bench.find(OPTIONS, stop)
    assert 0 < len(bench.project.stage_costs()) < 4
    assert bench.project.snapshot().schedule is None
    assert not bench.states()[-1].running


def test_stopped_twice_it_ends_at_once_without_a_schedule(bench: Bench) -> None:
    began = threading.Event()
    go_on = threading.Event()

    def compare() -> None:
        began.set()
        go_on.wait(30)

    async def stop(session: Session) -> None:
        while not began.is_set():
            await asyncio.sleep(0.001)
        finding = session.finding
        assert finding is not None
        first = asyncio.create_task(finding.stop())
        await asyncio.sleep(0.01)
        assert not first.done()
        await finding.stop()
        await first
        go_on.set()

    bench.compared = compare
    with pytest.raises(Ended):
        bench.find(OPTIONS, stop)
    assert bench.project.snapshot().schedule is None
    assert len(bench.project.stage_costs()) == len(bench.measured) > 4


def test_closing_the_project_ends_it_and_keeps_what_was_measured(bench: Bench) -> None:
    async def close(session: Session) -> None:
        while len(bench.measured) < 2:
            await asyncio.sleep(0.001)
        await session.stop()

    bench.hook = lambda _: time.sleep(0.02)
    with pytest.raises(Ended):
        bench.find(OPTIONS, close)
    assert bench.project.stage_costs()
    assert bench.project.snapshot().schedule is None


def test_nothing_else_begins_while_it_goes_on(bench: Bench) -> None:
    async def ask(session: Session) -> None:
        while not bench.measured:
            await asyncio.sleep(0.001)
        for asked in (session.require_idle(), find_schedule.find_schedule(session, OPTIONS)):
            with pytest.raises(UsageError, match="A search for a schedule goes on"):
                await asked

    bench.hook = lambda _: time.sleep(0.02)
    assert bench.find(OPTIONS, ask).ended == "exact"


def test_a_time_that_is_over_ends_it_with_the_best_so_far(bench: Bench) -> None:
    bench.hook = lambda count: time.sleep(0.6 if count == 5 else 0)
    found = bench.find(IosOptions(strategies="parallel", seconds=0.5))
    assert found.ended == "time"
    assert len(bench.measured) == 5
    assert bench.project.snapshot().schedule == found


def test_a_time_too_short_for_every_operator_is_said(bench: Bench) -> None:
    bench.hook = lambda _: time.sleep(0.05)
    with pytest.raises(TuningError, match="too few to measure each operator"):
        bench.find(IosOptions(strategies="parallel", seconds=0.02))
    assert len(bench.project.stage_costs()) == 1


def test_an_operator_that_fails_alone_ends_it_and_is_not_remembered(bench: Bench) -> None:
    bench.latency = lambda stage: math.inf if stage.operators == {1} else 1e-3
    with pytest.raises(TuningError, match=r"Operator 1 does not run by itself\. No memory"):
        bench.find(OPTIONS)
    assert len(bench.project.stage_costs()) == 1
    (row,) = bench.project.stage_costs()
    bench.project.add_stage_costs([row | {"groups": [["k1"]], "latency_s": None}])  # a stranger's
    bench.latency = latency_of
    assert bench.find(OPTIONS).ended == "exact"


def test_a_stage_that_fails_is_remembered_and_in_no_schedule(bench: Bench) -> None:
    bench.latency = lambda stage: DEVICE.latency(stage) if len(stage.operators) == 1 else math.inf
    found = bench.find(OPTIONS)
    assert found.way == "sequential"
    assert None in [row["latency_s"] for row in bench.project.stage_costs()]
    before = len(bench.measured)
    bench.find(OPTIONS)
    assert len(bench.measured) == before


def test_latencies_of_another_device_or_batch_are_not_taken(bench: Bench) -> None:
    bench.find(OPTIONS)
    rows = [row | {"device": "another"} for row in bench.project.stage_costs()]
    count = len(bench.measured)
    with new_project(bench.project.path.with_name("b.tune"), operators=WIDE) as other:
        other.add_stage_costs([*rows, *(row | {"device": "made up", "batch": 8} for row in rows)])
        bench.project = other
        bench.find(OPTIONS)
    assert len(bench.measured) == 2 * count
