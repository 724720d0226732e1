"""Attention's kernels: which there are, what they take the place of, and what they compute."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from engine.kernels.attention import ATTRIBUTE, Attention
from engine.kernels.attention_kernel import NAME
from engine.kernels.marks import KEY, is_text, text_in, text_on, trace_of
from engine.kernels.ready import ready_texts, realised, with_ready_kernels
from engine.search.task_search import apply_trace
from engine.search.trace_text import check
from engine.targets.targets import cuda_devices, to_tvm
from tests.engine.kernels.tasks import CASES, H200, Case

each = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


def module_of(case: Case) -> Any:
    import tvm

    return tvm.IRModule({"main": case.function()})


def marked(case: Case, text: str) -> Any:
    """The task's module as a trace that names the kernel leaves it."""
    return apply_trace(module_of(case), trace_of(text)).mod


@each
def test_there_are_kernels_for_each_form_of_attention(case: Case) -> None:
    texts = ready_texts(case.function(), H200)
    assert 5 <= len(texts) == len(set(texts)) <= 64
    assert all(map(is_text, texts))


@each
def test_what_a_trace_names_takes_the_place_of_the_blocks(case: Case) -> None:
    text = ready_texts(case.function(), H200)[0]
    found = marked(case, text)
    assert text_on(found["main"]) == text == text_in(trace_of(text))
    made = with_ready_kernels(found)
    assert '"zero"' not in made.script() and f'"{NAME}"' in made.script()
    assert [str(p.ty) for p in made["main"].params] == [str(p.ty) for p in found["main"].params]


@pytest.mark.parametrize("name", ["merged", "a bias for each head", "bfloat16", "heads of 80"])
def test_cuda_is_made_of_it(name: str) -> None:
    import tvm

    case = CASES[name]
    target = to_tvm(H200)
    module = with_ready_kernels(marked(case, ready_texts(case.function(), H200)[0]))
    with target:
        library = tvm.tirx.build(module, target=target)
    (device,) = library.imports
    assert "tunewright_attention_" in device.inspect_source()


def test_two_of_them_in_one_module_have_names_of_their_own() -> None:
    import tvm

    functions = {}
    for name, case in CASES.items():
        text = ready_texts(case.function(), H200)[0]
        symbol = name.replace(" ", "_")
        made = realised(marked(case, text)["main"])
        functions[symbol] = made.with_attr("global_symbol", symbol)
    target = to_tvm(H200)
    with target:
        library = tvm.tirx.build(tvm.IRModule(functions), target=target)
    source = library.imports[0].inspect_source()
    spaces = [line for line in source.splitlines() if line.startswith("namespace tunewright_")]
    assert len(spaces) == len(set(spaces)) == len(CASES)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("q", [0, at, 0, 32, 32]) for at in (-8, 4, 1 << 40, 1 << 30)),
        *(("dim", value) for value in (0, 24, 256, "32", None)),
        *(("heads", value) for value in (0, 3, 70_000)),
        *(("keys", value) for value in (0, 1 << 20)),
        *(("scale", value) for value in (float("nan"), float("inf"), "much")),
        *(("o", value) for value in ([9, 0, 0, 0, 0], [0], None)),
        *(("mask", value) for value in ([0, "float32", 0, 0, 0, 1], [0, "float16", 0, 0, 0], 1)),
        *(("causal", value) for value in (2, -1, 0.5)),
    ],
)
def test_facts_that_do_not_fit_the_arguments_name_no_kernel(field: str, value: Any) -> None:
    case = CASES["plain"]
    data = json.loads(case.attribute) | {field: value}
    function = case.function().with_attr(ATTRIBUTE, json.dumps(data))
    assert Attention.of(function) is None
    assert ready_texts(function, H200) == []
    text = ready_texts(case.function(), H200)[0]
    with pytest.raises(ValueError, match="does not compute this task"):
        realised(marked(case, text)["main"].with_attr(ATTRIBUTE, json.dumps(data)))


@pytest.mark.parametrize(
    "text",
    [
        "attention 1 4 32",
        "attention 3 4 32 1",
        "attention 1 4 32 9",
        "attention 99 1 32 1",
        "other 1",
    ],
)
def test_a_kernel_that_there_is_not_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="kernel"):
        with_ready_kernels(marked(CASES["plain"], text))


@pytest.mark.parametrize(
    "value",
    [
        "",
        "attention",
        "attention 1 4 32 1; x",
        "attention -1",
        "a" * 40 + " 1",
        "attention 12345",
        7,
    ],
)
def test_a_trace_names_kernels_in_known_words_alone(value: Any) -> None:
    found = json.loads(trace_of("attention 1 4 32 1"))
    found[0][1][1][1] = json.dumps(value)
    with pytest.raises(ValueError, match="damaged"):
        check(json.dumps(found))


def test_a_key_that_only_begins_like_it_is_unknown() -> None:
    with pytest.raises(ValueError, match=r"damaged|unknown"):
        check(trace_of("attention 1 4 32 1").replace(KEY, f"{KEY}s"))


@pytest.mark.gpu
@pytest.mark.skipif(not cuda_devices(), reason="there is no CUDA device here")
@each
def test_kernels_compute_what_numpy_does(case: Case) -> None:
    import tvm

    texts = ready_texts(case.function(), H200)
    arguments = case.arguments()
    expected = case.expected(arguments)
    device = tvm.cuda(0)
    tensors = [tvm.runtime.tensor(one, device=device) for one in arguments]
    bound = 2e-2 if case.dtype == "bfloat16" else 4e-3
    target = to_tvm(H200)
    for text in texts:
        with target:
            library = tvm.tirx.build(with_ready_kernels(marked(case, text)), target=target)
        library["main"](*tensors)
        found = tensors[-1].numpy().astype(np.float64)
        assert np.array_equal(np.isnan(found), np.isnan(expected)), text
        difference = np.nanmax(np.abs(found - expected))
        assert difference < bound, (text, difference)
