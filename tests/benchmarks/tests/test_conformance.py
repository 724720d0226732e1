"""ONNX's own operator tests, by the way that a person's model goes."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from engine.records.errors import ModelError
from engine.targets.targets import resolve
from engine.workers.watched import Limits
from tests.benchmarks.conformance import examine as examining
from tests.benchmarks.conformance.__main__ import LIMITS, examined
from tests.benchmarks.conformance.cases import (
    LESS_EXACT,
    NO_FIXED_SHAPES,
    NO_NUMBERS,
    Case,
    Tolerance,
    chosen,
    few,
    folder_cases,
    operator_cases,
)
from tests.benchmarks.conformance.constants import constant_inputs
from tests.benchmarks.conformance.exact import exact_outputs, nearer
from tests.benchmarks.conformance.examine import (
    Outcome,
    Verdict,
    differs,
    examine,
    is_sentence,
    with_constants,
)
from tests.benchmarks.conformance.results import STORED, Examined, listing, report_of, tables

EXACT = Tolerance(0.0, 0.0)


def doubled(name: str = "doubled", operator: str = "Add") -> Case:
    """y = x + x, with its right answer."""
    ends = [helper.make_tensor_value_info(end, TensorProto.FLOAT, [2]) for end in "xy"]
    graph = helper.make_graph(
        [helper.make_node(operator, ["x", "x"], ["y"])], name, ends[:1], ends[1:]
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20)])
    x = np.array([1, 2], np.float32)
    return Case(name, operator, model.SerializeToString(), {"x": x}, {"y": x + x}, EXACT)


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return operator_cases()


def test_there_is_a_case_for_each_operator_and_for_its_function_written_out(
    cases: list[Case],
) -> None:
    softmax = [case for case in cases if case.operator == "Softmax"]
    assert {case.name.partition("_expanded")[1] for case in softmax} == {"", "_expanded"}
    assert len({case.operator for case in cases}) > 190


def test_what_exporters_write_as_constants_is_no_input(cases: list[Case]) -> None:
    for name, constant in (("test_slice", "starts"), ("test_center_crop_pad_crop", "shape")):
        (case,) = (case for case in cases if case.name == name)
        proto = with_constants(onnx.load_from_string(case.model), case)
        assert constant in {tensor.name for tensor in proto.graph.initializer}
        assert "x" in {value.name for value in proto.graph.input}


def test_an_input_that_is_a_constant_is_one_in_the_written_out_function(cases: list[Case]) -> None:
    (case,) = (case for case in cases if case.name == "test_affine_grid_2d_expanded")
    assert case.constants == {"size"}


def test_data_and_weights_stay_inputs(cases: list[Case]) -> None:
    for name in ("test_basic_conv_with_padding", "test_add", "test_where_example"):
        (case,) = (case for case in cases if case.name == name)
        assert not constant_inputs(onnx.load_from_string(case.model))


def test_an_input_is_declared_with_the_shape_of_what_is_given_for_it(cases: list[Case]) -> None:
    (case,) = (case for case in cases if case.name == "test_castlike_FLOAT_to_DOUBLE")
    proto = with_constants(onnx.load_from_string(case.model), case)
    declared = {
        value.name: tuple(dim.dim_value for dim in value.type.tensor_type.shape.dim)
        for value in proto.graph.input
    }
    assert declared == {name: array.shape for name, array in case.inputs.items()}


def test_cases_without_numbers_or_fixed_shapes_are_not_counted(cases: list[Case]) -> None:
    skipped = {case.name: case.skipped for case in cases}
    assert skipped["test_string_concat"] == NO_NUMBERS
    assert skipped["test_sequence_insert_at_back"] == NO_NUMBERS
    assert skipped["test_nonzero_example"] == NO_FIXED_SHAPES
    assert not skipped["test_relu"]


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("Relu", {"test_relu", "test_leakyrelu"}),
        ("test_re*", {"test_relu", "test_resize"}),
        ("Resize", {"test_resize"}),
    ],
)
def test_a_pattern_is_an_operator_or_part_of_a_name(pattern: str, names: set[str]) -> None:
    listed = [doubled(name) for name in ("test_relu", "test_leakyrelu", "test_resize")]
    assert {case.name for case in chosen(listed, pattern)} == names


def test_few_are_the_last_of_each_operator() -> None:
    listed = [doubled(f"add_{place}") for place in "abc"] + [doubled("mul", "Mul")]
    listed += [doubled("add_c_expanded"), replace(doubled("add_d"), skipped=NO_NUMBERS)]
    assert [case.name for case in few(listed)] == ["add_c", "mul"]


@pytest.mark.parametrize(
    "text",
    [
        "TVM cannot import m: Pow (node y): R.power(x, e) uses datatype T.float32.",
        "TVM cannot import m: ir.Op(span=None, ty=ir.Type(span=None)).",
        "TVM cannot import m: Slice (node y): object of type 'NoneType' has no len().",
        "TVM cannot lower the model: Cannot find a block with the name: root.",
        "<class 'tvm.tirx.expr.IntImm'> is no shape.",
        "The value at 0x7f11aa00 is lost.",
    ],
)
def test_the_importers_own_words_are_no_sentence(text: str) -> None:
    assert not is_sentence(text)


def test_a_refusal_that_names_operator_node_and_reason_is_one() -> None:
    assert is_sentence(
        "TVM cannot import TreeEnsemble (Y): it compares by BRANCH_LEQ. "
        "Replace it in the model, or export it again without it."
    )


@pytest.mark.parametrize(
    ("found", "right", "said"),
    [
        ([1.0, 2.0], [1.0, 2.0], ""),
        ([np.nan, np.inf], [np.nan, np.inf], ""),
        ([1.0, 2.0], [1.0, 3.0], "y at (1,) is 2.0, not 3.0"),
        ([1.0, 0.0], [1.0, np.nan], "y at (1,) is 0.0, not nan"),
        ([1.0], [1.0, 3.0], "y is float64[1], not float64[2]"),
    ],
)
def test_a_difference_is_told_with_its_place(
    found: list[float], right: list[float], said: str
) -> None:
    assert differs({"y": np.array(found)}, {"y": np.array(right)}, EXACT) == said


def test_an_output_of_another_type_differs() -> None:
    y = np.array([1, 2])
    assert differs({"y": y.astype(np.int32)}, {"y": y}, EXACT) == "y is int32[2], not int64[2]"


def examined_here(case: Case) -> Verdict:
    return examine(lambda text: None, case, resolve("cpu"))


def test_a_case_is_right_or_wrong_by_its_expected_outputs() -> None:
    case = doubled()
    assert examined_here(case) == Verdict(Outcome.RIGHT)
    off = replace(case, expected={"y": case.inputs["x"]}, needs_reference=False)
    assert examined_here(off) == Verdict(Outcome.WRONG, "y at (1,) is 4.0, not 2.0")


def test_a_case_that_onnx_runtime_does_not_pass_is_tried_and_not_counted() -> None:
    case = replace(doubled(), expected={"y": np.zeros(2, np.float32)})
    verdict = examined_here(case)
    assert (verdict.outcome, verdict.skipped[:13]) == (Outcome.WRONG, "ONNX Runtime:")


def of_halves(expected: list[float]) -> Case:
    """y = x + x in float16 for x = 1, 2, with these values as the right ones."""
    case = doubled()
    proto = onnx.load_from_string(case.model)
    for value in (*proto.graph.input, *proto.graph.output):
        value.type.tensor_type.elem_type = TensorProto.FLOAT16
    x, y = case.inputs["x"].astype(np.float16), np.array(expected, np.float16)
    return replace(case, model=proto.SerializeToString(), inputs={"x": x}, expected={"y": y})


def test_a_case_of_halves_is_evaluated_in_float64() -> None:
    exact = exact_outputs(of_halves([2, 4]))
    assert exact is not None
    assert exact["y"].dtype == np.float64
    assert exact["y"].tolist() == [2, 4]


@pytest.mark.parametrize(
    ("expected", "found", "excused"),
    [
        ([2.002, 4], [2, 4], True),
        ([2.002, 4], [1.999, 4], True),
        ([2.002, 4], [2.004, 4], False),
        ([2.002, 4], [2, 4.004], False),  # the other place is right in the case and not in ours
        ([2, 4], [2, 4.004], False),
    ],
)
def test_only_what_lies_further_from_the_exact_result_is_wrong(
    expected: list[float], found: list[float], excused: bool
) -> None:
    assert nearer(of_halves(expected), {"y": np.array(found, np.float16)}) == excused


def test_a_case_of_float32_is_never_excused() -> None:
    case = replace(doubled(), expected={"y": np.array([2.1, 4], np.float32)})
    assert not nearer(case, {"y": np.array([2, 4], np.float32)})


def test_a_case_whose_expected_output_is_less_exact_is_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(examining, "_reference_fails", lambda case: "")
    verdict = examined_here(of_halves([2.002, 4]))
    assert (verdict.outcome, verdict.skipped) == (Outcome.WRONG, LESS_EXACT)


@pytest.mark.parametrize(
    ("error", "outcome"),
    [
        (ModelError("It has no shape.", "Give one."), Outcome.REFUSED),
        (ModelError("It is R.Tensor((2,))."), Outcome.NO_SENTENCE),
        (KeyError("W"), Outcome.NO_SENTENCE),
    ],
)
def test_what_is_raised_is_a_refusal_only_in_a_persons_words(
    error: Exception, outcome: Outcome, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*ignored: object) -> str:
        raise error

    monkeypatch.setattr(examining, "_tried", refuse)
    assert examined_here(doubled()).outcome is outcome


def test_a_case_that_crashes_or_hangs_its_worker_is_one_row() -> None:
    (hung,) = examined([doubled()], 1, Limits(4 << 30, 0.0))
    assert "took over 0 s" in f"{hung[1].reason}{hung[1].skipped}"


def test_a_folder_of_models_and_arrays_is_tried_as_well(tmp_path: Path) -> None:
    case = doubled()
    (tmp_path / "one.onnx").write_bytes(case.model)
    np.savez(tmp_path / "one.npz", in_x=case.inputs["x"], out_y=case.expected["y"])
    (found,) = folder_cases(tmp_path)
    assert (found.name, found.operator) == ("one", "Add")
    assert examined_here(found) == Verdict(Outcome.RIGHT)


def test_the_report_counts_by_operator_and_lists_what_is_not_right() -> None:
    rows: list[Examined] = [
        (doubled("a"), Verdict(Outcome.RIGHT)),
        (doubled("b"), Verdict(Outcome.WRONG, "y is off")),
        (doubled("c", "Mul"), Verdict(Outcome.REFUSED, "no", "ONNX Runtime: no")),
    ]
    report = report_of(rows)
    assert [goal.value for goal in report.goals] == [1, 0, 0.5]
    assert report.details["not_counted"] == {"refused": 1}
    assert report.details["operators"]["Add"]["right"] == 1
    assert [row["case"] for row in report.details["not_right"]] == ["b", "c"]
    assert "b: WRONG y is off" in listing(rows)
    assert "share that is right" in tables(rows)[0]


def not_right() -> set[str]:
    """The cases that were not right when all were tried last."""
    return {row["case"] for row in json.loads(STORED.read_text())["details"]["not_right"]}


@pytest.mark.slow
def test_a_case_of_each_operator_is_right_or_refused_as_it_was(cases: list[Case]) -> None:
    rows = examined(few(cases), 2)
    wrong, silent, _ = report_of(rows).goals
    assert wrong.met and silent.met, listing(rows)
    known = not_right()
    lost = [row for row in rows if row[1].outcome is not Outcome.RIGHT and row[0].name not in known]
    assert not lost, listing(lost)


@pytest.mark.long
def test_every_case_is_right_or_refused_and_nearly_all_are_right(cases: list[Case]) -> None:
    rows = examined(cases, os.cpu_count() or 1, LIMITS)
    missed = [goal for goal in report_of(rows).goals if not goal.met]
    assert not missed, listing(rows)
