"""Passes on a tiny model, for real: sharing, transfer, Droplet, plans; stopped, killed, resumed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from engine.history.history import History
from engine.passes.donors import donors_of
from engine.passes.library import Library
from engine.project.repository import Project
from engine.records.clustering import Cluster, Clustering
from engine.records.errors import TunewrightError, UsageError
from engine.records.events import (
    ClustersChanged,
    Failure,
    Message,
    RunChanged,
    SpacesFound,
    StepStarted,
    TrialDone,
)
from engine.records.settings import Budget, RunSettings, RunState, Step
from engine.records.snapshot import Snapshot
from engine.records.trial import Source
from tests.engine.jobs.support import QUICK, Console, opened
from tests.engine.models.build import two_convs_model

pytestmark = pytest.mark.slow

TOGETHER = {"threshold": 0.0, "top_k": 2}


@pytest.fixture(scope="module")
def tuned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A closed project with eight trials of search."""
    made = Console()
    path = opened(made, tmp_path_factory.mktemp("tuned"), two_convs_model(), "donor")
    run(made, plan(Step(), trials=8))
    made.engine.shutdown()
    return path


def copy_of(tuned: Path, folder: Path, console: Console) -> Path:
    """The tuned project again, open in `console`."""
    path = folder / "net.tune"
    path.write_bytes(tuned.read_bytes())
    console.engine.open_project(path).result(60)
    return path


def singles(snapshot: Snapshot) -> Clustering:
    """Every task a cluster of its own."""
    clusters = tuple(Cluster(task.index, (task.index,)) for task in snapshot.tasks)
    return Clustering("replay", 0.5, clusters, edited=True)


def convolutions(snapshot: Snapshot) -> list[int]:
    """The tasks of one class."""
    return [task.index for task in snapshot.tasks if task.op_class.startswith("conv2d")]


def plan(*steps: Step, trials: int = 12, repeat: bool = False) -> RunSettings:
    # What a pass gives is told apart from what a search's tasks give each other.
    search = replace(QUICK.search, peers=0)
    return replace(QUICK, budget=Budget(trials=trials), steps=steps, repeat=repeat, search=search)


def run(console: Console, settings: RunSettings) -> None:
    console.engine.start_run(settings).result(60)
    console.engine.wait().result(180)


def read(path: Path) -> Snapshot:
    with Project.open(path, read_only=True) as project:
        return project.snapshot(texts=True)


def said(console: Console) -> str:
    return " ".join(event.text for event in console.of(Message) if isinstance(event, Message))


@pytest.mark.long
def test_sharing_tunes_representatives_and_gives_their_schedules_to_dependants(
    console: Console, tmp_path: Path
) -> None:
    path = opened(console, tmp_path, two_convs_model())
    run(console, plan(Step("share", TOGETHER), trials=14))
    snapshot = read(path)
    assert snapshot.clustering is not None
    pair = set(convolutions(snapshot))
    (cluster,) = (item for item in snapshot.clustering.clusters if pair & set(item.members))
    assert set(cluster.members) == pair
    of = {task.index: [t for t in snapshot.trials if t.task == task.index]
          for task in snapshot.tasks}  # fmt: skip
    assert {trial.source for trial in of[cluster.representative]} == {Source.SEARCH}
    shared = of[cluster.dependants[0]]
    assert 1 <= len(shared) <= 6  # two of each round, where the representative became better
    assert {trial.source for trial in shared} == {Source.SHARED}
    best = sorted(of[cluster.representative], key=lambda trial: trial.latency_s)
    for trial in shared:
        assert trial.origin["task"] == cluster.representative
        assert trial.origin["trial"] in [item.number for item in best]
    assert len(console.of(ClustersChanged)) == len(console.of(SpacesFound)) == 1


@pytest.mark.long
def test_stored_clusters_are_used_as_a_person_made_them(console: Console, tmp_path: Path) -> None:
    path = opened(console, tmp_path, two_convs_model())
    alone = singles(read(path))
    console.engine.set_clustering(alone).result(10)
    run(console, plan(Step("share"), trials=8))
    snapshot = read(path)
    assert snapshot.clustering == alone
    assert {trial.source for trial in snapshot.trials} == {Source.SEARCH}


def test_clusters_can_be_found_before_anything_is_tuned(console: Console, tmp_path: Path) -> None:
    path = opened(console, tmp_path, two_convs_model())
    spaces = console.engine.find_spaces().result(60)
    assert [space.task for space in spaces] == [task.index for task in read(path).tasks]
    assert console.engine.find_spaces().result(60) == spaces
    assert read(path).spaces == spaces


@pytest.mark.long
def test_donors_of_another_project_are_tried_and_say_where_they_come_from(
    console: Console, tuned: Path, tmp_path: Path
) -> None:
    path = opened(console, tmp_path, two_convs_model(64, 96), "heir")
    run(console, plan(Step("transfer", {"places": [str(tuned)], "library": False, "per_task": 2})))
    trials = read(path).trials
    assert trials
    assert {trial.source for trial in trials} == {Source.TRANSFERRED}
    assert {trial.origin["model"] for trial in trials} == {"donor"}
    assert {trial.origin["place"] for trial in trials} == {str(tuned)}
    assert max(Counter(trial.task for trial in trials).values()) <= 2
    history = History(read(path))
    for task in history.tasks:
        now, untuned = history.now(task.index), history.untuned(task.index)
        assert now is not None
        assert untuned is not None
        assert now <= untuned  # untuned competes


@pytest.mark.long
def test_the_library_gives_donors_and_a_place_that_is_gone_is_told(
    console: Console, tuned: Path, tmp_path: Path
) -> None:
    with Library.open() as library:
        library.add(donors_of(tuned))
    path = opened(console, tmp_path, two_convs_model(96, 64), "heir")
    run(console, plan(Step("transfer", {"places": [str(tmp_path / "gone.tune")]})))
    assert "gone.tune" in said(console)
    assert any(trial.source is Source.TRANSFERRED for trial in read(path).trials)


def test_a_transfer_without_donors_says_so_and_ends(console: Console, tmp_path: Path) -> None:
    path = opened(console, tmp_path, two_convs_model())
    run(console, plan(Step("transfer", {"library": False})))
    assert "No donor" in said(console)
    assert read(path).runs[0].state is RunState.FINISHED


@pytest.mark.long
def test_droplet_polishes_records_with_neighbours_that_it_names(
    console: Console, tuned: Path, tmp_path: Path
) -> None:
    path = copy_of(tuned, tmp_path, console)
    before = History(read(path))
    run(console, plan(Step("droplet", {"per_task": 10}), trials=30))
    snapshot = read(path)
    polished = [trial for trial in snapshot.trials if trial.source is Source.DROPLET]
    assert polished
    numbers = {trial.number for trial in snapshot.trials}
    assert all(trial.origin["from"] in numbers and trial.origin["axis"] for trial in polished)
    for move in snapshot.moves:
        assert {move.start, move.end} <= numbers
        assert not move.accepted or (move.p_value <= 0.05 and move.gain > 0)
    assert {trial.task for trial in polished} <= {
        task.index for task in before.tasks if before.record(task.index) is not None
    }


@pytest.mark.parametrize("step", [Step("share", TOGETHER), Step("droplet")])
@pytest.mark.long
def test_tasks_that_replay_nothing_end_no_run(
    step: Step, console: Console, tuned: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("a rule broke")

    copy_of(tuned, tmp_path, console)
    monkeypatch.setattr("engine.search.replayer.tune_context", fail)
    run(console, plan(step, Step("search"), trials=6))
    last = console.of(RunChanged)[-1]
    assert isinstance(last, RunChanged)
    assert last.state is RunState.FINISHED
    assert len(console.of(TrialDone)) == 6
    assert ("finds no design space for" in said(console)) == (step.kind == "droplet")


@pytest.mark.long
def test_droplet_without_a_record_says_so_and_ends(console: Console, tmp_path: Path) -> None:
    path = opened(console, tmp_path, two_convs_model())
    run(console, plan(Step("droplet")))
    assert "no task has one yet" in said(console)
    assert read(path).trials == ()


@pytest.mark.long
def test_a_plan_takes_its_steps_in_turn_and_again_until_the_budget_ends(
    console: Console, tmp_path: Path
) -> None:
    path = opened(console, tmp_path, two_convs_model())
    steps = (Step(trials=4), Step("droplet", {"per_task": 3}, trials=4))
    run(console, plan(*steps, trials=20, repeat=True))
    started = [event for event in console.of(StepStarted) if isinstance(event, StepStarted)]
    assert [(e.kind, e.round) for e in started[:3]] == [
        ("search", 0),
        ("droplet", 0),
        ("search", 1),
    ]
    snapshot = read(path)
    assert len(snapshot.trials) <= 20
    assert [trial.source for trial in snapshot.trials[:4]] == [Source.SEARCH] * 4
    assert len({(trial.task, trial.trace_key) for trial in snapshot.trials}) == len(snapshot.trials)


@pytest.mark.long
def test_a_stopped_pass_goes_on_in_its_step_and_repeats_no_trial(
    console: Console, tmp_path: Path
) -> None:
    path = opened(console, tmp_path, two_convs_model())
    steps = (Step(trials=6), Step("droplet", {"per_task": 12}))
    console.engine.start_run(plan(*steps, trials=30)).result(60)
    console.until(
        lambda event: isinstance(event, TrialDone) and event.trial.source is Source.DROPLET, 120
    )
    console.engine.stop().result(30)
    stopped = read(path)
    assert stopped.runs[0].state is RunState.STOPPED
    console.engine.resume_run().result(60)
    console.engine.wait().result(180)
    resumed = read(path)
    assert resumed.runs[0].state is RunState.FINISHED
    assert len(resumed.runs) == 1
    assert resumed.trials[: len(stopped.trials)] == tuple(
        replace(trial, confirmed=later.confirmed, checked=trial.checked or later.checked)
        for trial, later in zip(stopped.trials, resumed.trials, strict=False)
    )
    assert sum(trial.source is Source.SEARCH for trial in resumed.trials) == 6
    assert len({(trial.task, trial.trace_key) for trial in resumed.trials}) == len(resumed.trials)


@pytest.mark.long
def test_results_that_are_left_out_can_be_used_again(
    console: Console, tuned: Path, tmp_path: Path
) -> None:
    path = copy_of(tuned, tmp_path, console)
    best = History(read(path)).now_s()
    console.engine.set_used(1, False).result(10)
    assert History(read(path)).now_s() == History(read(path)).untuned_s()
    console.engine.set_used(1, True).result(10)
    assert History(read(path)).now_s() == best


@pytest.mark.parametrize(
    ("step", "what"),
    [
        (Step("polish"), "There is no step 'polish'"),
        (Step("droplet", {"speed": 3}), "no option speed"),
        (Step("droplet", {"per_task": "many"}), "Droplet's per_task is 'many'"),
        (Step("share", {"metric": "nearness"}), "Share's metric is 'nearness'"),
        (Step("share", {"top_k": -1}), "Give a whole number from 0"),
    ],
)
def test_a_step_that_makes_no_sense_is_refused_with_a_sentence(
    step: Step, what: str, console: Console, tuned: Path, tmp_path: Path
) -> None:
    path = copy_of(tuned, tmp_path, console)
    with pytest.raises(UsageError, match=what):
        console.engine.start_run(plan(step)).result(60)
    assert any(isinstance(event, Failure) for event in console.of(Failure))
    assert len(read(path).runs) == 1


@pytest.mark.long
def test_a_command_right_after_the_end_of_a_run_is_not_refused(
    console: Console, tuned: Path, tmp_path: Path
) -> None:
    path = copy_of(tuned, tmp_path, console)
    console.engine.start_run(plan(Step("droplet", {"per_task": 1}), trials=2)).result(60)
    console.until(
        lambda event: isinstance(event, RunChanged) and event.state is RunState.FINISHED, 120
    )
    console.engine.set_used(1, False).result(30)  # its workers may still be closing
    assert read(path).unused == {1}


@pytest.mark.long
def test_a_share_within_a_plan_leaves_trials_for_the_dependants(
    console: Console, tmp_path: Path
) -> None:
    path = opened(console, tmp_path, two_convs_model())
    run(console, replace(plan(Step("share", TOGETHER, trials=14)), budget=Budget(seconds=60)))
    trials = read(path).trials
    assert len(trials) <= 14
    assert any(trial.source is Source.SHARED for trial in trials)


def test_the_clusters_cannot_be_changed_while_a_run_goes_on(
    console: Console, tuned: Path, tmp_path: Path
) -> None:
    path = copy_of(tuned, tmp_path, console)
    console.engine.start_run(plan(Step(), trials=40)).result(60)
    with pytest.raises(TunewrightError, match="A run goes on"):
        console.engine.set_clustering(singles(read(path))).result(10)
    console.engine.stop().result(30)
    last = console.of(RunChanged)[-1]
    assert isinstance(last, RunChanged)
    assert last.state is RunState.STOPPED
