"""Several threads call one module, or a pool of executors that share its weights."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from engine.deploy import executor as module_of
from engine.deploy.executor import PlanExecutor, Pool
from engine.models.reference import random_inputs
from engine.records.task import TensorSpec
from tests.engine.deploy.compiled import compiled
from tests.engine.tasks.programs import network
from tests.hostile.exports import compile_kind

CALLS = 24


@pytest.fixture(scope="module", params=["integers", "dense", "staged"])
def module(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> PlanExecutor:
    """A module without weights, one with, and one whose groups run side by side."""
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "staged":
        compile_kind("staged", folder)
        return PlanExecutor(folder)
    return compiled(network(request.param), {}, folder)


@pytest.fixture(params=[2, 5])
def pool(request: pytest.FixtureRequest, module: PlanExecutor) -> Iterator[Pool]:
    """Executors of that module, fewer than cores and more."""
    made = module.pool(request.param)
    yield made
    made.close()


def drawn(module: PlanExecutor, seed: int) -> dict[str, np.ndarray]:
    """Inputs that fit."""
    specs = tuple((name, TensorSpec(shape, dtype)) for name, shape, dtype in module.inputs)
    return random_inputs(specs, seed)


def answers(run: Callable[[dict[str, np.ndarray]], Any], module: PlanExecutor) -> None:
    """Many threads at once each get what their inputs give alone."""
    inputs = [drawn(module, seed) for seed in range(CALLS)]
    expected = [module.run(one) for one in inputs]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(run, inputs))
    for one, other in zip(found, expected, strict=True):
        for name, array in other.items():
            np.testing.assert_array_equal(one[name], array)


def test_threads_that_call_one_module_get_each_its_own_answer(module: PlanExecutor) -> None:
    answers(module.run, module)


def test_a_pool_answers_as_the_module_does(module: PlanExecutor, pool: Pool) -> None:
    answers(pool.run, module)


def test_a_pool_has_the_modules_weights_and_none_of_its_own(
    module: PlanExecutor, pool: Pool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(np, "fromfile", lambda *_: pytest.fail("weights were read again"))
    more = module.pool(2)
    more.run(drawn(module, 0))
    more.close()


def test_buffers_of_the_caller_are_written_by_a_pool(module: PlanExecutor, pool: Pool) -> None:
    inputs = drawn(module, 3)
    expected = module.run(inputs)
    outputs = {name: np.zeros_like(array) for name, array in expected.items()}
    assert pool.run(inputs, outputs) is outputs
    for name, array in expected.items():
        np.testing.assert_array_equal(outputs[name], array)


def test_a_pool_says_what_does_not_fit_and_goes_on(module: PlanExecutor, pool: Pool) -> None:
    for _ in range(6):
        with pytest.raises(ValueError, match="the inputs are"):
            pool.run({})
    answers(pool.run, module)


def test_a_pool_that_is_closed_runs_no_more(module: PlanExecutor) -> None:
    pool = module.pool(2)
    pool.close()
    pool.close()
    with pytest.raises(RuntimeError, match="closed"):
        pool.run(drawn(module, 0))


@pytest.mark.parametrize("size", [0, -1])
def test_a_pool_has_an_executor(module: PlanExecutor, size: int) -> None:
    with pytest.raises(ValueError, match="one executor or more"):
        module.pool(size)


@pytest.mark.parametrize(
    ("cores", "size", "shares"),
    [
        ([], 2, [(), ()]),
        ([0], 3, [(), (), ()]),
        ([0, 1], 1, [(0, 1)]),
        ([0, 1, 2, 3], 2, [(0, 1), (2, 3)]),
        ([0, 1, 2], 2, [(0, 1), (2,)]),
        ([4, 5], 5, [(4,), (5,), (4,), (5,), (4,)]),
    ],
)
def test_executors_split_the_cores(
    cores: list[int], size: int, shares: list[tuple[int, ...]]
) -> None:
    assert module_of._shares(cores, size) == shares


def test_what_was_given_is_not_kept_after_the_answer(module: PlanExecutor) -> None:
    pool = module.pool(1)
    inputs = drawn(module, 0)
    references = [weakref.ref(array) for array in inputs.values()]
    pool.run(inputs)
    del inputs
    assert [one() for one in references] == [None] * len(references)
    pool.close()
