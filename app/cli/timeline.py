"""The command `timeline`: one inference, kernel by kernel, as it was last timed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.cli.options import AsJson, OfShape, ProjectFile, of_shape
from app.cli.output import Reply, table
from engine.records.units import UNKNOWN, format_bytes, format_seconds, format_share
from engine.records.words import disturbance_text

if TYPE_CHECKING:
    from engine.history.inference import Inference
    from engine.records.snapshot import Snapshot


def timeline(project: ProjectFile, of: OfShape = "", as_json: AsJson = False) -> Reply:
    """Show one inference kernel by kernel: times, bytes, part of the peak.

    As it was last timed, with `measure` or at the end of a run; nothing is measured. Of several
    shapes it is the first, unless another is named.
    """
    from engine.project.repository import Project

    with Project.open(project, read_only=True) as opened:
        snapshot = opened.snapshot()
    found = found_in(of_shape(snapshot, of, first=True))
    data = {"project": str(project), "inference": inference_data(found)}
    if found is None:
        return Reply(data, "No inference was timed kernel by kernel: run `tunewright measure`.")
    return Reply(data, f"{_kernels_text(found)}\n\n{table(_summary(found))}")


def found_in(snapshot: Snapshot) -> Inference | None:
    """The inference of a project, with the peaks that are known here."""
    from engine.history.inference import inference_of
    from engine.targets.known_peak import known_bytes, known_peak

    text = snapshot.hardware.text
    return inference_of(snapshot, None, known_peak(text), known_bytes(text))


def inference_data(found: Inference | None) -> dict[str, Any] | None:
    """An inference for programs; times in seconds."""
    if found is None:
        return None
    return {
        "whole_s": found.measured.latency_s,
        "kernels_s": found.sum_s,
        "gap_s": found.gap_s,
        "disturbed": found.measured.disturbed,
        "tuned": found.tuned,
        "current": found.current,
        "at": found.measured.at,
        "kernels": [
            {
                "operator": run.operator,
                "task": run.name,
                "start_s": run.start_s,
                "seconds": run.seconds,
                "read_bytes": run.read_bytes,
                "written_bytes": run.written_bytes,
                "flops": run.flops,
                "bound": run.bound,
                "of_peak": run.share,
            }
            for run in found.kernels
        ],
    }


def _kernels_text(found: Inference) -> str:
    rows = [("start", "kernel", "time", "share", "reads", "writes", "of peak", "")]
    rows += [
        (
            format_seconds(run.start_s),
            run.name,
            format_seconds(run.seconds),
            format_share(run.seconds / found.sum_s if found.sum_s else None),
            format_bytes(run.read_bytes),
            format_bytes(run.written_bytes),
            format_share(run.share),
            run.bound.value if run.bound else "",
        )
        for run in found.kernels
    ]
    return table(rows, frozenset({0, 2, 3, 4, 5, 6}))


def _summary(found: Inference) -> list[tuple[str, str]]:
    schedules = ("those of now" if found.current else "earlier ones") if found.tuned else "none"
    return [
        ("schedules", schedules),
        ("kernels, each by itself", format_seconds(found.sum_s)),
        ("the whole", format_seconds(found.measured.latency_s) + _doubt(found)),
        ("not in kernels", format_seconds(found.gap_s) if found.gap_s >= 0 else _faster(found)),
    ]


def _doubt(found: Inference) -> str:
    if not found.measured.disturbed:
        return ""
    return f", disturbed: {disturbance_text(found.measured)}"


def _faster(found: Inference) -> str:
    return f"{UNKNOWN}; within the model they are faster by {format_seconds(-found.gap_s)}"
