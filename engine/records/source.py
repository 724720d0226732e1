"""Where a model comes from: a file, or a sample that ships with a package."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from engine.records.options import Finite, Index, made
from engine.records.precision import DEFAULT_PRECISION
from engine.records.sentences import Sentence

Precision = Literal["float32", "tf32", "float16", "bfloat16"]


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A model's origin. `location` is a path ("file") or a sample's name ("sample").

    `shapes` are input shapes a person gave, in elements per axis, `values` those of inputs that
    are to be constants, filled with that number. `sha256` is that of the file's
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

    def as_dict(self) -> dict[str, Any]:
        """The source, JSON-ready; what has its default and came later is left out."""
        data = asdict(self)
        if not self.values:
            del data["values"]
        if self.precision == DEFAULT_PRECISION:
            del data["precision"]
        if not self.without_reference:
            del data["without_reference"]
        return data

    @staticmethod
    def from_dict(data: dict[str, Any]) -> ModelSource:
        """The source that `as_dict` gave; UsageError where it makes no sense."""
        return made(ModelSource, data, Sentence("A model"))
