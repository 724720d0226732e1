"""The commands that only look: samples, targets, info, report. They start no engine."""

from __future__ import annotations

from pathlib import Path

from app.cli.output import Reply, table
from app.cli.reports import info_reply
from engine.jobs.opening.places import report_path
from engine.models.samples import SAMPLES
from engine.project.repository import Project


def samples() -> Reply:
    """The sample models."""
    data = [
        {"name": item.name, "title": item.title, "description": item.description}
        for item in SAMPLES
    ]
    rows = [(item.name, item.title, item.description) for item in SAMPLES]
    return Reply({"samples": data}, table(rows))


def targets() -> Reply:
    """The targets of this machine; imports TVM to ask it."""
    from engine.targets.targets import local_targets

    found = local_targets()
    data = [
        {"name": item.device, "title": item.title, "target": item.text, "cores": item.cores}
        for item in found
    ]
    rows = [("--target", "", "target"), *((item.device, item.title, item.text) for item in found)]
    return Reply({"targets": data, "auto": found[0].device}, table(rows))


def report(project: Path, output: Path | None) -> Reply:
    """Write the report of a project, over an earlier one."""
    from engine.report.page import write_report
    from engine.report.subject import subject_of

    path = output or report_path(project)
    write_report(subject_of(project), path)
    return Reply({"project": str(project), "report": str(path)}, str(path))


def info(project: Path) -> Reply:
    """A project as its file has it now."""
    with Project.open(project, read_only=True) as opened:
        return info_reply(opened.snapshot())
