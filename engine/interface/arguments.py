"""Refuses arguments of other types than a method declares, by a sentence, not a TypeError."""

from __future__ import annotations

import inspect
import math
import os
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import wraps
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

from engine.records.errors import UsageError

P = ParamSpec("P")
T = TypeVar("T")

_WORDS: dict[Any, tuple[str, str]] = {
    int: ("a whole number", "whole numbers"),
    float: ("a number", "numbers"),
    str: ("a text", "texts"),
    bool: ("True or False", "True or False"),
    type(None): ("None", "None"),
    os.PathLike: ("a path", "paths"),
}


def checked(method: Callable[P, T]) -> Callable[P, T]:
    """A method that raises UsageError for an argument that it does not take, or of a type that it
    does not declare."""
    signature = inspect.signature(method)
    name = method.__name__

    @wraps(method)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        try:
            bound = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise UsageError(f"{name}: {error}.", f"It is {name}{_shown(signature)}.") from error
        hints = get_type_hints(method)
        for key, parameter in list(signature.parameters.items())[1:]:
            several = parameter.kind is parameter.VAR_POSITIONAL
            if key in bound and parameter.kind is not parameter.VAR_KEYWORD:
                values = bound[key] if several else (bound[key],)
                for value in values:
                    require(value, hints[key], f"{name}'s {key}")
        return method(*args, **kwargs)

    return call


def require_options(kind: type, options: Mapping[str, Any], what: str) -> None:
    """UsageError where an option of this dataclass has another type; unknown ones are left."""
    hints = get_type_hints(kind)
    for field in fields(kind):
        if field.name in options:
            require(options[field.name], hints[field.name], f"{what}'s {field.name}")


def require(value: Any, hint: Any, what: str) -> None:
    """UsageError where a value is not of a type as it is written in a hint."""
    if not _fits(value, hint):
        shown = repr(value)
        shown = shown if len(shown) <= 40 else f"{shown[:37]}..."
        raise UsageError(f"{what} is {shown}.", f"Give {_said(hint)}.")


def _fits(value: Any, hint: Any) -> bool:
    kind, inside = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, types.UnionType):
        return any(_fits(value, each) for each in inside)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and _is_finite(value)
    if kind is Mapping or kind is dict:
        pairs = value.items() if isinstance(value, Mapping) else ()
        return isinstance(value, Mapping) and all(
            _fits(part, each) for pair in pairs for part, each in zip(pair, inside, strict=False)
        )
    if kind is Sequence or kind is tuple:
        listed = isinstance(value, Sequence) and not isinstance(value, str | bytes)
        return listed and all(_fits(part, inside[0]) for part in value)
    return not isinstance(kind, type) or isinstance(value, kind)


def _is_finite(value: float) -> bool:
    """Whether it is a number that a float can be."""
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond all floats
        return False


def _said(hint: Any, many: bool = False) -> str:
    kind, inside = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, types.UnionType):
        return " or ".join(_said(each, many) for each in inside)
    if kind in (Mapping, dict):
        return f"{_said(inside[1], many=True)} by name"
    if kind in (Sequence, tuple):
        return f"a list of {_said(inside[0], many=True)}"
    return _WORDS.get(kind, ("another value", "other values"))[many]


def _shown(signature: inspect.Signature) -> str:
    """The parameters without types."""
    plain = [p.replace(annotation=p.empty) for p in list(signature.parameters.values())[1:]]
    return str(inspect.Signature(plain))
