"""Where a model comes from: a file, or a sample that ships with a package."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from engine.records.errors import ShapeError, UsageError
from engine.records.options import Count, Finite, Index, made
from engine.records.precision import DEFAULT_PRECISION
from engine.records.sentences import Sentence

Precision = Literal["float32", "tf32", "float16", "bfloat16"]


MOST_SHAPES = 64


@dataclass(frozen=True, slots=True)
class InputShapes:
    """One shape of a model: shapes of its inputs, in elements per axis, and how often it occurs
    beside others."""

    shapes: dict[str, tuple[Index, ...]]
    frequency: Count = 1


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A model's origin. `location` is a path ("file") or a sample's name ("sample").

    `shapes` are input shapes a person gave, in elements per axis, `values` those of inputs that
    are to be constants, filled with that number. A set of shapes has `more` than these, each with
    how often it occurs; `frequency` is that of the first. `sha256` is that of the file's
    bytes when the project was made, empty before the first load. `precision` is what its
    convolutions and matrix products are computed in: see `engine.records.precision`. With
    `without_reference` a person goes on where nothing here runs the file as it is.
    """

    kind: Literal["file", "sample"]
    location: str
    shapes: dict[str, tuple[Index, ...]] = field(default_factory=dict)
    sha256: str = ""
    values: dict[str, Finite] = field(default_factory=dict)
    precision: Precision = "float32"
    without_reference: bool = False
    frequency: Count = 1
    more: tuple[InputShapes, ...] = ()

    @property
    def each(self) -> tuple[ModelSource, ...]:
        """A source for each shape, which has that one alone."""
        alone = replace(self, more=())
        others = (replace(alone, shapes=one.shapes, frequency=one.frequency) for one in self.more)
        return (alone, *others)

    @property
    def labels(self) -> tuple[str, ...]:
        """A short name for each shape: of the inputs whose sizes differ, those that go in step with
        an earlier one left out. Empty where there is one shape."""
        if not self.more:
            return ("",)
        shapes, named = [one.shapes for one in self.each], list[str]()
        known: set[tuple[int, ...]] = set()
        for name in self.shapes:
            ranks = {len(shape[name]) for shape in shapes}
            columns = set(zip(*(shape[name] for shape in shapes), strict=False))
            columns = {column for column in columns if len(set(column)) > 1}
            if not columns <= known or len(ranks) > 1:
                named.append(name)
            known |= columns
        return tuple(
            " ".join(f"{name}={sizes_text(shape[name])}" for name in named) for shape in shapes
        )

    def require_sense(self) -> None:
        """ShapeError where the shapes are no set: too many, one twice, or of other inputs."""
        if not self.more:
            return
        if len(self.more) >= MOST_SHAPES:
            raise ShapeError(
                Sentence("{n} shapes are too many for a project.", n=len(self.more) + 1),
                Sentence("Give up to {most}.", most=MOST_SHAPES),
            )
        known: list[dict[str, tuple[int, ...]]] = []
        for one in self.each:
            if not one.shapes or one.shapes.keys() != self.shapes.keys():
                raise ShapeError(
                    "One shape of the set names other inputs than the first.",
                    "Give each shape of the set for the same inputs.",
                )
            if one.shapes in known:
                text = " ".join(f"{name}={sizes_text(size)}" for name, size in one.shapes.items())
                raise ShapeError(
                    Sentence("The shape {shape} is given twice.", shape=text),
                    "Give each shape once, with how often it occurs.",
                )
            known.append(one.shapes)

    def as_dict(self) -> dict[str, Any]:
        """The source, JSON-ready; what has its default and came later is left out."""
        data = asdict(self)
        if not self.values:
            del data["values"]
        if self.precision == DEFAULT_PRECISION:
            del data["precision"]
        if not self.without_reference:
            del data["without_reference"]
        if self.frequency == 1:
            del data["frequency"]
        if not self.more:
            del data["more"]
        return data

    @staticmethod
    def from_dict(data: dict[str, Any]) -> ModelSource:
        """The source that `as_dict` gave; UsageError where it makes no sense."""
        source = made(ModelSource, data, Sentence("A model"))
        try:
            source.require_sense()
        except ShapeError as error:
            raise UsageError(error.what, error.todo) from error
        return source


def sizes_text(shape: tuple[int, ...]) -> str:
    """A shape as a person writes it: "1x128"."""
    return "x".join(map(str, shape)) or "scalar"
