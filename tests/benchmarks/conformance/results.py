"""What came of all cases: goals, counts by operator, and each case that is not right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from tests.benchmarks.conformance.cases import LESS_EXACT, NO_FIXED_SHAPES, NO_NUMBERS, Case
from tests.benchmarks.conformance.examine import Outcome, Verdict
from tests.benchmarks.parts.report import Goal, Report

STORED = Path(__file__).parents[1] / "results" / "conformance.json"
"""What came of all cases the last time."""

RIGHT_SHARE = 0.95

Examined = tuple[Case, Verdict]

_COUNTED = (Outcome.RIGHT, Outcome.REFUSED, Outcome.WRONG, Outcome.NO_SENTENCE)


def report_of(rows: Sequence[Examined]) -> Report:
    """The goals; the details list every case that is not right.

    Wrong is what ONNX Runtime gets right; a crash or a foreign word is one in any case.
    """
    counted = Counter(verdict.outcome for _, verdict in rows if not verdict.skipped)
    others = Counter(verdict.outcome for _, verdict in rows if verdict.skipped)
    right, silent = counted[Outcome.RIGHT], Outcome.NO_SENTENCE
    goals = (
        Goal("wrong", counted[Outcome.WRONG], 0, "lower"),
        Goal("without a sentence", counted[silent] + others[silent], 0, "lower"),
        Goal("share that is right", right / max(counted.total(), 1), RIGHT_SHARE, "higher"),
    )
    details = {
        "cases": len(rows),
        "counted": _by_value(counted),
        "not_counted": _by_value(others),
        "skipped": dict(Counter(_skip_kind(v) for _, v in rows if v.skipped)),
        "operators": by_operator(rows),
        "not_right": [
            {"case": case.name, "operator": case.operator, "outcome": verdict.outcome.value}
            | {"reason": verdict.reason, "skipped": verdict.skipped}
            for case, verdict in rows
            if verdict.outcome is not Outcome.RIGHT
        ],
    }
    return Report("conformance", goals, details)


def _by_value(outcomes: Counter[Outcome]) -> dict[str, int]:
    return {outcome.value: outcomes[outcome] for outcome in Outcome if outcomes[outcome]}


def _skip_kind(verdict: Verdict) -> str:
    known = (NO_NUMBERS, NO_FIXED_SHAPES, LESS_EXACT)
    return verdict.skipped if verdict.skipped in known else "ONNX Runtime does not pass it"


def by_operator(rows: Iterable[Examined]) -> dict[str, dict[str, int]]:
    """For each operator how many of its cases are of each outcome, and how many are skipped."""
    found: dict[str, dict[str, int]] = {}
    for case, verdict in sorted(rows, key=lambda row: row[0].operator):
        counts = found.setdefault(case.operator, dict.fromkeys((*_COUNTED, "skipped"), 0))
        counts["skipped" if verdict.skipped else verdict.outcome.value] += 1
    return found


def tables(rows: Sequence[Examined]) -> list[str]:
    """For a terminal: the goals, the operators, and each case that is not right."""
    report = report_of(rows)
    head = ("operator", *(outcome.value for outcome in _COUNTED), "skipped")
    lines = [head]
    lines += [(name, *map(str, counts.values())) for name, counts in by_operator(rows).items()]
    widths = [max(len(line[column]) for line in lines) for column in range(len(head))]
    table = "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
    summary = {key: report.details[key] for key in ("cases", "counted", "not_counted", "skipped")}
    shown = Report(report.name, report.goals, summary, report.device, report.date).as_table()
    return [shown, table, listing(rows)]


def listing(rows: Iterable[Examined]) -> str:
    """Each case that is not right, with its reason, by operator."""
    lines: list[str] = []
    last = ""
    for case, verdict in sorted(rows, key=lambda row: (row[0].operator, row[0].name)):
        if verdict.outcome is Outcome.RIGHT:
            continue
        if case.operator != last:
            last = case.operator
            lines.append(f"\n== {last}")
        skipped = f" [skipped: {verdict.skipped}]" if verdict.skipped else ""
        lines.append(f"{case.name}: {verdict.outcome.upper()}{skipped} {verdict.reason}")
    return "\n".join(lines)
