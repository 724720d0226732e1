"""`tunewright doctor`: what Tunewright needs of this machine, and how to get what is missing."""

from __future__ import annotations

import platform
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

from app.cli_output import Reply
from app.doctor.checks import Check, Verdict, about_packages
from app.doctor.machine import check_folders, check_linker, check_qt, check_target

# Without these there is no window; everything else is needed to tune.
_FOR_THE_WINDOW = ("PySide6-Essentials", "pyqtgraph")

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


def _requirements() -> list[str]:
    """Of the installed distribution, or of the source tree where there is none."""
    try:
        return metadata.requires("tunewright") or []
    except metadata.PackageNotFoundError:
        project = Path(__file__).parents[2] / "pyproject.toml"
        with project.open("rb") as file:
            found: list[str] = tomllib.load(file)["project"]["dependencies"]
        return found


CHECKS: tuple[Callable[[], Iterator[Check]], ...] = (
    check_packages,
    check_target,
    check_linker,
    check_qt,
    check_folders,
)


def examine() -> Reply:
    """Make every check. The exit code is 0 where models can be tuned here, else 1."""
    found = [_check_python(), *(check for checks in CHECKS for check in checks())]
    able = all(check.verdict is not Verdict.MISSING for check in found)
    data = {"able": able, "checks": [check.as_dict() for check in found]}
    lines = [line for check in found for line in check.lines()]
    lines.append("Ready to tune." if able else "Not able to tune: see what is marked missing.")
    return Reply(data, "\n".join(lines), 0 if able else 1)


def _check_python() -> Check:
    return Check("python", Verdict.OK, f"{platform.python_version()} ({sys.executable})")
