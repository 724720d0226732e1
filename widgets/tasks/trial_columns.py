"""The trials of a project as growing NumPy columns, and which of them a person asks for."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.records.trial import ErrorKind, Source, Trial
from widgets.look.language import tr
from widgets.look.states import source_word
from widgets.parts.column_model import Array

ERRORS = tuple(ErrorKind)
SOURCES = tuple(Source)
_KEYS = ("number", "task", "latency", "error", "source", "build", "run", "slot", "elapsed", "text")


class TrialColumns:
    """Columns that double their room when it is used up; a known trial is overwritten in place.

    `error` is 1 + its place in ERRORS, 0 where there is none; `latency` is NaN after an error,
    and so are times that were not taken. `text` is the place of the error's text in `texts`, of
    which the first is empty; they are in small letters, for searching.
    """

    def __init__(self) -> None:
        self._room = np.zeros((len(_KEYS), 256))
        self._count = 0
        self._where: dict[int, int] = {}
        self._texts: dict[str, int] = {"": 0}

    def __len__(self) -> int:
        return self._count

    def __contains__(self, number: int) -> bool:
        return number in self._where

    def add(self, trials: Iterable[Trial]) -> None:
        """Take in trials, or newer versions of known ones."""
        for trial in trials:
            row = self._where.setdefault(trial.number, self._count)
            if row == self._count:
                self._count += 1
                if self._count > self._room.shape[1]:
                    self._room = np.concatenate([self._room, np.zeros_like(self._room)], axis=1)
            text = self._texts.setdefault(trial.error_text.lower(), len(self._texts))
            self._room[:, row] = (*_row(trial), text)

    def row(self, number: int) -> int:
        """Where a known trial is in the columns."""
        return self._where[number]

    def ids(self) -> Array:
        """The trials' numbers, in the order of arrival."""
        return self._room[0, : self._count].astype(np.int64)

    def values(self) -> dict[str, Array]:
        """Views of the columns, by key."""
        return {key: self._room[i, : self._count] for i, key in enumerate(_KEYS)}

    def codes(self, key: str) -> Array:
        """A column of whole numbers as such."""
        return self._room[_KEYS.index(key), : self._count].astype(np.int64)

    @property
    def texts(self) -> tuple[str, ...]:
        """The different texts of errors."""
        return tuple(self._texts)

    def of_task(self, task: int) -> Array:
        """A mask of one task's trials."""
        mask: Array = self._room[1, : self._count] == task
        return mask


def _row(trial: Trial) -> tuple[float, ...]:
    latency_s = trial.latency_s
    return (
        trial.number,
        trial.task,
        latency_s if math.isfinite(latency_s) else math.nan,
        0 if trial.error is None else 1 + ERRORS.index(trial.error),
        SOURCES.index(trial.source),
        trial.build_s or math.nan,
        trial.run_s or math.nan,
        trial.slot,
        trial.elapsed_s,
    )


@dataclass(frozen=True, slots=True)
class TrialFilter:
    """What has to be true of a trial; None and "" ask nothing.

    `failed` is whether it has an error; `error` asks for one kind. Each word of `text` has to be
    in the name of its task, in its error, or in its source.
    """

    task: int | None = None
    failed: bool | None = None
    error: ErrorKind | None = None
    source: Source | None = None
    text: str = ""

    def mask(self, trials: TrialColumns, names: Mapping[int, str]) -> Array | None:
        """The trials that pass; None where all do. `names` are those of tasks, by index."""
        parts: list[Array] = []
        if self.task is not None:
            parts.append(trials.of_task(self.task))
        if self.error is not None:
            parts.append(trials.codes("error") == 1 + ERRORS.index(self.error))
        elif self.failed is not None:
            parts.append((trials.codes("error") > 0) == self.failed)
        if self.source is not None:
            parts.append(trials.codes("source") == SOURCES.index(self.source))
        words = self.text.lower().split()
        if words:
            parts += _with_words(words, trials, names)
        return np.logical_and.reduce(parts) if parts else None


def _with_words(
    words: Sequence[str], trials: TrialColumns, names: Mapping[int, str]
) -> list[Array]:
    """A mask for each word. Only different texts are looked at, not every trial's."""
    tasks, codes = np.unique(trials.codes("task"), return_inverse=True)
    columns = (
        (
            codes,
            [names.get(task, tr("task {number}", number=task)).lower() for task in tasks.tolist()],
        ),
        (trials.codes("error"), ["", *(tr(kind.value).lower() for kind in ERRORS)]),
        (trials.codes("source"), [source_word(source).lower() for source in SOURCES]),
        (trials.codes("text"), trials.texts),
    )
    return [
        np.logical_or.reduce(
            [np.array([word in text for text in texts], bool)[own] for own, texts in columns]
        )
        for word in words
    ]
