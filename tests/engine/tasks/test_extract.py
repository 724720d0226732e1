"""Tasks: classes, weights, FLOPs, fingerprints, and the operators they belong to."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from onnx import ModelProto, TensorProto

from engine.records.task import Task, TensorSpec
from engine.targets.targets import resolve
from engine.tasks import extract as extracting
from engine.tasks.extract import Program, operator_class
from tests.engine.models.build import model, save
from tests.engine.tasks import networks
from tests.engine.tasks.networks import NETWORKS
from tests.engine.tasks.programs import network, program


def task(found: Program, op_class: str) -> Task:
    """The only task of a class."""
    (one,) = [task for task in found.tasks if task.op_class == op_class]
    return one


@pytest.mark.parametrize(
    ("kernel", "op_class"),
    [
        ("conv2d", "conv2d"),
        ("conv2d7", "conv2d"),
        ("fused_conv2d7_add4_relu4", "conv2d_add_relu"),
        ("max_pool2d3", "max_pool2d"),
        ("conv1d12", "conv1d"),
        ("avg_pool3d1", "avg_pool3d"),
        ("adaptive_avg_pool2d", "adaptive_avg_pool2d"),
        ("adaptive_avg_pool2d1", "adaptive_avg_pool2d"),
        ("fused_dense2_add", "dense_add"),
        ("lrn1", "lrn"),
        ("conv2d_transpose1", "conv2d_transpose"),
        ("contrib_conv2d_NCHWc5", "contrib_conv2d_NCHWc"),
        ("fused_contrib_sort3_cast", "contrib_sort_cast"),
        ("tir_sigmoid", "sigmoid"),
        ("fused_conv2d1_tir_sigmoid_multiply", "conv2d_sigmoid_multiply"),
        ("tir", "tir"),
        ("resize2d1", "resize2d"),
    ],
)
def test_a_kernels_class_is_its_operators_without_counters(kernel: str, op_class: str) -> None:
    assert operator_class(kernel) == op_class


@given(st.lists(st.sampled_from(["add", "conv2d", "add_1", "relu_2", "add_add"]), max_size=12))
def test_titles_are_unique_and_a_single_class_keeps_its_name(classes: list[str]) -> None:
    titles = extracting.task_titles(classes)
    assert len(set(titles)) == len(titles) == len(classes)
    for name, title in zip(classes, titles, strict=True):
        assert title.startswith(name)
        assert (title == name) == (classes.count(name) == 1)


@pytest.mark.parametrize("name", sorted(NETWORKS))
def test_every_networks_tasks_and_operators_fit_together(name: str) -> None:
    found = network(name).program
    assert [task.index for task in found.tasks] == list(range(len(found.tasks)))
    assert len({task.name for task in found.tasks}) == len(found.tasks)
    assert len({task.fingerprint for task in found.tasks}) == len(found.tasks)
    assert len(found.workloads) == len(found.tasks)
    assert [op.id for op in found.operators] == list(range(len(found.dataflow.steps)))
    for op in found.operators:
        assert all(source < op.id for source in op.inputs)
        assert len(set(op.inputs)) == len(op.inputs)
        assert op.task is not None
        assert found.tasks[op.task].name == op.name
    for one in found.tasks:
        assert one.weight == sum(op.task == one.index for op in found.operators)
        assert json.loads(one.workload)
        assert one.flops >= 0


def test_equal_workloads_are_one_task_whose_weight_counts_them() -> None:
    found = network("twin_convs").program
    conv = task(found, "conv2d_relu")
    assert conv.weight == 2
    assert [op.id for op in found.operators if op.task == conv.index] == [1, 2]


def test_convolutions_of_different_shapes_are_different_tasks() -> None:
    names = {task.name for task in network("depthwise").program.tasks}
    assert {"conv2d_1", "conv2d_2"} <= names


@pytest.mark.parametrize(
    ("source", "kernel", "attributes", "pixels"),
    [
        ((1, 3, 8, 8), (4, 3, 3, 3), {"pads": [1, 1, 1, 1]}, 64),
        ((1, 3, 8, 8), (4, 3, 3, 3), {}, 36),
        ((2, 8, 9, 7), (5, 8, 1, 1), {}, 2 * 63),
        ((1, 8, 8, 8), (16, 4, 3, 3), {"pads": [1, 1, 1, 1], "group": 2}, 64),
        ((1, 16, 8, 8), (16, 1, 3, 3), {"pads": [1, 1, 1, 1], "group": 16}, 64),
        ((1, 4, 9, 9), (8, 4, 3, 3), {"strides": [2, 2]}, 16),
        ((1, 4, 9, 9), (8, 4, 3, 3), {"dilations": [2, 2]}, 25),
    ],
)
def test_a_convolutions_flops_are_two_for_each_multiply_add(
    source: tuple[int, ...],
    kernel: tuple[int, ...],
    attributes: dict[str, Any],
    pixels: int,
) -> None:
    found = program(networks.conv_only(source, kernel, **attributes))
    out_channels, in_channels, height, width = kernel
    assert task(found, "conv2d").flops == 2 * pixels * out_channels * in_channels * height * width


def test_what_is_fused_to_a_convolution_is_counted_too() -> None:
    conv = task(network("conv_bias_relu").program, "conv2d_add_relu")
    assert conv.flops == 2 * 64 * 32 * 16 * 9 + 2 * 64 * 32


def test_a_dense_layers_flops_and_arguments() -> None:
    dense = task(network("dense").program, "matmul")
    assert dense.flops == 2 * 2 * 64 * 10
    assert dense.args == tuple(
        TensorSpec(shape, "float32") for shape in ((2, 64), (64, 10), (2, 10))
    )


def test_what_an_inference_reads_of_the_weights_is_known() -> None:
    """Of the table only the rows that are looked up; of a product used twice its weights twice."""
    nodes = [
        networks.node("Gather", "table ids", "rows"),
        networks.node("MatMul", "rows w", "a"),
        networks.node("MatMul", "a w", "y"),
    ]
    kept = {"table": networks.weight(1000, 32), "w": networks.weight(32, 32)}
    found = program(
        model(nodes, [("ids", TensorProto.INT64, [6])], [("y", networks.FLOAT, [6, 32])], kept)
    )
    places = dict(zip((one.op_class for one in found.tasks), found.weights, strict=True))
    assert places == {"less_add_where": (), "take": (0,), "matmul": (1,)}
    assert found.weight_bytes == 4 * (6 * 32 + 2 * 32 * 32)


def test_all_outputs_of_a_kernel_are_among_its_arguments() -> None:
    args = task(network("split").program, "split").args
    assert [spec.shape for spec in args] == [(1, 8, 4), (1, 4, 4), (1, 4, 4)]


def test_a_kernel_that_tvm_cannot_count_has_no_flops(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: object) -> float:
        raise RuntimeError("a while loop")

    monkeypatch.setattr("tvm.s_tir.analysis.estimate_tir_flops", fail)
    assert task(program(networks.concat()), "relu_concatenate").flops == 0


def test_batch_normalisation_leaves_no_operator_of_its_own() -> None:
    classes = [op.op_class for op in network("batch_norm").program.operators]
    assert classes == ["transpose", "conv2d_add_relu", "transpose"]


@pytest.mark.parametrize(
    ("name", "classes"),
    [
        ("dense", {"matmul_add_relu", "matmul"}),
        ("attention", {"transpose", "matmul", "softmax"}),
        ("transposed_conv", {"transpose", "conv2d_relu", "conv2d_transpose"}),
        ("scan_and_dense", {"matmul", "cumsum", "topk"}),
    ],
)
def test_operators_keep_their_names(name: str, classes: set[str]) -> None:
    assert {op.op_class for op in network(name).program.operators} == classes


def test_an_operator_reads_what_is_behind_a_view() -> None:
    operators = network("reshape_between").program.operators
    assert [op.inputs for op in operators] == [(), (0,)]
    assert operators[1].output == TensorSpec((3, 4), "float32")


# Fingerprints


def prints(proto: ModelProto, target: str = "cpu") -> list[str]:
    """The fingerprints of a model's tasks."""
    return [task.fingerprint for task in program(proto, resolve(target)).tasks]


def test_fingerprints_are_the_same_in_another_process(tmp_path: Path) -> None:
    path = save(networks.conv_bias_relu(), tmp_path / "m.onnx")
    code = f"""
import json
from engine.jobs.opening.open_worker import open_here
from engine.records.source import ModelSource
from engine.targets.targets import resolve
opened = open_here(ModelSource("file", {str(path)!r}), resolve({resolve("cpu").text!r}))
print(json.dumps([task.fingerprint for task in opened.program.tasks]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    ours = [task.fingerprint for task in network("conv_bias_relu").program.tasks]
    assert json.loads(done.stdout) == ours
    assert all(len(text) == 64 for text in ours)


def test_fingerprints_do_not_depend_on_weights_or_names() -> None:
    other = networks.residual()
    for tensor in other.graph.initializer:
        tensor.raw_data = bytes(len(tensor.raw_data))
    other.graph.name = "other"
    assert prints(other) == [task.fingerprint for task in network("residual").program.tasks]


def test_fingerprints_differ_by_shape_and_dtype() -> None:
    shapes = [(1, 16, 8, 8), (1, 16, 8, 9), (2, 16, 8, 8)]
    protos = [networks.conv_only(shape, (32, 16, 3, 3)) for shape in shapes]
    protos.append(networks.conv_only((1, 16, 8, 8), (32, 16, 3, 3), "float16"))
    sets = [set(prints(proto)) for proto in protos]
    for index, one in enumerate(sets):
        assert all(one.isdisjoint(other) for other in sets[:index])


def test_fingerprints_differ_by_target() -> None:
    one = '{"kind": "llvm", "num-cores": 1}'
    assert set(prints(networks.concat())).isdisjoint(prints(networks.concat(), one))
