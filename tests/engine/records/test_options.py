"""Bounds beside a default: what they refuse, in which words, and what they read."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from engine.records.errors import UsageError
from engine.records.options import (
    Bound,
    Checked,
    Count,
    Finite,
    Positive,
    Share,
    bound,
    checked,
    fits,
    hints,
    made,
    one_of,
    read_text,
    required,
)


@dataclass(frozen=True, slots=True)
class Part(Checked, what="A part"):
    """Made up."""

    size: Annotated[int, Meta(ge=1, le=64)] = 8
    share: Share = 0.5
    form: Annotated[str, one_of("a.b", "c")] = "c"
    seconds: Positive | None = None
    bold: bool = False
    times: Count = 1

    def require_sense(self) -> None:
        """Two of them together."""
        if self.bold and self.size > 32:
            raise UsageError("A bold part is small.", "Give at most 32.")


@dataclass(frozen=True, slots=True)
class Whole(Checked, what="A whole"):
    """Made up."""

    name: str
    part: Part = Part()
    parts: tuple[Part, ...] = ()
    more: dict[str, int] = field(default_factory=dict)


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "below": ({"size": 0}, "A part's size is 0. Give a whole number from 1 to 64."),
    "above": ({"size": 65}, "A part's size is 65. Give a whole number from 1 to 64."),
    "a fraction": ({"size": 1.0}, "A part's size is 1.0. Give a whole number from 1 to 64."),
    "a truth": ({"size": True}, "A part's size is True. Give a whole number from 1 to 64."),
    "a text": ({"size": "8"}, "A part's size is '8'. Give a whole number from 1 to 64."),
    "a share": ({"share": 1.1}, "A part's share is 1.1. Give a number from 0 to 1."),
    "no number": ({"share": math.nan}, "A part's share is nan. Give a number from 0 to 1."),
    "endless": ({"seconds": math.inf}, "A part's seconds is inf. Give a finite number above 0."),
    "beyond": (
        {"times": 2**40},
        "A part's times is 1099511627776. Give a whole number of 1 or more, up to 2,147,483,647.",
    ),
    "nothing": ({"seconds": 0.0}, "A part's seconds is 0.0. Give a number above 0."),
    "huge": ({"seconds": 10**400}, "A part's seconds is 1000"),
    "a choice": ({"form": "axb"}, "A part's form is 'axb'. Give one of a.b, c."),
    "a line end": ({"form": "c\n"}, "A part's form is 'c\\n'. Give one of a.b, c."),
    "an endless number": ({"size": 10**5000}, "A part's size is no such value. Give a whole"),
    "a flag": ({"bold": 1}, "A part's bold is 1. Give True or False."),
    "none": ({"size": None}, "A part's size is None. Give a whole number from 1 to 64."),
    "together": ({"bold": True, "size": 33}, "A bold part is small. Give at most 32."),
}


@pytest.mark.parametrize(("values", "says"), BAD.values(), ids=BAD)
def test_what_is_not_allowed_is_refused_in_a_sentence(values: dict[str, Any], says: str) -> None:
    ways: tuple[Callable[[], Part], ...] = (
        lambda: Part(**values),
        lambda: made(Part, values),
        lambda: replace(Part(), **values),
    )
    for way in ways:
        with pytest.raises(UsageError) as caught:
            way()
        assert str(caught.value).startswith(says)
        assert len(str(caught.value)) < 120


def test_plain_data_is_made_into_what_it_says() -> None:
    given = {"name": "x", "part": {"size": 2, "share": 1}, "parts": [{"seconds": 3}, Part(4)]}
    whole = made(Whole, given)
    assert whole == Whole("x", Part(2, 1.0), (Part(seconds=3.0), Part(4)))
    assert type(whole.part.share) is type(whole.parts[0].seconds) is float


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({}, "A whole has no name."),
        ({"name": "x", "length": 1}, "A whole has no option length. It has name, part"),
        ({"name": "x", 3: 1}, "A whole has no option 3."),
        ({"name": "x", "part": {"length": 1}}, "A part has no option length."),
        ({"name": "x", "parts": [{"size": 0}]}, "A part's size is 0."),
        ({"name": "x", "parts": {"size": 1}}, "A whole's parts is {'size': 1}."),
        ({"name": "x", "more": {"a": "b"}}, "A whole's more is {'a': 'b'}. Give whole numbers by"),
        ([1], "A whole is [1]. Give options by name."),
    ],
)
def test_data_of_another_shape_is_refused_by_name(values: Any, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        made(Whole, values)
    assert str(caught.value).startswith(says)


def test_a_number_of_numpy_s_is_a_number() -> None:
    assert Part(seconds=np.float64(2.0)) == Part(seconds=2.0)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text("ax1", max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ax1", max_size=3), inner),
    max_leaves=6,
)


@given(values=st.dictionaries(st.sampled_from(["name", *hints(Part)]), ANYTHING))
def test_whatever_is_given_ends_in_allowed_values_or_in_a_sentence(values: dict[str, Any]) -> None:
    try:
        part = made(Part, values)
    except UsageError as error:
        assert error.what.endswith(".") and error.todo.endswith(".")
    else:
        assert all(fits(getattr(part, name), hint) for name, hint in hints(Part).items())


@pytest.mark.parametrize(
    ("text", "hint", "value"),
    [
        ("5", int, 5),
        ("5", Count, 5),
        ("0", Count, 0),
        ("x", Count, "x"),
        ("1e3", Positive, 1000.0),
        ("3", float | None, 3.0),
        ("True", bool, True),
        ("false", bool, False),
        ("1", bool, "1"),
        ("5", str, "5"),
    ],
)
def test_a_text_is_read_as_its_type(text: str, hint: Any, value: object) -> None:
    read = read_text(text, hint)
    assert (read, type(read)) == (value, type(value))


def test_a_form_learns_bounds_and_choices() -> None:
    found = {name: bound(hint) for name, hint in hints(Part).items()}
    assert found["size"] == Bound(int, least=1, most=64)
    assert found["share"] == Bound(float, least=0, most=1)
    assert found["form"] == Bound(str, choices=("a.b", "c"))
    assert found["bold"] == Bound(bool)
    assert (found["seconds"].kind, found["seconds"].optional) == (float, True)
    assert (found["seconds"].least, found["seconds"].above) == (0, True)
    assert bound(Literal["x", "y"]).choices == ("x", "y")


class Chain:
    """Made up."""

    @checked
    def take(self, *paths: str | os.PathLike[str], axes: Sequence[int] = (), **more: Any) -> str:
        """Any words."""
        return f"{paths} {axes} {more}"

    @checked
    def fill(self, values: Mapping[str, Finite]) -> None:
        """Any words."""


def test_a_checked_method_takes_what_it_declares() -> None:
    assert Chain().take("a", Path("b"), axes=(1, 2), other=None).endswith("(1, 2) {'other': None}")
    assert Chain.take.__name__ == "take"
    Chain().fill({"x": 1, "y": 2.5})


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (("take", (3,), {}), "take's paths is 3. Give a text or a path."),
        (("take", (), {"axes": "12"}), "take's axes is '12'. Give a list of whole numbers."),
        (("take", (), {"axes": [True]}), "take's axes is [True]. Give a list of"),
        (("fill", ({"x": math.inf},), {}), "fill's values is {'x': inf}. Give numbers by name."),
        (("fill", (), {}), "fill: missing a required argument: 'values'. It is fill(values)."),
    ],
)
def test_an_argument_of_another_type_is_refused_with_its_name(call: Any, says: str) -> None:
    name, args, kwargs = call
    with pytest.raises(UsageError) as caught:
        getattr(Chain(), name)(*args, **kwargs)
    assert str(caught.value).startswith(says)


def test_a_long_value_is_told_shortly() -> None:
    with pytest.raises(UsageError) as caught:
        required("x" * 1000, Count, "It")
    assert len(str(caught.value)) < 100


def test_what_is_nested_too_deeply_is_refused() -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(UsageError, match="more is no such value"):
        made(Whole, {"name": "x", "more": {"a": deep}})
