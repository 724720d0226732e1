"""A search's slots begin with what was found for other tasks of the class."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.jobs.steps.peers import _fitted
from engine.jobs.steps.tries import Miss, Tries
from engine.project.repository import Project
from engine.records.settings import Budget
from engine.records.space import DesignSpace
from engine.records.trial import Source
from tests.engine.jobs.support import QUICK, Console, opened
from tests.engine.models.build import two_convs_model

TRIALS = 12


@pytest.mark.long
def test_a_task_is_given_what_others_of_its_class_found_before(
    console: Console, tmp_path: Path
) -> None:
    path = opened(console, tmp_path, two_convs_model())
    console.engine.start_run(replace(QUICK, budget=Budget(trials=TRIALS))).result(60)
    console.engine.wait().result(120)
    with Project.open(path, read_only=True) as project:
        snapshot = project.snapshot(texts=True)
    tasks = {task.index: task for task in snapshot.tasks}
    trials = {trial.number: trial for trial in snapshot.trials}
    given = [trial for trial in trials.values() if trial.source is Source.SHARED]
    assert len(trials) == TRIALS
    assert given
    for trial in given:
        donor = trials[trial.origin["trial"]]
        assert donor.number < trial.number
        assert donor.task == trial.origin["task"] != trial.task
        assert tasks[donor.task].op_class == tasks[trial.task].op_class
        assert donor.error is None
    pairs = [(trial.task, trial.origin["trial"]) for trial in given]
    assert len(set(pairs)) == len(pairs)


def test_what_a_search_tried_meanwhile_is_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    keys: set[str] = set()

    async def replayed(*_: object) -> tuple[Any, int]:
        return SimpleNamespace(trace_key="of the trace"), len(keys)

    gate = SimpleNamespace(wait=lambda: asyncio.sleep(0))
    context = SimpleNamespace(
        project=SimpleNamespace(trace_keys=lambda task: frozenset(keys)),
        gate=gate,
        resources=SimpleNamespace(run=replayed, cores=1),
        outstanding=SimpleNamespace(during=lambda *_: None),
        needs_update=lambda *_: None,
        threads=None,
    )

    async def attempts() -> list[object]:
        tries = Tries(cast(Any, context), cast(Any, None))
        first = await tries._replay(1, "another trace")
        keys.add("of the trace")
        tries._known[1] -= keys  # as it stood before the search tried it
        return [first, await tries._replay(1, "a trace")]

    first, again = asyncio.run(attempts())
    assert first is not Miss.KNOWN
    assert again is Miss.KNOWN


@pytest.mark.parametrize(
    "trace", ["", "no trace", "{}", "[[], []", '[[["Nonsense", [], [], []]], []]']
)
def test_a_peers_trace_that_is_none_gives_nothing(trace: str) -> None:
    assert _fitted(trace, DesignSpace(0, "matmul", ())) == ()
