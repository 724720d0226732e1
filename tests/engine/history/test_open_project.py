"""The store of an open project: each trial once, and all that events change, as a file has it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.history.open_project import OpenProject
from engine.records.clustering import Cluster, Clustering
from engine.records.events import (
    ClustersChanged,
    Event,
    ExportDone,
    LabelChanged,
    ModelMeasured,
    MoveMade,
    ProjectSaved,
    RunChanged,
    SlotStarted,
    SpacesFound,
    TrialConfirmed,
    TrialDone,
)
from engine.records.labels import PROJECT, Label
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import REFERENCE, Snapshot
from engine.records.space import DesignSpace, Move
from engine.records.trial import Measured, Source
from tests.replayed import folded, opened, replayed_events
from tests.samples import make_trial, run_begins, squeezenet_like_snapshot

STORED = squeezenet_like_snapshot(20)


@pytest.fixture(scope="module")
def events() -> list[Event]:
    """What a replayed run tells."""
    return replayed_events()


def test_a_project_that_was_followed_is_the_one_that_is_stored(events: list[Event]) -> None:
    followed, stored = OpenProject(opened(events)), folded(events)
    for at in range(0, len(events), 3):
        followed.apply(events[at : at + 3])
    now = followed.snapshot()
    assert (now.trials, now.slots, now.elapsed_s) == (stored.trials, stored.slots, stored.elapsed_s)
    runs = [(run.id, run.state, run.trials, run.reason) for run in stored.runs]
    assert [(run.id, run.state, run.trials, run.reason) for run in now.runs] == runs
    assert followed.history.now_s() == OpenProject(stored).history.now_s()


def test_what_is_added_up_late_is_the_same_as_from_the_beginning(events: list[Event]) -> None:
    early, late = OpenProject(opened(events)), OpenProject(opened(events))
    assert early.slot_log.spans() == ()
    assert early.profiles.profile(1) is None
    for project in (early, late):
        project.apply(events)
    assert early.slots_changed
    assert early.slot_log.spans() == late.slot_log.spans() != ()
    assert early.profiles.profile(1) == late.profiles.profile(1) is not None


def test_a_trial_that_is_told_twice_is_one_trial_in_its_newest_version() -> None:
    project = OpenProject(STORED)
    trial = replace(make_trial(21, 3, 1e-3, run=2), source=Source.SHARED)
    project.apply([TrialDone(trial), TrialDone(trial)])
    confirmed = replace(trial, confirmed=(2e-3,))
    project.apply([TrialConfirmed(confirmed)])
    assert len(project) == len(project.trials()) == 21
    assert project.trial(21) is confirmed is project.trials()[-1] is [*project.of_task(3)][-1]
    assert (project.run_trials[2], project.tried[Source.SHARED]) == (1, 1)
    assert (project.source_of(21), project.source_of(None)) == (Source.SHARED, Source.SEARCH)
    assert project.trial(22) is None is project.trial(None)


def test_only_tasks_that_a_batch_changed_are_named() -> None:
    project = OpenProject(STORED)
    project.apply([TrialDone(make_trial(21, 3, 1e-3)), ProjectSaved("/b.tune")])
    assert project.changed == {3}
    project.apply([ProjectSaved("/c.tune")])
    assert project.changed == frozenset()


def test_all_that_events_change_is_in_the_next_snapshot() -> None:
    project = OpenProject(STORED)
    clustering = Clustering("replay", 0.5, (Cluster(0, (0, 1)),))
    spaces, move = (
        (DesignSpace(0, "conv2d", ()),),
        Move(1, 1, 0, 3, 4, "tile", 0.1, 0.01, True, 5.0),
    )
    label, found = Label("stem", "a note"), ModelMeasured("ab", Measured(0.02), (1,))
    told: list[Event] = [
        ClustersChanged(clustering), SpacesFound(spaces), MoveMade(move), ExportDone("/out", {}),
        LabelChanged(PROJECT, label), found, ModelMeasured(REFERENCE, Measured(0.5)),
        ProjectSaved("/b.tune"),
    ]  # fmt: skip
    project.apply(told)
    now = project.snapshot()
    assert (now.clustering, now.spaces, now.moves) == (clustering, spaces, (move,))
    assert [export.dir for export in now.exports] == ["/out"]
    assert (now.labels, now.path) == ({PROJECT: label}, "/b.tune")
    assert (now.reference_latency_s, now.runs[-1].tuned_latency_s) == (0.5, 0.02)
    assert STORED.labels == {}


def test_a_run_has_the_settings_that_were_told_last() -> None:
    project = OpenProject(STORED)
    first, later = RunSettings(policy="round-robin"), RunSettings(policy="gradient")
    project.apply(run_begins(2, settings=first))
    project.apply(run_begins(2, RunState.PAUSED, later))
    assert [run.id for run in project.head.runs] == [1, 2]
    assert project.settings_of(2) == later
    assert project.settings_of(3) is None
    assert project.run is not None
    assert project.run.state is RunState.PAUSED
    project.apply([RunChanged(2, RunState.FINISHED, "budget")])
    assert project.run.reason == "budget"


def test_another_project_leaves_nothing_of_the_one_before(events: list[Event]) -> None:
    project = OpenProject(opened(events))
    project.apply([event for event in events if isinstance(event, TrialDone | SlotStarted)])
    assert project.slot_log.spans()
    project.reset(None)
    assert project.snapshot() == OpenProject().snapshot() == Snapshot("", "", "", "", (), (), ())
    assert (len(project), project.slot_log.spans(), project.is_open) == (0, (), False)
