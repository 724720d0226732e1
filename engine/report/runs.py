"""The part of a report on how it was made: runs, settings, exports, machine, model, versions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from xml.etree.ElementTree import Element

from engine.jobs.steps.steps import plan_text
from engine.records.precision import title_of
from engine.records.snapshot import RunInfo
from engine.records.units import UNKNOWN, format_duration, format_seconds, format_share
from engine.records.words import budget_text
from engine.report.head import file_name, moment
from engine.report.markup import facts, node, table
from engine.report.subject import Subject


def runs(subject: Subject) -> Iterator[Element]:
    """All runs, and what the last one was told."""
    snapshot = subject.snapshot
    if not snapshot.runs:
        return
    yield node("h2", "Runs")
    heads = ("Run", "Began", "State", "Plan", "Policy", "Budget", "Trials", "Tuning time", "Result")
    unused = snapshot.unused
    yield table(heads, [_run(run, run.id in unused) for run in snapshot.runs], (0, 6, 7, 8))
    last = snapshot.runs[-1]
    rows = list(_flat(last.settings.as_dict()))
    yield node("details", node("summary", f"Settings of run {last.id}"), facts(rows))


def _run(run: RunInfo, unused: bool) -> tuple[str, ...]:
    reason = f": {run.reason}" if run.reason not in ("", run.state.value) else ""
    plan = plan_text(run.settings.steps) + (", repeated" if run.settings.repeat else "")
    return (
        f"{run.id}",
        moment(run.started_at),
        f"{run.state}{reason}{' (results not used)' if unused else ''}",
        plan,
        run.settings.policy
        if any(step.kind == "search" for step in run.settings.steps)
        else UNKNOWN,
        budget_text(run.settings.budget),
        f"{run.trials:,}",
        format_duration(run.elapsed_s),
        format_seconds(run.tuned_latency_s),
    )


def exports(subject: Subject) -> Iterator[Element]:
    """What was exported, as each manifest says."""
    if not subject.snapshot.exports:
        return
    yield node("h2", "Exports")
    rows = []
    for item in subject.snapshot.exports:
        manifest = item.manifest
        difference = _number(manifest, "max_abs_diff")
        rows.append((
            moment(item.at),
            file_name(item.dir),
            format_seconds(_number(manifest, "latency_s")),
            UNKNOWN if difference is None else f"{difference:.3g}",
            title_of(subject.source.precision),
            format_share(_number(manifest, "coverage")),
        ))  # fmt: skip
    heads = ("When", "Folder", "Latency", "Largest difference", "Precision", "Tuned share")
    yield table(heads, rows, (2, 3, 5))


def setup(subject: Subject) -> Iterator[Element]:
    """The machine, the target, the model's file, the versions."""
    source = subject.source
    origin = f"sample {source.location}" if source.kind == "sample" else file_name(source.location)
    shapes = ", ".join(f"{name}: {'x'.join(map(str, by))}" for name, by in source.shapes.items())
    yield node("h2", "Model, machine and versions")
    rows: list[tuple[str, str | Element]] = [
        ("Model", origin),
        ("SHA-256", node("code", source.sha256) if source.sha256 else ""),
        ("Shapes given", shapes),
        ("Precision", title_of(source.precision)),
        ("Machine", subject.target_title),
        ("Target", node("code", subject.target)),
        ("TVM", subject.tvm_version),
        ("Report by", subject.made_by),
    ]
    yield facts(rows)


def _flat(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Nested settings as lines: "search population" 32."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            words = f"{name} {key}".strip().replace("_", " ")
            yield from _flat(item, words)
        if not value and name:
            yield name, "none"
    elif isinstance(value, list | tuple) and any(isinstance(item, Mapping) for item in value):
        for place, item in enumerate(value, start=1):
            yield from _flat(item, f"{name} {place}")
    else:
        yield name, _shown(value)


def _shown(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_shown, value)) or "none"
    if isinstance(value, str):
        return file_name(value) if "/" in value or "\\" in value else value
    if value is None:
        return "no limit"
    return json.dumps(value) if isinstance(value, bool) else f"{value}"


def _number(manifest: Mapping[str, Any], name: str) -> float | None:
    """A number of a manifest, which a stranger's file may have as anything."""
    value = manifest.get(name)
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
