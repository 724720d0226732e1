"""What is known of a run's tasks ends it at once where it meets the objective."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.history.figure import figure_of
from engine.history.history import History
from engine.jobs.steps import start
from engine.jobs.steps.spending import Spending
from engine.passes.donor import Donor
from engine.passes.ranking import Ranked, best_known
from engine.project.repository import Project
from engine.records.sentences import Sentence
from engine.records.settings import Budget
from engine.records.task import Task
from engine.records.words import RunEnd
from tests.engine.jobs.support import QUICK
from tests.engine.passes.donor_data import donor
from tests.engine.project.support import TARGET, new_project

TITLE, TVM = "cpu znver4 x2", "0.27.0"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """A model of 5 ms whose kernels take 4 ms together, in three tasks: 3 x 1, 0.9 and 0.1 ms."""
    with new_project(tmp_path / "net.tune") as made:
        made.set_untuned(5e-3, {0: 1e-3, 1: 9e-4, 2: 1e-4})
        yield made


def known(project: Project, task: int, latency_s: float, **changes: Any) -> Donor:
    """A record of a task's very workload."""
    found = project.tasks()[task]
    same: dict[str, Any] = {
        "op_class": found.op_class,
        "fingerprint": found.fingerprint,
        "target": TARGET,
        "target_title": TITLE,
        "tvm_version": TVM,
    }
    made = donor(task, (), latency_s=latency_s, **{**same, **changes})
    return replace(made, args=found.args)


def begun(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
    donors: list[Donor],
    wanted_s: float | None,
    reach: float = 1.0,
) -> tuple[list[dict[int, list[Donor]]], str]:
    """What was tried, a round each, and why the run ended, where the schedules turn out to be
    `reach` times as slow as they were."""
    budget = Budget(trials=8, latency_s=wanted_s)
    settings = replace(QUICK, budget=budget, starter=True)
    history = History(project.snapshot())
    context: Any = SimpleNamespace(
        project=project, settings=settings, history=history, experience=SimpleNamespace()
    )
    context.clock = SimpleNamespace(run_s=0.0)
    best = dict[int, float]()

    def now_s() -> float | None:
        latency_s = figure_of(project.snapshot()).latency_s
        tasks = project.tasks()
        total = sum(task.weight * (history.now(task.index) or 0.0) for task in tasks)
        after = sum(
            task.weight * best.get(task.index, history.now(task.index) or 0.0) for task in tasks
        )
        return None if latency_s is None else latency_s * after / total

    rounds: list[dict[int, list[Donor]]] = []

    async def tried(
        _: Any, spending: Spending, served: Mapping[int, list[Ranked]], per_task: int
    ) -> None:
        rounds.append({task: [one.donor for one in found] for task, found in served.items()})
        for task, found in served.items():
            best[task] = reach * found[0].donor.latency_s

    def ranked(
        _: Project, tasks: Sequence[Task], found: Sequence[Donor]
    ) -> dict[int, list[Ranked]]:
        """By class alone, as these workloads have no blocks."""
        of = {
            task.index: [
                Ranked(one, 1.0, Sentence("")) for one in found if one.op_class == task.op_class
            ]
            for task in tasks
        }
        return {task: served for task, served in of.items() if served}

    monkeypatch.setattr(start, "try_donors", tried)
    monkeypatch.setattr(start, "ranked_donors", ranked)
    monkeypatch.setattr(start, "_known", lambda context: donors)
    monkeypatch.setattr(start, "_samples", lambda context: {})
    spending = Spending(cast(Any, context), 0, now_s)
    asyncio.run(start.begin_with_known(context, spending))
    return rounds, spending.reason


def test_the_best_schedules_of_all_tasks_end_a_run_whose_objective_they_meet(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast, slow = known(project, 0, 2e-4), known(project, 0, 4e-4, trace_key="ab" * 32)
    rounds, reason = begun(project, monkeypatch, [slow, fast], 3e-3)
    assert rounds == [{0: [fast]}]
    assert reason == RunEnd.KNOWN


@pytest.mark.parametrize("wanted_s", [None, 1e-3, 5e-3, 6e-3])
def test_where_they_do_not_meet_it_or_it_is_met_a_run_begins_as_ever(
    project: Project, monkeypatch: pytest.MonkeyPatch, wanted_s: float | None
) -> None:
    rounds, reason = begun(project, monkeypatch, [known(project, 0, 2e-4)], wanted_s)
    assert len(rounds) == 1 and reason == ""


def test_schedules_that_are_slower_here_leave_the_run_going_on(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    rounds, reason = begun(project, monkeypatch, [known(project, 0, 2e-4)], 3e-3, reach=4.0)
    assert len(rounds) == 2 and reason == ""


@pytest.mark.parametrize(
    "other",
    [
        {"fingerprint": "ee" * 32},
        {"target_title": "cpu znver5 x2"},
        {"target": TARGET.replace("znver4", "znver3")},
        {"tvm_version": "0.26.0"},
        {"latency_s": 2e-3},
    ],
    ids=lambda other: next(iter(other)),
)
def test_only_what_was_measured_of_the_same_on_the_same_counts(
    project: Project, monkeypatch: pytest.MonkeyPatch, other: dict[str, Any]
) -> None:
    latency_s = other.pop("latency_s", 2e-4)
    given = known(project, 0, latency_s, **other)
    if other:
        assert best_known(project.tasks()[0], [given], TARGET, TVM, TITLE) is None
    assert begun(project, monkeypatch, [given], 3e-3)[1] == ""
