"""Which donor is tried first, and which never."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.passes.donor import Donor
from engine.passes.ranking import FAR, Ranked, alike, decided, device_name, distance, fits, rank
from engine.records.task import Task, TensorSpec
from tests.engine.passes.donor_data import TITLE, TVM, conv_args, conv_task, digest, donor
from tests.engine.project.support import TARGET

CUDA = '{"kind":"cuda","arch":"sm_90"}'


def ranked(task: Task, *donors: Donor, title: str | None = TITLE) -> list[Ranked]:
    return rank(task, donors, TARGET, TVM, title)


def order(task: Task, *donors: Donor) -> list[Donor]:
    return [item.donor for item in ranked(task, *donors)]


# Who is offered


def test_only_donors_of_the_tasks_class_are_offered() -> None:
    other = donor(0, op_class="conv2d_add")
    assert order(conv_task(), other, donor(1)) == [donor(1)]
    assert order(conv_task(), other) == order(conv_task()) == []


@pytest.mark.parametrize("target", [CUDA, "cuda", "", "[]", "{", '{"kind":3}', "[" * 100_000])
def test_a_donor_of_another_kind_of_target_is_never_offered(target: str) -> None:
    assert order(conv_task(), donor(target=target)) == []
    assert rank(conv_task(), [donor(target=target)], target if target != CUDA else "", TVM) == []


def test_the_same_kind_of_target_is_offered_on_a_gpu_too() -> None:
    on_gpu = donor(target=CUDA, target_title="cuda NVIDIA H200")
    (found,) = rank(conv_task(), [on_gpu, donor(1)], CUDA, TVM, "cuda NVIDIA H100")
    assert found.donor == on_gpu
    assert "measured on NVIDIA H200" in found.reason


# In which order


def test_a_record_of_the_very_workload_goes_first_even_from_another_device() -> None:
    task = conv_task(56)
    near = donor(1, conv_args(56, 64, 64), latency_s=1e-5)
    same = donor(2, fingerprint=task.fingerprint, latency_s=9e-3)
    elsewhere = donor(3, fingerprint=task.fingerprint, target_title="cpu znver5 x2")
    found = ranked(task, near, elsewhere, same)
    assert [item.donor for item in found] == [same, elsewhere, near]
    assert found[0].reason.startswith("the same workload")
    assert "measured on znver5 x2" in found[1].reason
    assert found[2].reason.startswith("equal extents")


def test_nearer_extents_go_first() -> None:
    task = conv_task(28, 128, 128)
    donors = [donor(n, conv_args(*shape)) for n, shape in enumerate([(28, 128, 64), (7, 512, 512)])]
    assert order(task, *donors) == donors


def test_of_two_extents_as_near_the_one_whose_factors_fit_goes_first() -> None:
    half, near = donor(1, conv_args(56, 64, 64)), donor(2, conv_args(56, 64, 60))
    assert order(conv_task(56, 64, 128), near, half) == [half, near]
    fits, odd = donor(1, conv_args(32, 64, 64)), donor(2, conv_args(31, 64, 64))
    assert order(conv_task(64), odd, fits) == [fits, odd]


def test_the_faster_donor_goes_first_where_extents_are_equal() -> None:
    slow, fast = donor(1, latency_s=2e-3, untuned_latency_s=1.0), donor(2, latency_s=1e-3)
    assert order(conv_task(28), slow, fast) == [fast, slow]


def test_without_flops_the_donor_that_gained_more_goes_first() -> None:
    slow, fast, unknown = (
        donor(n, flops=0.0, untuned_latency_s=untuned_s, latency_s=1e-3)
        for n, untuned_s in ((1, 2e-3), (2, 8e-3), (3, None))
    )
    assert order(replace(conv_task(28), flops=0.0), slow, unknown, fast) == [fast, unknown, slow]


def test_a_trace_that_names_a_block_which_the_workload_lacks_is_left_out() -> None:
    fitting = replace(conv_task(28), workload='["conv2d_nhwc","root"]')
    other = replace(conv_task(28), workload='["conv2d_nchw","root"]')
    assert order(fitting, donor()) == order(conv_task(28), donor()) == [donor()]
    assert order(other, donor()) == []


def test_another_device_or_version_of_tvm_comes_later_and_is_said() -> None:
    here = donor(1)
    device = donor(2, target_title="cpu znver5 x8", target='{"kind":"llvm","mcpu":"znver5"}')
    version = donor(3, tvm_version="0.26.0")
    found = ranked(conv_task(28), device, version, here)
    assert [item.donor for item in found] == [here, version, device]
    assert "tuned with TVM 0.26.0" in found[1].reason
    assert "measured on znver5 x8" in found[2].reason
    assert "measured" not in found[0].reason + found[1].reason


def test_how_tvm_writes_a_target_does_not_make_it_another_device() -> None:
    written = {"keys": ["cpu"], **json.loads(TARGET)}
    (found,) = ranked(conv_task(28), donor(target=json.dumps(written)))
    assert "measured" not in found.reason


def test_arguments_that_cannot_be_compared_come_last_and_are_said() -> None:
    half = donor(1, tuple(replace(arg, dtype="float16") for arg in conv_args(56, 64, 64)))
    far = donor(2, conv_args(7, 8, 512))
    found = ranked(conv_task(56), half, far)
    assert [item.donor for item in found] == [far, half]
    assert found[1].reason.startswith("other arguments")


# Each trace once, and not the same again


def test_a_trace_that_several_files_hold_is_offered_once_where_it_is_best() -> None:
    task = conv_task(28)
    copies = [donor(1, place=f"/{n}.tune", target_title=title) for n, title in
              enumerate(("cpu znver5 x2", TITLE, "cpu znver3 x2"))]  # fmt: skip
    assert order(task, *copies) == [copies[1]]


def test_traces_that_replay_as_the_same_schedule_are_offered_once() -> None:
    instructions, decisions = json.loads(donor().trace)
    texts = [
        json.dumps([[*instructions, ["EnterPostproc", [], [], []], *after], decisions])
        for after in ([], [["Vectorize", ["l0"], [], []]])
    ]
    donors = [donor(trace=text, trace_key=digest(text)) for text in texts]
    assert len(order(conv_task(28), *donors)) == 1


def test_after_the_first_a_donor_that_decides_otherwise_goes_before_a_copy_with_one_change() -> (
    None
):
    first = donor(1, conv_args(56, 64, 64))
    instructions, decisions = json.loads(first.trace)
    decisions[0][1] = [1, 1, 1, 1]
    text = json.dumps([instructions, decisions])
    copy = donor(1, conv_args(56, 64, 64), trace=text, trace_key=digest(text), latency_s=1.1e-3)
    other = donor(2, conv_args(56, 64, 128))
    assert order(conv_task(56), copy, other, first) == [first, other, copy]


def test_scores_fall_along_the_list_and_stay_between_zero_and_one() -> None:
    donors = [donor(n, conv_args(7 * (1 + n % 8), 16 << (n % 5), 64)) for n in range(100)]
    scores = [item.score for item in ranked(conv_task(56), *donors)]
    assert len(scores) == 100
    assert scores == sorted(scores, reverse=True)
    assert all(0 < score <= 1 for score in scores)


def test_a_text_that_is_no_trace_is_ranked_by_its_extents_alone() -> None:
    texts = ["", "x", "[]", "[1,2]", "[[],[1]]", "{}", '[[["a"]],[["b","c"]]]', "[" * 100_000]
    donors = [donor(trace=text, trace_key=digest(text)) for text in texts]
    assert len(order(conv_task(28), *donors)) == len(texts)


# The order of donors makes no difference

shapes = st.tuples(st.sampled_from([7, 13, 28, 56]), st.sampled_from([16, 48, 64]), st.just(64))
choices = st.fixed_dictionaries(
    {
        "seed": st.integers(0, 4),
        "args": shapes.map(lambda shape: conv_args(*shape)),
        "latency_s": st.sampled_from([1e-3, 2e-3]),
        "untuned_latency_s": st.sampled_from([None, 1e-2]),
        "tvm_version": st.sampled_from([TVM, "0.26.0"]),
        "target_title": st.sampled_from([TITLE, "cpu znver5 x2"]),
        "model": st.sampled_from(["a", "b"]),
    }
)


@settings(max_examples=60, deadline=None, database=None)
@given(made=st.lists(choices, max_size=14), data=st.data())
def test_the_order_in_which_donors_come_does_not_matter(
    made: list[dict[str, Any]], data: st.DataObject
) -> None:
    donors = [donor(**values) for values in made]
    shuffled = data.draw(st.permutations(donors))
    found = ranked(conv_task(28), *donors)
    assert found == ranked(conv_task(28), *shuffled)
    assert len({item.donor.trace_key for item in found}) == len(found)
    assert {item.donor.trace_key for item in found} == {item.trace_key for item in donors}


# The parts


def test_a_workload_is_at_no_distance_from_itself_and_further_the_more_it_differs() -> None:
    ours = conv_args(56, 64, 64)
    sizes = [distance(conv_args(56 << n, 64, 64), ours, 1.0, 1.0) for n in range(4)]
    assert sizes[0] == 0
    assert sizes == sorted(sizes)
    assert distance(ours, ours, 0.0, 0.0) == 0
    assert distance(conv_args(28, 64, 64), ours, 1.0, 8.0) > sizes[1]
    assert distance((), (), 0.0, 0.0) == 0


@pytest.mark.parametrize(
    "args", [(), conv_args(0, 64, 64), conv_args(56, 64, 64)[:3], (TensorSpec((1,), "int8"),) * 4]
)
def test_what_cannot_be_compared_is_far(args: tuple[TensorSpec, ...]) -> None:
    assert distance(args, conv_args(56, 64, 64), 1.0, 1.0) == FAR


def test_traces_are_alike_by_their_equal_decisions_where_their_instructions_are_equal() -> None:
    instructions = [["Sample", [], [], [name]] for name in "ab"]
    texts = [json.dumps([instructions, [[0, first], [1, 3]]]) for first in ([8, 2], [4, 2], [8, 1])]
    one, adapted, other = (decided(text, "key") for text in texts)
    assert alike(one, adapted) == 1.0  # the outermost factor is what another extent leaves
    assert alike(one, other) == 0.5
    assert alike(one, decided(json.dumps([instructions[:1], [[0, [8, 2]]]]), "key")) == 0.0
    assert alike(one, decided("no trace", "key")) == 0.0


def test_only_blocks_that_a_trace_looks_up_before_it_changes_anything_must_be_there() -> None:
    instructions = [
        ["GetSBlock", [], ["conv2d", "main"], ["b0"]],
        ["CacheWrite", ["b0"], [0, "local"], ["b1"]],
        ["GetSBlock", [], ["conv2d_local", "main"], ["b2"]],
    ]
    reads = decided(json.dumps([instructions, []]), "key")
    assert fits(reads, '{"name":"conv2d"}')
    assert not fits(reads, '{"name":"conv2d_local"}')
    assert fits(decided("no trace", "key"), "{}")


@pytest.mark.parametrize(
    ("title", "name"),
    [("cuda NVIDIA H200", "NVIDIA H200"), ("cpu znver4 x2", "znver4 x2"), ("cpu", "cpu"), ("", "")],
)
def test_a_device_is_called_by_its_name(title: str, name: str) -> None:
    assert device_name(title) == name
