"""`tunewright doctor`: what Tunewright needs of this machine, and how to get what is missing."""

from __future__ import annotations

import platform
import sys
from collections.abc import Callable, Iterator

from app.cli.output import Reply
from app.doctor.checks import Check, Verdict
from app.doctor.machine import check_folders, check_linker, check_qt, check_target
from app.doctor.packages import check_names, check_packages

CHECKS: tuple[Callable[[], Iterator[Check]], ...] = (
    check_packages,
    check_names,
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
