"""Checked reading of a row: a stranger's file may hold anything in any column."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import is_dataclass
from enum import StrEnum
from typing import Any, TypeVar

import msgspec

from engine.records.errors import UsageError
from engine.records.options import hints

_T = TypeVar("_T")
_E = TypeVar("_E", bound=StrEnum)


class Malformed(Exception):
    """A stored value has the wrong type or makes no sense."""


class Row:
    """One row of a table, read a column at a time; every reader raises Malformed."""

    __slots__ = ("values",)

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    def text(self, name: str) -> str:
        value = self.values.get(name)
        if type(value) is not str:
            raise Malformed(name)
        return value

    def blob(self, name: str) -> bytes:
        value = self.values.get(name)
        if type(value) is not bytes:
            raise Malformed(name)
        return value

    def integer(self, name: str, least: int = 0) -> int:
        """An integer of at least `least`."""
        value = self.values.get(name)
        if type(value) is not int or value < least:
            raise Malformed(name)
        return value

    def real(self, name: str) -> float:
        """A finite number of at least zero: nothing a project stores is negative."""
        value = self.values.get(name)
        if type(value) is not float or not 0 <= value < math.inf:
            raise Malformed(name)
        return value

    def enum(self, name: str, kind: type[_E]) -> _E:
        """A member of `kind`, by value."""
        try:
            return kind(self.text(name))
        except ValueError as error:
            raise Malformed(name) from error

    def optional(self, name: str, read: Callable[[str], _T]) -> _T | None:
        """What `read` makes of the column, None where it is empty."""
        return None if self.values.get(name) is None else read(name)

    def json(self, name: str) -> Any:
        """The value that the column holds as JSON text."""
        try:
            return json.loads(self.text(name))
        except (ValueError, RecursionError) as error:
            raise Malformed(name) from error

    def mapping(self, name: str) -> dict[str, Any]:
        value = self.json(name)
        if type(value) is not dict:
            raise Malformed(name)
        return value


def read(value: Any, kind: type[_T]) -> _T:
    """Plain data as a dataclass that says all of its fields, or a list; within types and bounds."""
    if is_dataclass(kind) and not (isinstance(value, dict) and set(value) >= set(hints(kind))):
        raise Malformed(kind.__name__)
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, UsageError, RecursionError) as error:
        raise Malformed(str(error).partition("`$.")[2].rstrip("`") or str(error)) from error


def dump(value: Any) -> str:
    """`value` as compact JSON text."""
    return json.dumps(value, separators=(",", ":"))


def clean(text: str) -> str:
    """`text` without the lone surrogates that undecodable bytes leave, which SQLite refuses."""
    return text.encode("utf-8", "replace").decode("utf-8")
