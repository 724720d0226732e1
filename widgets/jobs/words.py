"""The words, shapes and colours of jobs and of the stages that they run."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from engine.records.job import JobState, QueuedJob
from engine.records.outstanding import Wait
from engine.records.units import UNKNOWN, format_duration, format_seconds
from widgets.jobs.spans import CORES, Idle
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme

STATES: dict[JobState, tuple[str, str]] = {
    JobState.WAITING: ("○", QT_TR_NOOP("waiting")),
    JobState.PREPARING: ("◔", QT_TR_NOOP("preparing")),
    JobState.RUNNING: ("▶", QT_TR_NOOP("tuning")),
    JobState.PAUSED: ("▮▮", QT_TR_NOOP("paused")),
    JobState.FINISHED: ("●", QT_TR_NOOP("finished")),
    JobState.MET: ("◆", QT_TR_NOOP("objective met")),
    JobState.CANCELLED: ("◌", QT_TR_NOOP("cancelled")),
    JobState.FAILED: ("✕", QT_TR_NOOP("failed")),
    JobState.INTERRUPTED: ("△", QT_TR_NOOP("interrupted")),
}

_KINDS = {
    "search": QT_TR_NOOP("search"),
    "replay of a schedule": QT_TR_NOOP("replay of a schedule"),
    "build": QT_TR_NOOP("build"),
    "measurement": QT_TR_NOOP("measurement"),
    "training of the cost model": QT_TR_NOOP("training of the cost model"),
    "reading of the model": QT_TR_NOOP("reading of the model"),
    "finding of design spaces": QT_TR_NOOP("finding of design spaces"),
    "start of workers": QT_TR_NOOP("start of workers"),
    "whole model": QT_TR_NOOP("measurement of the whole model"),
}
_BRIEF = {
    "replay of a schedule": QT_TR_NOOP("replay"),
    "measurement": QT_TR_NOOP("measure"),
    "training of the cost model": QT_TR_NOOP("train"),
    "reading of the model": QT_TR_NOOP("read"),
    "finding of design spaces": QT_TR_NOOP("spaces"),
    "start of workers": QT_TR_NOOP("start"),
    "whole model": QT_TR_NOOP("whole model"),
}
_COUNTED: dict[str, Callable[[int], str]] = {
    "search": lambda n: tr("%n searches", "", n),
    "build": lambda n: tr("%n builds", "", n),
    "measurement": lambda n: tr("%n measurements", "", n),
}
_PATTERNS = {
    "search": Qt.BrushStyle.BDiagPattern,
    "replay of a schedule": Qt.BrushStyle.BDiagPattern,
    "measurement": Qt.BrushStyle.Dense5Pattern,
    "whole model": Qt.BrushStyle.Dense5Pattern,
    "training of the cost model": Qt.BrushStyle.CrossPattern,
}


def is_held(job: QueuedJob) -> bool:
    """Whether a person holds the job."""
    return job.paused and not job.state.over


def shown_state(job: QueuedJob) -> JobState:
    """The state that a person is to see: a job that is held is paused, whatever it does yet."""
    return JobState.PAUSED if is_held(job) else job.state


def state_label(state: JobState) -> str:
    """Shape and word of a job's state."""
    shape, word = STATES[state]
    return f"{shape} {tr(word)}"


def state_color(state: JobState) -> QColor:
    """The state's colour in the theme in force."""
    colors = theme()
    special = {
        JobState.FAILED: colors.error,
        JobState.INTERRUPTED: colors.warning,
        JobState.FINISHED: colors.good,
        JobState.MET: colors.good,
        JobState.PREPARING: colors.accent,
        JobState.RUNNING: colors.accent,
    }
    return special.get(state, colors.muted)


def summary(
    jobs: Sequence[QueuedJob], running: bool, holding: bool, disturbed: bool = False
) -> str:
    """The queue in a line; `disturbed` where its policy lets stages disturb measurements."""
    if not jobs:
        return ""
    ended = sum(job.state.over for job in jobs)
    active = sum(job.state.active for job in jobs)
    parts = [
        tr("measurements are disturbed") if disturbed and ended < len(jobs) else "",
        tr("{ended} of {all} jobs have ended", ended=ended, all=len(jobs)),
        tr("{count} under way", count=active) if active else "",
        "" if ended == len(jobs) else _queue_word(running, holding),
    ]
    return "  ·  ".join(part for part in parts if part)


def brief_wait(wait: Wait) -> str:
    """What a job waits for, for a cell."""
    if wait.device:
        return tr("waits for {device}", device=wait.device)
    return tr("waits for %n cores", "", wait.cores) if wait.cores else tr("waits for its turn")


def wait_text(wait: Wait, title_of: Callable[[str], str]) -> str:
    """The same with those who have it; `title_of` gives a job its title by its name."""
    holders = ", ".join(dict.fromkeys(map(title_of, wait.held_by)))
    if not holders:
        return brief_wait(wait)
    if not (wait.device or wait.cores):
        return tr("waits for its turn, after {jobs}", jobs=holders)
    return tr("{waits}, held by {jobs}", waits=brief_wait(wait), jobs=holders)


def _queue_word(running: bool, holding: bool) -> str:
    if not running:
        return tr("the queue does not run")
    return tr("no other job begins") if holding else tr("the queue runs")


def kind_word(kind: str) -> str:
    """What a stage does."""
    return tr(_KINDS[kind]) if kind in _KINDS else kind


def brief_word(kind: str) -> str:
    """The same, for a bar."""
    return tr(_BRIEF[kind]) if kind in _BRIEF else kind_word(kind)


def kind_pattern(kind: str) -> Qt.BrushStyle:
    """The hatch of a kind of stage; builds, of which there are most, have none."""
    return _PATTERNS.get(kind, Qt.BrushStyle.NoBrush)


def lane_name(lane: str, cores: int) -> str:
    """What a lane is called."""
    if lane != CORES:
        return lane
    return tr("%n cores", "", cores)


def stage_text(kind: str, task: str, job: str, seconds: float, running: bool, cores: int) -> str:
    """A stage in lines: whose, what, of which task, how long."""
    lines = [job, f"{kind_word(kind)}: {task}" if task else kind_word(kind)]
    time = tr("for {time} so far", time=format_duration_exact(seconds))
    lines.append(time if running else format_duration_exact(seconds))
    if cores > 1:
        lines.append(tr("on %n cores", "", cores))
    return "\n".join(lines)


def idle_text(idle: Idle, now_s: float, queue: str) -> str:
    """For how long nothing was there and why, as far as the stages tell. `queue` says why nothing
    can come now."""
    until_s = now_s if idle.until_s is None else idle.until_s
    time = format_duration_exact(until_s - idle.since_s)
    open_end = idle.until_s is None
    first = (
        tr("idle for {time} so far", time=time) if open_end else tr("idle for {time}", time=time)
    )
    return f"{first}\n{_cause(idle, queue if open_end else '')}"


def _cause(idle: Idle, queue: str) -> str:
    if not idle.stages:
        return queue or tr("No stage went on anywhere.")
    stages = _counted(idle)
    if idle.wanted:
        return tr(
            "The next stage waited for {wanted} cores, of which {held} were held: {stages}.",
            wanted=idle.wanted, held=idle.held, stages=stages,
        )  # fmt: skip
    if not idle.device:
        return tr("Beside it: {stages}. Nothing else was ready.", stages=stages)
    if idle.held >= idle.cores:
        return tr("All cores were held: {stages}.", stages=stages)
    return tr("Nothing was ready to be measured. Meanwhile: {stages}.", stages=stages)


def _counted(idle: Idle) -> str:
    parts = []
    for kind, count in idle.kinds:
        counted = _COUNTED.get(kind)
        parts.append(counted(count) if counted else f"{count} x {kind_word(kind)}")
    return ", ".join(parts)


def format_duration_exact(seconds: float) -> str:
    """Parts of a second where there are few of them."""
    return format_seconds(seconds) if seconds < 60 else format_duration(seconds)


def left_text(seconds: float | None) -> str:
    """The time that a job should still take."""
    return UNKNOWN if seconds is None else format_duration(seconds)
