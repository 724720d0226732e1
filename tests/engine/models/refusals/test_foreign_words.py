"""Messages of libraries, made readable."""

from __future__ import annotations

import pytest

from engine.models.refusals.foreign_words import plain

ORT = "[ONNXRuntimeError] : 1 : FAIL : "
SOURCE = "/onnxruntime_src/onnxruntime/core/providers/cpu/tensor/reshape_helper.h:91 "


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            f"{ORT}Non-zero status code returned while running Div node. Name:'d' Status Message: "
            "element_wise_ops.cc:703 Compute Integer division by zero",
            "Div (node d): Integer division by zero",
        ),
        (
            f"{ORT}Non-zero status code returned while running Reshape node. Name:'' "
            f"Status Message: {SOURCE}onnxruntime::ReshapeHelper::ReshapeHelper(const "
            "onnxruntime::TensorShape&, onnxruntime::TensorShapeVector&, bool) "
            "input_shape_size == size was false. The input tensor cannot be reshaped.\n",
            "Reshape: The input tensor cannot be reshaped",
        ),
        (
            f"{ORT}Node (m) Op (MatMul) [ShapeInferenceError] Incompatible dimensions",
            "MatMul (node m): Incompatible dimensions",
        ),
        (
            '[ONNXRuntimeError] : 10 : INVALID_GRAPH : This is an invalid model. In Node, ("c", '
            'Concat, "", -1) : ("a": tensor(float),) -> ("y": tensor(float),) , Error Required '
            "attribute 'axis' is missing.",
            "Concat (node c): Required attribute 'axis' is missing",
        ),
        (
            f"{ORT}Unexpected input type. Actual: (tensor(double)) , expected: (tensor(float))",
            "Unexpected input type. Actual: float64, expected: float32",
        ),
        ("cannot cast <class 'NoneType'> to int", "cannot cast NoneType to int"),
        ("object at 0x7f00aa is gone", "object at is gone"),
        ("two\n  lines.", "two lines"),
        ("Bad node spec for node. Name: c OpType: Concat\n", "Concat c"),
        (
            "input 'z' of node: \nname: r OpType: Relu\n is none.",
            "input 'z' of node: Relu r is none",
        ),
        ("parallel_for error with Check failed: (index != -1) is false: no buffer", "no buffer"),
        ("Check failed: (index != -1) is false:", ""),
        ("", ""),
    ],
)
def test_a_message_loses_what_nobody_can_read(text: str, words: str) -> None:
    assert plain(text) == words


@pytest.mark.parametrize(
    "dump",
    [
        'R.subtract(R.const(1.0, "float32"), lv) uses datatype',
        'ir.Op(span=None, name="relax.sqrt")',
        "relax.op.one_hot(0: ir.Expr)",
        "Cannot cast None to list of Expr",
        "Traceback (most recent call last)",
    ],
)
def test_a_data_structure_is_left_out(dump: str) -> None:
    assert plain(f"It fails: {dump}") == ""


def test_a_long_message_is_cut() -> None:
    assert len(plain("words " * 200)) < 250
