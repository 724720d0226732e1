"""Merged operators as tasks, for real: added, tuned, kept, and out of everything else's way."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from engine.history.history import History
from engine.jobs.steps.merge import merge
from engine.jobs.steps.steps import MergeOptions
from engine.project.repository import Project
from engine.records.errors import ProjectError
from engine.records.events import Event, Message, ProjectOpened
from engine.records.settings import Budget, RunSettings, Step
from engine.records.snapshot import Snapshot
from engine.records.trial import Source
from tests.engine.ios.branching import twins
from tests.engine.jobs.support import QUICK, Console
from tests.engine.tasks.programs import network

pytestmark = pytest.mark.slow


def plan(*steps: Step, trials: int) -> RunSettings:
    alone = replace(QUICK.search, peers=0)  # what members give is told apart from what peers do
    return replace(QUICK, budget=Budget(trials=trials), steps=steps, search=alone)


def run(console: Console, settings: RunSettings) -> None:
    console.engine.start_run(settings).result(60)
    console.engine.wait().result(180)


def read(path: Path) -> Snapshot:
    with Project.open(path, read_only=True) as project:
        return project.snapshot(texts=True)


@pytest.mark.long
def test_merged_operators_are_tuned_kept_and_no_part_of_the_model(
    console: Console, tmp_path: Path
) -> None:
    path = console.open(tmp_path, twins(), "net")
    own = read(path).tasks
    member = next(task.index for task in own if task.weight == 2 and "conv2d" in task.op_class)
    merging = Step("merge", {"per_task": 4})
    settings = plan(Step("search", trials=3), merging, trials=30)
    run(console, replace(settings, wishes={"pinned": [member]}))
    snapshot = read(path)
    assert tuple(replace(task, untuned_latency_s=None) for task in snapshot.own_tasks) == own
    (task,) = snapshot.tasks[len(own) :]
    assert (task.weight, len(task.merged)) == (0, 2)
    trials = [trial for trial in snapshot.trials if trial.task == task.index]
    assert len(trials) == 4
    shared = [trial for trial in trials if trial.source is Source.SHARED]
    records = [one for one in snapshot.trials if one.task == member and not (one.error or one.cut)]
    assert len(shared) == min(1, len(records))  # a quarter of its trials
    assert {trial.origin["task"] for trial in shared} <= {member}
    opened = [event for event in console.of(ProjectOpened) if isinstance(event, ProjectOpened)]
    assert len(opened[-1].snapshot.tasks) == len(own) + 1
    history = History(snapshot)
    assert history.share(task.index) is None
    assert history.now_s() is not None
    assert history.now(task.index) == history.best(task.index)

    console.engine.close_project().result(60)
    console.engine.open_project(path).result(60)
    run(console, plan(Step("share", {"threshold": 0.0, "top_k": 1}), trials=3))
    later = read(path)
    assert len(later.trials) > len(snapshot.trials)
    assert sum(trial.task == task.index for trial in later.trials) == len(trials)
    assert later.clustering is not None
    clustered = {one for item in later.clustering.clusters for one in item.members}
    assert clustered == set(range(len(own)))


def test_merged_tasks_that_are_not_of_the_model_are_refused(
    console: Console, tmp_path: Path
) -> None:
    path = console.open(tmp_path)
    console.engine.close_project().result(60)
    with Project.open(path) as project:
        last = project.snapshot(texts=True).tasks[-1]
        other = replace(last, index=last.index + 1, name="merged", weight=0, merged=(0, 1))
        project.add_merged([other])
    console.engine.open_project(path).result(60)
    with pytest.raises(ProjectError, match="merged operators"):
        console.engine.find_spaces().result(60)


def test_a_model_without_operators_to_merge_says_so() -> None:
    async def at_once(_need: Any, _threads: Any, call: Callable[[], Any]) -> Any:
        return call()

    said: list[Event] = []
    context: Any = SimpleNamespace(
        model=network("conv_relu_model"),
        resources=SimpleNamespace(run=at_once),
        threads=None,
        emit=said.append,
    )
    nothing: Any = None  # what is never used
    asyncio.run(merge(context, nothing, MergeOptions(), nothing))
    texts = [event.text for event in said if isinstance(event, Message)]
    assert texts == ["No operators of this model may be merged."]
