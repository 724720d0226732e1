"""A shape, a word and a colour for states and sources, so that colour never speaks alone."""

from __future__ import annotations

from PySide6.QtGui import QColor

from engine.records import words
from engine.records.settings import RunState
from engine.records.task import TaskState
from engine.records.trial import Source
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme


def source_word(source: Source) -> str:
    """What a person calls a source."""
    return tr(words.source_word(source))


_SHAPES = {
    TaskState.WAITING: "○",
    TaskState.SEARCHING: "◔",
    TaskState.BUILDING: "◑",
    TaskState.MEASURING: "◕",
    TaskState.TUNED: "◉",
    TaskState.FINISHED: "●",
    TaskState.FAILED: "✕",
}
_DONE = (TaskState.TUNED, TaskState.FINISHED)
_PASSES = {
    Source.SHARED: ("◆", QT_TR_NOOP("its best schedule is another task's")),
    Source.TRANSFERRED: ("▶", QT_TR_NOOP("its best schedule is another model's")),
    Source.DROPLET: ("✦", QT_TR_NOOP("Droplet polished its best schedule")),
    Source.STARTER: ("▷", QT_TR_NOOP("its best schedule is the starter library's")),
    Source.READY: ("■", QT_TR_NOOP("its best is no schedule but a ready kernel")),
    Source.LIBRARY: ("▣", QT_TR_NOOP("its best is no schedule but a call of a vendor's library")),
}
_RUN_WORDS = {
    RunState.PREPARING: QT_TR_NOOP("Preparing"),
    RunState.RUNNING: QT_TR_NOOP("Tuning"),
    RunState.PAUSED: QT_TR_NOOP("Paused"),
    RunState.STOPPING: QT_TR_NOOP("Stopping"),
    RunState.STOPPED: QT_TR_NOOP("Stopped"),
    RunState.FINISHED: QT_TR_NOOP("Finished"),
    RunState.INTERRUPTED: QT_TR_NOOP("Interrupted"),
    RunState.FAILED: QT_TR_NOOP("Failed"),
}


def state_word(state: TaskState) -> str:
    """What a person calls a state."""
    return tr(state.value)


def state_label(state: TaskState, source: Source | None = None) -> str:
    """The state's shape and word; a tuned task is called by the source of its best schedule."""
    if state in _DONE and source in _PASSES:
        return f"{_PASSES[source][0]} {source_word(source)}"
    return f"{_SHAPES[state]} {state_word(state)}"


def state_text(state: TaskState, source: Source | None = None, why: str = "") -> str:
    """The same in more words."""
    if source in _PASSES:
        return tr("{state}: {why}", state=state_label(state), why=tr(_PASSES[source][1]))
    if why:
        return tr("{state}: {why}", state=state_label(state), why=tr(why))
    return state_label(state)


def state_color(state: TaskState) -> QColor:
    """The state's colour in the theme in force."""
    colors = theme()
    if state is TaskState.FAILED:
        return colors.error
    if state in _DONE:
        return colors.good
    return colors.muted if state is TaskState.WAITING else colors.accent


def run_word(state: RunState) -> str:
    """The state of a run as the status line begins with it."""
    return tr(_RUN_WORDS[state])
