"""Tuned kernels that compute something else are found at a run's end, or before an export."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from engine.history.history import History
from engine.jobs import starting
from engine.jobs.verifying import finalists
from engine.measure.build_pool import BuildPool
from engine.measure.runner import BuildRequest, BuildResult
from engine.project.repository import Project
from engine.records.events import Message, TrialConfirmed, TrialDone
from engine.records.settings import Budget
from engine.records.snapshot import Snapshot
from engine.records.trial import Check, ErrorKind
from tests.engine.jobs.support import QUICK, Console
from tests.engine.models.build import two_convs_model

ALL = 10**9


class Faulty(BuildPool):
    """Spoils the first kernels that are to be checked, but for untuned ones."""

    faults: ClassVar[int] = 0
    untuned: ClassVar[frozenset[str]] = frozenset()
    checked: ClassVar[list[str]] = []

    def submit(self, request: BuildRequest) -> Future[BuildResult]:
        """Have a rectifier cut off the wrong half."""
        if request.whole and request.module not in self.untuned:
            self.checked.append(request.module)
            if '"prim.Max"' in request.module and self.faults:
                type(self).faults -= 1
                request = replace(request, module=request.module.replace("prim.Max", "prim.Min"))
        return super().submit(request)


@pytest.fixture
def opened(console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project whose tasks are taken to gain by any schedule, and a builder that spoils what it is
    told to: on a busy machine an untuned kernel of one thread is the faster one, and is used."""
    path = console.open(tmp_path, two_convs_model())
    with Project.open(path, read_only=True) as project:
        texts = frozenset(task.workload for task in project.tasks())
    monkeypatch.setattr(Faulty, "faults", 0)
    monkeypatch.setattr(Faulty, "untuned", texts)
    monkeypatch.setattr(Faulty, "checked", [])
    monkeypatch.setattr(starting, "BuildPool", Faulty)
    monkeypatch.setattr(History, "record", History.best_trial)
    monkeypatch.setattr(finalists, "_in_doubt", lambda *_: False)
    yield path


def looked_at(path: Path) -> Snapshot:
    with Project.open(path, read_only=True) as project:
        return project.snapshot()


def records(snapshot: Snapshot) -> list[int]:
    history = History(snapshot)
    numbers = [history.record(task.index) for task in snapshot.tasks]
    return [number for number in numbers if number is not None]


def warnings(console: Console) -> list[str]:
    found = [event for event in console.of(Message) if isinstance(event, Message)]
    return [event.text for event in found if event.level == "warning"]


def test_a_wrong_finalist_has_failed_and_the_next_best_takes_its_place(
    console: Console, opened: Path
) -> None:
    Faulty.faults = 2
    console.engine.start_run(replace(QUICK, budget=Budget(trials=16), finalists=1)).result(60)
    console.engine.wait().result(200)
    assert Faulty.faults == 0
    snapshot = looked_at(opened)
    wrong = [one for one in snapshot.trials if one.error is ErrorKind.WRONG_RESULT]
    assert len(wrong) == 2
    assert all(one.error_text.startswith("Its result differs from the") for one in wrong)
    assert all(one.samples and one.checked is None for one in wrong)
    told = {one.trial.number for one in console.of(TrialConfirmed) if one.trial.error}  # type: ignore[attr-defined]
    assert told == {one.number for one in wrong}
    used = [one for one in snapshot.trials if one.number in records(snapshot)]
    assert used and all(one.checked is Check.AGREES for one in used)
    assert any(text.startswith("2 of ") for text in warnings(console))


@pytest.mark.long
def test_a_task_whose_kernels_are_all_wrong_keeps_its_untuned_one(
    console: Console, opened: Path, tmp_path: Path
) -> None:
    Faulty.faults = ALL
    console.engine.start_run(replace(QUICK, budget=Budget(trials=8))).result(60)
    console.engine.wait().result(200)
    snapshot = looked_at(opened)
    wrong = {one.task for one in snapshot.trials if one.error is ErrorKind.WRONG_RESULT}
    assert wrong
    history = History(snapshot)
    assert all(history.record(task) is None for task in wrong)
    manifest = console.engine.export(tmp_path / "out").result(120)
    assert not any(manifest["tasks"][task]["tuned"] for task in wrong)


@pytest.mark.long
def test_what_a_stopped_run_left_unchecked_is_checked_once_before_it_is_exported(
    console: Console, opened: Path, tmp_path: Path
) -> None:
    console.engine.start_run(replace(QUICK, budget=Budget(trials=200))).result(60)
    for _ in range(6):
        console.until(lambda event: isinstance(event, TrialDone))
    console.engine.stop().result(30)
    assert not any(trial.checked for trial in looked_at(opened).trials)
    before = records(looked_at(opened))
    Faulty.faults = 1
    console.engine.export(tmp_path / "out").result(200)
    snapshot = looked_at(opened)
    used = [one for one in snapshot.trials if one.number in records(snapshot)]
    assert used and all(one.checked is Check.AGREES for one in used)
    wrong = [one.number for one in snapshot.trials if one.error is ErrorKind.WRONG_RESULT]
    assert set(wrong) <= set(before)
    builds = len(Faulty.checked)
    assert builds >= len(used)
    console.engine.export(tmp_path / "again").result(200)
    assert len(Faulty.checked) == builds


@pytest.mark.long
def test_a_kernel_that_has_nothing_to_be_compared_with_is_counted_and_used(
    console: Console, opened: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.tasks.comparable.comparison_of", lambda _: None)
    console.engine.start_run(QUICK).result(60)
    console.engine.wait().result(200)
    snapshot = looked_at(opened)
    used = [one for one in snapshot.trials if one.number in records(snapshot)]
    assert used and all(one.checked is Check.NOT_COMPARED for one in used)
    said = [event.text for event in console.of(Message) if isinstance(event, Message)]
    assert any("cannot be compared with the untuned one" in text for text in said)


@pytest.mark.long
@pytest.mark.parametrize("name", ["Nonsense", "nowhere"])
def test_a_trace_that_does_not_apply_fails_its_trial_and_ends_nothing(
    name: str, console: Console, opened: Path, tmp_path: Path
) -> None:
    """A damaged or a stranger's file may say anything of its trials."""
    console.engine.start_run(replace(QUICK, budget=Budget(trials=8))).result(60)
    console.engine.wait().result(200)
    console.engine.close_project().result(30)
    with closing(sqlite3.connect(opened)) as connection, connection:
        trace = [[["GetSBlock", [], [name, "main"], ["b0"]]], []]
        if name == "Nonsense":
            trace[0][0][0] = name
        packed = zlib.compress(json.dumps(trace).encode())
        connection.execute("UPDATE trials SET base = NULL, trace = ?, checked = NULL", [packed])
    console.engine.open_project(opened).result(60)
    before = records(looked_at(opened))
    assert before
    console.engine.start_run(replace(QUICK, budget=Budget(trials=4))).result(60)
    console.engine.wait().result(200)
    console.engine.export(tmp_path / "out").result(200)
    after = {trial.number: trial for trial in looked_at(opened).trials}
    assert not {*before} & {*records(looked_at(opened))}
    assert any("does not fit" in after[number].error_text for number in before)
