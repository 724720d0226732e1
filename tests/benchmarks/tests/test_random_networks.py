"""The networks of many branches: what they are made of, once they are lowered."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from onnx import ModelProto

from engine.ios.blocks import cut
from engine.ios.keys import graph_of
from engine.records.source import ModelSource
from engine.targets.targets import TargetSpec
from tests.benchmarks.networks.random_networks import NETWORKS, nasnet_like, randwire_like, write
from tests.engine.tasks.programs import opened

GPU = TargetSpec(
    '{"arch": "sm_90", "kind": "cuda", "max_num_threads": 1024, "max_threads_per_block": 1024,'
    ' "max_shared_memory_per_block": 232448, "thread_warp_size": 32}',
    "cuda, which lowering does not need",
    "cuda:0",
    8,
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "operators", "width"), [(nasnet_like, 18, 8), (randwire_like, 33, 8)]
)
def test_each_block_has_as_many_operators_and_is_as_wide_as_published(
    make: Callable[..., ModelProto], operators: int, width: int
) -> None:
    program = opened(make(1, 1, channels=16, size=4), GPU).program
    blocks = [block for block in cut(graph_of(program.operators)) if block.graph.n > 1]
    assert [(block.graph.n, block.graph.width()) for block in blocks] == [(operators, width)]


@pytest.mark.parametrize("name", NETWORKS)
def test_the_same_name_gives_the_same_file_and_another_batch_another(
    name: str, tmp_path: Path
) -> None:
    first = write(name, tmp_path).read_bytes()
    assert first == write(name, tmp_path).read_bytes()
    other = write(name, tmp_path, batch=2)
    assert other.name == f"{name}-batch2.onnx"
    assert len(other.read_bytes()) == len(first)
    assert other.read_bytes() != first


def test_blocks_in_a_row_are_alike() -> None:
    one, two = (randwire_like(1, blocks, channels=4, size=4) for blocks in (1, 2))
    kinds = [[node.op_type for node in model.graph.node] for model in (one, two)]
    assert kinds[1][: len(kinds[0]) - 3] == kinds[0][:-3]
    assert len(kinds[1]) - 3 == 2 * (len(kinds[0]) - 3)


def test_a_network_is_a_model_that_opens(tmp_path: Path) -> None:
    from engine.models.prepare import prepare

    prepared = prepare(ModelSource("file", str(write("nasnet_like", tmp_path))))
    assert prepared.outputs[0][1].shape == (1, 80, 1, 1)
