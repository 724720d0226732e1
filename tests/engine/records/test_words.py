"""A stranger's text is shown without what a terminal, a log or a page would obey."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.records.words import file_stem, harmless, one_line

HARMFUL = ("\x1b", "\x07", "\x00", "\r", "\x7f", "\x9b", "\u202e", "\u2066", "\u2028", "\ud800")


@pytest.mark.parametrize("mark", HARMFUL, ids=ascii)
@pytest.mark.parametrize("make", [harmless, one_line, file_stem])
def test_what_would_be_obeyed_is_taken_out(make: object, mark: str) -> None:
    assert callable(make)
    assert mark not in make(f"a{mark}[2Jb")


@pytest.mark.parametrize("name", ["conv_1", "Überträger/Ø", "模型", "שלום", "a  b", "x" * 300, ""])
def test_names_stay_as_they_are(name: str) -> None:
    assert harmless(name) == one_line(name) == name


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_any_text_is_made_one_line_of_no_controls(text: str) -> None:
    line = one_line(text, 60)
    assert len(line) <= 60
    assert line.splitlines() in ([line], [])
    assert not [sign for sign in line if unicodedata.category(sign) in ("Cc", "Cs")]
    line.encode()


@given(st.text(st.characters(codec=None, exclude_categories=())))
def test_any_text_makes_a_files_name(text: str) -> None:
    stem = file_stem(text)
    assert stem
    assert stem not in (".", "..")
    assert not stem.startswith((".", "-"))
    assert not {"/", "\\", "\0", "\n"} & set(stem)
    assert len(stem) <= 100


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "..", "a/b", "-o", ".hidden"])
def test_a_files_name_leads_into_no_other_folder(name: str) -> None:
    assert "/" not in file_stem(name)
    assert not file_stem(name).startswith((".", "-"))
