"""Checked reading of a row: a stranger's file may hold anything in any column."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import is_dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from engine.records.errors import UsageError
from engine.records.options import LARGEST, MOST_S, hints

if TYPE_CHECKING:
    from sqlite_utils import Database

_DIGITS = 100
_TABLE = re.compile(r"FROM (\w+)")
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
        """An integer from `least` up to what any count or number may be."""
        value = self.values.get(name)
        if type(value) is not int or not least <= value <= LARGEST:
            raise Malformed(name)
        return value

    def seconds(self, name: str) -> float:
        """A duration, or a moment since the epoch."""
        value = self.values.get(name)
        if type(value) is not float or not 0 <= value <= MOST_S:
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
        """The value that the column holds as JSON text; `float` takes all its whole numbers."""
        try:
            return json.loads(self.text(name), parse_int=_whole)
        except (ValueError, RecursionError) as error:
            raise Malformed(name) from error

    def made(self, name: str, make: Callable[[Any], _T]) -> _T:
        """What `make` reads of the value that the column holds as JSON text."""
        try:
            return make(self.json(name))
        except Malformed as error:
            raise Malformed(name) from error

    def mapping(self, name: str) -> dict[str, Any]:
        value = self.json(name)
        if type(value) is not dict:
            raise Malformed(name)
        return value


def each(
    db: Database, sql: str, make: Callable[[Row], _T], args: Sequence[Any] = ()
) -> tuple[_T, ...]:
    """What is made of each row of a query, whose table the error names beside the column."""
    try:
        return tuple(make(Row(values)) for values in db.query(sql, args))
    except Malformed as error:
        raise Malformed(f"{_TABLE.findall(sql)[0]}.{error}") from error


def read(value: Any, kind: type[_T]) -> _T:
    """Plain data as a dataclass that says all of its fields, or a list; within types and bounds."""
    if is_dataclass(kind) and not (isinstance(value, dict) and set(value) >= set(hints(kind))):
        raise Malformed(kind.__name__)
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, UsageError, RecursionError) as error:
        raise Malformed(str(error).partition("`$.")[2].rstrip("`") or str(error)) from error


def _whole(digits: str) -> int:
    """The number, unless it is far larger than any that is stored, a person's seed included."""
    if len(digits) > _DIGITS:
        raise ValueError("a number without end")
    return int(digits)


def dump(value: Any) -> str:
    """`value` as compact JSON text."""
    return json.dumps(value, separators=(",", ":"))


def clean(text: str) -> str:
    """`text` without the lone surrogates that undecodable bytes leave, which SQLite refuses."""
    return text.encode("utf-8", "replace").decode("utf-8")
