"""What one search measured teaches the others of its run."""

from __future__ import annotations

import numpy as np
import pytest

from engine.search.experience import Experience, Samples
from engine.search.task_search import TaskSearch
from tests.engine.search.searches import SETTINGS, find_task, results
from tests.engine.tasks.programs import network


def samples(count: int, start: int = 0) -> Samples:
    features = tuple(np.full((1, 3), start + place, np.float32) for place in range(count))
    return Samples(features, np.arange(count, 0, -1) * 1e-6)


def make(op_class: str, experience: Experience, seed: int = 0) -> TaskSearch:
    found = network("dense").program
    task = find_task("dense", op_class)
    workload = found.workloads[task.index]
    search = TaskSearch(task, workload, found.target, SETTINGS, seed, experience)
    search.start()
    return search


def spread(search: TaskSearch) -> float:
    """How far the model's predictions for the next proposals are from random ones: those are new
    at each call."""
    items = [item.handle for item in search.propose()]
    model = search._model
    first, again = (model.predict(search._context, items) for _ in range(2))
    return float(np.abs(first - again).max())


def classes() -> list[str]:
    return sorted({task.op_class for task in network("dense").program.tasks})


def test_a_search_that_measured_nothing_predicts_by_what_its_peers_measured() -> None:
    experience = Experience()
    first, second = (make(op_class, experience) for op_class in classes()[:2])
    assert spread(second) > 0
    while first.trained < SETTINGS.model_warmup:
        first.learn(results(first.propose()))
    assert spread(second) == 0
    assert second.trained == 0


def test_a_model_is_not_trained_on_its_own_samples_twice() -> None:
    experience = Experience()
    search = make(classes()[0], experience)
    while search.trained < SETTINGS.model_warmup:
        search.learn(results(search.propose()))
    assert experience.of_others(search._task.fingerprint) == {}
    assert experience.count("another") == len(search._model._trees.data.popitem()[1].costs)


def test_who_has_heard_the_same_predicts_the_same() -> None:
    def predictions() -> list[float]:
        experience = Experience()
        first, second = (make(op_class, experience) for op_class in classes()[:2])
        for _ in range(5):
            for search in (first, second):
                search.learn(results(search.propose()))
        items = [item.handle for item in second.propose()]
        return list(map(float, second._model.predict(second._context, items)))

    assert predictions() == predictions()


def test_a_workload_whose_candidates_all_fail_teaches_nothing() -> None:
    experience = Experience()
    search = make(classes()[0], experience)
    for _ in range(4):
        search.learn([(item, ()) for item in search.propose()])
    assert experience.count("another") == 0


@pytest.mark.parametrize(("groups", "each"), [(1, 256), (2, 128), (64, 4), (200, 4)])
def test_peers_share_the_room_there_is(groups: int, each: int) -> None:
    experience = Experience()
    for number in range(groups):
        found = samples(300, number)
        experience.tell(str(number), found.features, found.latencies_s)
    given = experience.of_others("mine")
    assert {len(found.features) for found in given.values()} == {each}


@pytest.mark.parametrize(("own", "lent"), [(0, 256), (6, 250), (256, 0), (300, 0)])
def test_other_runs_stand_in_for_what_a_run_has_not_measured_yet(own: int, lent: int) -> None:
    experience = Experience()
    experience.prior = {f"prior {number}": samples(2, number) for number in range(200)}
    if own:
        found = samples(own)
        experience.tell("of the run", found.features, found.latencies_s)
    given = experience.of_others("mine")
    assert sum(len(each.features) for name, each in given.items() if "prior" in name) == lent
    assert experience.count("mine") == max(own, 256)


def test_few_reach_from_the_fastest_to_the_slowest() -> None:
    few = samples(100).few(5)
    assert few.latencies_s.tolist() == pytest.approx([1e-6, 26e-6, 50e-6, 75e-6, 100e-6], abs=1e-6)
    assert [int(each[0, 0]) for each in few.features] == [99, 74, 49, 25, 0]
