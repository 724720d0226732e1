"""What differs between two texts, and how it is shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from widgets.tasks.diff_view import Mark, folded, pairs_of, summary, unified

TEXTS = st.lists(st.sampled_from("abcd"), max_size=30)


@given(TEXTS, TEXTS)
def test_both_texts_can_be_read_from_the_pairs_and_equal_lines_are_beside_each_other(
    left: list[str], right: list[str]
) -> None:
    pairs = pairs_of(left, right)
    assert [pair.left.text for pair in pairs if pair.left.number] == left
    assert [pair.right.text for pair in pairs if pair.right.number] == right
    for pair in pairs:
        if not pair.changed:
            assert pair.left.text == pair.right.text


@given(TEXTS, TEXTS)
def test_one_column_has_every_line_of_both_once(left: list[str], right: list[str]) -> None:
    lines = list(unified(pairs_of(left, right)))
    assert [line.text for line in lines if line.mark is not Mark.ADDED] == left
    theirs = [line for line in lines if line.mark is not Mark.REMOVED]
    assert [line.text for line in theirs] == right


@given(TEXTS, TEXTS)
def test_folding_hides_only_equal_lines_and_says_how_many(
    left: list[str], right: list[str]
) -> None:
    pairs = pairs_of(left, right)
    short = folded(pairs)
    assert [pair for pair in short if pair.changed] == [pair for pair in pairs if pair.changed]
    hidden = [int(p.left.text.split()[0]) for p in short if p.left.mark is Mark.FOLD]
    assert all(count > 1 for count in hidden)
    assert sum(hidden) + len(short) - len(hidden) == len(pairs)


def test_three_lines_round_a_change_stay() -> None:
    left = list("abcdefghijklm")
    right = [*left[:6], "X", *left[7:]]
    marks = [(pair.left.mark, pair.left.text) for pair in folded(pairs_of(left, right))]
    assert marks[0] == (Mark.FOLD, "3 equal lines")
    assert [text for mark, text in marks if mark is Mark.SAME] == list("defhij")
    assert summary(pairs_of(left, right)) == "−1 +1 lines of 13"
    assert summary(pairs_of(left, left)) == "No difference."
