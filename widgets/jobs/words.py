"""The words, shapes and colours of jobs and of the stages that they run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor

from engine.records.job import JobState, QueuedJob
from engine.records.outstanding import StageKind, Wait
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


@dataclass(frozen=True, slots=True)
class _Kind:
    """The words of a kind of stage, those of a bar, and its hatch: builds, of which there are most,
    have none."""

    word: str
    brief: str = ""
    hatch: Qt.BrushStyle = Qt.BrushStyle.NoBrush
    counted: Callable[[int], str] | None = None


_KINDS = {
    StageKind.SEARCH: _Kind(
        QT_TR_NOOP("search"),
        hatch=Qt.BrushStyle.BDiagPattern,
        counted=lambda n: tr("%n searches", "", n),
    ),
    StageKind.REPLAY: _Kind(
        QT_TR_NOOP("replay of a schedule"), QT_TR_NOOP("replay"), Qt.BrushStyle.BDiagPattern
    ),
    StageKind.BUILD: _Kind(QT_TR_NOOP("build"), counted=lambda n: tr("%n builds", "", n)),
    StageKind.MEASUREMENT: _Kind(
        QT_TR_NOOP("measurement"),
        QT_TR_NOOP("measure"),
        Qt.BrushStyle.Dense5Pattern,
        lambda n: tr("%n measurements", "", n),
    ),
    StageKind.LEARNING: _Kind(
        QT_TR_NOOP("training of the cost model"), QT_TR_NOOP("train"), Qt.BrushStyle.CrossPattern
    ),
    StageKind.READING: _Kind(QT_TR_NOOP("reading of the model"), QT_TR_NOOP("read")),
    StageKind.SPACES: _Kind(QT_TR_NOOP("finding of design spaces"), QT_TR_NOOP("spaces")),
    StageKind.STARTING: _Kind(QT_TR_NOOP("start of workers"), QT_TR_NOOP("start")),
    StageKind.WHOLE: _Kind(
        QT_TR_NOOP("measurement of the whole model"),
        QT_TR_NOOP("whole model"),
        Qt.BrushStyle.Dense5Pattern,
    ),
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


def kind_word(kind: StageKind) -> str:
    return tr(_KINDS[kind].word)


def brief_word(kind: StageKind) -> str:
    """The same, for a bar."""
    return tr(_KINDS[kind].brief or _KINDS[kind].word)


def kind_pattern(kind: StageKind) -> Qt.BrushStyle:
    """The hatch of a kind of stage."""
    return _KINDS[kind].hatch


def lane_name(lane: str, cores: int) -> str:
    """What a lane is called."""
    if lane != CORES:
        return lane
    return tr("%n cores", "", cores)


def stage_text(
    kind: StageKind, task: str, job: str, seconds: float, running: bool, cores: int
) -> str:
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
        counted = _KINDS[kind].counted
        parts.append(counted(count) if counted else f"{count} x {kind_word(kind)}")
    return ", ".join(parts)


def format_duration_exact(seconds: float) -> str:
    """Parts of a second where there are few of them."""
    return format_seconds(seconds) if seconds < 60 else format_duration(seconds)


def left_text(seconds: float | None) -> str:
    """The time that a job should still take."""
    return UNKNOWN if seconds is None else format_duration(seconds)
