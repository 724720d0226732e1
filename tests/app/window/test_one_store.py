"""One store for all views of a window: what another feeds, they read and do not keep."""

from __future__ import annotations

import gc
from collections.abc import Iterable

import pytest

from engine.records.events import ProjectOpened, SlotStarted, TrialConfirmed, TrialDone
from engine.records.snapshot import SlotInfo
from engine.records.trial import Trial
from tests.app.conftest import Console
from tests.samples import make_trial, run_begins, squeezenet_like_snapshot
from widgets.parts.view import View

PROJECT = squeezenet_like_snapshot(40)
CONTAINERS = (dict, list, tuple, set, frozenset)


@pytest.fixture
def opened(console: Console) -> Console:
    """A complete console on screen with a project that was searched."""
    console.window.complete()
    console.window.show()
    console.tell(ProjectOpened(PROJECT))
    return console


def keepers(trials: Iterable[Trial]) -> int:
    """How many containers hold one of these trials, the argument aside."""
    own, found = {id(trials)}, set[int]()
    for trial in trials:
        found |= {id(each) for each in gc.get_referrers(trial) if isinstance(each, CONTAINERS)}
    return len(found - own)


def test_all_views_read_the_project_of_the_document(opened: Console) -> None:
    views = opened.window.findChildren(View)
    assert len(views) == 16
    assert all(view.project is opened.document.project for view in views)


def test_a_trial_is_kept_once_in_a_window(opened: Console) -> None:
    for kind in ("share", "transfer", "droplet"):
        opened.do(kind)
    trials = [make_trial(number, 3, 1e-4, run=2) for number in (41, 42)]
    opened.tell(*run_begins(2), SlotStarted(SlotInfo(9, 2, 3, 99.0)))
    opened.tell(*(TrialDone(trial) for trial in trials))
    opened.tell(TrialConfirmed(trials[1]))
    assert opened.document.project.trial(42) is trials[1]
    gc.collect()
    assert keepers(trials) == 1


def test_a_view_that_hears_of_a_batch_finds_it_in_the_project(opened: Console) -> None:
    project, seen = opened.document.project, list[int]()
    opened.document.batch.connect(lambda events: seen.append(len(project)))
    opened.document.selection_changed.connect(lambda: seen.append(len(project)))
    opened.document.set_follow(True)
    opened.tell(TrialDone(make_trial(41, 3, 1e-4)), SlotStarted(SlotInfo(9, 1, 3, 99.0)))
    assert seen == [41, 41]
