"""Small searches over the test networks' tasks, and results that depend on the trace alone."""

from __future__ import annotations

from engine.records.settings import SearchSettings
from engine.records.task import Task
from engine.search.task_search import Candidate, Samples, TaskSearch
from tests.engine.tasks.programs import network

SETTINGS = SearchSettings(population=8, iterations=1, min_unmeasured=4, batch=4, model_warmup=8)

Records = list[tuple[str, tuple[float, ...]]]


def find_task(name: str, op_class: str) -> Task:
    """The task of a class in one of the networks."""
    return next(t for t in network(name).program.tasks if t.op_class == op_class)


def make_search(
    name: str = "dense",
    op_class: str = "matmul",
    seed: int = 0,
    settings: SearchSettings = SETTINGS,
) -> TaskSearch:
    """A search that has not started."""
    found = network(name).program
    task = find_task(name, op_class)
    return TaskSearch(task, found.workloads[task.index], found.target, settings, seed)


def latency(candidate: Candidate) -> float:
    """A made-up latency in seconds that is the same in every process."""
    return 1e-6 * (1 + int(candidate.trace_key[:4], 16))


def results(candidates: list[Candidate]) -> list[tuple[Candidate, Samples]]:
    """Outcomes of a batch, in which one in eight fails."""
    failed = [int(item.trace_key[-1], 16) < 2 for item in candidates]
    return [
        (item, () if bad else (latency(item),))
        for item, bad in zip(candidates, failed, strict=True)
    ]


def rounds(search: TaskSearch, count: int) -> list[list[Candidate]]:
    """What a started search proposes in so many batches, each with its results."""
    batches = []
    for _ in range(count):
        batches.append(search.propose())
        search.learn(results(batches[-1]))
    return batches


def keys(batches: list[list[Candidate]]) -> list[list[str]]:
    """Trace keys of batches."""
    return [[item.trace_key for item in batch] for batch in batches]


def proposals(seed: int, count: int = 4) -> list[list[str]]:
    """The keys of a whole search."""
    search = make_search(seed=seed)
    search.start()
    return keys(rounds(search, count))


def as_records(batches: list[list[Candidate]]) -> Records:
    """Batches as a project stores them."""
    return [(c.trace, o) for batch in batches for c, o in results(batch)]
