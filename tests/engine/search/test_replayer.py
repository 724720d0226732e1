"""A trace onto a workload: with the target's own postprocessors, or refused in a sentence."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from engine.passes.decisions import Coordinate, Location, Tile, read_decisions
from engine.passes.droplet import around
from engine.records.task import Task, TensorSpec
from engine.search.replayer import NotReplayable, Replayer, code_key
from engine.search.task_search import Candidate, TaskSearch, apply_trace
from engine.search.trace_text import parse
from engine.targets.targets import TargetSpec, to_tvm
from engine.tasks.extract import Program
from tests.engine.models.build import model
from tests.engine.passes.landscape import with_decision
from tests.engine.search.searches import SETTINGS, find_task, make_search
from tests.engine.tasks.networks import conv, node, outputs, weight
from tests.engine.tasks.programs import cpu, network, program

KINDS = [
    ("dense", "matmul_add_relu"),
    ("residual", "conv2d_add_relu"),
    ("attention", "softmax"),
    ("concat", "relu_concatenate"),
]

# An H100, which need not be there: neither rules nor postprocessors ask a device.
CUDA = TargetSpec(
    json.dumps(
        {
            "kind": "cuda",
            "arch": "sm_90",
            "max_threads_per_block": 1024,
            "max_num_threads": 1024,
            "max_shared_memory_per_block": 232448,
            "thread_warp_size": 32,
        }
    ),
    "cuda",
    "cuda:0",
    2,
)


@dataclass(frozen=True)
class Conv:
    """A convolution of 3x3 with a bias and a rectifier, or without one."""

    ins: int
    outs: int
    size: int
    relu: bool = True
    target: TargetSpec = field(default_factory=cpu)

    @functools.cached_property
    def program(self) -> Program:
        """Its program."""
        nodes = [conv("x w b", "c" if self.relu else "y")]
        nodes += [node("Relu", "c", "y")] if self.relu else []
        weights = {"w": weight(self.outs, self.ins, 3, 3), "b": weight(self.outs)}
        image = ("x", 1, [1, self.ins, self.size, self.size])
        return program(model(nodes, [image], outputs("y"), weights), self.target)

    @property
    def task(self) -> Task:
        """The convolution's task."""
        return next(task for task in self.program.tasks if "conv" in task.op_class)

    @property
    def workload(self) -> Any:
        """Its module."""
        return self.program.workloads[self.task.index]

    @functools.cached_property
    def candidates(self) -> list[Candidate]:
        """What a search proposes for it."""
        search = TaskSearch(self.task, self.workload, self.target, SETTINGS, 0)
        search.start()
        return search.propose()

    def replayer(self) -> Replayer:
        """A new replayer."""
        return Replayer(self.task, self.workload, self.target)


@functools.cache
def make(
    ins: int, outs: int, size: int, relu: bool = True, target: TargetSpec | None = None
) -> Conv:
    """A convolution, which is opened once."""
    return Conv(ins, outs, size, relu, target or cpu())


def without_locations(trace: str) -> list[Coordinate]:
    """What a trace decides; TVM corrects a location whose loop a tile has emptied."""
    return [item for item in read_decisions(trace) if not isinstance(item, Location)]


BASE = make(16, 32, 8)
ON_CUDA = make(16, 32, 8, target=CUDA)
BOTH = pytest.mark.parametrize("base", [BASE, ON_CUDA], ids=["cpu", "cuda"])


def tvm_module(candidate: Candidate) -> Any:
    """The scheduled module, with prepacked arguments as packed."""
    import tvm
    from tvm.s_tir.transform import RemoveWeightLayoutRewriteBlock

    module = tvm.ir.load_json(candidate.module)
    return RemoveWeightLayoutRewriteBlock(skip_tensor_rewrite=True)(module)


def run(module: Any, args: Sequence[TensorSpec], image: np.ndarray) -> np.ndarray:
    """What a module makes of an image; its weights are all the same, whatever their layout."""
    import tvm

    built = tvm.compile(module, to_tvm(cpu()))
    weights = [np.full(spec.shape, 0.1, dtype=np.float32) for spec in args[1:-1]]
    result = tvm.runtime.tensor(np.zeros(args[-1].shape, dtype=np.float32))
    built["main"](*map(tvm.runtime.tensor, (image, *weights)), result)
    return np.asarray(result.numpy())


# Its own traces


@pytest.mark.parametrize(("name", "op_class"), KINDS)
def test_a_tasks_own_trace_gives_the_candidate_that_it_came_from(name: str, op_class: str) -> None:
    import tvm
    import tvm_ffi

    found, task = network(name).program, find_task(name, op_class)
    replayer = Replayer(task, found.workloads[task.index], found.target)
    search = make_search(name, op_class)
    search.start()
    for item in search.propose():
        again = replayer.replay(item.trace)
        applied = apply_trace(found.workloads[task.index], item.trace).mod
        assert tvm_ffi.structural_equal(tvm.ir.load_json(again.module), applied)
        assert (again.trace, again.trace_key, again.args) == (
            item.trace,
            item.trace_key,
            item.args,
        )
        assert again.handle is None
        assert code_key(again) == code_key(item)


@BOTH
def test_postprocessors_of_the_trace_are_replaced_by_the_targets(base: Conv) -> None:
    for item in base.candidates:
        assert base.replayer().replay(parse(item.trace).text).trace == item.trace


def test_what_a_trace_leaves_undecided_is_decided_alike_every_time() -> None:
    parsed = parse(BASE.candidates[0].trace)
    undecided = json.dumps([parsed.instructions, []])
    results = [BASE.replayer().replay(undecided) for _ in range(3)]
    assert len({item.trace for item in results}) == 1
    assert len(parse(results[0].trace).decisions) == len(parsed.decisions)


# Traces of other tasks


@BOTH
def test_a_convolutions_trace_fits_another_shape(base: Conv) -> None:
    other = make(32, 32, 14, target=base.target)
    replayed = 0
    for item in base.candidates:
        try:
            made = other.replayer().replay(item.trace)
        except NotReplayable as error:
            assert "VerifyGPUCode" in error.reason
            continue
        replayed += 1
        assert made.trace_key == hashlib.sha256(made.trace.encode()).hexdigest()
        assert len(made.args) == len(other.task.args)
        assert made.args[0] == other.task.args[0]
    assert replayed


@pytest.mark.parametrize("channels", [16, 24, 32, 64])
def test_a_convolutions_trace_fits_whatever_channels_it_was_vectorised_for(channels: int) -> None:
    trace = make(16, channels, 8).candidates[0].trace
    for other in (16, 24, 32, 64):
        made = make(16, other, 8).replayer().replay(trace)
        assert parse(made.trace).decisions


def test_a_replayed_trace_computes_what_the_task_does() -> None:
    donors = [make(16, outs, 8).candidates[0] for outs in (16, 24, 64)]
    made = [BASE.replayer().replay(item.trace) for item in donors]
    args = BASE.task.args
    image = np.random.default_rng(0).standard_normal(args[0].shape, dtype=np.float32)
    expected = run(BASE.workload, args, image)
    for item in made:
        np.testing.assert_allclose(
            run(tvm_module(item), item.args, image), expected, rtol=1e-4, atol=1e-4
        )


def test_a_trace_of_another_class_is_refused_in_a_sentence() -> None:
    bare = make(16, 32, 8, relu=False).replayer()
    for item in BASE.candidates:
        with pytest.raises(NotReplayable, match="another class") as caught:
            bare.replay(item.trace)
        assert "\n" not in caught.value.reason


def test_what_a_postprocessor_refuses_is_named() -> None:
    trace = ON_CUDA.candidates[0].trace
    tiles = [item for item in read_decisions(trace) if isinstance(item, Tile)]
    for tile in tiles:  # all of the block's outputs in one thread
        if len(tile.factors) == 5:
            trace = with_decision(trace, tile, (1, 1, 1, 1, tile.extent))
    with pytest.raises(NotReplayable, match="VerifyGPUCode"):
        ON_CUDA.replayer().replay(trace)


@pytest.mark.parametrize("text", ["", "[]", "[[], [], []]", '[[["Tensorize", [], [], []]], []]'])
def test_what_is_no_trace_is_refused_before_tvm_sees_it(text: str) -> None:
    with pytest.raises(NotReplayable, match=r"^The trace"):
        BASE.replayer().replay(text)


# Neighbours


@BOTH
def test_every_neighbour_replays_unless_a_postprocessor_refuses_it(base: Conv) -> None:
    made = base.replayer()
    trace = base.candidates[0].trace
    steps = [s for s in around(read_decisions(trace, made.locations(trace))) if s.size == 1]
    assert len(steps) > 10
    for step in steps:
        moved = with_decision(trace, step.coordinate, step.value)
        try:
            assert without_locations(made.replay(moved).trace) == without_locations(moved)
        except NotReplayable as error:
            assert base is ON_CUDA
            assert "VerifyGPUCode" in error.reason


def test_locations_are_those_that_tvm_keeps() -> None:
    made = BASE.replayer()
    seen = 0
    for item in BASE.candidates:
        places = made.locations(item.trace)
        for at, valid in places.items():
            here = next(x for x in read_decisions(item.trace, places) if x.at == at)
            assert isinstance(here, Location)
            assert here.chosen in valid
            assert list(valid) == sorted(set(valid))
            for place in valid:
                moved = made.replay(with_decision(item.trace, here, place)).trace
                assert parse(moved).decisions[at] == place
                seen += 1
    assert seen
