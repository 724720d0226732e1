"""Runs, exports and measurements on a machine that does other work meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from engine.deploy.bench import BenchResult
from engine.history.figure import figure_of
from engine.history.history import History
from engine.jobs import devices, tuning
from engine.jobs.baseline import Baseline, measure_baseline
from engine.jobs.opening.open_worker import OpenedModel
from engine.jobs.verifying import finalists, measuring_again
from engine.measure.local_runner import LocalRunner, Results
from engine.measure.runner import RunRequest, RunResult, were_disturbed
from engine.project.repository import Project
from engine.records.events import Message, ModelMeasured, RunChanged
from engine.records.settings import Budget
from engine.records.snapshot import REFERENCE, UNTUNED, Figure
from engine.records.trial import BoardState, Measured, typical_latency
from engine.workers.work_future import WorkFuture
from tests.engine.jobs.support import QUICK, Console

TUNE = replace(QUICK, policy="round-robin", budget=Budget(trials=8))
WHOLE_S, REFERENCE_S, UNTUNED_S = 4.11e-6, 5e-6, 1.0
SLOWER = 6.0


class Machine(LocalRunner):
    """Measures finals without spread; while it is `busy` all takes six times as long."""

    busy = False

    def confirm(self, requests: tuple[RunRequest, ...]) -> Future[Results]:
        done: WorkFuture[Results] = WorkFuture()
        found = super().confirm(requests).result(60)
        done.settle(tuple(replace(one, samples=self._seen(one), load=_load()) for one in found))
        return done

    @staticmethod
    def _seen(one: RunResult) -> tuple[float, ...]:
        return (typical_latency(one.samples) * _slow(),) * 5 if one.samples else ()


def _load() -> float:
    return 0.7 if Machine.busy else 0.0


def _slow() -> float:
    return SLOWER if Machine.busy else 1.0


def whole(*asked: object) -> BenchResult:
    """The whole model, as the machine is."""
    return BenchResult({}, (WHOLE_S * _slow(),) * 5, (), (), _load())


def reference(model: OpenedModel) -> Measured:
    return Measured(REFERENCE_S * _slow(), 0.0, _load())


def baseline(model: OpenedModel) -> Baseline:
    """Kernels so slow that each schedule is faster."""
    tasks = {task.index: UNTUNED_S for task in model.program.tasks}
    untuned = Measured(UNTUNED_S * _slow(), 0.0, _load())
    return replace(measure_baseline(model), untuned=untuned, tasks=tasks)


@pytest.fixture(autouse=True)
def machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Machine]]:
    monkeypatch.setattr(devices, "LocalRunner", Machine)
    monkeypatch.setattr(finalists, "_NEAR", 1e9)  # so that each task has finals
    monkeypatch.setattr(tuning, "measure_module", whole)
    monkeypatch.setattr(measuring_again, "measure_module", whole)
    for place in (tuning, measuring_again):
        monkeypatch.setattr(place, "measure_reference", reference)
    monkeypatch.setattr(tuning, "measure_baseline", baseline)
    yield Machine
    Machine.busy = False


def tune(console: Console) -> Figure:
    console.engine.start_run(TUNE).result(60)
    console.engine.wait().result(200)
    return figure_of(console.engine.snapshot().result(10))


def warnings(console: Console) -> list[str]:
    told = console.of(Message)
    return [one.text for one in told if isinstance(one, Message) and one.level == "warning"]


@pytest.mark.long
def test_a_pass_on_a_busy_machine_leaves_the_good_figure_and_the_good_records(
    console: Console, tmp_path: Path
) -> None:
    path = console.open(tmp_path)
    before = tune(console)
    assert (before.latency_s, before.measured, before.disturbed) == (WHOLE_S, True, False)
    good = History(console.engine.snapshot().result(10))
    assert warnings(console) == []
    Machine.busy = True
    console.engine.start_run(TUNE).result(60)
    console.until(lambda event: isinstance(event, RunChanged))
    assert figure_of(console.engine.snapshot().result(10)) == before  # a start changes nothing
    console.engine.wait().result(200)
    after = figure_of(console.engine.snapshot().result(10))
    assert after.latency_s == pytest.approx(WHOLE_S, rel=0.3)  # by what its kernels gained
    assert after.speedup is not None and before.speedup is not None
    assert after.speedup > 0.7 * before.speedup
    assert any(
        "disturbed: other programs had 70 % of the cores" in text for text in warnings(console)
    )
    assert any("finals" in text and "70 %" in text for text in warnings(console))
    snapshot = console.engine.snapshot().result(10)
    now = History(snapshot)
    for task in snapshot.own_tasks:
        known, found = good.now(task.index), now.now(task.index)
        assert known is not None and found is not None
        assert found <= known * 1.001
    console.engine.close_project().result(10)
    with Project.open(path, read_only=True) as project:
        assert figure_of(project.snapshot()) == after


@pytest.mark.long
@pytest.mark.slow
def test_what_was_measured_on_a_busy_machine_is_marked_until_it_is_measured_again(
    console: Console, tmp_path: Path
) -> None:
    console.open(tmp_path)
    Machine.busy = True
    found = tune(console)
    assert (found.latency_s, found.measured, found.disturbed) == (WHOLE_S * SLOWER, True, True)
    run = console.engine.snapshot().result(10).runs[-1]
    assert run.tuned_latency_s == WHOLE_S * SLOWER
    assert console.engine.measure_again().result(60).disturbed
    manifest = console.engine.export(tmp_path / "out").result(120)
    exported = figure_of(console.engine.snapshot().result(10))
    assert exported.measured
    assert exported.latency_s == min(manifest["latency_s"], WHOLE_S * SLOWER)
    Machine.busy = False
    found = console.engine.measure_again().result(60)
    assert (found.latency_s, found.measured, found.disturbed) == (WHOLE_S, True, False)
    snapshot = console.engine.snapshot().result(10)
    assert snapshot.runs[-1].tuned_latency_s == WHOLE_S
    assert (snapshot.reference_latency_s, snapshot.measured[REFERENCE].load) == (REFERENCE_S, 0.0)
    Machine.busy = True
    assert console.engine.measure_again().result(60) == found
    told = [event for event in console.of(ModelMeasured) if isinstance(event, ModelMeasured)]
    assert {UNTUNED, REFERENCE} < {event.kind for event in told}


def test_results_are_disturbed_by_load_or_where_most_of_them_are_spread() -> None:
    steady, spread = RunResult((1.0,) * 5, 1.0), RunResult((1.0, 2.0) * 3, 1.0)
    assert not were_disturbed([])
    assert not were_disturbed([steady, steady, spread])
    assert were_disturbed([steady, spread, spread])
    assert were_disturbed([steady, replace(steady, load=0.5)])
    assert not were_disturbed([steady, replace(steady, board=BoardState(1.0, 90, 600, False))])
    assert were_disturbed([steady, replace(steady, board=BoardState(throttled=True))])


def test_finals_on_a_hot_board_are_told_as_such() -> None:
    said: list[str] = []
    finals = finalists.Finals(disturbed=[0.0, 0.0], throttled=True)
    finals.tell(lambda event: said.append(getattr(event, "text", "")))
    assert said == [
        "The finals of 2 tasks were disturbed. The board was hot and held its cores back. "
        "Latencies that were confirmed before stay as they are."
    ]
