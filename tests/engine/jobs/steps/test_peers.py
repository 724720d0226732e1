"""A search's slots begin with what was found for other tasks of the class."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engine.project.repository import Project
from engine.records.settings import Budget
from engine.records.trial import Source
from tests.engine.jobs.support import QUICK, Console, opened
from tests.engine.models.build import two_convs_model

TRIALS = 12


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
