"""Tests of the words of the engine's tables: each is marked, so that none stays untranslated."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import pytest

import engine
from engine.history.figure_words import Note
from engine.history.overview import Advice
from engine.jobs.steps.steps import STEPS
from engine.passes.similarity import METRICS
from engine.records import words
from engine.records.errors import UsageError
from engine.records.events import Progress
from engine.records.sentences import Sentence, counting, listed, restored, stored, together
from engine.records.settings import RunState
from engine.records.task import TaskState
from engine.records.trial import ErrorKind, Source
from engine.records.words import ALL_TRIED, AT_FLOOR, JOB_QUEUE, REPLAYED, Doing, RunEnd
from widgets.look import engine_words
from widgets.look.engine_words import progress_text
from widgets.look.language import refusal, told, translation, use


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        (engine_words.WAYS, words.WAYS.values()),
        (engine_words.SOURCES, [words.source_word(source) for source in Source]),
        (engine_words.TASK_STATES, [state.value for state in TaskState]),
        (engine_words.TASK_REASONS, [AT_FLOOR, ALL_TRIED]),
        (engine_words.RUN_STATES, [state.value for state in RunState]),
        (engine_words.DOINGS, [doing.value for doing in Doing]),
        (engine_words.NOTES, [note.value for note in Note]),
        (engine_words.ADVICE, [advice.value for advice in Advice]),
        (engine_words.RUN_ENDS, [end.value for end in RunEnd]),
        (engine_words.OTHERS, [REPLAYED, JOB_QUEUE]),
        (engine_words.ERRORS, [kind.value for kind in ErrorKind]),
        (engine_words.METRICS, [metric.title for metric in METRICS.values()]),
        (engine_words.WHAT_METRICS_SAY, [metric.description for metric in METRICS.values()]),
        (engine_words.WHAT_STEPS_DO, [step.what for step in STEPS.values()]),
    ],
)
def test_every_word_of_an_engine_table_is_marked(marked: tuple[str, ...], shown: list[str]) -> None:
    assert set(shown) == set(marked)


@pytest.fixture
def german() -> Iterator[None]:
    use([translation("de")])
    yield
    use([])


def engine_trees() -> list[ast.Module]:
    return [ast.parse(path.read_text()) for path in Path(engine.__path__[0]).rglob("*.py")]


@pytest.mark.parametrize("table", [Doing, RunEnd])
def test_every_text_of_what_goes_on_and_why_runs_end_is_told_somewhere(
    table: type[StrEnum],
) -> None:
    told = {
        node.attr
        for tree in engine_trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == table.__name__
    }
    assert told == set(table.__members__)


def test_the_engine_tells_of_steps_and_ends_by_their_tables_alone() -> None:
    """A text of its own would have no translation."""
    texts = {*map(str, Doing), *map(str, RunEnd)} - {RunEnd.STOPPED}  # a state is called so, too
    for node in (node for tree in engine_trees() for node in ast.walk(tree)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Progress" and node.args:
            first = node.args[0]
            assert isinstance(first, ast.Attribute | ast.Name) or ast.unparse(first) == "''"
        if isinstance(node, ast.Call) and ast.unparse(node.func) in ("say", "self._say"):
            assert ast.unparse(node.args[0]) == "''" or not isinstance(node.args[0], ast.Constant)
        if isinstance(node, ast.Constant) and node.value in texts:
            texts.remove(node.value)  # where the tables are
    assert texts == set()


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("doing", Doing)
def test_what_goes_on_is_told_in_the_window_s_language(doing: Doing) -> None:
    about = "net.tune" if "{about}" in doing else ""
    event = Progress(doing, 1, 2, about)
    assert progress_text(event) != event.sentence
    assert about in progress_text(event) and "{" not in progress_text(event) + event.sentence


@pytest.mark.usefixtures("german")
def test_who_is_waited_for_is_told_in_the_window_s_language() -> None:
    assert JOB_QUEUE not in progress_text(Progress(Doing.WAITING, about=JOB_QUEUE))


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("end", RunEnd)
def test_why_a_run_ended_is_told_in_the_window_s_language(end: RunEnd) -> None:
    assert told(end) != end
    assert told(words.replayed(end)).endswith(f": {told(end)}")
    assert told(words.replayed(end)) != words.replayed(end)
    assert told("The {device} is lost.") == "The {device} is lost."


SAMPLE = (
    Sentence("{path} is empty.", path="search"),
    Sentence(
        "all {count} candidates failed, mostly with a {kind}", count=3, kind=ErrorKind.BUILD_CRASH
    ),
    counting(1, "{n} tasks have no donor.", "{n} tasks have no donor."),
    together(Sentence("Nothing was changed."), "Try it again."),
    Sentence("{name}: {finished}.", name="waiting", finished=Sentence("its device is lost")),
    listed(["a", "b"]),
)


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("said", SAMPLE, ids=str)
def test_a_sentence_is_told_in_the_window_s_language_and_names_as_they_are(said: Sentence) -> None:
    found = told(said)
    assert found != said and "{" not in found
    assert told(pickle.loads(pickle.dumps(said))) == told(restored(stored(said))) == found
    assert all(name in found for name in ("search", "waiting") if name in said)


@pytest.mark.usefixtures("german")
def test_an_error_is_told_in_the_window_s_language() -> None:
    error = UsageError(Sentence("There is no file {path}.", path="net.onnx"), "Name one.")
    assert refusal(error) == "Es gibt keine Datei net.onnx. Eines nennen."


def test_what_no_translation_has_is_told_in_english() -> None:
    said = Sentence("Nobody says {this}.", this=Sentence("this {one}", one=1))
    assert told(said) == "Nobody says this 1."


def test_each_step_is_called_as_the_engine_calls_it_and_a_stranger_by_its_kind() -> None:
    assert {kind: engine_words.step_title(kind) for kind in STEPS} == {
        kind: step.title for kind, step in STEPS.items()
    }
    assert engine_words.step_title("anneal") == "anneal"
