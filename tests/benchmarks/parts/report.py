"""What a benchmark prints: a table for people, or one JSON object for programs."""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from engine.records.machine import usable_cores


def cpu_name() -> str:
    """The processor and the cores we may use of it."""
    names = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return f"{names[0] if names else platform.machine()}, {usable_cores()} cores"


@dataclass(frozen=True, slots=True)
class Goal:
    """A figure and the value it should reach; `better` says in which direction."""

    what: str
    value: float
    goal: float
    better: Literal["higher", "lower"]

    @property
    def met(self) -> bool:
        """Whether the value is at least as good as the goal."""
        return self.value >= self.goal if self.better == "higher" else self.value <= self.goal

    def as_dict(self) -> dict[str, Any]:
        """The goal, JSON-ready."""
        return {
            "what": self.what,
            "value": self.value,
            "goal": self.goal,
            "better": self.better,
            "met": self.met,
        }


@dataclass(frozen=True, slots=True)
class Report:
    """One run of a benchmark on one device."""

    name: str
    goals: tuple[Goal, ...]
    details: dict[str, Any] = field(default_factory=dict)
    device: str = field(default_factory=cpu_name)
    date: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))

    def as_dict(self) -> dict[str, Any]:
        """The report, JSON-ready."""
        return {
            "name": self.name,
            "device": self.device,
            "date": self.date,
            "goals": [goal.as_dict() for goal in self.goals],
            "details": self.details,
        }

    def as_table(self) -> str:
        """The report for a terminal."""
        rows = [("", "value", "goal", "")]
        for goal in self.goals:
            bound = "at least" if goal.better == "higher" else "at most"
            verdict = "met" if goal.met else "missed"
            rows.append((goal.what, f"{goal.value:.3g}", f"{bound} {goal.goal:g}", verdict))
        rows += [(what, _readable(value), "", "") for what, value in self.details.items()]
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        lines = [f"{self.name} on {self.device}, {self.date}"]
        for row in rows:
            cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
            lines.append("  ".join(cells).rstrip())
        return "\n".join(lines)


def main(run: Callable[[bool], Report]) -> None:
    """Run a benchmark from the command line; `run` gets whether to be quick."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--quick", action="store_true", help="a short form, for a smoke test")
    options = parser.parse_args()
    report = run(options.quick)
    print(json.dumps(report.as_dict()) if options.json else report.as_table())


def _readable(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
