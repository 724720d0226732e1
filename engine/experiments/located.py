"""A YAML text as plain data that knows its lines; nothing in it is ever made into an object."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from engine.records.errors import Hint, UsageError
from engine.records.sentences import Sentence

_LONGEST = 1_000_000
_DEEPEST = 10


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text, a number or nothing, as it was written; `line` counts from 1."""

    line: int
    text: str


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    line: int
    items: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Keys:
    """A mapping in its order."""

    line: int
    entries: dict[str, Node] = field(default_factory=dict)


Node: TypeAlias = "Scalar | Items | Keys"


class WrongLine(UsageError):
    """An error that names the line of the file that it is in."""


def wrong(line: int, what: str, todo: str, hint: Hint | None = None) -> WrongLine:
    """An error in a line of the file."""
    return WrongLine(
        Sentence("Line {line}: {what}", line=line, what=Sentence.of(what)), Sentence.of(todo), hint
    )


def parse(text: str) -> Node:
    """The one document of a YAML text; UsageError, with the line, where it is none that we read.

    Tags, anchors and aliases are refused: they are what makes a YAML more than data.
    """
    import yaml

    if len(text) > _LONGEST:
        raise UsageError("The file is longer than a million characters.", "Shorten it.")
    try:
        _check(yaml.parse(text, Loader=yaml.SafeLoader))
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise wrong(
            1 if mark is None else mark.line + 1,
            Sentence("this is no YAML: {problem}.", problem=error.problem),
            "Check its indentation, colons and quotes.",
        ) from error
    except yaml.YAMLError as error:
        raise UsageError("The file is no YAML text.", "Save it as UTF-8 text.") from error
    if node is None:
        raise UsageError("The file is empty.", "The help page on experiments has an example.")
    return _located(node)


def _check(events: Iterator[Any]) -> None:
    """Refuse what is no plain data, before anything is built of it."""
    import yaml

    depth = 0
    for event in events:
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None):
            raise wrong(line, "anchors and aliases are not read.", "Write the values out.")
        if getattr(event, "tag", None):
            raise wrong(
                line, Sentence("the tag {tag} is not read.", tag=event.tag), "Write plain values."
            )
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > _DEEPEST:
            raise wrong(line, "this is nested too deeply.", "Compare with the help's example.")


def _located(node: Any) -> Node:
    import yaml

    line = node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode):
        return Scalar(line, str(node.value))
    if isinstance(node, yaml.SequenceNode):
        return Items(line, tuple(map(_located, node.value)))
    entries: dict[str, Node] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise wrong(key.start_mark.line + 1, "a key must be a word.", "Write it as text.")
        if key.value in entries:
            raise wrong(
                key.start_mark.line + 1,
                Sentence("'{key}' comes twice.", key=key.value),
                "Join both into one.",
            )
        entries[key.value] = _located(value)
    return Keys(line, entries)
