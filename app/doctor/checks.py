"""One check of the doctor: its outcome, and how a probe runs in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from engine.records.errors import TunewrightError

_PROBE_S = 120.0


FROZEN_TODO = "This program holds its own packages: install Tunewright again."


def about_packages(todo: str, frozen: str = FROZEN_TODO) -> str:
    """`todo`, which is about installed packages, or `frozen` in the program that holds its own."""
    return frozen if getattr(sys, "frozen", False) else todo


class Verdict(StrEnum):
    """`MISSING` keeps a model from being tuned; `WARNING` does not."""

    OK = "ok"
    WARNING = "warning"
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Check:
    """What was looked at, what was found, and what to do about it (empty where nothing)."""

    name: str
    verdict: Verdict
    text: str
    todo: str = ""

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "verdict": self.verdict.value,
            "text": self.text,
            "todo": self.todo,
        }

    def lines(self) -> list[str]:
        """The check for a terminal."""
        head = f"{self.verdict:8} {self.name}: {self.text}"
        return [head, *([f"         {self.todo}"] if self.todo else [])]


def probe(script: str, **environment: str) -> Any:
    """What a script prints as JSON in a fresh Python; it may crash without harm.

    Raises TunewrightError with the last line it wrote.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PROBE_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TunewrightError(f"no answer after {_PROBE_S:g} s") from None
    try:
        return json.loads(done.stdout.splitlines()[-1])
    except (ValueError, IndexError):
        said = done.stderr.strip().splitlines()
        raise TunewrightError(said[-1] if said else f"exit code {done.returncode}") from None
