"""What an option may be, declared once beside its default, and a sentence where it is not that.

`Annotated[int, Meta(ge=1, le=64)] = 16` in a dataclass is all that forms, the command line, chains
of calls, YAML and the reading of files need to know.
"""

from __future__ import annotations

import inspect
import math
import os
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, Field, dataclass, fields, is_dataclass
from functools import reduce, wraps
from typing import (
    Annotated,
    Any,
    Literal,
    ParamSpec,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from msgspec import Meta

from engine.records.errors import UsageError
from engine.records.sentences import Sentence, together

P = ParamSpec("P")
T = TypeVar("T")

_FAR = 1e60  # beyond whatever is counted or measured: sums and powers of what is below stay finite
_MOST = 2**31 - 1

LARGEST = 2**53
Index = Annotated[int, Meta(ge=0, le=LARGEST)]
Count = Annotated[int, Meta(ge=1, le=2**31 - 1)]
Finite = Annotated[float, Meta(ge=-_FAR, le=_FAR)]
Real = Annotated[float, Meta(ge=0, le=_FAR)]
Positive = Annotated[float, Meta(gt=0, le=_FAR)]
LEAST_S, MOST_S = 1e-15, 1e11  # a latency above nothing, and the year 5138
Seconds = Annotated[float, Meta(ge=0, le=MOST_S)]  # a duration, or since the epoch
Latency = Annotated[float, Meta(ge=LEAST_S, le=MOST_S)]
Share = Annotated[float, Meta(ge=0, le=1)]


def one_of(*names: str) -> Meta:
    """The bound of a text that is one of these."""
    pattern = "|".join(map(re.escape, names))
    return Meta(pattern=rf"^(?:{pattern})\Z", extra={"choices": names})


class Checked:
    """A frozen dataclass whose values are always of the types and within the bounds it declares.

    `what` begins the sentence about a value that is not: "A budget" has "A budget's trials".
    """

    __slots__ = ()
    _what = ""

    def __init_subclass__(cls, what: str = "", **more: Any) -> None:
        super().__init_subclass__(**more)
        if what:
            cls._what = what

    def __post_init__(self) -> None:
        for name, hint in hints(type(self)).items():
            value = required(getattr(self, name), hint, _named(self._what, name))
            object.__setattr__(self, name, value)
        self.require_sense()

    def require_sense(self) -> None:
        """UsageError where values that are each allowed make no sense together."""


def hints(kind: Any) -> dict[str, Any]:
    """The fields of a dataclass with their types, bounds included."""
    if kind not in _hints:
        known = get_type_hints(kind, include_extras=True)
        _hints[kind] = {field.name: known[field.name] for field in fields(kind)}
    return _hints[kind]


_hints: dict[type, dict[str, Any]] = {}


def made(kind: type[T], values: Mapping[str, Any], what: str = "") -> T:
    """A dataclass of plain data; UsageError where a name or a value is not one of its own."""
    what, known = what or getattr(kind, "_what", ""), hints(kind)
    subject = Sentence.of(what or "This")
    if not isinstance(values, Mapping):
        raise UsageError(
            Sentence("{what} is {value}.", what=subject, value=_shown(values)),
            "Give options by name.",
        )
    if unknown := sorted(str(name) for name in set(values) - set(known)):
        raise UsageError(
            Sentence("{what} has no option {names}.", what=subject, names=", ".join(unknown)),
            Sentence("It has {names}.", names=", ".join(known)) if known else "It has none.",
        )
    needed = [field.name for field in fields(kind) if _needed(field)]  # type: ignore[arg-type]
    if missing := [name for name in needed if name not in values]:
        raise UsageError(
            Sentence("{what} has no {names}.", what=subject, names=", ".join(missing)), "Give it."
        )
    given = {name: _made(value, known[name], _named(what, name)) for name, value in values.items()}
    return kind(**given)


def _needed(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _made(value: Any, hint: Any, what: str) -> Any:
    """The value, with the dataclasses in it made of what may be plain data."""
    if is_dataclass(hint) and isinstance(value, Mapping):
        return made(hint, value)  # type: ignore[arg-type]
    inside = get_args(hint)
    if get_origin(hint) is tuple and is_dataclass(inside[0]) and isinstance(value, list | tuple):
        return tuple(_made(item, inside[0], what) for item in value)
    return required(value, hint, what)


def required(value: Any, hint: Any, what: str) -> Any:
    """The value as the hint has it; UsageError where it is of another type or out of bounds."""
    if isinstance(value, os.PathLike) and os.PathLike in map(_plain, get_args(hint)):
        return value
    value = float(value) if isinstance(value, float) else value  # NumPy's, too
    try:
        return msgspec.convert(value, _convertible(hint), str_keys=True)
    except (msgspec.ValidationError, RecursionError) as error:
        raise UsageError(
            Sentence("{what} is {value}.", what=what, value=_shown(value)),
            Sentence("Give {value}.", value=_instead(value, hint)),
        ) from error


def _instead(value: Any, hint: Any) -> Sentence:
    """What is allowed, with a bound that goes without saying until a value is beyond it."""
    words, most = said(hint), bound(hint).most
    if isinstance(value, int | float) and not abs(value) <= _FAR and most == _FAR:
        smaller, finite = Sentence("a smaller number"), Sentence("a finite number")
        return said(hint, number=smaller if abs(value) < math.inf else finite)
    beyond = type(value) is int and most is not None and value > most >= _MOST and most != _FAR
    if not beyond or most is None:
        return words
    return Sentence("{words}, up to {most}", words=words, most=_figure(most))


def read_text(text: str, hint: Any) -> Any:
    """The value that a text stands for, or the text where it stands for none of that type."""
    if bound(hint).kind is bool and text.lower() not in ("true", "false"):
        return text
    try:
        return msgspec.convert(text, bound(hint).kind, strict=False)
    except msgspec.ValidationError:
        return text


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of this type and within its bounds."""
    try:
        required(value, hint, "")
    except UsageError:
        return False
    return True


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
            raise UsageError(
                Sentence("{name}: {error}.", name=name, error=error),
                Sentence("It is {name}{signature}.", name=name, signature=_bare(signature)),
            ) from error
        known = get_type_hints(method, include_extras=True)
        for key, parameter in list(signature.parameters.items())[1:]:
            several = parameter.kind is parameter.VAR_POSITIONAL
            if key in bound and parameter.kind is not parameter.VAR_KEYWORD:
                for value in bound[key] if several else (bound[key],):
                    required(value, known[key], Sentence("{what}'s {name}", what=name, name=key))
        return method(*args, **kwargs)

    return call


# What is allowed


@dataclass(frozen=True, slots=True)
class Bound:
    """What a field may be: a kind, or None where `optional`; numbers from `least`, or `above` it,
    to `most`; texts of `choices`, where there are any."""

    kind: Any
    optional: bool = False
    least: float | None = None
    most: float | None = None
    above: bool = False
    choices: tuple[str, ...] = ()


def bound(hint: Any) -> Bound:
    parts = get_args(hint) if _plain(hint) in (Union, types.UnionType) else (hint,)
    kinds = [part for part in parts if part is not type(None)]
    optional = len(kinds) < len(parts)
    if get_origin(kinds[0]) is Literal:
        return Bound(str, optional, choices=get_args(kinds[0]))
    if get_origin(kinds[0]) is not Annotated:
        return Bound(kinds[0], optional)
    kind, *metas = get_args(kinds[0])
    for meta in metas:
        if isinstance(meta, Meta):
            least = meta.gt if meta.ge is None else meta.ge
            choices = (meta.extra or {}).get("choices", ())
            return Bound(kind, optional, least, meta.le, meta.gt is not None, choices)
    return Bound(kind, optional)


_WORDS: dict[Any, tuple[Sentence, Sentence]] = {
    int: (Sentence("a whole number"), Sentence("whole numbers")),
    float: (Sentence("a number"), Sentence("numbers")),
    str: (Sentence("a text"), Sentence("texts")),
    bool: (Sentence("True or False"), Sentence("True or False")),
    os.PathLike: (Sentence("a path"), Sentence("paths")),
}
_OTHER = (Sentence("another value"), Sentence("other values"))


def said(hint: Any, many: bool = False, number: Sentence | None = None) -> Sentence:
    """What a hint allows, in words: "a whole number from 1 to 64"; `number` is another word for
    "a number"."""
    kind, inside = get_origin(hint) or hint, get_args(hint)
    if kind in (Union, types.UnionType):
        ways = [said(each, many, number) for each in inside if each is not type(None)]
        return reduce(lambda one, or_: Sentence("{one} or {other}", one=one, other=or_), ways)
    if kind in (Mapping, dict):
        return Sentence("{values} by name", values=said(inside[1], many=True))
    if kind in (Sequence, tuple, frozenset):
        return Sentence("a list of {values}", values=said(inside[0], many=True))
    allowed = bound(hint)
    if allowed.choices:
        return Sentence("one of {names}", names=", ".join(allowed.choices))
    kind, words = _plain(allowed.kind), _WORDS.get(_plain(allowed.kind), _OTHER)
    word = number if number and kind is float and not many else words[many]
    return together(word, _range(allowed), by="")


def _range(allowed: Bound) -> str:
    least, most = allowed.least, allowed.most
    if least is None or most is None or least == -_FAR:
        return ""
    if allowed.above:
        if most >= _MOST:
            return Sentence(" above {least:g}", least=least)
        return Sentence(" above {least:g}, up to {most}", least=least, most=_figure(most))
    if most < _MOST:
        return Sentence(" from {least:g} to {most}", least=least, most=_figure(most))
    return Sentence(" of {least:g} or more", least=least)


def _figure(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,g}"


def _named(what: str, name: str) -> str:
    return Sentence("{what}'s {name}", what=Sentence.of(what), name=name) if what else name


def _shown(value: Any) -> str:
    try:
        shown = repr(value)
    except (RecursionError, ValueError):  # nested too deeply, or a number of too many digits
        shown = "no such value"
    return shown if len(shown) <= 40 else f"{shown[:37]}..."


def _plain(hint: Any) -> Any:
    return get_origin(hint) or hint


def _convertible(hint: Any) -> Any:
    """The hint without paths, which msgspec does not take beside texts."""
    parts: Iterable[Any] = get_args(hint)
    if os.PathLike not in map(_plain, parts):
        return hint
    return Union[tuple(part for part in parts if _plain(part) is not os.PathLike)]  # noqa: UP007


def _bare(signature: inspect.Signature) -> str:
    plain = [p.replace(annotation=p.empty) for p in list(signature.parameters.values())[1:]]
    return str(inspect.Signature(plain))
