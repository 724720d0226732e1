"""Whether a schedule was made for what the project has now."""

from __future__ import annotations

from collections.abc import Mapping

from engine.history.history import History
from engine.records.schedule import FoundSchedule
from engine.records.snapshot import Snapshot
from widgets.look.language import QT_TR_NOOP, tr

ADVICE = QT_TR_NOOP("Find stages again.")
NAMES_SHOWN = 2


def stale_text(
    found: FoundSchedule, snapshot: Snapshot, history: History, tried_at: Mapping[int, float]
) -> str:
    """What a schedule was made for that is different now, empty where nothing is.

    `tried_at` is the time of each of the project's trials by number.
    """
    reasons = []
    device, wanted = found.schedule.device, snapshot.hardware.device
    if wanted and device != wanted:
        reasons.append(
            tr("It was measured on {device}, not on {target}.", device=device, target=wanted)
        )
    changed = renewed(found, snapshot, history, tried_at)
    if changed:
        names = ", ".join(name.removeprefix("fused_") for name in changed[:NAMES_SHOWN])
        more = len(changed) - NAMES_SHOWN
        text = tr("{names} and {count} more", names=names, count=f"{more:,}") if more > 0 else names
        reasons.append(tr("Since then other kernels are best: {names}.", names=text))
    return " ".join([*reasons, tr(ADVICE)]) if reasons else ""


def renewed(
    found: FoundSchedule, snapshot: Snapshot, history: History, tried_at: Mapping[int, float]
) -> list[str]:
    """The names of the tasks whose best schedule was measured after the stages were found."""
    used = {operator.task for operator in snapshot.operators}
    records = {
        task.name: history.record(task.index) for task in history.tasks if task.index in used
    }
    return [
        name
        for name, number in records.items()
        if number is not None and tried_at.get(number, 0.0) > found.created_at
    ]
