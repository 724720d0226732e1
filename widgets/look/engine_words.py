"""Words of the engine's own tables that a person reads in windows, marked for translation."""

from __future__ import annotations

from engine.jobs.steps.steps import STEPS
from widgets.look.language import QT_TR_NOOP, tr

WAYS = (
    QT_TR_NOOP("Sequential, eager"),
    QT_TR_NOOP("Sequential"),
    QT_TR_NOOP("Greedy, by levels"),
    QT_TR_NOOP("IOS, side by side"),
    QT_TR_NOOP("IOS, merged"),
    QT_TR_NOOP("IOS, both"),
)
SOURCES = (
    QT_TR_NOOP("search"),
    QT_TR_NOOP("shared"),
    QT_TR_NOOP("transferred"),
    QT_TR_NOOP("polished"),
)
TASK_STATES = (
    QT_TR_NOOP("waiting"),
    QT_TR_NOOP("searching"),
    QT_TR_NOOP("building"),
    QT_TR_NOOP("measuring"),
    QT_TR_NOOP("finished"),
    QT_TR_NOOP("failed"),
)
RUN_STATES = (
    QT_TR_NOOP("preparing"),
    QT_TR_NOOP("running"),
    QT_TR_NOOP("paused"),
    QT_TR_NOOP("stopping"),
    QT_TR_NOOP("stopped"),
    QT_TR_NOOP("finished"),
    QT_TR_NOOP("interrupted"),
    QT_TR_NOOP("failed"),
)
RUN_ENDS = (
    QT_TR_NOOP("the trials are spent"),
    QT_TR_NOOP("the time is spent"),
    QT_TR_NOOP("the latency objective is met"),
    QT_TR_NOOP("nothing is left to try"),
    QT_TR_NOOP("the plan is carried out"),
)
ERRORS = (
    QT_TR_NOOP("build error"),
    QT_TR_NOOP("build timeout"),
    QT_TR_NOOP("build crash"),
    QT_TR_NOOP("run error"),
    QT_TR_NOOP("run timeout"),
    QT_TR_NOOP("run crash"),
    QT_TR_NOOP("device lost"),
)
METRICS = (
    QT_TR_NOOP("What a replay keeps"),
    QT_TR_NOOP("Common candidates (published)"),
)
WHAT_METRICS_SAY = (
    QT_TR_NOOP(
        "How near the tiles of one task come to those of the other once they are fitted to its "
        "extents: about the share of a schedule's speed that is left."
    ),
    QT_TR_NOOP("The share of tile sizes and choices that the two tasks have in common."),
)
WHAT_STEPS_DO = (
    QT_TR_NOOP("Searches schedules for the tasks, with the time allocated by the policy."),
    QT_TR_NOOP("Tunes one task of each cluster, and measures its best schedules on the others."),
    QT_TR_NOOP("Measures the best schedules of other models on the tasks of the same class."),
    QT_TR_NOOP("Moves each task's best schedule to a neighbour as long as that is surely faster."),
    QT_TR_NOOP(
        "Tunes operators that stand for several of one input, which a schedule of stages may use."
    ),
)


def step_title(kind: str) -> str:
    """What a person calls a kind of step; the kind itself where nobody knows it."""
    titles = {
        "search": tr("Search", "step"),
        "share": tr("Share", "step"),
        "transfer": tr("Transfer", "step"),
        "droplet": tr("Droplet", "step"),
        "merge": tr("Merge", "step"),
    }
    return titles.get(kind, STEPS[kind].title if kind in STEPS else kind)
