"""Whether Python takes this program's packages, whose names are common ones, from elsewhere."""

from __future__ import annotations

import sys
from importlib.machinery import PathFinder
from pathlib import Path

OWN = ("app", "engine", "widgets", "resources")
ROOT = Path(__file__).parents[1]


def foreign() -> dict[str, str]:
    """The files of packages that stand before ours on Python's path, by name."""
    specs = {name: PathFinder.find_spec(name) for name in OWN}
    places = {name: spec.origin for name, spec in specs.items() if spec and spec.origin}
    return {name: place for name, place in places.items() if not is_own(place)}


def is_own(place: str) -> bool:
    """Whether a file is in this program's folder."""
    return Path(place).resolve().is_relative_to(ROOT.resolve())


def refuse_foreign() -> None:
    """End with a sentence where one of our packages is another's."""
    for name, place in foreign().items():
        sys.exit(
            f"tunewright: Python takes the package {name} from {place}, which is not Tunewright's. "
            "Start it in another folder, or without PYTHONPATH."
        )
