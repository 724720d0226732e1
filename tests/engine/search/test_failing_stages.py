"""Whatever of TVM fails in a search, at whichever call, is an error of that one task."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.records.errors import TuningError
from engine.search.replayer import NotReplayable, Replayer
from engine.search.task_search import TaskSearch
from tests.engine.search.searches import SETTINGS, as_records, make_search, results, rounds
from tests.engine.search.test_replayer import CUDA
from tests.engine.search.test_tensor_cores import program, task_of

OURS = "engine.search.task_search."
TVM = "tvm.s_tir.meta_schedule."
# What a search calls, with how often it does in `walk` at least.
CALLS = {
    f"{OURS}tune_context": 1,
    f"{OURS}CostModel": 1,
    f"{OURS}trace_json": 2,
    f"{OURS}to_tvm": 4,
    f"{TVM}TuneContext.generate_design_space": 1,
    f"{TVM}TuneContext.pre_tuning": 2,
    f"{TVM}TuneContext.generate_measure_candidates": 2,
    f"{TVM}TuneContext.notify_runner_results": 4,
    f"{TVM}TuneContext.post_tuning": 1,
    f"{TVM}database.MemoryDatabase.commit_tuning_record": 3,
    f"{TVM}MeasureCandidate": 2,
}
STAGES = [(name, call) for name, count in CALLS.items() for call in range(count)]


def failing(
    monkeypatch: pytest.MonkeyPatch, name: str, when: Callable[[int], bool]
) -> Callable[[], int]:
    """Let calls fail by their number; how many there were."""
    place, _, attribute = name.rpartition(".")
    owner = _resolved(place)
    real, calls = getattr(owner, attribute), 0

    def call(*args: Any, **more: Any) -> Any:
        nonlocal calls
        calls += 1
        if when(calls - 1):
            raise RuntimeError("a rule broke")
        return real(*args, **more)

    monkeypatch.setattr(owner, attribute, call)
    return lambda: calls


def _resolved(place: str) -> Any:
    from importlib import import_module

    try:
        return import_module(place)
    except ModuleNotFoundError:
        module, _, name = place.rpartition(".")
        return getattr(import_module(module), name)


def walk(search: TaskSearch, records: Any) -> None:
    """Everything that a run does with a search, which begins anew on the way."""
    search.room = 1
    search.start(records[:4])
    search.learn(results(search.propose()))
    search.hear(records[4:])
    search.learn(results(search.propose()))


@pytest.fixture(scope="module")
def records() -> Any:
    """Two batches of a search."""
    search = make_search(seed=1)
    search.start()
    return as_records(rounds(search, 2))


@pytest.mark.parametrize(("name", "call"), STAGES)
def test_whatever_fails_at_any_of_its_calls_is_an_error_of_that_task(
    name: str, call: int, records: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = failing(monkeypatch, name, lambda number: number == call)
    with pytest.raises(TuningError) as caught:
        walk(make_search(), records)
    assert calls() == call + 1
    assert caught.value.what.endswith("schedule for matmul: a rule broke.")
    assert "this one keeps" in caught.value.todo


def test_a_task_that_has_a_schedule_already_keeps_it(
    records: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    search = make_search()
    search.start(records)
    failing(monkeypatch, f"{TVM}TuneContext.generate_measure_candidates", lambda _: True)
    with pytest.raises(TuningError, match="no further schedule") as caught:
        search.propose()
    assert "keeps its best one" in caught.value.todo


def on_tensor_cores() -> TaskSearch:
    """A search that tries tensor cores first."""
    found = program("float16")
    task = task_of(found, "matmul")
    return TaskSearch(task, found.workloads[task.index], CUDA, SETTINGS, 0)


def test_a_space_that_fails_with_tensor_cores_and_without_is_an_error_of_that_task(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    calls = failing(monkeypatch, f"{OURS}tune_context", lambda _: True)
    with pytest.raises(TuningError, match="no schedule for matmul_cast"):
        on_tensor_cores().start()
    assert calls() == 2


@pytest.mark.parametrize(
    "name",
    [
        f"{OURS}tune_context",
        f"{TVM}TuneContext.generate_design_space",
        f"{TVM}TuneContext.pre_tuning",
        f"{TVM}TuneContext.generate_measure_candidates",
    ],
)
def test_the_way_out_without_tensor_cores_is_an_error_of_that_task_where_it_fails(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tvm.s_tir.meta_schedule import TuneContext

    search = on_tensor_cores()
    search.start()
    with_tiles, generate = search._context, TuneContext.generate_measure_candidates

    def refuse_tiles(context: Any) -> Any:
        return None if context.same_as(with_tiles) else generate(context)

    monkeypatch.setattr(TuneContext, "generate_measure_candidates", refuse_tiles)
    skipped = 1 if name.endswith("candidates") else 0
    calls = failing(monkeypatch, name, lambda number: number >= skipped)
    with pytest.raises(TuningError, match="no schedule for matmul_cast: a rule broke"):
        search.propose()
    assert calls() == skipped + 1


def test_a_task_without_a_design_space_replays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, "engine.search.replayer.tune_context", lambda _: True)
    found = program("float16")
    task = task_of(found, "matmul")
    with pytest.raises(NotReplayable, match="no design space for matmul_cast"):
        Replayer(task, found.workloads[task.index], CUDA)
