"""Words of the engine's own tables that a person reads in windows, marked for translation."""

from __future__ import annotations

from engine.history.figure_words import notes
from engine.history.overview import Advised
from engine.jobs.steps.steps import STEPS
from engine.records.events import Progress
from engine.records.snapshot import Figure
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
    QT_TR_NOOP("starter"),
    QT_TR_NOOP("ready kernel"),
    QT_TR_NOOP("library"),
)
TASK_STATES = (
    QT_TR_NOOP("waiting"),
    QT_TR_NOOP("searching"),
    QT_TR_NOOP("building"),
    QT_TR_NOOP("measuring"),
    QT_TR_NOOP("tuned"),
    QT_TR_NOOP("finished"),
    QT_TR_NOOP("failed"),
)
TASK_REASONS = (QT_TR_NOOP("at the launch's floor"), QT_TR_NOOP("every schedule was tried"))
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
DOINGS = (
    QT_TR_NOOP("Reading the model"),
    QT_TR_NOOP("Turning to the shape {about}"),
    QT_TR_NOOP("Importing the model into TVM"),
    QT_TR_NOOP("Lowering and fusing operators"),
    QT_TR_NOOP("Running the file to compare with"),
    QT_TR_NOOP("Looking at its operators"),
    QT_TR_NOOP("Finding design spaces"),
    QT_TR_NOOP("Comparing the devices"),
    QT_TR_NOOP("Waiting for {about}, which is being tuned on this device"),
    QT_TR_NOOP("Compiling and measuring the untuned model"),
    QT_TR_NOOP("Measuring {about}"),
    QT_TR_NOOP("Looking up the target's peak speed"),
    QT_TR_NOOP("Compiling and measuring the tuned model"),
    QT_TR_NOOP("Checking what the tuned kernels compute"),
    QT_TR_NOOP("Measuring the finalists again"),
    QT_TR_NOOP("Sharing schedules"),
    QT_TR_NOOP("Trying donors"),
    QT_TR_NOOP("Polishing"),
    QT_TR_NOOP("Merging operators"),
    QT_TR_NOOP("Trying members' schedules"),
    QT_TR_NOOP("Compiling the model with its records"),
    QT_TR_NOOP("Measuring whole schedules in turns"),
    QT_TR_NOOP("Comparing narrower searches"),
    QT_TR_NOOP("Comparing the schedule with one operator after another"),
    QT_TR_NOOP("Checking the outputs against {about}"),
    QT_TR_NOOP("Looking for the first node that differs, nodes left: {about}"),
)
DRAWS = (
    QT_TR_NOOP("standard normal"),
    QT_TR_NOOP("zeros"),
    QT_TR_NOOP("normal times 50"),
    QT_TR_NOOP("around 1000"),
    QT_TR_NOOP("some NaN"),
    QT_TR_NOOP("some infinities"),
    QT_TR_NOOP("indices"),
    QT_TR_NOOP("first and last index"),
    QT_TR_NOOP("negative indices"),
    QT_TR_NOOP("whole numbers"),
    QT_TR_NOOP("full mask"),
    QT_TR_NOOP("partial mask"),
    QT_TR_NOOP("empty mask"),
)
RUN_ENDS = (
    QT_TR_NOOP("the trials are spent"),
    QT_TR_NOOP("the time is spent"),
    QT_TR_NOOP("the latency objective is met"),
    QT_TR_NOOP("known schedules meet the latency objective"),
    QT_TR_NOOP("by its kernels the latency objective is met; the measurement is disturbed"),
    QT_TR_NOOP("nothing is left to try"),
    QT_TR_NOOP("the plan is carried out"),
    QT_TR_NOOP("stopped"),
)
FIGURE_WORDS = (
    QT_TR_NOOP("measured"),
    QT_TR_NOOP("estimate"),
    QT_TR_NOOP("disturbed"),
    QT_TR_NOOP("untuned"),
)
NOTES = (
    QT_TR_NOOP("Measured end to end with the schedules of now."),
    QT_TR_NOOP("Nothing is tuned: this is the untuned model."),
    QT_TR_NOOP("An estimate: {basis} as measured, scaled by what the kernels gained since."),
    QT_TR_NOOP("An estimate: what the kernels take together, each measured by itself."),
    QT_TR_NOOP("Disturbed: the board was hot and held its cores back."),
    QT_TR_NOOP(
        "A newer measurement, {latency}, is not taken: the board was hot and held its cores back."
    ),
    QT_TR_NOOP("The untuned latency is disturbed: the board was hot and held its cores back."),
    QT_TR_NOOP("What it is compared with is disturbed: the board was hot and held its cores back."),
    QT_TR_NOOP("Disturbed: other programs had {load} of the cores that it needs."),
    QT_TR_NOOP("Disturbed: half of its samples lie more than {spread} from it."),
    QT_TR_NOOP(
        "A newer measurement, {latency}, is not taken: other programs had {load} of the cores "
        "that it needs."
    ),
    QT_TR_NOOP(
        "A newer measurement, {latency}, is not taken: half of its samples lie more than {spread} "
        "from it."
    ),
    QT_TR_NOOP(
        "The untuned latency is disturbed: other programs had {load} of the cores that it needs."
    ),
    QT_TR_NOOP(
        "The untuned latency is disturbed: half of its samples lie more than {spread} from it."
    ),
    QT_TR_NOOP(
        "What it is compared with is disturbed: other programs had {load} of the cores that it "
        "needs."
    ),
    QT_TR_NOOP(
        "What it is compared with is disturbed: half of its samples lie more than {spread} from it."
    ),
    QT_TR_NOOP(
        "Its kernels take {sum} together when each runs alone: in the model they find their data "
        "out of the caches, and calling them takes time."
    ),
    QT_TR_NOOP("Its kernels take {sum} together: the rest may be the disturbance."),
    QT_TR_NOOP(
        "Its kernels take {sum} together when each runs alone: calling them took longer then, or "
        "the machine was slower."
    ),
    QT_TR_NOOP("Measure again when the machine is quiet."),
)
ADVICE = (
    QT_TR_NOOP("Nothing is tuned yet: start a run."),
    QT_TR_NOOP("The last run was interrupted: continue it."),
    QT_TR_NOOP("Something disturbed a measurement: measure again when the machine is quiet."),
    QT_TR_NOOP(
        "Most tasks were never tuned: Share tunes one of each cluster, and tries its schedules on "
        "the others."
    ),
    QT_TR_NOOP("{task} has {share} of the latency and had only {trials} trials: tune it longer."),
    QT_TR_NOOP(
        "Droplet was never run: it takes the best schedule of each task to faster neighbours."
    ),
    QT_TR_NOOP("Transfer was never run: schedules of other models may be faster here."),
    QT_TR_NOOP(
        "It still takes {ratio} the time of {reference}: tune longer. {task} has most of the "
        "latency, {share}."
    ),
    QT_TR_NOOP("The passes were run. Export it, or tune longer: {task} has most of the latency."),
)
ERRORS = (
    QT_TR_NOOP("build error"),
    QT_TR_NOOP("build timeout"),
    QT_TR_NOOP("build crash"),
    QT_TR_NOOP("run error"),
    QT_TR_NOOP("run timeout"),
    QT_TR_NOOP("run crash"),
    QT_TR_NOOP("wrong result"),
    QT_TR_NOOP("device lost"),
)
OTHERS = (QT_TR_NOOP("replayed"), QT_TR_NOOP("the job queue"))
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


def progress_text(progress: Progress) -> str:
    """What goes on; empty where it is over."""
    if not progress.text:
        return ""
    return tr(progress.text, about=tr(progress.about)) if progress.about else tr(progress.text)


def notes_text(figure: Figure) -> str:
    """How the figure is known, what disturbed it, and why it is not what its kernels add up to."""
    return " ".join(tr(note, **fields) for note, fields in notes(figure))


def advice_text(advised: Advised | None) -> str:
    """What to try next; empty for nothing."""
    return tr(advised[0], **advised[1]) if advised else ""


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
