"""What a person writes for a set of shapes: "ids=1x{32*5,64}", where 1x32 counts five times."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from engine.models.shapes import parse_shape
from engine.records.errors import Hint, ShapeError
from engine.records.sentences import Sentence
from engine.records.source import MOST_SHAPES, InputShapes, ModelSource

_GROUP = re.compile(r"\{([^{}]*)\}")
_FREQUENCY = re.compile(r"\s*\*\s*([0-9]{1,9})\s*\Z")
_EXAMPLE = Sentence("Write it like NAME=1x128; several sizes go into braces, with commas.")


@dataclass(frozen=True, slots=True)
class _Axis:
    """Choices that are made together: texts, and how often each occurs. Those of two inputs are one
    axis where they are `alike`, the same texts at the same place."""

    texts: tuple[str, ...]
    frequencies: tuple[int, ...]
    place: int

    @property
    def alike(self) -> tuple[tuple[str, ...], int]:
        return self.texts, self.place


_Parts = Sequence["str | _Axis"]


def parse_shape_set(texts: Iterable[str]) -> tuple[InputShapes, ...]:
    """The shapes that the texts stand for, none where there are no texts.

    Braces hold choices, and an input that is named twice has a choice of both. Choices of several
    inputs that are the same are made together, all others in every combination. ShapeError where a
    text is no shape, or they are too many.
    """
    inputs = {name: _parts(name, given) for name, given in _by_input(texts).items()}
    axes: dict[tuple[tuple[str, ...], int], _Axis] = {}
    for part in (part for parts in inputs.values() for part in parts):
        if isinstance(part, _Axis):
            axes[part.alike] = _oftener(axes.get(part.alike, part), part)
    count = math.prod(len(axis.texts) for axis in axes.values())
    if count > MOST_SHAPES:
        raise ShapeError(
            Sentence("{n} shapes are too many for a project.", n=count),
            Sentence("Give up to {most}.", most=MOST_SHAPES),
        )
    ranges = [range(len(axis.texts)) for axis in axes.values()]
    cases = [
        _case(inputs, axes, dict(zip(axes, chosen, strict=True))) for chosen in product(*ranges)
    ]
    if len(cases) == 1:
        return (replace(cases[0], frequency=1),) if inputs else ()
    return tuple(cases)


def with_shapes(source: ModelSource, shapes: Sequence[InputShapes]) -> ModelSource:
    """The source in these shapes; ShapeError where they are no set."""
    if not shapes:
        return source
    first, *more = shapes
    made = replace(source, shapes=first.shapes, frequency=first.frequency, more=tuple(more))
    made.require_sense()
    return made


def _by_input(texts: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, sizes = text.strip().rpartition("=")
        if not equals or not name.strip():
            raise _not_a_shape(text)
        known = found.setdefault(name.strip(), [])
        if sizes not in known:
            known.append(sizes)
    return found


def _parts(name: str, given: Sequence[str]) -> _Parts:
    """Plain text and choices in turn. Of several texts, all that they stand for are one choice."""
    if len(given) == 1:
        return list(_split(name, given[0]))
    whole: list[tuple[str, int]] = []
    for sizes in given:
        parts = list(_split(name, sizes))
        axes = [part for part in parts if isinstance(part, _Axis)]
        for chosen in product(*(range(len(axis.texts)) for axis in axes)):
            picked = dict(zip(map(id, axes), chosen, strict=True))
            text = "".join(
                part.texts[picked[id(part)]] if isinstance(part, _Axis) else part for part in parts
            )
            text, often = _frequency(text)
            of_axes = (axis.frequencies[place] for axis, place in zip(axes, chosen, strict=True))
            whole.append((text, often * math.prod(of_axes)))
            if len(whole) > MOST_SHAPES:
                break
    return [_Axis(tuple(text for text, _ in whole), tuple(often for _, often in whole), 0)]


def _split(name: str, sizes: str) -> Iterator[str | _Axis]:
    seen: list[tuple[str, ...]] = []
    at = 0
    for group in _GROUP.finditer(sizes):
        yield sizes[at : group.start()]
        choices = [_frequency(text) for text in group.group(1).split(",")]
        texts = tuple(text for text, _ in choices)
        if not all(texts):
            raise _not_a_shape(f"{name}={sizes}")
        yield _Axis(texts, tuple(often for _, often in choices), seen.count(texts))
        seen.append(texts)
        at = group.end()
    yield sizes[at:]


def _frequency(text: str) -> tuple[str, int]:
    """A text without "*5" at its end, and 5."""
    found = _FREQUENCY.search(text)
    if not found:
        return text.strip(), 1
    return text[: found.start()].strip(), max(1, int(found.group(1)))


def _oftener(one: _Axis, other: _Axis) -> _Axis:
    pairs = zip(one.frequencies, other.frequencies, strict=True)
    return replace(one, frequencies=tuple(max(pair) for pair in pairs))


_Axes = Mapping[tuple[tuple[str, ...], int], _Axis]


def _case(
    inputs: Mapping[str, _Parts],
    axes: _Axes,
    chosen: Mapping[tuple[tuple[str, ...], int], int],
) -> InputShapes:
    often = math.prod(axis.frequencies[chosen[key]] for key, axis in axes.items())
    shapes = {}
    for name, parts in inputs.items():
        text, more = _frequency(
            "".join(
                part.texts[chosen[part.alike]] if isinstance(part, _Axis) else part
                for part in parts
            )
        )
        often *= more
        if "{" in text or "}" in text or "*" in text:
            raise _not_a_shape(f"{name}={text}")
        shapes[name] = parse_shape(f"{name}={text}")[1]
    return InputShapes(shapes, often)


def _not_a_shape(text: str) -> ShapeError:
    return ShapeError(Sentence("'{text}' is not a shape.", text=text), _EXAMPLE, Hint.SHAPE)
