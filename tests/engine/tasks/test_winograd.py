"""Convolutions that gain by Winograd's filtering are computed so, and rightly."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from onnx import ModelProto, NodeProto, TensorProto, helper

from engine.jobs.opening.open_worker import OpenedModel
from engine.tasks import winograd
from engine.tasks.origins import read_origins
from engine.tasks.winograd import best_tiling
from engine.tasks.winograd_kernels import Tiling
from tests.engine.deploy.compiled import assert_agrees, compiled, first_records
from tests.engine.models.build import model
from tests.engine.tasks.programs import opened

FLOAT = TensorProto.FLOAT
THREE = ["winograd_input", "matmul", "winograd_output"]


def network(
    after: Sequence[NodeProto] = (),
    channels: tuple[int, int] = (16, 32),
    size: tuple[int, int] = (28, 28),
    kernel: int = 3,
    **attributes: object,
) -> ModelProto:
    """x -> Conv "c" with a bias -> the nodes `after`, of which the last makes y."""
    rng = np.random.default_rng(0)
    depth, width = channels
    each = depth // int(attributes.get("group", 1))  # type: ignore[call-overload]
    weights: dict[str, np.ndarray] = {
        "w": rng.standard_normal((width, each, kernel, kernel), np.float32) / 9,
        "b": rng.standard_normal(width, np.float32),
        "k": np.full((1, width, 1, 1), 2, np.float32),
    }
    made = helper.make_node("Conv", ["x", "w", "b"], ["c"], name="conv", **attributes)
    nodes = [made, *(after or [helper.make_node("Identity", ["c"], ["y"])])]
    return model(nodes, [("x", FLOAT, (1, depth, *size))], [("y", FLOAT, None)], weights)


def classes(found: OpenedModel) -> list[str]:
    """Of operators, without the model's own changes of layout."""
    return [o.op_class for o in found.program.operators if o.op_class != "transpose"]


@pytest.fixture(params=[2, 4])
def always(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Every convolution that can is cut into m x m outputs, whether it gains or not."""
    m = int(request.param)
    monkeypatch.setattr(winograd, "best_tiling", lambda tiling_of: tiling_of(m))
    return m


RELU = helper.make_node("Relu", ["c"], ["y"])
BOUNDED = helper.make_node("Relu", ["c"], ["r"])
PADS = [(1, 1, 1, 1), (0, 0, 0, 0), (0, 1, 2, 0)]


@pytest.mark.parametrize("pads", PADS)
@pytest.mark.parametrize("size", [(8, 8), (3, 5)])
def test_whatever_the_edges(
    always: int, pads: tuple[int, ...], size: tuple[int, int], tmp_path: Path
) -> None:
    found = opened(network([RELU], size=size, pads=pads))
    assert classes(found) == THREE
    assert_agrees(found, compiled(found, {}, tmp_path))


@pytest.mark.parametrize("size", [(8, 8), (9, 5)])
@pytest.mark.parametrize("channels", [(16, 32), (64, 48)])
def test_scheduled_kernels_compute_the_same(
    always: int, size: tuple[int, int], channels: tuple[int, int], tmp_path: Path
) -> None:
    """A vector that reached over tiles got the edges of all but one wrong."""
    found = opened(network([RELU], channels, size, pads=[1] * 4))
    assert_agrees(found, compiled(found, first_records(found), tmp_path))


@pytest.mark.parametrize(
    ("after", "kept"),
    [
        ([helper.make_node("Sigmoid", ["c"], ["y"])], ["sigmoid"]),
        ([helper.make_node("Exp", ["c"], ["y"])], ["exp"]),
        ([RELU], []),
        ([BOUNDED, helper.make_node("Add", ["r", "k"], ["y"])], ["add"]),
        ([BOUNDED, helper.make_node("Add", ["r", "c"], ["y"])], ["relu_add"]),
    ],
)
def test_what_follows_is_computed_once(
    always: int, after: list[NodeProto], kept: list[str], tmp_path: Path
) -> None:
    found = opened(network(after, size=(8, 8), pads=[1] * 4))
    joined = "_".join(classes(found))
    assert joined.startswith("winograd_input_matmul_winograd_output")
    assert all(name in joined for name in kept) and joined.count("add") <= len(kept)
    assert_agrees(found, compiled(found, {}, tmp_path))


@pytest.mark.parametrize(
    "attributes",
    [
        {"kernel": 1},
        {"kernel": 5},
        {"strides": [2, 2]},
        {"dilations": [2, 2]},
        {"group": 2},
        {"channels": (8, 32)},
        {"channels": (16, 24)},
    ],
)
def test_another_convolution_stays(always: int, attributes: dict[str, object]) -> None:
    found = opened(network([RELU], **attributes))  # type: ignore[arg-type]
    assert all("winograd" not in name for name in classes(found))


def test_weights_that_are_no_constants_stay() -> None:
    node = helper.make_node("Conv", ["x", "w"], ["y"])
    sizes = [("x", FLOAT, (1, 64, 28, 28)), ("w", FLOAT, (64, 64, 3, 3))]
    assert "conv2d" in "".join(classes(opened(model([node], sizes, [("y", FLOAT, None)], {}))))


def tiling(size: int, depth: int, channels: int) -> Tiling | None:
    """What is chosen for a padded convolution of a square."""
    shape = (1, size, size, depth)
    return best_tiling(lambda m: Tiling(m, shape, channels, (1, 1), (size, size)))


def test_what_gains_is_chosen_by_its_sizes() -> None:
    chosen = [tiling(*sizes) for sizes in ((56, 64, 64), (14, 256, 256), (4, 512, 512))]
    assert [one and one.m for one in chosen] == [4, 2, None]


def test_every_kernel_tells_the_nodes_that_it_computes() -> None:
    program = opened(network([RELU], channels=(64, 64), pads=[1] * 4)).program
    names = [o.op_class for o in program.operators]
    origins = read_origins(program.module)
    assert origins is not None and not origins.lost
    owners = dict(zip(names, origins.bindings, strict=True))
    assert all(owners[name] == {0, 1} for name in THREE)


def test_a_concatenation_is_written_in_place(always: int, tmp_path: Path) -> None:
    other = helper.make_node("Conv", ["x", "w"], ["d"], pads=[1] * 4)
    joined = helper.make_node("Concat", ["r", "d"], ["j"], axis=1)
    last = helper.make_node("MaxPool", ["j"], ["y"], kernel_shape=[2, 2])
    nodes = [BOUNDED, other, joined, last]
    found = opened(network(nodes, size=(8, 8), pads=[1] * 4))
    assert [o.op_class for o in found.program.operators if o.task is None] == ["concatenate"]
    assert_agrees(found, compiled(found, {}, tmp_path))
