"""The list that the starter library is made from."""

from __future__ import annotations

import onnx
import pytest
from onnx import shape_inference

from engine.passes.donor import Donor
from engine.passes.starter import starter_donors, starter_samples
from engine.search.replayer import NotReplayable, Replayer
from engine.tasks.extract import Program
from tests.benchmarks.starter.networks import NETWORKS
from tests.engine.tasks.programs import cpu, program


@pytest.mark.parametrize("name", NETWORKS)
def test_each_network_is_a_model_of_fixed_shapes(name: str) -> None:
    model = NETWORKS[name]()
    onnx.checker.check_model(model, full_check=True)
    inferred = shape_inference.infer_shapes(model, strict_mode=True).graph
    known = {value.name for value in (*inferred.value_info, *inferred.output)}
    assert known >= {name for node in model.graph.node for name in node.output}


@pytest.mark.long
@pytest.mark.parametrize("name", NETWORKS)
def test_each_record_of_the_library_replays_on_the_task_that_it_is_of(name: str) -> None:
    donors = [donor for donor in starter_donors(gpu=False) if donor.model == name]
    found = program(NETWORKS[name]())
    assert donors
    assert [donor.task for donor in donors if not replays(donor, found)] == []


def replays(donor: Donor, found: Program) -> bool:
    """On a task of its class and extents: fingerprints are those of the machine it was made on."""
    for task in found.tasks:
        if (task.op_class, task.args) == (donor.op_class, donor.args):
            try:
                Replayer(task, found.workloads[task.index], cpu()).replay(donor.trace)
            except NotReplayable:
                continue
            return True
    return False


def test_what_comes_with_the_program_is_read() -> None:
    donors, samples = starter_donors(gpu=False), starter_samples(gpu=False)
    assert {donor.model for donor in donors} == set(NETWORKS)
    assert not any(donor.place for donor in donors)
    assert len({len(each[0]) for found in samples.values() for each in found.features}) == 1
    assert all(
        len(found.features) == len(found.latencies_s) > 1 and found.latencies_s.min() > 0
        for found in samples.values()
    )
