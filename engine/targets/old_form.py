"""TVM's former text of a target, "llvm -mcpu=skylake -num-cores=4", which it reads no more."""

from __future__ import annotations

import shlex
from typing import Any

from engine.records.errors import TargetError
from engine.records.sentences import Sentence

_LISTS = ("keys", "libs", "mattr")
_HOST = "host"
_LONGEST = 40  # letters of an option's name


def fields_of(text: str) -> dict[str, Any] | None:
    """The fields that the text gives, for TVM to judge; None where it is of another form.

    Options are "-name=value", "-name value" or "-name", which is true. TargetError where one is
    none of these.
    """
    kind, _, rest = text.strip().partition(" ")
    if not rest.lstrip().startswith("-"):
        return None
    fields: dict[str, Any] = {"kind": kind}
    for name, value in _options(text, rest):
        if name in fields:
            raise _unclear(text, f"{name} stands there twice")
        fields[name] = _value(name, value)
    return fields


def _options(text: str, rest: str) -> list[tuple[str, str]]:
    try:
        words = shlex.split(rest)
    except ValueError:
        raise _unclear(text, "a quote has no end") from None
    found: list[tuple[str, str]] = []
    while words:
        word = words.pop(0)
        name, equals, value = word.lstrip("-").partition("=")
        if not word.startswith("-") or not name or len(name) > _LONGEST:
            raise _unclear(text, f"{word[:_LONGEST]!r} is no option")
        if not equals:
            value = words.pop(0) if words and not words[0].startswith("-") else "true"
        found.append((name, value))
    return found


def _value(name: str, value: str) -> Any:
    if name in _LISTS:
        return [item for item in value.split(",") if item]
    if name == _HOST:
        return fields_of(value) or {"kind": value}
    if value in ("true", "false"):
        return value == "true"
    return int(value) if value.isascii() and value.isdecimal() and len(value) < 10 else value


def _unclear(text: str, why: str) -> TargetError:
    shown = text if len(text) <= 80 else f"{text[:77]}..."
    return TargetError(
        Sentence("The target {shown!r} cannot be read: {why}.", shown=shown, why=why),
        'Write it as JSON, such as {"kind": "llvm", "mcpu": "x86-64-v3", "num-cores": 4}.',
    )
