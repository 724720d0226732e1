"""How well a text answers what a person typed: by its beginning, its words, its letters."""

from __future__ import annotations

import re
from itertools import pairwise

BEGINS, WORD_BEGINS, HAS, ALL_WORDS, INITIALS, LETTERS = range(6)
_WORD = re.compile(r"[^\W_]+")


def match_rank(query: str, text: str) -> tuple[int, int] | None:
    """The kind of match, the best first, and how far apart its letters are; None for no match."""
    wanted, offered = " ".join(query.casefold().split()), text.casefold()
    starts = [match.start() for match in _WORD.finditer(offered)]
    if offered.startswith(wanted):
        return BEGINS, 0
    if any(offered.startswith(wanted, start) for start in starts):
        return WORD_BEGINS, 0
    if wanted in offered:
        return HAS, 0
    if all(word in offered for word in wanted.split()):
        return ALL_WORDS, 0
    letters = wanted.replace(" ", "")
    if "".join(offered[start] for start in starts).startswith(letters):
        return INITIALS, 0
    span = _span(letters, offered)
    return None if span is None else (LETTERS, span)


def _span(letters: str, offered: str) -> int | None:
    """How many others lie between the letters, in the first way to find them in order."""
    places, at = list[int](), -1
    for letter in letters:
        at = offered.find(letter, at + 1)
        if at < 0:
            return None
        places.append(at)
    return sum(second - first - 1 for first, second in pairwise(places))
