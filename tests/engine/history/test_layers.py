"""Layers: called as the file calls them, with the times and parameters of their operators."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from engine.history.history import History
from engine.history.layers import Layer, layer_times, layers, slowest_first
from engine.records.network import Fate, FileNode, Operator
from engine.records.snapshot import Snapshot
from engine.records.task import Task, TensorSpec
from tests.engine.tasks.networks import NETWORKS
from tests.engine.tasks.programs import network
from tests.samples import make_trial, squeezenet_like_snapshot


def tensor(*shape: int, dtype: str = "float32") -> TensorSpec:
    return TensorSpec(shape, dtype)


def task(index: int, op_class: str, *args: TensorSpec, weight: int = 1) -> Task:
    """One of 1 MFLOP and 1 ms untuned; its last argument is its output."""
    return Task(index, op_class, weight, 1e6, op_class, args, f"{index:064}", "", 1e-3)


def project(
    tasks: tuple[Task, ...], operators: tuple[Operator, ...], nodes: tuple[FileNode, ...] = ()
) -> Snapshot:
    return Snapshot("", "net", "", "llvm", tasks, operators, (), file_nodes=nodes)


IMAGE, TILES = tensor(1, 8, 8, 16), tensor(16, 16, 16)
BIAS, KERNEL, TURNED = tensor(1, 1, 1, 16), tensor(16, 3, 3, 16), tensor(16, 16, 16)
TASKS = (
    task(0, "conv2d_add_relu", IMAGE, KERNEL, BIAS, IMAGE, weight=2),
    task(1, "winograd_input", IMAGE, TILES),
    task(2, "matmul", TILES, TURNED, TILES),
    task(3, "winograd_output", TILES, BIAS, IMAGE),
)
OPERATORS = tuple(
    Operator(number, TASKS[index].name, TASKS[index].op_class, index, inputs, output, 1e6)
    for number, (index, inputs, output) in enumerate(
        [(0, (), IMAGE), (0, (0,), IMAGE), (1, (1,), TILES), (2, (2,), TILES), (3, (3,), IMAGE)]
    )
)
PLACED = Operator(5, "concatenate", "concatenate", None, (1, 4), tensor(1, 8, 8, 32))
CHANNELS_FIRST = tensor(1, 16, 8, 8)
NODES = (
    FileNode(0, "first", "Conv", (), CHANNELS_FIRST, (0,), Fate.OPERATORS),
    FileNode(1, "r1", "Relu", (0,), CHANNELS_FIRST, (0,), Fate.OPERATORS),
    FileNode(2, "second", "Conv", (1,), None, (1,), Fate.MERGED),
    FileNode(3, "bn", "BatchNormalization", (2,), CHANNELS_FIRST, (1,), Fate.OPERATORS),
    FileNode(4, "third", "Conv", (3,), CHANNELS_FIRST, (2, 3, 4), Fate.OPERATORS),
    FileNode(5, "join", "Concat", (3, 4), tensor(1, 32, 8, 8), (5,), Fate.OPERATORS),
)
NET = project(TASKS, (*OPERATORS, PLACED), NODES)


def named(snapshot: Snapshot) -> dict[str, Layer]:
    return {layer.name: layer for layer in layers(snapshot)}


def test_a_layer_has_all_operators_that_one_node_leads_under_its_name() -> None:
    found = layers(NET)
    assert [layer.name for layer in found] == ["first", "second", "third", "join"]
    assert [layer.operators for layer in found] == [(0,), (1,), (2, 3, 4), (5,)]
    assert [layer.place for layer in found] == [0, 1, 2, 3]
    assert found[2].kind == "winograd_input, matmul, winograd_output"
    assert found[1].origin == "Conv second, BatchNormalization bn"


def test_its_shape_is_the_file_s_and_its_type_the_kernel_s() -> None:
    assert str(named(NET)["first"].output) == "1x16x8x8 float32"
    half = replace(OPERATORS[0], output=tensor(1, 8, 8, 16, dtype="float16"))
    assert str(layers(replace(NET, operators=(half,)))[0].output) == "1x16x8x8 float16"
    tiles = replace(OPERATORS[0], output=tensor(16, 4, 5))
    assert str(layers(replace(NET, operators=(tiles,)))[0].output) == "16x4x5 float32"


def test_layers_of_one_task_have_a_row_each_and_share_its_time() -> None:
    history = History(replace(NET, trials=(make_trial(1, 0, 2.5e-4),)))
    first, second, third, join = layer_times(layers(NET), history, 8e9)
    assert first == second
    assert (first.untuned_s, first.now_s, first.speedup) == (1e-3, 2.5e-4, 4.0)
    assert third.untuned_s == third.now_s == pytest.approx(3e-3)
    assert first.peak_share == pytest.approx(0.5)
    assert third.peak_share == pytest.approx(0.125)
    assert join == type(join)()
    known = [each.share for each in (first, second, third) if each.share is not None]
    assert sum(known) == pytest.approx(1.0)


def test_without_a_peak_or_a_latency_what_follows_from_it_is_not_known() -> None:
    (times, *_) = layer_times(layers(NET), History(NET), None)
    assert times.peak_share is None and times.share is not None
    unknown = tuple(replace(each, untuned_latency_s=None) for each in TASKS)
    (times, *_) = layer_times(layers(NET), History(replace(NET, tasks=unknown)), 1e9)
    assert times == type(times)()


def test_the_slowest_comes_first_and_what_is_not_known_last() -> None:
    found = layers(NET)
    ordered = slowest_first(found, layer_times(found, History(NET), None))
    assert [layer.name for layer, _ in ordered] == ["third", "first", "second", "join"]


def test_without_nodes_of_a_file_each_operator_is_a_layer() -> None:
    snapshot = squeezenet_like_snapshot()
    found = layers(snapshot)
    assert [layer.name for layer in found] == [each.name for each in snapshot.operators]
    assert {layer.origin for layer in found} == {""}
    times = layer_times(found, History(snapshot), None)
    assert sum(each.share or 0.0 for each in times) == pytest.approx(1.0)


def test_a_convolution_that_was_turned_into_a_product_has_the_parameters_of_the_file() -> None:
    assert {name: layer.parameters for name, layer in named(NET).items()} == {
        "first": 16 * 16 * 9 + 16,
        "second": 16 * 16 * 9 + 16,
        "third": 16 * 16 * 9 + 16,
        "join": None,
    }


@pytest.mark.parametrize(
    ("op_class", "args", "inputs", "parameters"),
    [
        ("add_relu", (IMAGE, IMAGE, IMAGE), (0, 1), 0),
        ("multiply_add", (IMAGE, BIAS, BIAS, IMAGE), (0,), 32),
        ("add", (IMAGE, IMAGE, IMAGE), (0,), None),  # the other may be an input of the model
        ("cast_add", (IMAGE, tensor(16, dtype="int64"), IMAGE), (0,), None),
        ("matmul", (IMAGE, tensor(1, 16, 8, 8), IMAGE), (0,), None),
        ("matmul_add", (tensor(8, 4), tensor(4, 2), tensor(1, 2), tensor(8, 2)), (), 10),
        ("take", (tensor(40, 4), tensor(2, dtype="int64"), tensor(2, 4)), (), 160),
        ("relu", (IMAGE, IMAGE), (), 0),
        ("split", (IMAGE, IMAGE, tensor(1, 8)), (0,), None),
        ("add", (BIAS, IMAGE), (0,), None),
        ("add", (), (), None),
    ],
)
def test_parameters_are_told_where_they_are_surely_none_of_the_data(
    op_class: str, args: tuple[TensorSpec, ...], inputs: tuple[int, ...], parameters: int | None
) -> None:
    before = tuple(replace(OPERATORS[0], id=number) for number in range(2))
    output = IMAGE if op_class == "split" or not args else args[-1]
    own = Operator(2, op_class, op_class, 1, inputs, output, 1.0)
    snapshot = project((TASKS[0], task(1, op_class, *args)), (*before, own))
    assert layers(snapshot)[2].parameters == parameters


@pytest.mark.parametrize("name", ["batch_norm", "depthwise", "transposed_conv", "dense"])
def test_the_parameters_of_real_networks_add_up_to_their_files(name: str) -> None:
    made, proto = network(name), NETWORKS[name]()
    found = layers(project(made.program.tasks, made.program.operators, made.file_nodes))
    sizes = {each.name: math.prod(each.dims) for each in proto.graph.initializer}
    stored = sum(sizes.values())
    if name == "batch_norm":  # its four vectors are one bias
        stored -= 3 * sizes["g"]
    assert sum(layer.parameters or 0 for layer in found) == stored
    assert {node.name for node in made.file_nodes} >= {layer.name for layer in found if layer.nodes}
