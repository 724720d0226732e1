"""The executor: what it takes, what it refuses, and what it is allowed to import."""

from __future__ import annotations

import ast
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.deploy import bench as bench_file
from engine.deploy.bench import _bench, bench, usable_threads
from engine.deploy.executor import PlanExecutor
from engine.deploy.export import put_scripts
from engine.measure import load
from engine.models.reference import random_inputs
from engine.records.errors import TuningError
from tests.engine.deploy.compiled import compiled
from tests.engine.tasks.programs import network


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The network of integers, booleans and floats, compiled."""
    path = tmp_path_factory.mktemp("integers")
    compiled(network("integers"), {}, path)
    return path


@pytest.fixture
def executor(folder: Path) -> PlanExecutor:
    """That network, loaded."""
    return PlanExecutor(folder)


def good() -> dict[str, Any]:
    """Inputs that fit."""
    return random_inputs(network("integers").prepared.inputs, 1)


def imports(path: Path) -> set[str]:
    """The top-level packages that a file imports anywhere."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            found.add(str(node.module).split(".")[0])
    return found


def test_what_is_exported_needs_only_tvm_numpy_and_cuda(tmp_path: Path) -> None:
    standard = {"__future__", "argparse", "json", "os", "pathlib", "statistics", "sys", "time"}
    standard |= {"collections", "functools", "itertools", "threading", "typing", "weakref"}
    standard |= {"concurrent", "ctypes", "hashlib", "math", "platform", "queue", "re", "stat"}
    allowed = {"numpy", "tvm", "tvm_ffi", "cuda"}
    put_scripts(tmp_path)
    for name in ("run.py", "executor.py", "plan_executor.py"):
        assert imports(tmp_path / name) - standard <= allowed


def test_outputs_are_named_and_belong_to_the_caller(executor: PlanExecutor) -> None:
    first = executor.run(good())
    kept = {name: array.copy() for name, array in first.items()}
    executor.run({**good(), "i": np.array([3, 3, 3, 3])})
    assert list(first) == ["y", "less"]
    for name, array in first.items():
        np.testing.assert_array_equal(array, kept[name])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"i": None}, "the inputs are i, b, not b"),
        ({"extra": np.zeros(1)}, "the inputs are i, b, not i, b, extra"),
        ({"i": np.zeros(5, np.int64)}, r"input i has shape \(5,\), not \(4,\)"),
        ({"i": np.zeros((1, 4), np.int64)}, "input i has shape"),
        ({"i": np.zeros(4, np.float32)}, "input i holds float32, not int64"),
        ({"b": np.zeros((4, 1), np.int64)}, "input b holds int64, not bool"),
        ({"i": np.array(["a", "b", "c", "d"])}, "input i holds <U1, not int64"),
    ],
)
def test_inputs_that_do_not_fit_are_refused_with_a_sentence(
    executor: PlanExecutor, change: dict[str, Any], reason: str
) -> None:
    inputs = {name: value for name, value in {**good(), **change}.items() if value is not None}
    with pytest.raises(ValueError, match=reason):
        executor.run(inputs)


@pytest.mark.parametrize(
    "same",
    [
        lambda array: array.tolist(),
        lambda array: array.astype(np.int32),
        lambda array: np.repeat(array, 2)[::2],
        np.asfortranarray,
    ],
)
def test_inputs_may_be_lists_narrower_or_strided(executor: PlanExecutor, same: Any) -> None:
    expected = executor.run(good())
    inputs = good() | {"i": same(good()["i"])}
    for name, array in executor.run(inputs).items():
        np.testing.assert_array_equal(array, expected[name])


def test_times_are_of_whole_executions(executor: PlanExecutor) -> None:
    samples = executor.time(seconds=0.0, minimum=3)
    assert len(samples) == 3
    assert all(sample > 0 for sample in samples)


def test_a_profile_names_every_step(executor: PlanExecutor) -> None:
    steps = executor.profile(repeats=2)
    assert [name for name, _ in steps] == [name for name, _, _ in executor.steps]
    assert all(latency_s > 0 for _, latency_s in steps)


def test_what_nobody_has_set_is_zero(executor: PlanExecutor) -> None:
    executor.execute()
    assert not executor.outputs()["y"].any()


def test_a_bench_gives_outputs_latencies_and_steps_from_a_fresh_process(folder: Path) -> None:
    result = bench(folder, "cpu", 1, good(), seconds=0.01, profile=True)
    expected = network("integers").prepared.reference_outputs(good())
    for name, array in expected.items():
        np.testing.assert_allclose(result.outputs[name], array, rtol=1e-5)
    assert min(result.samples) <= result.latency_s <= max(result.samples)
    assert set(dict(result.steps)) <= set(network("integers").program.task_of)
    assert len(result.steps) == 4


def test_a_bench_without_seconds_runs_each_input_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[str] = []
    execute = PlanExecutor.execute

    def counted(self: PlanExecutor, stream: object = None) -> None:
        runs.append("run")
        execute(self, stream)

    monkeypatch.setattr(PlanExecutor, "execute", counted)
    result = _bench(folder, "cpu", 1, good(), 0.0, False, [good(), good()], True)
    assert (len(runs), result.samples, len(result.others)) == (3, (), 2)


@pytest.mark.parametrize("long_s", [0.0, 1e9])
@pytest.mark.parametrize("room", [1, 1 << 30])
def test_further_inputs_have_their_own_answers_one_by_one_or_side_by_side(
    long_s: float, room: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_file, "_LONG_S", long_s)
    monkeypatch.setattr(bench_file, "_BUFFER_BYTES", room)
    specs = network("integers").prepared.inputs
    others = [random_inputs(specs, seed) for seed in range(2, 9)]
    result = _bench(folder, "cpu", 2, good(), 0.0, False, others, True)
    executor = PlanExecutor(folder)
    for inputs, found in zip(others, result.others, strict=True):
        for name, array in executor.run(inputs).items():
            np.testing.assert_array_equal(found[name], array)


def test_a_tuned_module_answers_on_the_threads_that_it_will_run_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench_file, "_LONG_S", 0.0)
    monkeypatch.setattr(bench_file, "_side_by_side", lambda *_: pytest.fail("fewer threads"))
    result = _bench(folder, "cpu", 2, good(), 0.0, False, [good(), good()], False)
    assert len(result.others) == 2


def test_what_takes_longer_than_it_is_measured_runs_few_times(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs: list[str] = []
    execute = PlanExecutor.execute

    def slow(self: PlanExecutor, stream: object = None) -> None:
        runs.append("run")
        time.sleep(0.02)
        execute(self, stream)

    monkeypatch.setattr(PlanExecutor, "execute", slow)
    monkeypatch.setattr(load, "TRIES", 1)
    result = _bench(folder, "cpu", 1, good(), 0.01, True, [], True)
    assert (len(runs), len(result.samples)) == (1 + 1 + 3, 3)
    assert all(latency_s > 0 for _, latency_s in result.steps)
    assert len(result.steps) == 4


@pytest.mark.parametrize(("present", "threads"), [("", "3"), ("8", "3"), ("2", "2")])
def test_a_bench_runs_on_the_targets_threads_but_on_no_more_than_allowed(
    present: str, threads: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TVM_NUM_THREADS", present)
    assert usable_threads(3) == threads


def test_a_bench_of_a_damaged_folder_fails_with_a_sentence(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_bytes((folder / "plan.json").read_bytes())
    (tmp_path / "module.so").write_bytes(b"not a library")
    (tmp_path / "weights.bin").touch()
    with pytest.raises(TuningError) as caught:
        bench(tmp_path, "cpu", 1, good(), seconds=0.01)
    assert "\n" not in caught.value.what
