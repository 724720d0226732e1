"""Measurements spread over devices: never mixed within a task unless the devices agree."""

from __future__ import annotations

from concurrent.futures import Future

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.measure.comparing import Comparison
from engine.measure.runner import Runner, RunRequest, RunResult
from engine.measure.spread_runner import Member, SpreadRunner
from engine.records.devices import Devices
from engine.records.errors import TuningError
from engine.records.trial import ErrorKind, Protocol


class Fake(Runner):
    """Answers at once; `lost` is whether its device is."""

    def __init__(self) -> None:
        self.lost = self.closed = self.absent = False
        self.asked: list[RunRequest] = []

    def wait_ready(self, timeout: float | None = None) -> bool:
        if self.absent:
            raise TuningError("No server answers.", "Start it.")
        return True

    def submit(self, request: RunRequest) -> Future[RunResult]:
        self.asked.append(request)
        done: Future[RunResult] = Future()
        error = ErrorKind.DEVICE_LOST if self.lost else None
        done.set_result(RunResult(() if self.lost else (1e-4,), 0.1, False, error, "It is gone."))
        return done

    def confirm(self, requests: tuple[RunRequest, ...]) -> Future[tuple[RunResult, ...]]:
        done: Future[tuple[RunResult, ...]] = Future()
        done.set_result(tuple(self.submit(request).result() for request in requests))
        return done

    def check(
        self, requests: tuple[RunRequest, ...], comparison: Comparison
    ) -> Future[tuple[RunResult, ...]]:
        return self.confirm(requests)

    def close(self) -> None:
        self.closed = True


class Spread:
    """A spread runner over fakes, what it said and kept, and a clock that a test turns."""

    def __init__(
        self,
        seconds: tuple[float, ...],
        earlier: Devices | None = None,
        tuned: tuple[int, ...] = (),
        models: str = "AAAA",
    ) -> None:
        self.fakes = [Fake() for _ in seconds]
        self.said: list[str] = []
        self.kept: list[Devices] = []
        self.now = 0.0
        members = [Member(f"cuda:{i}", models[i], fake) for i, fake in enumerate(self.fakes)]
        self.runner = SpreadRunner(
            members, say=self.said.append, keep=self.kept.append, clock=lambda: self.now
        )
        probes = {f"cuda:{i}": one for i, one in enumerate(seconds)}
        self.runner.settle(probes, earlier, tuned)

    def measure(self, task: int) -> str | None:
        """The device that a trial of a task was measured on."""
        place = self.runner.reserve(task)
        if place is not None:
            self.runner.submit(request(place)).result()
            self.runner.release(place)
        return place


def request(place: str) -> RunRequest:
    return RunRequest("x.so", (), Protocol(), place=place)


@given(st.lists(st.sampled_from([1.0, 1.02, 1.2]), min_size=2, max_size=4), st.data())
def test_no_task_is_measured_on_devices_that_do_not_agree(
    seconds: list[float], data: st.DataObject
) -> None:
    spread = Spread(tuple(seconds))
    group_of = {name: group for group in spread.kept[0].groups for name in group}
    used: dict[int, set[tuple[str, ...]]] = {}
    for _ in range(30):
        task = data.draw(st.integers(0, 4))
        spread.fakes[data.draw(st.integers(0, len(seconds) - 1))].lost = data.draw(st.booleans())
        place = spread.measure(task)
        if place is not None:
            used.setdefault(task, set()).add(group_of[place])
        spread.now += data.draw(st.sampled_from([0.0, 100.0]))
    assert all(len(groups) == 1 for groups in used.values())


def test_devices_that_agree_share_a_task_and_the_log_tells_it() -> None:
    spread = Spread((1e-4, 1.01e-4))
    taken = [spread.runner.reserve(7) for _ in range(4)]
    assert sorted(place or "" for place in taken) == ["cuda:0", "cuda:0", "cuda:1", "cuda:1"]
    assert "agree within 3%" in spread.said[0]
    assert "cuda:1 101.0 us" in spread.said[0]
    spread.runner.release("cuda:1")
    assert spread.runner.reserve(8) == "cuda:1"


@pytest.mark.parametrize(("seconds", "models"), [((1e-4, 2e-4), "AA"), ((1e-4, 1e-4), "AB")])
def test_tasks_are_dealt_out_to_devices_that_do_not_agree(
    seconds: tuple[float, ...], models: str
) -> None:
    spread = Spread(seconds, models=models)
    for _ in range(3):
        assert [spread.measure(task) for task in range(4)] == ["cuda:0", "cuda:1"] * 2
    assert spread.kept[-1].pins == {0: "cuda:0", 1: "cuda:1", 2: "cuda:0", 3: "cuda:1"}
    assert "each task stays on one of cuda:0; cuda:1" in spread.said[0]


def test_a_later_run_leaves_tasks_where_they_were_measured() -> None:
    first = Spread((1e-4, 2e-4))
    first.measure(0)
    first.measure(1)
    later = Spread((2e-4, 1e-4), earlier=first.kept[-1], tuned=(0, 1, 5))
    assert [later.measure(task) for task in (1, 0, 5)] == ["cuda:1", "cuda:0", "cuda:0"]


def test_a_lost_device_is_told_once_and_the_others_take_its_place() -> None:
    spread = Spread((1e-4, 1e-4))
    spread.fakes[0].lost = True
    assert [spread.measure(0) for _ in range(4)] == ["cuda:0", "cuda:1", "cuda:1", "cuda:1"]
    assert not spread.runner.alone
    assert spread.said[1:] == [
        "The device cuda:0 is lost: It is gone. So the run goes on with cuda:1."
    ]
    spread.fakes[0].lost = False
    spread.now = 61.0
    assert "cuda:0" in [spread.measure(0) for _ in range(2)]
    assert spread.said[-1] == "The device cuda:0 measures again."


def test_a_task_whose_devices_are_lost_has_none_and_the_last_loss_is_told() -> None:
    spread = Spread((1e-4, 2e-4))
    assert [spread.measure(0), spread.measure(1)] == ["cuda:0", "cuda:1"]
    spread.fakes[0].lost = True
    assert spread.measure(0) == "cuda:0"
    assert spread.measure(0) is None
    assert not spread.runner.serves(0)
    assert spread.runner.serves(1)
    assert spread.measure(1) == "cuda:1"
    assert spread.measure(9) == "cuda:1"
    spread.fakes[1].lost = True
    assert spread.measure(1) == "cuda:1"
    assert spread.runner.alone
    assert spread.said[-1].endswith("So no other is left.")


def test_finalists_are_measured_on_one_device() -> None:
    spread = Spread((1e-4, 1e-4))
    requests = tuple(request("cuda:1") for _ in range(3))
    assert len(spread.runner.confirm(requests).result()) == 3
    assert [len(fake.asked) for fake in spread.fakes] == [0, 3]
    spread.runner.submit(request("")).result()
    assert len(spread.fakes[0].asked) == 1
    spread.runner.close()
    assert all(fake.closed for fake in spread.fakes)


def test_a_device_that_does_not_start_is_left_out_unless_it_is_the_last() -> None:
    spread = Spread((1e-4, 1e-4))
    assert spread.runner.wait_ready()
    spread.fakes[0].absent = True
    assert spread.runner.wait_ready()
    assert spread.runner.names == ("cuda:1",)
    assert spread.fakes[0].closed
    assert spread.said[-1] == "No server answers. The run goes on without cuda:0."
    spread.fakes[1].absent = True
    with pytest.raises(TuningError):
        spread.runner.wait_ready()
