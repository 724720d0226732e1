"""Numbers in what a person or a stranger writes: plain digits, or a sentence."""

from __future__ import annotations

import json
import math
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.jobs.devices import places_of
from engine.jobs.steps.steps import parse_plan
from engine.models.shapes import parse_shape
from engine.models.values import parse_values
from engine.records.addresses import parse_address, parse_dask, parse_place, server_of
from engine.records.devices import cuda_index, device_parts
from engine.records.errors import TargetError, TunewrightError
from engine.records.machine import TargetSpec, arch_number
from engine.records.units import decimal_number, whole_number
from engine.targets.remote_target import presumed_fields, split_remote
from engine.targets.targets import resolve

GPU = TargetSpec('{"kind": "cuda"}', "cuda sm_90", "cuda:0", 2)
HERE = "rpc://127.0.0.1:9190/board"
# What `int` or `str.isdigit` takes for digits, or raises at, beside what nobody takes for a number.
STRANGE = ("²", "1²", "٣", "１", "1_0", "①", "0x1", "", "abc")
NOT_WHOLE = ("+1", "-1", "1.0", "1e2")
HUGE = "9" * 5000
PARSERS: dict[str, Callable[[str], object]] = {
    "a target": lambda text: resolve(f"cuda:{text}"),
    "a device elsewhere": lambda text: resolve(f"{HERE} cuda:{text}"),
    "a device of a cluster": lambda text: presumed_fields("dask://10.0.0.1:8786", f"cuda:{text}"),
    "devices of a run": lambda text: places_of(GPU, f"cuda:0,cuda:{text}"),
    "a tracker's port": lambda text: parse_address(f"rpc://host:{text}/key"),
    "a meeting's port": lambda text: parse_place(f"host:{text}"),
    "a scheduler's port": lambda text: parse_dask(f"dask://host:{text}"),
    "a plan": lambda text: parse_plan(f"search:{text}"),
    "a shape": lambda text: parse_shape(f"x={text}x1"),  # first, where 0 is none, either
}
each_parser = pytest.mark.parametrize("parse", PARSERS.values(), ids=list(PARSERS))
digits = st.text("0123456789", min_size=1, max_size=25)
texts = st.one_of(
    st.text(max_size=8),
    st.sampled_from((*STRANGE, *NOT_WHOLE)),
    digits.map(lambda text: f"{text}²"),
)


@each_parser
@pytest.mark.parametrize("text", [*STRANGE, *NOT_WHOLE, HUGE], ids=repr)
def test_what_is_no_number_is_refused_in_a_sentence(
    parse: Callable[[str], object], text: str
) -> None:
    with pytest.raises(TunewrightError) as caught:
        parse(text)
    assert caught.value.what.endswith(".") and caught.value.todo


@pytest.mark.parametrize("text", [*STRANGE, HUGE, "nan", "inf", "1e999", "1e", "."], ids=repr)
def test_a_value_that_is_no_number_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(TunewrightError, match="is not a value"):
        parse_values([f"x={text}"])


@given(texts)
def test_a_device_is_named_by_plain_digits_alone(text: str) -> None:
    plain = text.isascii() and text.isdigit() and len(text) <= 3
    try:
        index = cuda_index(f"cuda:{text}")
    except TargetError:
        assert not plain
    else:
        assert plain and index == int(text)
        assert device_parts(f"cuda:{text}") == ("cuda", index)


@pytest.mark.parametrize("name", ["gpu", "cuda2", "CUDA:0", "cpu:0", "", ":", ":1", "cuda:0:1"])
def test_what_is_no_device_of_ours_is_refused(name: str) -> None:
    with pytest.raises(TargetError, match="names no CUDA device"):
        device_parts(name)


def test_a_device_without_a_number_is_the_first() -> None:
    assert (device_parts("cuda"), device_parts("cpu")) == (("cuda", 0), ("cpu", 0))


def test_one_device_under_two_names_is_listed_twice() -> None:
    with pytest.raises(TunewrightError, match="listed twice"):
        places_of(GPU, "cuda:0,cuda:00")


@given(st.integers(0, 2**64))
def test_whole_numbers_are_read_as_they_are_written(number: int) -> None:
    assert whole_number(str(number)) == (number if number < 2**63 else None)
    assert whole_number(str(number), 7) == (number if number <= 7 else None)


@given(st.one_of(texts, st.floats().map(str), digits))
def test_decimal_numbers_are_plain_and_finite(text: str) -> None:
    number = decimal_number(text)
    if number is not None:
        assert text.isascii() and "_" not in text and number == float(text)
        assert math.isfinite(number)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_number_can_be_written(number: float) -> None:
    assert decimal_number(str(number)) == number


@given(texts)
@example(":1")  # two colons name no host
def test_a_worker_without_a_port_of_plain_digits_has_no_place(text: str) -> None:
    found = server_of(f"tcp://host:{text}")
    assert found is None or (found == ("host", int(text)) and 0 < found[1] < 1 << 16)


@given(texts)
def test_an_architecture_of_any_name_has_a_number(text: str) -> None:
    assert 0 <= arch_number(f"sm_{text}") < 10**6


@pytest.mark.parametrize(
    "text",
    [
        '{"kind": "llvm", "num-cores": ' + HUGE + "}",
        '{"kind":' * 100_000,
        json.dumps({"kind": "llvm", "num-cores": 9**99}),
    ],
    ids=["a number without end", "nested without end", "a huge number"],
)
def test_a_target_of_numbers_without_end_is_refused(text: str) -> None:
    with pytest.raises(TargetError):
        resolve(text)
    assert split_remote(text + HERE) is None
