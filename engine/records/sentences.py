"""What the engine says to a person: a template, which is its code, and what stands in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from numbers import Integral, Real
from types import MappingProxyType
from typing import Any, TypeAlias

Value: TypeAlias = "str | int | float"

_MARK = '{"say":'  # how a stored sentence begins
_MOST = 4000  # characters of a stored template, and of each text in it
_DEPTH = 4
# What may stand between the braces of a stored template: nothing that makes a text without end.
_FIELD = re.compile(r"\{\{|\}\}|\{[a-z_][a-z0-9_]*(![rs])?(:,?(\.\d)?[fg%]?)?\}")


class Sentence(str):
    """A text whose `template` a window translates, and whose `values` it fills in then.

    As a `str` it is the sentence in English, for whatever only prints, compares or stores it; what
    is cut out of it or joined with it is plain text again. A value is a number, or a text that is
    shown as it is, or another Sentence or a member of a StrEnum, which are translated, too.
    Without values the template is no format: braces in it stand for themselves.
    """

    template: str
    values: Mapping[str, Value]

    def __new__(cls, template: str, /, **values: object) -> Sentence:
        kept = {name: _value(value) for name, value in values.items()}
        made = str.__new__(cls, template.format(**kept) if kept else template)
        made.template = template
        made.values = MappingProxyType(kept)
        return made

    @staticmethod
    def of(text: str) -> Sentence:
        """What is said, as it is, or a text of its own that has no values."""
        return text if isinstance(text, Sentence) else Sentence(str(text))

    def filled(self, **values: object) -> Sentence:
        """The same template with more values."""
        return Sentence(self.template, **self.values, **values)

    def __reduce__(self) -> tuple[Any, ...]:
        return _made, (self.template, dict(self.values))

    def __copy__(self) -> Sentence:
        return self

    def __deepcopy__(self, memo: object) -> Sentence:
        return self


def counting(n: int, one: str, many: str, /, **values: object) -> Sentence:
    """A sentence of a count, which stands in it as `{n}`: the first template is that of one."""
    return Sentence(one if n == 1 else many, n=n, **values)


def together(*said: str, by: str = " ") -> Sentence:
    """Sentences one after another, as one; empty ones are left out."""
    parts = [Sentence.of(part) for part in said if part]
    if len(parts) < 2:
        return parts[0] if parts else Sentence("")
    names = [f"part{place}" for place in range(len(parts))]
    template = by.join(f"{{{name}}}" for name in names)
    return Sentence(template, **dict(zip(names, parts, strict=True)))


def in_brackets(text: str) -> Sentence:
    """What is added to a sentence, or nothing where there is nothing to add."""
    return Sentence(" ({said})", said=text) if text else Sentence("")


def listed(names: Sequence[str]) -> Sentence:
    """Names or sentences in a row: "A, B and C"."""
    first, last = together(*names[:-1], by=", "), names[-1]
    return Sentence("{names} and {last}", names=first, last=last) if first else Sentence.of(last)


def some(names: Sequence[str], most: int) -> Sentence:
    """The first names, and how many more there are."""
    first = ", ".join(names[:most])
    if len(names) <= most:
        return Sentence("{names}", names=first)
    return Sentence("{names} and {n} more", names=first, n=len(names) - most)


def ended(text: str) -> Sentence:
    """A text as a whole sentence: with a full stop, where it has none."""
    return Sentence.of(text) if text.endswith(".") else Sentence("{said}.", said=Sentence.of(text))


def stored(text: str) -> str:
    """A text for a column or a file, which keeps what a Sentence is made of."""
    if not (isinstance(text, Sentence) and text.values):
        return str(text)
    return json.dumps(_data(text), separators=(",", ":"))


def restored(text: str) -> str:
    """What `stored` was given. A text that looks so and is none stays as it is."""
    if not text.startswith(_MARK):
        return text
    try:
        return _sentence(json.loads(text))
    except (ValueError, KeyError, TypeError, RecursionError, IndexError, AttributeError):
        return text


def _value(value: object) -> Value:
    if isinstance(value, BaseException) and isinstance(next(iter(value.args), None), Sentence):
        return Sentence("{said}", said=value.args[0])
    if isinstance(value, str):
        return value
    if isinstance(value, Integral):
        return int(value)
    return float(value) if isinstance(value, Real) else str(value)


def _made(template: str, values: Mapping[str, Value]) -> Sentence:
    return Sentence(template, **values)


def _data(sentence: Sentence) -> dict[str, Any]:
    held = {
        name: _data(Sentence.of(value)) if isinstance(value, Sentence | Enum) else value
        for name, value in sentence.values.items()
    }
    return {"say": sentence.template, "with": held}


def _sentence(data: Any, depth: int = 0) -> Sentence:
    """A stranger's sentence; ValueError and its like where it is none, or is without measure."""
    template, values = data["say"], data.get("with", {})
    if depth > _DEPTH or not isinstance(template, str) or len(template) > _MOST:
        raise ValueError("no template")
    if values and set("{}") & set(_FIELD.sub("", template)):
        raise ValueError("no fields")
    return Sentence(template, **dict(_values(values.items(), depth)))


def _values(items: Iterable[tuple[str, Any]], depth: int) -> Iterable[tuple[str, Value]]:
    for name, value in items:
        if isinstance(value, dict):
            yield name, _sentence(value, depth + 1)
        elif isinstance(value, int | float | str) and len(str(value)) <= _MOST:
            yield name, value
        else:
            raise ValueError("no value")
