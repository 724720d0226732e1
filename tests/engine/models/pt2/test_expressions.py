"""Sizes of PyTorch programs, written as SymPy's text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.models.pt2.expressions import Unknown, symbol_in, value_of

NUMBERS = st.integers(0, 50)


def tree() -> st.SearchStrategy[tuple[str, int]]:
    """An expression as text, and what it comes to with a = 7."""
    leaves = NUMBERS.map(lambda n: (f"Integer({n})", n)) | st.just(("Symbol('a', integer=True)", 7))

    def joined(children: st.SearchStrategy[tuple[str, int]]) -> st.SearchStrategy[tuple[str, int]]:
        pairs = st.tuples(children, children)
        return (
            pairs.map(lambda p: (f"Add({p[0][0]}, {p[1][0]})", p[0][1] + p[1][1]))
            | pairs.map(lambda p: (f"Mul({p[0][0]}, {p[1][0]})", p[0][1] * p[1][1]))
            | pairs.map(lambda p: (f"Max({p[0][0]}, {p[1][0]})", max(p[0][1], p[1][1])))
            | pairs.map(lambda p: (f"FloorDiv({p[0][0]}, Integer(3))", p[0][1] // 3))
            | pairs.map(lambda p: (f"({p[0][0]} - {p[1][0]})", p[0][1] - p[1][1]))
        )

    return st.recursive(leaves, joined, max_leaves=12)


@given(tree())
def test_an_expression_comes_to_what_arithmetic_says(case: tuple[str, int]) -> None:
    text, expected = case
    assert value_of(text, {"a": 7}) == expected


@pytest.mark.parametrize(
    "text",
    [
        "__import__('os').system('true')",
        "Symbol('a').__class__",
        "[1]",
        "lambda: 1",
        "Integer('3')",
        "FloorDiv(Integer(1), Integer(0))",
        "Pow(Integer(10), Integer(1000000000))",
        "(" * 5000,
        "open",
        "Add(" * 90 + "Integer(1)" + ")" * 89,
        "1" * 30_000,
        "",
    ],
)
def test_what_is_no_size_is_refused_and_not_run(text: str) -> None:
    with pytest.raises((ValueError, Unknown)):
        value_of(text, {})


def test_a_symbol_without_a_value_is_named() -> None:
    with pytest.raises(Unknown, match="u0"):
        value_of("Mul(Integer(2), Symbol('u0', integer=True))", {"s0": 1})


def test_only_a_whole_symbol_has_a_name() -> None:
    assert symbol_in("Symbol('s0', positive=True, integer=True)") == "s0"
    assert symbol_in("s1") == "s1"
    assert symbol_in("Mul(Integer(2), Symbol('s0'))") is None
