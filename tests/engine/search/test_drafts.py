"""A search on a GPU that knows nothing draws; what it or others have learnt lets it evolve."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.search.experience import Experience
from engine.search.task_search import TaskSearch
from tests.engine.search.searches import SETTINGS, as_records, make_search, results, rounds
from tests.engine.search.test_tensor_cores import program, task_of


def search(experience: Experience | None = None, **changes: int) -> TaskSearch:
    """One of a product for a GPU, whose model guesses until it knows eight results."""
    made = program("float32")
    task = task_of(made, "matmul")
    settings = replace(SETTINGS, model_every=4, **changes)
    workload = made.workloads[task.index]
    return TaskSearch(task, workload, made.target, settings, 0, experience)


def modes(found: TaskSearch, count: int) -> list[bool]:
    """Whether each of so many batches was drawn."""
    drawn = []
    for _ in range(count):
        search_results = results(found.propose())
        drawn.append(found._drafts)
        found.learn([(item, (1e-6,)) for item, _ in search_results])
    return drawn


def test_it_draws_until_its_model_knows_enough() -> None:
    found = search()
    found.start()
    drawn = modes(found, 5)
    assert drawn[0] and not drawn[-1]
    assert drawn == sorted(drawn, reverse=True)


@pytest.mark.long
def test_what_was_drawn_is_not_proposed_again() -> None:
    found = search()
    found.start()
    keys = [item.trace_key for batch in rounds(found, 6) for item in batch]
    assert len(keys) == len(set(keys))


@pytest.mark.long
def test_it_evolves_from_the_start_where_there_are_records_enough() -> None:
    first = search()
    first.start()
    batches = rounds(first, 4)
    assert sum(map(len, batches)) >= SETTINGS.model_warmup
    second = search()
    second.start(as_records(batches))
    assert second.propose() and not second._drafts


@pytest.mark.long
def test_it_evolves_from_the_start_where_others_have_learnt() -> None:
    first = search()
    first.start()
    rounds(first, 4)
    experience = Experience()
    (group,) = first._model._trees.data.values()
    experience.tell("other", group.features, np.asarray(group.costs))
    second = search(experience)
    second.start()
    assert second.propose() and not second._drafts


@pytest.mark.parametrize("seed", [0, 3])
def test_on_a_cpu_it_evolves_at_once(seed: int) -> None:
    found = make_search(seed=seed)
    found.start()
    assert found.propose() and not found._drafts
