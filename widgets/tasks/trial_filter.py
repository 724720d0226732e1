"""Which trials a person wants to see: of a task, an outcome, a source, with a word."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.records.trial import ErrorKind, Source
from widgets.look.language import tr
from widgets.look.source_words import source_word
from widgets.parts.column_model import Array
from widgets.tasks.trial_columns import ERRORS, SOURCES, TrialColumns


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
