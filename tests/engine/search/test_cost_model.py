"""A cost model that is kept: trained with every n results, and made again from the records."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.search.task_search import Candidate, TaskSearch
from tests.engine.search.searches import SETTINGS, Records, make_search, results, rounds

EVERY = replace(SETTINGS, model_every=6, model_growth=0.0)


def searched(count: int, settings: Any = EVERY) -> tuple[TaskSearch, Records, int]:
    """A search after so many batches, its results as records, and how often it was trained."""
    search = make_search(settings=settings)
    search.start()
    records: Records = []
    marks = set()
    for _ in range(count):
        (batch,) = rounds(search, 1)
        records += [(item.trace, outcome) for item, outcome in results(batch)]
        marks.add(search.trained)
    return search, records, len(marks - {0})


def predictions(search: TaskSearch, items: list[Candidate]) -> np.ndarray[Any, Any]:
    return np.asarray(search._model.predict(search._context, [item.handle for item in items]))


def test_a_resumed_search_predicts_what_the_uninterrupted_one_does() -> None:
    search, records, _ = searched(5)
    assert 12 <= search.trained < len(records)
    resumed = make_search(settings=EVERY)
    resumed.start(records, trained=search.trained)
    asked = resumed.propose() + resumed.propose()
    assert len(set(predictions(search, asked).tolist())) > 1
    np.testing.assert_array_equal(predictions(resumed, asked), predictions(search, asked))
    assert resumed.trained == search.trained
    # The results that were not yet learnt still count towards the next training.
    missing = EVERY.model_every - (len(records) - search.trained)
    for one in (search, resumed):
        one.learn(results(asked)[:missing])
        assert one.trained == len(records) + missing
    np.testing.assert_array_equal(predictions(resumed, asked), predictions(search, asked))


@pytest.mark.parametrize(("every", "growth", "trainings"), [(4, 0.0, 5), (9, 0.0, 1), (4, 1.0, 3)])
def test_a_model_is_trained_with_every_so_many_new_results(
    every: int, growth: float, trainings: int
) -> None:
    settings = replace(SETTINGS, model_every=every, model_growth=growth)
    _, records, seen = searched(5, settings)
    assert len(records) == 20
    assert seen == trainings


def test_a_search_without_a_kept_model_learns_from_all_records() -> None:
    _, records, _ = searched(3)
    search = make_search(settings=EVERY)
    search.start(records)
    assert search.trained == len(records)


def test_what_others_found_is_learnt_and_never_proposed() -> None:
    search, _, _ = searched(1)
    other = make_search(settings=EVERY, seed=7)
    other.start()
    batches = rounds(other, 3)
    search.hear([(item.trace, (1e-5,)) for batch in batches for item in batch])
    assert search.trained == 4 + sum(map(len, batches))
    theirs = {item.module for batch in batches for item in batch}
    assert theirs.isdisjoint(item.module for batch in rounds(search, 2) for item in batch)


def test_a_trial_whose_device_was_lost_is_neither_learnt_nor_proposed_again() -> None:
    first = make_search(settings=EVERY)
    first.start()
    lost = first.propose()
    again = make_search(settings=EVERY)
    again.start([(item.trace, None) for item in lost])
    modules = {item.module for item in lost}
    assert modules.isdisjoint(item.module for batch in rounds(again, 2) for item in batch)
