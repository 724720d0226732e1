"""A search begins with what the starter library, and the user's own, know of its tasks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from engine.history.figure import figure_of
from engine.passes import starter
from engine.passes.donor import Donor
from engine.passes.donors import donors_of
from engine.passes.library import Library
from engine.passes.starter import pack, starter_donors
from engine.project.repository import Project
from engine.records.events import Message
from engine.records.settings import Budget, RunSettings, Step
from engine.records.trial import Source, Trial
from engine.records.words import RunEnd
from tests.engine.jobs.support import QUICK, Console, opened
from tests.engine.models.build import two_convs_model

ALONE = replace(QUICK.search, peers=0)
SETTINGS = replace(QUICK, budget=Budget(trials=8), finalists=0, starter=True, search=ALONE)


@pytest.fixture(scope="module")
def console() -> Iterator[Console]:
    made = Console()
    yield made
    made.engine.shutdown()


@pytest.fixture(scope="module")
def known(console: Console, tmp_path_factory: pytest.TempPathFactory) -> tuple[Donor, ...]:
    """The best schedules of a model whose convolution is of another size."""
    folder = tmp_path_factory.mktemp("known")
    path = opened(console, folder, two_convs_model(48, 48), "known")
    trials_of(console, path, replace(SETTINGS, starter=False))
    found = donors_of(path)
    assert found
    return tuple(found)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An installation without a starter library, and a user without one."""
    place = tmp_path / "starter"
    place.mkdir()
    monkeypatch.setattr(starter, "FOLDER", place)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    starter_donors.cache_clear()
    yield place
    starter_donors.cache_clear()


def trials_of(console: Console, path: Path, settings: RunSettings) -> list[Trial]:
    """Those of the project, after a run."""
    console.engine.start_run(settings).result(60)
    console.engine.wait().result(300)
    console.engine.close_project().result(30)
    with Project.open(path, read_only=True) as project:
        return list(project.snapshot().trials)


def shipped(folder: Path, donors: tuple[Donor, ...]) -> None:
    (folder / "cpu.json.xz").write_bytes(pack(replace(item, place="") for item in donors))
    starter_donors.cache_clear()


@pytest.mark.long
def test_the_first_trials_are_the_starter_librarys(
    console: Console, folder: Path, known: tuple[Donor, ...], tmp_path: Path
) -> None:
    shipped(folder, known)
    path = opened(console, tmp_path, two_convs_model())
    trials = trials_of(console, path, SETTINGS)
    first = [trial for trial in trials if trial.source is Source.STARTER]
    assert [trial.number for trial in first] == list(range(1, len(first) + 1))
    assert 1 <= len(first) <= 2  # a quarter of the budget
    assert {trial.origin["model"] for trial in first} == {"known"}
    assert {trial.source for trial in trials[len(first) :]} == {Source.SEARCH}
    assert len(trials) == 8
    with Project.open(path, read_only=True) as project:
        begun = {slot.number for slot in project.snapshot().slots if "donors" in slot.reason}
    assert begun == {trial.slot for trial in first}


@pytest.mark.long
def test_the_users_library_gives_its_schedules_too(
    console: Console, known: tuple[Donor, ...], tmp_path: Path
) -> None:
    with Library.open() as library:
        library.add(known)
    trials = trials_of(console, opened(console, tmp_path, two_convs_model()), SETTINGS)
    assert trials[0].source is Source.TRANSFERRED


@pytest.mark.long
@pytest.mark.parametrize(
    "settings",
    [replace(SETTINGS, starter=False), replace(SETTINGS, steps=(Step("droplet"),))],
    ids=["unwanted", "a pass"],
)
def test_a_run_begins_from_nothing_where_that_is_asked_for(
    settings: RunSettings,
    console: Console,
    folder: Path,
    known: tuple[Donor, ...],
    tmp_path: Path,
) -> None:
    shipped(folder, known)
    trials = trials_of(console, opened(console, tmp_path, two_convs_model()), settings)
    assert Source.STARTER not in {trial.source for trial in trials}


@pytest.mark.long
def test_tasks_that_have_trials_get_none(
    console: Console, folder: Path, known: tuple[Donor, ...], tmp_path: Path
) -> None:
    path = opened(console, tmp_path, two_convs_model())
    # On a busy machine one task's slot may take all of the first run's trials.
    had = {trial.task for trial in trials_of(console, path, SETTINGS)}
    shipped(folder, known)
    console.engine.open_project(path).result(60)
    trials = trials_of(console, path, SETTINGS)
    assert had and {trial.source for trial in trials if trial.task in had} == {Source.SEARCH}
    assert len(trials) == 16


@pytest.mark.long
def test_a_damaged_starter_library_is_told_and_the_run_goes_on(
    console: Console, folder: Path, tmp_path: Path
) -> None:
    (folder / "cpu.json.xz").write_bytes(b"damaged")
    starter_donors.cache_clear()
    assert len(trials_of(console, opened(console, tmp_path, two_convs_model()), SETTINGS)) == 8
    said = [event.text for event in console.of(Message) if isinstance(event, Message)]
    assert any("starter library is damaged" in text for text in said)


@pytest.mark.long
def test_a_run_whose_objective_the_library_meets_is_over_before_any_search(
    console: Console, tmp_path: Path
) -> None:
    path = opened(console, tmp_path, two_convs_model(), "first")
    trials_of(console, path, replace(SETTINGS, budget=Budget(trials=24), starter=False))
    with Library.open() as library:
        library.add(donors_of(path))
    with Project.open(path, read_only=True) as project:
        found = figure_of(project.snapshot())
    assert found.latency_s is not None and found.untuned is not None
    wanted_s = (found.latency_s * found.untuned.latency_s) ** 0.5  # far from both
    again = opened(console, tmp_path, two_convs_model(), "again")
    budget = Budget(trials=4, latency_s=wanted_s)
    trials = trials_of(console, again, replace(SETTINGS, budget=budget))
    assert {trial.source for trial in trials} == {Source.TRANSFERRED}
    with Project.open(again, read_only=True) as project:
        (run,) = project.snapshot().runs
    assert run.reason == RunEnd.KNOWN
    assert run.tuned_latency_s is not None and run.tuned_latency_s <= wanted_s
