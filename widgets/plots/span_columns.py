"""Stages in NumPy columns: a tenth of what objects would take, for a night of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.records.stage import StageSpan

_ROW = np.dtype(
    [("number", "i8"), ("since_s", "f8"), ("until_s", "f8")]
    + [(name, "i4") for name in ("cores", "job", "kind", "task", "lane")]
)


class SpanColumns:
    """A list of StageSpans; each is made anew when it is looked at."""

    def __init__(self) -> None:
        self._rows = np.empty(64, _ROW)
        self._count = 0
        self._words: list[Any] = []
        self._codes: dict[Any, int] = {}

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[StageSpan]:
        return (self[place] for place in range(self._count))

    def __getitem__(self, place: int) -> StageSpan:
        number, since_s, until_s, cores, *codes = self._row(place).tolist()
        job, kind, task, lane = (self._words[code] for code in codes)
        end_s = None if math.isnan(until_s) else until_s
        return StageSpan(number, job, kind, task, lane, cores, since_s, end_s)

    def __setitem__(self, place: int, span: StageSpan) -> None:
        self._row(place)[...] = self._packed(span)

    def job(self, place: int) -> int | str:
        """Whose a stage is."""
        found: int | str = self._words[int(self._row(place)["job"])]
        return found

    def append(self, span: StageSpan) -> None:
        """One more."""
        if self._count == len(self._rows):
            self._rows = np.concatenate([self._rows, np.empty(self._count, _ROW)])
        self._rows[self._count] = self._packed(span)
        self._count += 1

    def drop(self, count: int) -> None:
        """Forget so many, the first ones."""
        self._rows = self._rows[count : self._count].copy()
        self._count -= count

    def _row(self, place: int) -> Any:
        if not 0 <= place < self._count:
            raise IndexError(place)
        return self._rows[place : place + 1].reshape(())

    def _packed(self, span: StageSpan) -> tuple[Any, ...]:
        end_s = math.nan if span.until_s is None else span.until_s
        words = map(self._code, (span.job, span.kind, span.task, span.lane))
        cores = min(span.cores, np.iinfo(np.int32).max)
        return (span.number, span.since_s, end_s, cores, *words)

    def _code(self, word: Any) -> int:
        code = self._codes.get(word)
        if code is None:
            code = self._codes[word] = len(self._words)
            self._words.append(word)
        return code
