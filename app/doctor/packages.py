"""The doctor's look at Python packages: there, and of a version that works."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from app.doctor.checks import Check, Verdict, about_packages, probe
from app.own_packages import OWN, is_own
from engine.records.errors import TunewrightError

# Without these there is no window; everything else is needed to tune.
_FOR_THE_WINDOW = ("PySide6-Essentials", "pyqtgraph")

_PLACES = f"""
import json
from importlib.machinery import PathFinder
found = {{name: PathFinder.find_spec(name) for name in {OWN!r}}}
print(json.dumps({{name: spec and spec.origin for name, spec in found.items()}}))
"""

# Why a version matters, where that is not plain.
_REASONS = {
    "apache-tvm-ffi": "another one ends in a segmentation fault when a search starts",
    "PySide6-Essentials": "6.12 loses references on Python 3.11 until it dies",
}


def check_packages() -> Iterator[Check]:
    """One check for each package that pyproject.toml names."""
    from packaging.requirements import Requirement

    for text in _requirements():
        wanted = Requirement(text)
        if wanted.marker is None or wanted.marker.evaluate({"extra": ""}):
            yield check_package(wanted.name, str(wanted.specifier))


def check_package(name: str, specifier: str) -> Check:
    """Whether a package is installed in a version that `specifier` allows."""
    from packaging.specifiers import SpecifierSet

    bad = Verdict.WARNING if name in _FOR_THE_WINDOW else Verdict.MISSING
    todo = about_packages(f'{sys.executable} -m pip install "{name}{specifier}"')
    try:
        found = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Check(name, bad, "not installed", todo)
    if SpecifierSet(specifier).contains(found, prereleases=True):
        return Check(name, Verdict.OK, found)
    reason = f" ({_REASONS[name]})" if name in _REASONS else ""
    return Check(name, bad, f"{found}, and {specifier} is needed{reason}", todo)


def check_names() -> Iterator[Check]:
    """Whether another package has a name of ours, which are common ones."""
    try:
        places = probe(_PLACES)
    except TunewrightError as error:
        yield Check("package names", Verdict.WARNING, f"not known: {error.what}")
        return
    found = [*_taken(places), *_claimed()]
    yield from found or [Check("package names", Verdict.OK, f"{', '.join(OWN)} are Tunewright's")]


def _taken(places: dict[str, str | None]) -> Iterator[Check]:
    """What a Python that starts here takes from elsewhere."""
    for name in OWN:
        place = places[name]
        if place is not None and not is_own(place):
            text = f"{name} is taken from {place}"
            todo = "Start in another folder, or without PYTHONPATH; else remove that package."
            yield Check("package names", Verdict.MISSING, text, todo)


def _claimed() -> Iterator[Check]:
    """What another distribution has installed under such a name."""
    claims = metadata.packages_distributions()
    for name in OWN:
        for other in sorted({*claims.get(name, ())} - {"tunewright"}):
            text = f"{other} has installed a package {name}, too"
            todo = "Keep Tunewright in an environment of its own."
            yield Check("package names", Verdict.WARNING, text, todo)


def _requirements() -> list[str]:
    """Of the installed distribution, or of the source tree where there is none."""
    try:
        return metadata.requires("tunewright") or []
    except metadata.PackageNotFoundError:
        project = Path(__file__).parents[2] / "pyproject.toml"
        with project.open("rb") as file:
            found: list[str] = tomllib.load(file)["project"]["dependencies"]
        return found
