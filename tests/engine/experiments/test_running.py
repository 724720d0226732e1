"""An experiment goes on after a failure and a restart, and sums up what it has."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from engine.experiments.matrix import Experiment
from engine.experiments.place import Place
from engine.experiments.reading import read_results
from engine.experiments.running import Ran, carry_out
from engine.experiments.schema import experiment_of
from engine.experiments.summary import groups, rounds
from engine.experiments.table import HEADS, text_rows, text_table
from engine.experiments.writing import write_results
from engine.interface.following import Following
from engine.jobs.event_queue import EventQueue
from engine.project.repository import Project
from engine.queueing.store import QueueStore
from engine.records.errors import UsageError
from engine.records.job import JobState, QueuedJob
from engine.records.settings import RunState
from engine.records.source import ModelSource
from engine.storage.lock import ProjectLock
from tests.engine.interface.fakes import answered
from tests.engine.project.support import new_trial
from tests.samples import make_task

TEXT = """
models: [squeezenet]
targets: [cpu]
policies: [dynatune, {policy: round-robin, name: "=in turn"}]
budgets: [{trials: 5}]
seeds: [0, 1, 2]
"""
Fate = Callable[[QueuedJob], str]


class FakeQueue:
    """Ends every job of its file as `fate` says: finished, stopped, or failed."""

    def __init__(self, path: Path, fate: Fate) -> None:
        self.path, self.fate = path, fate
        self.events = EventQueue()
        self.queue = self
        self.limit = 0
        self.policy: tuple[str, dict[str, Any]] | None = None
        self.ran: list[QueuedJob] = []

    def start(self) -> None: ...

    def shutdown(self, timeout_s: float) -> None: ...

    def set_limit(self, jobs: int) -> Future[None]:
        self.limit = jobs
        return answered(None)

    def set_policy(self, name: str, options: dict[str, Any] | None = None) -> Future[None]:
        self.policy = name, options or {}
        return answered(None)

    def run(self) -> Future[None]:
        with QueueStore.open(self.path) as store:
            for job in store.jobs():
                self.ran.append(job)
                state = self.fate(job)
                if state == "failed":
                    store.put({job.id: {"state": str(JobState.FAILED), "message": "It broke."}})
                else:
                    tune(job, RunState(state))
        return answered(None)

    def wait(self) -> Future[None]:
        return answered(None)

    def stop(self) -> Future[None]:
        return answered(None)


def tune(job: QueuedJob, state: RunState) -> None:
    """Do what a job's run would: latencies that its seed decides."""
    path = Path(job.project)
    if path.exists():
        project = Project.open(path)
    else:
        project = Project.create(
            path, ModelSource("sample", "squeezenet"), model_name="squeezenet", target="llvm",
            target_title="cpu", tvm_version="0", tasks=(make_task(0, "conv", None),), operators=(),
        )  # fmt: skip
    with project:
        run = job.run or project.start_run(job.settings)
        project.set_untuned(2e-3, {0: 2e-3})
        seed = job.settings.seed
        if not project.trials_of(0):
            project.add_trial(new_trial(seed, run=run))
        project.set_run(
            run, state=state, tuned_latency_s=(1 + seed / 10) * 1e-3, elapsed_s=5.0, ended_at=9.0
        )


class Bench:
    """An experiment in a folder, and the queues that it began."""

    def __init__(self, folder: Path, text: str = TEXT) -> None:
        self.place = Place.beside(folder / "e.yaml")
        self.wanted: Experiment = experiment_of(text, folder)
        self.queues: list[FakeQueue] = []

    def run(self, fate: Fate = lambda job: "finished", cores: int | None = None) -> Ran:
        @contextmanager
        def drive(path: Path) -> Iterator[Following[FakeQueue]]:
            self.queues.append(FakeQueue(path, fate))
            with Following(Quiet(), self.queues[-1], (), lambda: None) as follow:
                yield follow

        return carry_out(self.wanted, self.place, drive, cores)

    @property
    def titles(self) -> list[str]:
        """The cells of the last queue."""
        return [job.title for job in self.queues[-1].ran]


class Quiet:
    """Shows nothing."""

    def show(self, events: Any) -> None: ...

    def say(self, line: str) -> None: ...


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_every_cell_becomes_a_project_of_its_own(bench: Bench) -> None:
    ran = bench.run()
    assert bench.queues[-1].limit == 1
    assert len(set(bench.titles)) == 6
    assert all(each.done and each.gain and Path(each.project).exists() for each in ran.outcomes)


def test_what_is_done_is_not_done_again(bench: Bench) -> None:
    first = bench.run()
    assert bench.run() == first
    assert len(bench.queues) == 1  # no queue was begun


def test_a_failure_leaves_the_others_alone_and_is_tried_again(bench: Bench) -> None:
    ran = bench.run(lambda job: "failed" if job.settings.seed == 1 else "finished")
    failed = [each for each in ran.outcomes if each.state == "failed"]
    assert [each.message for each in failed] == ["It broke.", "It broke."]
    assert sum(each.done for each in ran.outcomes) == 4
    assert all(each.done for each in bench.run().outcomes)
    assert bench.titles == [each.cell.name for each in failed]


def test_an_interrupted_run_goes_on_in_its_project(bench: Bench) -> None:
    bench.run(lambda job: "stopped" if job.settings.seed == 2 else "finished")
    ran = bench.run()
    assert [job.run for job in bench.queues[-1].ran] == [1, 1]
    assert all(each.done and each.run == 1 for each in ran.outcomes)


def test_an_experiment_that_is_being_run_is_left_alone(bench: Bench) -> None:
    bench.run(lambda job: "failed")
    lock = ProjectLock(bench.place.queue)
    try:
        with pytest.raises(UsageError, match="being run already"):
            bench.run()
    finally:
        lock.release()


def test_a_damaged_project_costs_its_cell_alone(bench: Bench) -> None:
    bench.run()
    cells = list(bench.wanted.cells())
    bench.place.project(cells[0]).write_bytes(b"no database at all")
    ran = bench.run(lambda job: "failed")
    assert [each.state for each in ran.outcomes] == ["failed", *["finished"] * 5]


def test_the_results_are_one_table_in_every_form(bench: Bench) -> None:
    ran = bench.run(lambda job: "failed" if job.settings.seed == 2 else "finished")
    data = write_results("Two <b>", ran.outcomes, bench.place)
    folder = bench.place.folder
    (first, second) = text_rows(groups(ran.outcomes))
    assert len(first) == len(HEADS)
    assert first[5:] == ("2 of 3, 1 failed", "2.00 ms", "1.050 ms", "1.000 ms – 1.100 ms",
                         "50 %", "1.91x", "0:05")  # fmt: skip
    assert second[2] == "=in turn"
    assert json.loads((folder / "experiment.json").read_text()) == data
    with (folder / "groups.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert float(rows[0]["median_latency_s"]) == pytest.approx(1.05e-3)
    assert rows[1]["policy"] == "'=in turn"
    with (folder / "cells.csv").open() as file:
        cells = list(csv.DictReader(file))
    assert len(cells) == 6
    assert all((folder / row["project"]).exists() == (row["state"] == "finished") for row in cells)
    page = (folder / "index.html").read_text()
    assert "Two &lt;b&gt;" in page
    assert "It broke." in page
    (drawing,) = folder.glob("*.svg")
    kinds = [element.tag.rpartition("}")[2] for element in ElementTree.parse(drawing).iter()]
    assert (kinds.count("circle"), kinds.count("rect")) == (4, 2)


def test_results_can_be_written_where_nothing_is_done(bench: Bench) -> None:
    ran = bench.run(lambda job: "failed")
    data = write_results("None", ran.outcomes, bench.place)
    assert all(group["median_latency_s"] is None for group in data["groups"])
    assert not list(bench.place.folder.glob("*.svg"))


ROUNDS = """
models: [squeezenet]
policies: [dynatune, round-robin]
budgets: [{trials: 5}]
seeds: [0, 1]
scheduling: [sequential, {scheduling: interleaved, gather_s: 1}]
concurrency: [1, 2]
"""


def test_each_round_has_a_queue_of_its_own_with_its_conditions(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ROUNDS)
    ran = bench.run()
    assert len(bench.queues) == 8 and len({queue.path for queue in bench.queues}) == 8
    policies = [("sequential", {}), ("interleaved", {"gather_s": 1.0})]
    assert [queue.policy for queue in bench.queues] == [policies[n // 2 % 2] for n in range(8)]
    assert [queue.limit for queue in bench.queues] == [1, 2] * 4
    assert [len(queue.ran) for queue in bench.queues] == [2] * 8
    assert all(each.done for each in ran.outcomes)
    assert bench.run() == ran and len(bench.queues) == 8


def test_a_failure_in_one_round_is_told_after_the_others(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ROUNDS)
    ran = bench.run(lambda job: "failed" if job.settings.seed == 0 else "finished")
    assert [each.message for each in ran.outcomes if each.state == "failed"] == ["It broke."] * 8


def test_rounds_have_their_makespan_once_all_of_their_cells_are_done(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ROUNDS)
    ran = bench.run(lambda job: "failed" if job.settings.policy == "round-robin" else "finished")
    assert {each.makespan_s for each in rounds(ran.outcomes)} == {None}
    ran = bench.run()
    made = rounds(
        replace(each, began_at=10.0 * at, ended_at=10.0 * at + 7)
        for at, each in enumerate(ran.outcomes)
    )
    assert [(each.makespan_s, each.mean_end_s) for each in made] == [(17.0, 12.0)] * 8
    assert [(each.seed, each.scheduling, each.concurrency, each.cores) for each in made[:3]] == [
        (0, "sequential", "1", ""),
        (0, "sequential", "2", ""),
        (0, "interleaved (gather_s 1.0)", "1", ""),
    ]
    heads, rows, numbers = text_table(groups(ran.outcomes))
    assert heads[5:8] == ("scheduling", "concurrency", "done") and min(numbers) == 7
    assert {row[5:7] for row in rows} == {
        (name, jobs) for name in ("sequential", "interleaved (gather_s 1.0)") for jobs in "12"
    }
    data = write_results("Rounds", ran.outcomes, bench.place)
    assert len(data["rounds"]) == 8 and data["cells"][0]["scheduling"] == "sequential"
    read = read_results(bench.place.folder)
    assert read.cells[0].further == "sequential, concurrency 1"
    with (bench.place.folder / "rounds.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 8
    assert "Rounds" in (bench.place.folder / "index.html").read_text()


def test_only_the_rounds_of_as_many_cores_are_run(tmp_path: Path) -> None:
    bench = Bench(tmp_path, ROUNDS.replace("concurrency: [1, 2]", "cores: [1, 2]"))
    ran = bench.run(cores=2)
    done = {each.cell.conditions.cores: each.done for each in ran.outcomes}
    assert done == {1: False, 2: True} and len(bench.queues) == 4
    assert bench.run() == ran and len(bench.queues) == 4


def test_a_table_without_further_axes_is_as_ever(bench: Bench) -> None:
    found = groups(bench.run().outcomes)
    assert text_table(found)[:2] == (HEADS, text_rows(found))
