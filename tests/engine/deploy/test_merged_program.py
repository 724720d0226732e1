"""Programs with merged operators compute what they did, on a CPU and in form on a GPU."""

from __future__ import annotations

import functools
from pathlib import Path

import numpy as np
import pytest

from engine.deploy.compile import compile_program
from engine.deploy.executor import PlanExecutor
from engine.deploy.merged_program import (
    merge_bench_program,
    merged_program,
    records_by_fingerprint,
    records_for,
    restaged,
)
from engine.deploy.plan import make_plan
from engine.ios.facts import facts_of, read_layers
from engine.ios.merges import find_merges
from engine.ios.merging_rules import OperatorFacts
from engine.jobs.opening.open_worker import OpenedModel
from engine.models.reference import random_inputs
from engine.records.machine import cuda_devices, local_cuda
from engine.records.schedule import Stage, Strategy
from engine.search.task_search import TaskSearch
from engine.tasks.extract import Program
from tests.engine.deploy.compiled import output_names
from tests.engine.ios.branching import GPU, convolutions, matmuls, no_layers
from tests.engine.search.searches import SETTINGS
from tests.engine.tasks.programs import opened, program


@functools.cache
def branches(batch: int = 1) -> OpenedModel:
    """The convolutions on this machine's CPU."""
    return opened(convolutions(batch))


def members(found: Program, *channels: int) -> tuple[int, ...]:
    """The convolutions with so many output channels each."""
    flow = found.dataflow
    shapes = [[flow.values[value].spec.shape for value in step.inputs] for step in flow.steps]
    return tuple(
        sorted(
            operator
            for operator, (_, *constants) in enumerate(shapes)
            if constants and len(constants[0]) == 4 and constants[0][0] in channels
        )
    )


def assert_same(model: OpenedModel, merged: Program, records: dict[int, str], folder: Path) -> None:
    """A rewritten program computes what ONNX Runtime does."""
    compile_program(merged, records, output_names(model), folder)
    inputs = random_inputs(model.prepared.inputs, 3)
    found = PlanExecutor(folder, merged.target.device).run(inputs)
    for name, expected in model.prepared.reference_outputs(inputs).items():
        np.testing.assert_allclose(found[name], expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("batch", [1, 2])
def test_merged_convolutions_compute_what_they_do_apart(batch: int, tmp_path: Path) -> None:
    model = branches(batch)
    three = members(model.program, 8, 4, 6)
    merged = merged_program(model.program, [three])
    pair = {merged.steps_of[operator] for operator in three}
    assert len(pair) == 1
    assert len(merged.program.dataflow.steps) == len(model.program.dataflow.steps) - 1
    assert_same(model, merged.program, {}, tmp_path)


def test_a_dilated_window_and_a_point_share_a_window_of_its_taps(tmp_path: Path) -> None:
    model = branches()
    two = members(model.program, 8, 10)
    merged = merged_program(model.program, [two])
    weights = [task.args[1].shape for task in merged.program.tasks if len(task.args) == 4]
    assert (18, 3, 3, 16) in weights
    assert_same(model, merged.program, {}, tmp_path)


def test_records_of_a_merged_task_are_compiled_into_every_program(tmp_path: Path) -> None:
    model = branches()
    merges = find_merges(model.program)
    three = members(model.program, 8, 4, 6)
    task = merges.tasks[three]
    assert (task.weight, task.merged) == (0, three)
    workload = merges.workloads[task.index]
    search = TaskSearch(task, workload, model.program.target, SETTINGS, 0)
    search.start()
    traces = records_by_fingerprint([task], {task.index: search.propose()[0].trace})
    merged = merged_program(model.program, [three])
    records = records_for(merged.program, traces)
    assert len(records) == 1
    assert_same(model, merged.program, records, tmp_path)


def test_matmuls_of_one_input_merge_with_and_without_bias(tmp_path: Path) -> None:
    model = opened(matmuls())
    sets = find_merges(model.program).sets
    three = max(sets, key=len)
    assert len(three) == 3
    assert len(sets) == 4
    assert_same(model, merged_program(model.program, [three]).program, {}, tmp_path)


def test_two_sets_of_a_program_merge_at_once(tmp_path: Path) -> None:
    model = branches()
    one = members(model.program, 8, 6)
    other = members(model.program, 4)
    merges = find_merges(model.program)
    assert one in merges.tasks
    assert other not in merges.tasks
    merged = merged_program(model.program, [one])
    plan = make_plan(merged.program.dataflow, output_names(model))
    stages = [Stage(Strategy.CONCURRENT, ((step,),)) for step in range(one[0])]
    stages.append(Stage(Strategy.MERGE, (one,)))
    rest = [step for step in range(len(model.program.dataflow.steps)) if step >= one[0]]
    stages += [Stage(Strategy.CONCURRENT, ((step,),)) for step in rest if step not in one]
    staged = make_plan(merged.program.dataflow, output_names(model), restaged(stages, merged))
    assert sum(len(group) for stage in staged["stages"] for group in stage) == len(plan["steps"])
    assert [list(merged.steps_of[one[0]])] in staged["stages"]
    with pytest.raises(ValueError, match="two sets"):
        merged_program(model.program, [one, one])


def test_the_bench_program_has_a_pair_of_steps_for_each_set(tmp_path: Path) -> None:
    found = branches().program
    sets = find_merges(found).sets
    bench = merge_bench_program(found, sets)
    steps = bench.dataflow.steps
    assert [step.function.startswith("split") for step in steps] == [False, True] * len(sets)
    assert [len(step.outputs) for step in steps[1::2]] == [len(one) for one in sets]
    tasks = {task.fingerprint for task in bench.tasks}
    assert {task.fingerprint for task in find_merges(found).tasks.values()} <= tasks
    names = tuple(map(str, range(len(bench.dataflow.outputs))))
    compile_program(bench, {}, names, tmp_path)
    outputs = PlanExecutor(tmp_path).run(
        {f"x{place}": np.ones((1, 6, 6, 16), np.float32) for place in range(len(sets))}
    )
    assert all(np.isfinite(array).all() for array in outputs.values())


def read_facts(found: Program) -> list[OperatorFacts]:
    """The facts of every step."""
    layers = read_layers(found)
    steps = range(len(found.dataflow.steps))
    return [facts_of(found, step, layers.get(step)) for step in steps]


def test_what_may_not_merge_is_refused_with_a_reason() -> None:
    found = branches().program
    facts = read_facts(found)
    sigmoid = next(place for place, fact in enumerate(facts) if fact.activation == "sigmoid")
    point = members(found, 8)[0]
    with pytest.raises(ValueError, match="different activations"):
        merged_program(found, [(point, sigmoid)])
    with pytest.raises(ValueError, match="no kind that does"):
        merged_program(found, [(0, point)])


def test_what_only_looks_like_a_layer_is_other() -> None:
    found = program(no_layers())
    kinds = [fact.kind for fact in read_facts(found)]
    assert set(kinds) == {"other"}
    assert find_merges(found).sets == ()


def test_a_gpu_program_is_read_and_rewritten_where_there_is_no_gpu() -> None:
    found = program(convolutions(), GPU)
    merges = find_merges(found)
    largest = max(merges.sets, key=len)
    assert len(largest) == 3
    assert merges.tasks[largest].args[1].shape == (18, 16, 3, 3)
    merged = merged_program(found, [largest])
    assert len(merged.program.dataflow.steps) == len(found.dataflow.steps) - 1
    assert merges.tasks[largest].fingerprint in {task.fingerprint for task in merged.program.tasks}


@pytest.mark.gpu
@pytest.mark.skipif(not cuda_devices(), reason="there is no CUDA device here")
def test_merged_operators_compute_the_same_on_a_gpu(tmp_path: Path) -> None:
    model = opened(convolutions(2), local_cuda(0))
    largest = max(find_merges(model.program).sets, key=len)
    assert_same(model, merged_program(model.program, [largest]).program, {}, tmp_path)
