"""Tests of the words of the engine's tables: each is marked, so that none stays untranslated."""

from __future__ import annotations

import pytest

from engine.jobs.steps.steps import STEPS
from engine.passes.similarity import METRICS
from engine.records import words
from engine.records.settings import RunState
from engine.records.task import TaskState
from engine.records.trial import ErrorKind, Source
from widgets.look import engine_words


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        (engine_words.WAYS, words.WAYS.values()),
        (engine_words.SOURCES, [words.source_word(source) for source in Source]),
        (engine_words.TASK_STATES, [state.value for state in TaskState]),
        (engine_words.RUN_STATES, [state.value for state in RunState]),
        (engine_words.ERRORS, [kind.value for kind in ErrorKind]),
        (engine_words.METRICS, [metric.title for metric in METRICS.values()]),
        (engine_words.WHAT_METRICS_SAY, [metric.description for metric in METRICS.values()]),
        (engine_words.WHAT_STEPS_DO, [step.what for step in STEPS.values()]),
    ],
)
def test_every_word_of_an_engine_table_is_marked(marked: tuple[str, ...], shown: list[str]) -> None:
    assert set(shown) == set(marked)


def test_each_step_is_called_as_the_engine_calls_it_and_a_stranger_by_its_kind() -> None:
    assert {kind: engine_words.step_title(kind) for kind in STEPS} == {
        kind: step.title for kind, step in STEPS.items()
    }
    assert engine_words.step_title("anneal") == "anneal"
