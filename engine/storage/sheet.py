"""Tables as CSV for spreadsheets, in which a stranger's text stays text."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache

import numpy as np

from engine.records.words import harmless

_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?([eE][+-]?[0-9]+)?", re.ASCII)
# Also behind what parts cells where a spreadsheet is told, or is used to, another separator than
# the comma; the wide signs are taken for the narrow ones in East Asian settings.
_FORMULA = re.compile(r"(^|[\n;|])(?=\s*[=+\-@＝＋－＠])")


def csv_text(header: Sequence[str], rows: Iterable[Sequence[object]], separator: str = ",") -> str:
    """Rows of a table as CSV, lines ended by a line feed; with a tab for a separator, as TSV.

    Numbers are written in full, NumPy's too; one that is unknown (None), infinite or NaN is left
    out. Texts are neutralised as `cell_text` does it.
    """
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerow([cell_text(name) for name in header])
    word = cache(cell_text)  # of 100,000 rows, most say the same
    writer.writerows([_cell(value, word) for value in row] for row in rows)
    return text.getvalue()


def cell_text(text: str) -> str:
    """A text that no spreadsheet takes for a formula and no terminal obeys; numbers stay.

    What would be a formula gets an apostrophe, by which spreadsheets know a text.
    """
    if _NUMBER.fullmatch(text):
        return text
    return _FORMULA.sub(r"\1'", harmless(text).replace("\t", " "))


def _cell(value: object, word: Callable[[str], str]) -> object:
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        return word(value)
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    return value
