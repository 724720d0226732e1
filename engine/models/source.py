"""Where a model comes from: a file, or a sample that ships with a package."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class ModelSource:
    """A model's origin. `location` is a path ("file") or a sample's name ("sample").

    `shapes` are input shapes a person gave, in elements per axis, `values` those of inputs that are
    to be constants, filled with that number. `sha256` is that of the file's
    bytes when the project was made, empty before the first load.
    """

    kind: Literal["file", "sample"]
    location: str
    shapes: dict[str, tuple[int, ...]] = field(default_factory=dict)
    sha256: str = ""
    values: dict[str, float] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The source, JSON-ready."""
        data = asdict(self)
        if not self.values:
            del data["values"]
        return data

    @staticmethod
    def from_dict(data: dict[str, Any]) -> ModelSource:
        """The source that `as_dict` gave."""
        shapes = {name: tuple(shape) for name, shape in data.get("shapes", {}).items()}
        return ModelSource(**{**data, "shapes": shapes})
