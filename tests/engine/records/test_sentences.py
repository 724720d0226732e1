"""Tests of what the engine says: English as text, and made of a template and its values."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import asdict, dataclass

import pytest

from engine.records.errors import ModelError
from engine.records.sentences import (
    Sentence,
    counting,
    ended,
    in_brackets,
    listed,
    restored,
    some,
    stored,
    together,
)
from engine.records.settings import RunState

INNER = Sentence("it takes {seconds:.1f} s", seconds=2.25)
ALL = (
    Sentence("It has no values, and a {brace}."),
    Sentence("{name} has {count:,} tasks.", name="a{b}.onnx", count=12345),
    Sentence("{name!r} is {share:.1%} done.", name="x", share=0.125),
    Sentence("{why}: {state}", why=INNER, state=RunState.FAILED),
    counting(1, "{n} task", "{n} tasks"),
    counting(3, "{n} task", "{n} tasks"),
    together(INNER, "", "Nothing else."),
    listed([INNER, "two", "three"]),
    some(["a", "b", "c"], 2),
    ended(INNER),
    Sentence("The module{said}", said=in_brackets("why")),
)


@pytest.mark.parametrize("said", ALL, ids=str)
def test_a_sentence_is_its_english_and_comes_whole_through_a_pipe_a_copy_and_a_file(
    said: Sentence,
) -> None:
    @dataclass
    class Event:
        text: str

    ways = (
        pickle.loads(pickle.dumps(said)),
        copy.deepcopy(said),
        asdict(Event(said))["text"],
        restored(stored(said)),
    )
    for found in ways:
        assert found == str(said) and type(str(found)) is str
        if said.values:
            assert isinstance(found, Sentence)
            assert (found.template, list(found.values)) == (said.template, list(said.values))
    assert json.loads(json.dumps(said)) == f"{said}"


def test_a_sentence_reads_as_it_would_be_written() -> None:
    assert [str(said) for said in ALL] == [
        "It has no values, and a {brace}.",
        "a{b}.onnx has 12,345 tasks.",
        "'x' is 12.5% done.",
        "it takes 2.2 s: failed",
        "1 task",
        "3 tasks",
        "it takes 2.2 s Nothing else.",
        "it takes 2.2 s, two and three",
        "a, b and 1 more",
        "it takes 2.2 s.",
        "The module (why)",
    ]


def test_an_error_keeps_what_it_was_made_of_through_a_pipe() -> None:
    error = ModelError(Sentence("{name} is empty.", name="net"), "Copy it again.").at("n1")
    found = pickle.loads(pickle.dumps(error))
    assert isinstance(found.what, Sentence) and found.what.values == {"name": "net"}
    assert (str(found), found.todo, found.node) == ("net is empty. Copy it again.",
                                                    "Copy it again.", "n1")  # fmt: skip


def test_a_value_that_is_an_error_says_what_that_was_made_of() -> None:
    said = Sentence("No server: {error}.", error=ValueError(INNER))
    assert said == "No server: it takes 2.2 s."
    assert isinstance(said.values["error"], Sentence)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "every schedule was tried",
        "{n} of {m}",
        '{"say":',
        '{"say":"{x}"}{',
        '{"say":1,"with":{}}',
        '{"say":"{x}","with":{"y":1}}',
        '{"say":"{x:>999999999}","with":{"x":1}}',
        '{"say":"{x:1000000000.9f}","with":{"x":1}}',
        '{"say":"{x.__class__}","with":{"x":1}}',
        '{"say":"{x[0]}","with":{"x":"a"}}',
        '{"say":"{x","with":{"x":1}}',
        '{"say":"{x}","with":{"x":null}}',
        '{"say":"{x}","with":{"x":[1]}}',
        '{"say":"{x:,}","with":{"x":"a"}}',
        '{"say":"{x}","with":[["x",1]]}',
        '{"say":"{x}","with":{"x":' + '{"say":"{x}","with":{"x":' * 9 + "1" + "}}" * 9 + "}}",
        '{"say":"' + "a" * 5000 + '","with":{}}',
    ],
)
def test_a_strangers_text_that_is_no_stored_sentence_stays_as_it_is(text: str) -> None:
    assert restored(text) == text
    assert not isinstance(restored(text), Sentence)
