"""What the Edit menu calls an edit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.document.edits import clusters_edit, label_edit, settings_edit, used_edit, wishes_edit
from engine.allocation.wishes import Wishes
from engine.records.clustering import Cluster, Clustering
from engine.records.labels import PROJECT, run_subject, task_subject
from engine.records.settings import Budget, RunSettings

NONE = Wishes()


def name(task: int) -> str:
    return "abcd"[task]


@pytest.mark.parametrize(
    ("before", "after", "text"),
    [
        (NONE, Wishes(pinned=frozenset({1})), "pin b"),
        (Wishes(pinned=frozenset({1})), NONE, "unpin b"),
        (NONE, Wishes(skipped=frozenset({0})), "skip a"),
        (Wishes(pinned=frozenset({1})), Wishes(skipped=frozenset({1})), "skip b"),
        (Wishes(skipped=frozenset({0})), NONE, "skip no more a"),
        (NONE, Wishes(floors={2: 4}), "least slots of c"),
        (NONE, Wishes(pinned=frozenset({1, 2, 3})), "pin b and 2 more"),
    ],
)
def test_wishes_are_told_by_what_changed(before: Wishes, after: Wishes, text: str) -> None:
    assert wishes_edit(before, after, name) == text


def test_settings_are_told_by_their_budget_where_only_that_changed() -> None:
    before = RunSettings()
    assert settings_edit(before, replace(before, budget=Budget(trials=200))) == "budget 200 trials"
    assert settings_edit(before, replace(before, seed=9)) == "run settings"


PAIRS = Clustering("replay", 0.5, (Cluster(0, (0, 1)), Cluster(2, (2, 3))))


@pytest.mark.parametrize(
    ("after", "text"),
    [
        (replace(PAIRS, threshold=0.7), "threshold 0.70"),
        (replace(PAIRS, metric="jaccard"), "clusters by jaccard"),
        (
            replace(PAIRS, clusters=(Cluster(1, (0, 1)), Cluster(2, (2, 3))), edited=True),
            "representative b",
        ),
        (
            replace(PAIRS, clusters=(Cluster(0, (0,)), Cluster(2, (1, 2, 3))), edited=True),
            "move b",
        ),
        (
            replace(PAIRS, clusters=(Cluster(0, (0, 1)), Cluster(2, (2,)), Cluster(3, (3,)))),
            "move d",
        ),
    ],
)
def test_clusters_are_told_by_what_changed(after: Clustering, text: str) -> None:
    assert clusters_edit(PAIRS, after, name) == text


def test_clusters_of_a_person_that_are_given_up_are_reset() -> None:
    assert clusters_edit(replace(PAIRS, edited=True), PAIRS, name) == "reset clusters"


def test_names_and_notes_say_whose_they_are() -> None:
    assert label_edit(PROJECT, "name", name) == "title"
    assert label_edit(PROJECT, "note", name) == "project's note"
    assert label_edit(run_subject(3), "name", name) == "name of run 3"
    assert label_edit(task_subject(2), "note", name) == "note of c"
    assert used_edit(2, False) == "leaving out run 2"
