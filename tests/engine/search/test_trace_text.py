"""A trace's text: read without its postprocessors, refused where TVM might crash on it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.search.trace_text import check, parse
from tests.engine.passes.landscape import make_trace

Json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=8,
)


def test_what_postprocessors_did_is_left_out() -> None:
    kinds = [item[0] for item in parse(make_trace()).instructions]
    assert "EnterPostproc" not in kinds
    assert "Parallel" not in kinds
    assert kinds[:2] == ["GetSBlock", "GetLoops"]


def test_traces_that_differ_in_postprocessors_alone_share_a_key() -> None:
    trace = make_trace()
    instructions, decisions = json.loads(trace)
    bare = json.dumps([instructions[:-2], decisions], indent=1)
    assert parse(bare).key == parse(trace).key
    assert parse(make_trace(unroll=1)).key != parse(trace).key


def test_its_text_is_a_trace_again() -> None:
    parsed = parse(make_trace(place=2, parallel=32))
    assert parse(parsed.text) == parsed


def test_what_a_postprocessor_decided_is_left_out() -> None:
    instructions, decisions = json.loads(make_trace())
    decided = json.dumps([instructions, [*decisions, [len(instructions) - 1, 3]]])
    assert parse(decided).key == parse(make_trace()).key


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "[]",
        "[[], [], []]",
        "[[1], []]",
        '[[["Fuse"]], []]',
        "[[], [[0]]]",
        "[" * 9999,
    ],
)
def test_a_text_that_is_no_trace_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="damaged"):
        parse(text)


def changed(place: tuple[int, ...], value: Any) -> str:
    """A trace with one value replaced."""
    trace = json.loads(make_trace())
    inner = trace
    for index in place[:-1]:
        inner = inner[index]
    inner[place[-1]] = value
    return json.dumps(trace)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ((1, 0, 1), [1, 4, 0, 8]),
        ((1, 0, 1), [1, 4, -2, 8]),
        ((1, 0, 1), [1, 4, True, 8]),
        ((1, 0, 1), [1, 4, 2**40, 8]),
        ((1, 0, 1), None),
        ((1, 0, 1), "4"),
        ((1, 0, 0), -1),
        ((1, 0, 0), 0),
        ((1, 0, 0), "2"),
        ((0, 2, 1, 0), "l9"),
        ((0, 2, 1, 0), None),
        ((0, 2, 2, 1), None),
        ((0, 2, 3, 0), "l0"),
        ((0, 2, 3, 0), None),
        ((0, 2, 3), "v"),
        ((0, 2, 0), None),
    ],
)
def test_a_value_that_tvm_may_crash_on_is_refused(place: tuple[int, ...], value: Any) -> None:
    with pytest.raises(ValueError, match="damaged"):
        parse(changed(place, value))


@pytest.mark.parametrize("other", ["None", '"global"', 1, True, [], [1], ["b0"]])
def test_what_is_no_block_and_no_loop_stands_for_none(other: Any) -> None:
    instructions, decisions = json.loads(make_trace())
    for place, (kind, inputs, *rest) in enumerate(instructions):
        names = [name for name in inputs if isinstance(name, str) and name[:1] in "bl"]
        for name in names:
            given = [other if item == name else item for item in inputs]
            changed = [*instructions[:place], [kind, given, *rest], *instructions[place + 1 :]]
            with pytest.raises(ValueError, match="damaged"):
                check(json.dumps([changed, decisions]))


def test_a_loop_is_no_block_and_a_block_no_loop() -> None:
    first = ["GetSBlock", [], ["n", "main"], ["b0"]]
    loops = ["GetLoops", ["b0"], [], ["l0", "l1"]]
    for kind, inputs in (("GetLoops", ["l0"]), ("Fuse", ["b0", "l0"]), ("ComputeAt", ["l0", "b0"])):
        with pytest.raises(ValueError, match="damaged"):
            check(json.dumps([[first, loops, [kind, inputs, [1], ["x0"]]], []]))


@pytest.mark.parametrize("where", ["parallel", "unroll"])
def test_a_limit_below_zero_is_refused(where: str) -> None:
    instructions, decisions = json.loads(make_trace(parallel=32))
    for kind, inputs, attributes, _ in instructions:
        if where == "parallel" and kind == "Annotate" and inputs[1] == 32:
            inputs[1] = -1
        if where == "unroll" and kind == "SampleCategorical":
            attributes[0][0] = -1
    with pytest.raises(ValueError, match="damaged"):
        parse(json.dumps([instructions, decisions]))


@pytest.mark.parametrize("kind", ["UnsafeSetDType", "TransformLayout", "Tensorize", "Nonsense"])
def test_an_instruction_that_may_change_results_is_refused_by_its_name(kind: str) -> None:
    with pytest.raises(ValueError, match=f"uses {kind}"):
        parse(changed((0, 3, 0), kind))


@pytest.mark.parametrize("name", ["pragma_import_llvm", "pragma_import_c", "", 7])
def test_an_annotation_that_could_bring_code_is_refused(name: Any) -> None:
    place = next(i for i, x in enumerate(json.loads(make_trace())[0]) if x[0] == "Annotate")
    with pytest.raises(ValueError, match="annotation"):
        parse(changed((0, place, 2, 0), name))


@settings(max_examples=200, deadline=None)
@given(Json, st.lists(st.integers(0, 4), min_size=1, max_size=4))
def test_whatever_is_damaged_it_is_read_or_refused(value: Any, path: list[int]) -> None:
    trace = json.loads(make_trace())
    inner = trace
    for index in path[:-1]:
        if not isinstance(inner, list) or index >= len(inner):
            return
        inner = inner[index]
    if isinstance(inner, list) and path[-1] < len(inner):
        inner[path[-1]] = value
        try:
            parse(json.dumps(trace))
        except ValueError as error:
            assert str(error).startswith("The trace")


@cache
def layout() -> dict[str, Any]:
    """What TVM writes of an index map: (i, j) -> (j, i * 4 + 1)."""
    import tvm
    from tvm.tirx import IndexMap

    made = IndexMap.from_func(lambda i, j: (j, i * 4 + 1))
    return dict(json.loads(tvm.ir.save_json(made)))


def with_layout(given: Any) -> str:
    """A trace whose postprocessors change a layout by TVM's JSON of an index map."""
    instructions, decisions = json.loads(make_trace())
    text = given if isinstance(given, str) else json.dumps(given)
    step = ["TransformLayout", ["b0", text], [1, 0, None, 0], []]
    return json.dumps([[*instructions, step], decisions])


def test_a_whole_trace_is_taken_with_what_its_postprocessors_did() -> None:
    assert check(make_trace()) == json.loads(make_trace())
    assert check(with_layout(layout())) == json.loads(with_layout(layout()))


@pytest.mark.parametrize("kind", ["tirx.Call", "ir.Op", "script.Anything"])
def test_a_layout_that_calls_something_is_refused(kind: str) -> None:
    nodes = [*layout()["nodes"], {"type": kind}]
    with pytest.raises(ValueError, match="damaged"):
        check(with_layout({**layout(), "nodes": nodes}))


@pytest.mark.parametrize("given", ["", "{", "[]", "{}", '{"nodes": [1]}', '{"nodes": [{}]}'])
def test_a_layout_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(ValueError, match="damaged"):
        check(with_layout(given))


@pytest.mark.parametrize("place", range(4))
@pytest.mark.parametrize("value", [None, -1, 2**31, "a", [0]])
def test_a_layout_of_no_buffer_or_with_a_padding_is_refused(place: int, value: Any) -> None:
    instructions, decisions = json.loads(with_layout(layout()))
    attributes = instructions[-1][2]
    if attributes[place] == value:
        return
    attributes[place] = value
    with pytest.raises(ValueError, match="damaged"):
        check(json.dumps([instructions, decisions]))


def test_a_layout_with_less_than_an_index_map_holds_is_refused() -> None:
    for place in range(len(layout()["nodes"])):
        nodes = [*layout()["nodes"]]
        nodes[place] = {**nodes[place], "data": {}}
        with pytest.raises(ValueError, match="damaged"):
            check(with_layout({**layout(), "nodes": nodes}))


@pytest.mark.parametrize("kind", ["UnsafeSetDType", "Tensorize", "Nonsense"])
def test_a_whole_trace_that_may_change_results_is_refused_by_its_name(kind: str) -> None:
    with pytest.raises(ValueError, match=f"uses {kind}"):
        check(changed((0, 3, 0), kind))


def test_code_that_comes_after_the_postprocessors_begin_is_refused() -> None:
    instructions, decisions = json.loads(make_trace())
    code = ["Annotate", ["b0", '"int f;"'], ["pragma_import_c"], []]
    with pytest.raises(ValueError, match="annotation"):
        check(json.dumps([[*instructions, code], decisions]))


OF_A_LOOP = {
    "Unroll": ([], 0),
    "Vectorize": ([], 0),
    "Parallel": ([], 0),
    "Bind": (["threadIdx.x"], 0),
    "RFactor": ([0], 1),
    "Fuse": ([True], 1),
    "Reorder": ([], 0),
    "Blockize": ([True], 1),
    "AddUnitLoop": ([], 1),
    "GetChildBlocks": ([], 1),
    "Annotate": (["pragma_auto_unroll_max_step"], 0),
    "Split": ([True, False], 2),
    "SamplePerfectTile": ([2, 64], 2),
}


@pytest.mark.parametrize("kind", OF_A_LOOP)
@pytest.mark.parametrize("read", [check, parse])
def test_a_place_that_may_be_no_loop_is_taken_for_none(
    read: Callable[[str], object], kind: str
) -> None:
    """TVM crashes on the loop of a block's place where the block stays or is inlined."""
    attributes, outputs = OF_A_LOOP[kind]
    given = {"Annotate": [1], "Split": [2, 2]}.get(kind, [])
    names = [f"x{turn}" for turn in range(outputs)]
    place = ["SampleComputeLocation", ["b0"], [], ["place"]]
    move = ["ComputeAt", ["b0", "place"], [True, -1], []]
    first = ["GetSBlock", [], ["matmul", "main"], ["b0"]]
    loops = ["GetLoops", ["b0"], [], ["l0"]]
    read(json.dumps([[first, loops, place, move], []]))
    read(json.dumps([[first, loops, [kind, ["l0", *given], attributes, names]], []]))
    with pytest.raises(ValueError, match="damaged"):
        read(json.dumps([[first, place, [kind, ["place", *given], attributes, names]], []]))


ANNOTATIONS: dict[str, tuple[object, list[object]]] = {
    "meta_schedule.parallel": (32, ['"x"', [], [1], -1, 2**31 - 1, 1.5, None, "place"]),
    "meta_schedule.vectorize": (64, ['"64"', [], -1, 2**20, 0.5]),
    "meta_schedule.unroll_explicit": (16, ['"int f;"', [[]], -1]),
    "pragma_auto_unroll_max_step": (512, ['"512"', [512], 2**31 - 1]),
    "meta_schedule.layout_rewrite_preproc": (True, ['"x"', []]),
    "meta_schedule.tiling_structure": ('"SSRSRS"', [1, [], None, "SSRSRS"]),
    "software_pipeline_stage": ([0, 1], ['"x"', 1, ["x"], [-1], [[0]], [2**30]]),
}


@pytest.mark.parametrize("key", ANNOTATIONS)
@pytest.mark.parametrize("read", [check, parse])
def test_an_annotation_of_another_type_or_without_bounds_is_refused(
    read: Callable[[str], object], key: str
) -> None:
    """TVM's postprocessors loop without end on some."""

    def annotated(value: object) -> str:
        first = ["GetSBlock", [], ["root", "main"], ["b0"]]
        return json.dumps([[first, ["Annotate", ["b0", value], [key], []]], []])

    right, wrong = ANNOTATIONS[key]
    read(annotated(right))
    for value in wrong:
        with pytest.raises(ValueError, match="damaged"):
            read(annotated(value))


LOOPS: list[Any] = [["GetSBlock", [], ["matmul", "main"], ["b0"]], ["GetLoops", ["b0"], [], ["l0"]]]


def tile(asked: int, given: int) -> list[Any]:
    return ["SamplePerfectTile", ["l0"], [asked, 64], [f"v{turn}" for turn in range(given)]]


def splits(count: int) -> list[Any]:
    names = ["l0", *(f"x{turn}" for turn in range(count))]
    return [
        ["Split", [names[turn], "None", 1], [True, False], [names[turn + 1], f"y{turn}"]]
        for turn in range(count)
    ]


@pytest.mark.parametrize(
    "more",
    [
        *([tile(asked, 2)] for asked in (-1, 0, 1, 3, 10**6, 2**31 - 1)),
        [tile(4096, 4096)],
        *([["PadEinsum", ["b0"], [[1, 1, size]], []]] for size in (0, -1, 2**20, 2**31 - 1)),
        [["SamplePartitionedTile", ["l0"], [2, 16, 16], ["v0", "v1"]]],
        splits(3000),
    ],
    ids=lambda more: f"{more[0][0]} {str(more[0][2])[:20]}",
)
@pytest.mark.parametrize("read", [check, parse])
def test_what_takes_tvm_memory_or_time_without_end_is_refused(
    read: Callable[[str], object], more: list[Any]
) -> None:
    with pytest.raises(ValueError, match=r"damaged|uses"):
        read(json.dumps([[*LOOPS, *more], []]))


@pytest.mark.parametrize(
    "more", [[tile(4, 4)], [["PadEinsum", ["b0"], [[16, 16, 4]], []]], splits(60)]
)
def test_what_our_searches_ask_for_is_taken(more: list[Any]) -> None:
    check(json.dumps([[*LOOPS, *more], []]))
