"""A module that was made wrongly is caught, whatever made it so, on inputs that show it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnxslim
import pytest
from onnx import ModelProto, TensorProto, helper, numpy_helper, parser

from engine.deploy.bench import BenchResult
from engine.deploy.compile import compile_program
from engine.deploy.remote_bench import bench_target
from engine.judge import examining
from engine.judge.examining import examine
from engine.models.rewriting.emit import Emitter
from engine.models.rewriting.rules import RULES
from engine.records.errors import TuningError
from engine.records.network import Judged
from tests.engine.tasks.programs import opened


def model(*nodes: str, element: int = TensorProto.FLOAT, **weights: Any) -> ModelProto:
    graph = helper.make_graph(
        [parser.parse_node(node) for node in nodes],
        "g",
        [helper.make_tensor_value_info("x", element, [4, 8])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(np.asarray(array), name) for name, array in weights.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def judged(proto: ModelProto, folder: Path) -> Judged:
    made = opened(proto)
    compile_program(made.program, {}, tuple(name for name, _ in made.prepared.outputs), folder)
    return examine(made.prepared, made.program, folder, 0, 0.0)[1]


def wrong(found: Judged) -> list[str]:
    return [one.draw for one in found.verdicts if one.wrong]


def test_a_module_that_is_right_is_right_on_all_draws(tmp_path: Path) -> None:
    found = judged(
        model("a = Tanh(x)", "y = MatMul(a, w)", w=np.eye(8, dtype=np.float32)), tmp_path
    )
    assert found.reference == "ONNX Runtime"
    assert wrong(found) == []
    assert [one.draw for one in found.verdicts] == [
        "standard normal",
        "zeros",
        "normal times 50",
        "around 1000",
        "some NaN",
        "some infinities",
    ]
    assert all(one.difference is not None for one in found.verdicts)


@pytest.mark.parametrize(
    ("node", "shape"),
    [
        ("y = MaxPool <kernel_shape = [2, 2], strides = [2, 2]> (r)", [1, 1, 4, 8]),
        ("y = MaxPool <kernel_shape = [3, 3], pads = [1, 1, 1, 1]> (r)", [1, 1, 4, 8]),
        ("y = MaxPool <kernel_shape = [3]> (r)", [1, 2, 16]),
        ("y = GlobalMaxPool(r)", [1, 4, 2, 4]),
    ],
)
def test_the_largest_of_a_window_with_nan_is_nobodys_fault(
    node: str, shape: list[int], tmp_path: Path
) -> None:
    found = judged(model("r = Reshape(x, s)", node, s=np.array(shape)), tmp_path)
    assert wrong(found) == []


def test_a_fault_in_a_rewriting_rule_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def capped(emit: Emitter) -> None:
        """A Neg that is right as long as nobody exceeds 6."""
        below = emit("Min", emit.input(0), emit.constant(6, np.float32))
        emit("Sub", emit.constant(0, np.float32), below, out=emit.output(0))

    monkeypatch.setitem(RULES, ("", "Neg"), capped)
    found = judged(model("y = Neg(x)"), tmp_path)
    assert "standard normal" not in wrong(found)
    assert {"normal times 50", "around 1000"} <= set(wrong(found))
    assert found.wrong is not None
    assert float(found.wrong.ours) == -6 > float(found.wrong.theirs)


def test_a_fault_in_what_the_simplifier_made_is_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    slim = onnxslim.slim

    def faulty(proto: ModelProto, **options: Any) -> ModelProto:
        made: ModelProto = slim(proto, **options)
        for node in made.graph.node:
            if node.op_type == "Neg":
                node.op_type = "Abs"
        return made

    monkeypatch.setattr(onnxslim, "slim", faulty)
    found = judged(model("a = Neg(x)", "y = Exp(a)"), tmp_path)
    assert "standard normal" in wrong(found)


def test_a_module_that_dies_on_a_draw_is_told_by_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = bench_target

    def dying(*args: Any, others: Any = (), **options: Any) -> BenchResult:
        if any(not inputs["x"].any() for inputs in [args[2], *others]):
            raise TuningError("Its process died (SIGFPE).")
        return real(*args, others=others, **options)

    monkeypatch.setattr(examining, "bench_target", dying)
    found = judged(model("y = Exp(x)"), tmp_path)
    assert wrong(found) == ["zeros"]
    assert found.wrong is not None
    assert "SIGFPE" in found.wrong.note


def test_whole_numbers_are_divided_by_what_is_not_zero(tmp_path: Path) -> None:
    proto = model(
        "a = Div(w, x)",
        "y = Cast <to = 1> (a)",
        element=TensorProto.INT32,
        w=np.array([7, -7, 9, -9, 1, 0, 5, 100], np.int32),
    )
    found = judged(proto, tmp_path)
    assert wrong(found) == []
    assert "whole numbers" in [one.draw for one in found.verdicts]


def test_without_a_reference_the_latency_is_measured_all_the_same(tmp_path: Path) -> None:
    from dataclasses import replace

    from engine.models.prepare import PreparedModel

    made = opened(model("y = Exp(x)"))
    compile_program(made.program, {}, ("y",), tmp_path)
    assert isinstance(made.prepared, PreparedModel)
    alone = replace(made.prepared, reference=None)
    result, found = examine(alone, made.program, tmp_path, 0, 0.01)
    assert result.latency_s > 0
    assert result.others == ()
    assert found == Judged("")
