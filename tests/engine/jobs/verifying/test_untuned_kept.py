"""Tuned kernels that are no faster than the untuned ones, measured beside each other."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from app.cli.reports import export_reply, info_reply
from engine.history.history import History
from engine.history.open_project import OpenProject
from engine.jobs import devices
from engine.measure.local_runner import LocalRunner, Results
from engine.measure.runner import RunRequest
from engine.records.settings import Budget
from engine.records.task import TensorSpec
from engine.workers.work_future import WorkFuture
from tests.engine.jobs.support import QUICK, Console


class Beside(LocalRunner):
    """Finds the untuned kernel, the first of those in turns, fast for one task and slow for all
    others."""

    fast: tuple[TensorSpec, ...] = ()

    def confirm(self, requests: tuple[RunRequest, ...]) -> Future[Results]:
        done: WorkFuture[Results] = WorkFuture()
        first, *others = super().confirm(requests).result(60)
        sample = 1e-9 if requests[0].args == self.fast else 1.0
        done.settle((replace(first, samples=(sample,) * 5), *others))
        return done


def test_an_untuned_kernel_that_is_as_fast_as_the_best_schedule_keeps_its_place(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = console.open(tmp_path)
    tasks = console.engine.snapshot().result(10).tasks
    kept, other = tasks[0], tasks[1]
    assert kept.args != other.args
    monkeypatch.setattr(devices, "LocalRunner", Beside)
    monkeypatch.setattr(Beside, "fast", kept.args)
    settings = replace(QUICK, policy="round-robin", budget=Budget(trials=8))
    console.engine.start_run(settings).result(60)
    console.engine.wait().result(200)
    snapshot = console.engine.snapshot().result(10)
    history = History(snapshot)
    window = OpenProject(snapshot).history
    assert history.best(kept.index) is not None
    for found in (history, window):
        assert found.record(kept.index) is None
        assert found.stays_untuned(kept.index)
        assert found.now(kept.index) == 1e-9
        assert found.record(other.index) is not None
        assert found.untuned(other.index) == 1.0
    info = info_reply(snapshot)
    assert f"{kept.name} keeps its untuned kernel" in info.text
    manifest = console.engine.export(tmp_path / "out").result(120)
    told = {task["name"]: task for task in manifest["tasks"]}
    assert (told[kept.name]["tuned"], told[kept.name]["latency_s"]) == (False, 1e-9)
    assert told[kept.name]["note"] == "no schedule measured faster than the untuned kernel"
    assert told[other.name]["note"] == ""
    assert [task["tuned"] for task in info.data["tasks"]] == [
        task["tuned"] for task in told.values()
    ]
    assert manifest["coverage"] == pytest.approx(info.data["coverage"])
    reply = export_reply(str(path), "out", manifest)
    assert f"untuned, as no slower   {kept.name}\n" in reply.text
    for load, disturbed in ((0.0, False), (0.68, True)):
        quiet = manifest | {"latency_load": load, "latency_spread_s": 0.0}
        reply = export_reply(str(path), "out", quiet)
        assert (reply.data["disturbed"], reply.data["load"]) == (disturbed, load)
        assert ("other programs had 68 % of the cores" in reply.text) == disturbed
