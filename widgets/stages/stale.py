"""Whether a schedule was made for what the project has now."""

from __future__ import annotations

from engine.history.open_project import OpenProject
from engine.records.schedule import FoundSchedule
from widgets.look.language import QT_TR_NOOP, tr

ADVICE = QT_TR_NOOP("Find stages again.")
NAMES_SHOWN = 2


def stale_text(found: FoundSchedule, project: OpenProject) -> str:
    """What a schedule was made for that is different now, empty where nothing is."""
    reasons = []
    device, wanted = found.schedule.device, project.head.hardware.device
    if wanted and device != wanted:
        reasons.append(
            tr("It was measured on {device}, not on {target}.", device=device, target=wanted)
        )
    changed = renewed(found, project)
    if changed:
        names = ", ".join(name.removeprefix("fused_") for name in changed[:NAMES_SHOWN])
        more = len(changed) - NAMES_SHOWN
        text = tr("{names} and {count} more", names=names, count=f"{more:,}") if more > 0 else names
        reasons.append(tr("Since then other kernels are best: {names}.", names=text))
    return " ".join([*reasons, tr(ADVICE)]) if reasons else ""


def renewed(found: FoundSchedule, project: OpenProject) -> list[str]:
    """The names of the tasks whose best schedule was measured after the stages were found."""
    used = {operator.task for operator in project.head.operators}
    records = {
        task.name: project.trial(project.history.record(task.index))
        for task in project.head.tasks
        if task.index in used
    }
    return [name for name, best in records.items() if best and best.at > found.created_at]
