"""Two texts line by line: what only one of them has, side by side or one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import zip_longest

from widgets.look.language import tr

CONTEXT = 3


class Mark(StrEnum):
    """What a line is; the value is its sign."""

    SAME = " "
    REMOVED = "-"
    ADDED = "+"
    NOTHING = ""
    FOLD = "…"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one text; `number` counts from 1, 0 for what is no line of it."""

    mark: Mark
    number: int = 0
    text: str = ""

    @property
    def changed(self) -> bool:
        """Whether the other text lacks it."""
        return self.mark in (Mark.REMOVED, Mark.ADDED)


@dataclass(frozen=True, slots=True)
class Pair:
    """A line of each text beside each other; NOTHING where one has none there."""

    left: Line
    right: Line

    @property
    def changed(self) -> bool:
        """Whether the texts differ here."""
        return not {self.left.mark, self.right.mark} <= {Mark.SAME, Mark.FOLD}


NO_LINE = Line(Mark.NOTHING)


def pairs_of(left: Sequence[str], right: Sequence[str]) -> list[Pair]:
    """The lines of both in order, equal ones beside each other."""
    found: list[Pair] = []
    for kind, a, b, c, d in SequenceMatcher(None, left, right).get_opcodes():
        same = kind == "equal"
        ours = [Line(Mark.SAME if same else Mark.REMOVED, i + 1, left[i]) for i in range(a, b)]
        theirs = [Line(Mark.SAME if same else Mark.ADDED, j + 1, right[j]) for j in range(c, d)]
        found += [Pair(*both) for both in zip_longest(ours, theirs, fillvalue=NO_LINE)]
    return found


def folded(pairs: Sequence[Pair], context: int = CONTEXT) -> list[Pair]:
    """Only what differs and `context` lines round it; of the rest how many lines there are."""
    kept = bytearray(len(pairs))
    for place, pair in enumerate(pairs):
        if pair.changed:
            first, last = max(0, place - context), min(len(pairs), place + context + 1)
            kept[first:last] = b"\1" * (last - first)
    found: list[Pair] = []
    start = 0
    while start < len(pairs):
        end = start
        while end < len(pairs) and kept[end] == kept[start]:
            end += 1
        fold = _fold(end - start)
        found += pairs[start:end] if kept[start] or end - start == 1 else [Pair(fold, fold)]
        start = end
    return found


def unified(pairs: Iterable[Pair]) -> Iterator[Line]:
    """All in one column: of lines that differ in a row, first those of the left text."""
    left: list[Line] = []
    right: list[Line] = []
    for pair in pairs:
        if pair.left.mark in (Mark.SAME, Mark.FOLD):
            yield from (*left, *right, pair.left)
            left, right = [], []
            continue
        left += [pair.left] if pair.left.changed else []
        right += [pair.right] if pair.right.changed else []
    yield from (*left, *right)


def summary(pairs: Sequence[Pair]) -> str:
    """How much differs, in words."""
    removed = sum(pair.left.mark is Mark.REMOVED for pair in pairs)
    added = sum(pair.right.mark is Mark.ADDED for pair in pairs)
    if not removed and not added:
        return tr("No difference.")
    return tr(
        "−{removed} +{added} lines of {count}",
        removed=f"{removed:,}",
        added=f"{added:,}",
        count=f"{len(pairs):,}",
    )


def _fold(count: int) -> Line:
    return Line(Mark.FOLD, 0, tr("%n equal lines", "", count))
