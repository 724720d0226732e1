"""Stages on a CPU: groups run at the same time, on their share of the cores, and fail loudly."""

from __future__ import annotations

import _thread
import gc
import json
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.deploy.executor import PlanExecutor
from engine.deploy.plan import with_stages
from engine.measure import units as module
from engine.measure.units import Crews
from engine.models.reference import random_inputs
from tests.engine.deploy.compiled import as_export, compiled, first_records
from tests.engine.models.build import branches_model
from tests.engine.tasks.programs import network, opened

Stages = list[list[list[int]]]


@pytest.fixture(autouse=True)
def _three_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three threads, on whatever machine: all of them on its first core."""
    monkeypatch.setattr(module, "cores_of_kernels", lambda: [0, 0, 0])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four convolutions of one input and what joins them, with schedules that use threads."""
    path = tmp_path_factory.mktemp("branches")
    model = opened(branches_model((3, 1, 3, 5)))
    compiled(model, first_records(model), path)
    return path


def plan_of(folder: Path) -> dict[str, Any]:
    """The plan of a folder."""
    return dict(json.loads((folder / "plan.json").read_text()))


def levels(plan: dict[str, Any]) -> Stages:
    """Stages as early as may be, each step a group of its own."""
    level_of: dict[int, int] = {}
    stages: Stages = []
    for step, (_, arguments) in enumerate(plan["steps"]):
        roots = [plan["buffers"][i].get("root", i) for i in arguments]
        level = max((level_of[root] + 1 for root in roots if root in level_of), default=0)
        level_of |= {
            root: level for root in roots if root not in level_of and is_written(plan, root)
        }
        stages += [[]] if level == len(stages) else []
        stages[level].append([step])
    return stages


def is_written(plan: dict[str, Any], root: int) -> bool:
    """Whether a step writes a buffer."""
    return "storage" in plan["buffers"][root]


def threads() -> list[threading.Thread]:
    """The executors' threads that live."""
    return [thread for thread in threading.enumerate() if thread.name == "stage"]


@pytest.fixture
def staged(folder: Path) -> Iterator[PlanExecutor]:
    """The convolutions side by side."""
    plan = plan_of(folder)
    executor = PlanExecutor(folder, plan=with_stages(plan, levels(plan)))
    yield executor
    executor.close()


def inputs(seed: int) -> dict[str, np.ndarray]:
    """An input for the branches."""
    return {"x": np.random.default_rng(seed).standard_normal((1, 16, 8, 8), np.float32)}


# What comes out


def test_outputs_are_bit_for_bit_those_of_one_step_after_another(
    folder: Path, staged: PlanExecutor
) -> None:
    sequential = PlanExecutor(folder)
    assert len(threads()) == 3
    for seed in range(20):
        expected = sequential.run(inputs(seed))
        found = staged.run(inputs(seed))
        staged.execute()
        for outputs in (found, staged.outputs()):
            assert list(outputs) == list(expected)
            for name, array in expected.items():
                np.testing.assert_array_equal(outputs[name], array)


@pytest.mark.parametrize("name", ["attention", "split", "integers", "residual", "pools"])
def test_a_networks_levels_compute_what_its_sequence_does(name: str, tmp_path: Path) -> None:
    model = network(name)
    sequential = compiled(model, {}, tmp_path)
    plan = plan_of(tmp_path)
    staged = PlanExecutor(tmp_path, plan=with_stages(plan, levels(plan)))
    for seed in (1, 2, 3):
        given = random_inputs(model.prepared.inputs, seed)
        expected, found = sequential.run(given), staged.run(given)
        staged.execute_eagerly()
        for outputs in (found, staged.outputs()):
            for output, array in expected.items():
                np.testing.assert_array_equal(outputs[output], array)
    staged.close()


def test_a_plan_of_the_first_format_runs_one_step_after_another(folder: Path) -> None:
    plan = plan_of(folder)
    del plan["stages"]
    plan["buffers"] = [
        buffer and {key: value for key, value in buffer.items() if key != "root"}
        for buffer in plan["buffers"]
    ]
    old = PlanExecutor(folder, plan=plan | {"format": 1})
    expected = PlanExecutor(folder).run(inputs(0))
    np.testing.assert_array_equal(old.run(inputs(0))["y"], expected["y"])
    assert threads() == []


def test_times_and_profiles_are_taken_of_stages_too(staged: PlanExecutor) -> None:
    assert len(staged.time(seconds=0.0, minimum=3)) == 3
    assert len(staged.time(seconds=0.0, minimum=2, eager=True)) == 2
    profile = staged.profile(repeats=1)
    assert [name for name, _ in profile] == [name for name, _, _ in staged.steps]
    assert all(latency_s > 0 for _, latency_s in profile)


def test_single_stages_of_a_plan_run_by_themselves(folder: Path, staged: PlanExecutor) -> None:
    expected = PlanExecutor(folder).run(inputs(3))
    staged.set_inputs(inputs(3))
    for stage in levels(plan_of(folder)):
        staged.program([stage])()
    np.testing.assert_array_equal(staged.outputs()["y"], expected["y"])


def test_an_exported_folder_with_stages_runs_by_its_script(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    plan = plan_of(folder)
    (tmp_path / "plan.json").write_text(json.dumps(with_stages(plan, levels(plan))))
    as_export(tmp_path, threads=2)
    np.savez(tmp_path / "in.npz", x=inputs(5)["x"])
    command = [sys.executable, "run.py", "in.npz", "--save", "out.npz"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    expected = PlanExecutor(folder).run(inputs(5))["y"]
    np.testing.assert_array_equal(np.load(tmp_path / "out.npz")["y"], expected)


# Threads


def run_groups(*stages: list[list[Any]]) -> None:
    """Run stages of plain functions, with threads that end after that."""
    crews = Crews()
    try:
        crews.program([[[(f, ()) for f in group] for group in groups] for groups in stages])()
    finally:
        crews.close()


def test_groups_run_at_the_same_time_and_stages_do_not() -> None:
    together = threading.Barrier(3, timeout=20)
    after = list[int]()
    alone = threading.get_ident()
    run_groups(
        [[together.wait], [together.wait], [together.wait, lambda: after.append(1)]],
        [[lambda: after.append(len(threads())), lambda: after.append(threading.get_ident())]],
        [[together.wait], [together.wait], [together.wait]],
    )
    assert after == [1, 3, alone]


@pytest.mark.parametrize("groups", [1, 2, 3, 4, 7, 20])
def test_every_group_runs_once_and_in_its_order_however_many_there_are(groups: int) -> None:
    seen = list[tuple[int, int]]()
    stage: list[list[Any]] = [
        [lambda group=group, step=step: seen.append((group, step)) for step in range(3)]
        for group in range(groups)
    ]
    run_groups(stage, stage)
    for group in range(groups):
        assert [step for other, step in seen if other == group] == [0, 1, 2, 0, 1, 2]
    assert threads() == []


@pytest.mark.parametrize(("groups", "shares"), [(2, [2, 1]), (3, [1, 1, 1]), (5, [1, 1, 1])])
def test_groups_split_the_cores(groups: int, shares: list[int]) -> None:
    import tvm

    count = tvm.get_global_func("runtime.NumThreads")
    by_thread: dict[int, int] = {}
    run_groups([[lambda: by_thread.update({threading.get_ident(): count()})]] * groups)
    assert sorted(by_thread.values(), reverse=True) == shares[: len(by_thread)]


def test_where_there_is_one_core_there_are_no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "cores_of_kernels", lambda: [0])
    seen = list[tuple[int, int]]()
    run_groups([[lambda: seen.append((threading.get_ident(), len(threads())))]] * 3)
    assert seen == [(threading.get_ident(), 0)] * 3


@pytest.mark.parametrize("failing", [{0}, {2}, {0, 1}, {3}])
def test_an_error_in_a_group_comes_to_the_caller_when_all_have_ended(failing: set[int]) -> None:
    ended = list[int]()
    crews = Crews()

    def work(group: int) -> None:
        ended.append(group)
        if broken and group in failing:
            raise RuntimeError(f"group {group}")

    program = crews.program([[[(work, (group,))] for group in range(4)]])
    broken = True
    with pytest.raises(RuntimeError, match="group"):
        program()
    assert set(ended) >= {0, 1, 2}
    ended.clear()
    broken = False
    program()
    assert sorted(ended) == [0, 1, 2, 3]
    crews.close()


@pytest.mark.parametrize("real", [True, False])
def test_an_interrupt_waits_for_the_groups_and_leaves_the_executor_usable(real: bool) -> None:
    """A real signal wakes the wait; the other is seen only when the wait has ended by itself."""
    release = threading.Event()
    ended = list[int]()
    crews = Crews()
    slow = [(release.wait, (20,)), (ended.append, (0,))]
    program = crews.program([[slow, [(ended.append, (1,))]]])

    def interrupt() -> None:
        if real:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        else:
            _thread.interrupt_main()
        time.sleep(0.05)
        release.set()

    timer = threading.Timer(0.05, interrupt)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        program()
    timer.join()
    assert sorted(ended) == [0, 1]
    program()
    assert sorted(ended) == [0, 0, 1, 1]
    crews.close()


def test_a_closed_executor_has_no_threads_and_says_so(staged: PlanExecutor) -> None:
    assert threads()
    staged.close()
    staged.close()
    assert threads() == []
    with pytest.raises(RuntimeError, match="the executor is closed"):
        staged.run(inputs(0))


def test_an_executor_that_is_forgotten_takes_its_threads_along(folder: Path) -> None:
    plan = plan_of(folder)
    executor = PlanExecutor(folder, plan=with_stages(plan, levels(plan)))
    assert threads()
    del executor
    gc.collect()
    assert threads() == []
