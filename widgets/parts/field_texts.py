"""The words of forms, by dataclass field, marked for translation."""

from __future__ import annotations

from engine.allocation.curves import FAMILIES
from engine.passes.similarity import METRICS
from widgets.look.language import QT_TR_NOOP
from widgets.parts.field_form import FieldText

BUDGET = {
    "trials": FieldText(
        QT_TR_NOOP("Trials"),
        QT_TR_NOOP("Stop after this many trials of this run"),
        QT_TR_NOOP("trials"),
        start=1000,
    ),
    "seconds": FieldText(
        QT_TR_NOOP("Time"), QT_TR_NOOP("Stop after this tuning time"), "min", 1 / 60, start=1200
    ),
    "latency_s": FieldText(
        QT_TR_NOOP("Objective"),
        QT_TR_NOOP("Stop when the model as a whole is this fast"),
        "ms",
        1e3,
        start=1e-3,
    ),
}
RUN = {
    "seed": FieldText(QT_TR_NOOP("Seed"), QT_TR_NOOP("The same seed gives the same proposals")),
    "devices": FieldText(
        QT_TR_NOOP("Devices"),
        QT_TR_NOOP(
            "Spread measurements over these, such as cuda:0,cuda:1; empty: the target's own"
        ),
    ),
    "finalists": FieldText(
        QT_TR_NOOP("Finalists"),
        QT_TR_NOOP("How many candidates of each task are measured again at the end"),
    ),
    "repeat": FieldText(
        QT_TR_NOOP("Repeat"), QT_TR_NOOP("Take the steps of a plan again until the budget ends")
    ),
    "cluster": FieldText(
        QT_TR_NOOP("Build cluster"),
        QT_TR_NOOP("The address of a Dask scheduler whose workers build; empty: build here"),
    ),
    "despite": FieldText(
        QT_TR_NOOP("Despite a wrong answer"),
        QT_TR_NOOP("Tune a model whose untuned module answers wrongly; it cannot be exported"),
    ),
    "starter": FieldText(
        QT_TR_NOOP("Begin with what is known"),
        QT_TR_NOOP("Try the starter library's schedules, and your library's, on each task first"),
    ),
}
SEARCH = {
    "population": FieldText(
        QT_TR_NOOP("Population"), QT_TR_NOOP("Candidates that evolve in each round")
    ),
    "iterations": FieldText(
        QT_TR_NOOP("Generations"), QT_TR_NOOP("How often the population evolves in a round")
    ),
    "min_unmeasured": FieldText(
        QT_TR_NOOP("Fresh samples"), QT_TR_NOOP("Least new candidates in a population")
    ),
    "batch": FieldText(
        QT_TR_NOOP("Batch"), QT_TR_NOOP("Candidates that are built and measured in each slot")
    ),
    "model_warmup": FieldText(
        QT_TR_NOOP("Model warm-up"), QT_TR_NOOP("Trials before the cost model's word counts")
    ),
    "model_every": FieldText(
        QT_TR_NOOP("Model update"), QT_TR_NOOP("Trials of a task after which its model is trained")
    ),
    "model_growth": FieldText(
        QT_TR_NOOP("Model growth"),
        QT_TR_NOOP("What is new must also be so much of what the model has learnt"),
        "%",
        100,
    ),
    "peers": FieldText(
        QT_TR_NOOP("Peers"),
        QT_TR_NOOP("Tasks of the class whose best schedules a slot begins with"),
    ),
}
PROTOCOL = {
    "warmup": FieldText(QT_TR_NOOP("Warm-up calls"), QT_TR_NOOP("Calls before the first sample")),
    "sample_s": FieldText(
        QT_TR_NOOP("Sample length"),
        QT_TR_NOOP("A sample is the mean of calls that last so long"),
        "ms",
        1e3,
    ),
    "min_samples": FieldText(QT_TR_NOOP("Least samples"), QT_TR_NOOP("Samples taken in any case")),
    "max_samples": FieldText(QT_TR_NOOP("Most samples"), QT_TR_NOOP("Sampling ends here")),
    "precision": FieldText(
        QT_TR_NOOP("Precision"),
        QT_TR_NOOP("Standard error of the mean that is good enough"),
        "%",
        100,
    ),
    "max_s": FieldText(
        QT_TR_NOOP("Longest sampling"), QT_TR_NOOP("Sampling ends after so long"), "ms", 1e3
    ),
    "cut_ratio": FieldText(
        QT_TR_NOOP("Cut ratio"),
        QT_TR_NOOP("A first call so many times slower than the best is enough"),
        "x",
    ),
    "timeout_s": FieldText(
        QT_TR_NOOP("Time limit"), QT_TR_NOOP("A measurement is given up after so long"), "s"
    ),
}
POLICY = {
    "form": FieldText(
        QT_TR_NOOP("Form of the bound"),
        QT_TR_NOOP("How the gain and the bonus for being unsure are put into one number"),
        choices={
            "paper": QT_TR_NOOP("paper: gain in ms, bonus without unit"),
            "share": QT_TR_NOOP("share: bonus by share of the latency"),
            "relative": QT_TR_NOOP("relative: bonus by the belief's spread"),
        },
    ),
    "c": FieldText(
        QT_TR_NOOP("Curiosity C"),
        QT_TR_NOOP(
            "How much being unsure of a task counts for it: so many standard deviations; by the "
            "paper a constant of 2"
        ),
    ),
    "family": FieldText(
        QT_TR_NOOP("Curve family"),
        QT_TR_NOOP("The curve that a task's progress is taken to follow"),
        choices={name: f"{name}: {family.formula}" for name, family in FAMILIES.items()},
    ),
    "first_pass": FieldText(
        QT_TR_NOOP("A slot for each first"),
        QT_TR_NOOP("Every task gets its first valid result before any gets more"),
    ),
    "per_second": FieldText(
        QT_TR_NOOP("Count seconds"),
        QT_TR_NOOP("Weigh a slot's gain by the seconds that slots of the task take"),
    ),
    "pooled": FieldText(
        QT_TR_NOOP("Trust in other tasks"),
        QT_TR_NOOP(
            "With how many slots of its own a task's curve counts as much as the experience of all "
            "slots so far; 0: only its own counts"
        ),
        QT_TR_NOOP("slots"),
    ),
    "peers": FieldText(
        QT_TR_NOOP("Compare with peers"),
        QT_TR_NOOP("Expect more of a task that is slower than others of its class and size"),
    ),
    "finish_after": FieldText(
        QT_TR_NOOP("Leave after"),
        QT_TR_NOOP("A task leaves after so many trials without improvement; 0: never"),
        QT_TR_NOOP("trials"),
    ),
    "jump": FieldText(
        QT_TR_NOOP("Jump"),
        QT_TR_NOOP("A gain of more than this at once starts a new segment; 0: none does"),
        "%",
        100,
    ),
    "walkers": FieldText(QT_TR_NOOP("Walkers"), QT_TR_NOOP("Of the sampler; an even number")),
    "steps": FieldText(
        QT_TR_NOOP("Sampler steps"),
        QT_TR_NOOP("How long each walker goes; the first 100 are left out"),
    ),
    "samples": FieldText(
        QT_TR_NOOP("Curves"), QT_TR_NOOP("How many curves of the posterior the belief is made of")
    ),
    "epsilon": FieldText(
        QT_TR_NOOP("Explore"), QT_TR_NOOP("How often a task is drawn by lot"), "%", 100
    ),
    "temperature": FieldText(
        QT_TR_NOOP("Temperature"),
        QT_TR_NOOP("How freely tasks with smaller gains are drawn; 0: hardly ever"),
    ),
    "alpha": FieldText(
        QT_TR_NOOP("Weight of the past"),
        QT_TR_NOOP("Of the last drop, against the hope of the next one"),
    ),
    "beta": FieldText(
        QT_TR_NOOP("Trust in similar tasks"),
        QT_TR_NOOP("How near their speed a task is taken to come"),
    ),
    "slots_per_task": FieldText(
        QT_TR_NOOP("Slots of each"),
        QT_TR_NOOP("How many a task gets before the next"),
        QT_TR_NOOP("slots"),
    ),
    "window": FieldText(
        QT_TR_NOOP("Window"),
        QT_TR_NOOP("Over how many slots the last drop is taken"),
        QT_TR_NOOP("slots"),
    ),
}
"""The options of all policies; an option of the same name means the same in each."""

ABOUT = {
    "dynatune": QT_TR_NOOP(
        "The task whose next slot may shorten the whole model most: what slots have taught to "
        "expect, and a bonus for being unsure of it."
    ),
    "dynatune-paper": QT_TR_NOOP(
        "As in the paper: a curve fitted to each task says what to expect, and each task has a "
        "bonus that falls with its slots."
    ),
    "epsilon-greedy": QT_TR_NOOP(
        "The task of which most is expected; now and then any task, by lot."
    ),
    "softmax": QT_TR_NOOP("By lot, the likelier the more is expected of a task."),
    "gradient": QT_TR_NOOP(
        "MetaSchedule's rule: the last drops of a task, and its latency over its slots."
    ),
    "ansor": QT_TR_NOOP(
        "Ansor's rule: as the gradient, with the speed of similar tasks as the hope."
    ),
    "round-robin": QT_TR_NOOP("Each task in turn."),
    "random": QT_TR_NOOP("Any open task, by lot."),
    "flops": QT_TR_NOOP("Slots in proportion to weight times floating-point operations."),
    "sequential": QT_TR_NOOP("One task after another, in the order of the model."),
    "da-random": QT_TR_NOOP("Any task that still improves, by lot."),
    "da-round-robin": QT_TR_NOOP("Each task that still improves, in turn."),
}
"""What each policy does, in a sentence."""

PASSES = {
    "share": {
        "stored": FieldText(
            QT_TR_NOOP("Clusters as shown"),
            QT_TR_NOOP("Take the clusters of the Clusters view, a person's edits included"),
        ),
        "metric": FieldText(
            QT_TR_NOOP("Similarity"),
            QT_TR_NOOP("How alike two design spaces are taken to be"),
            choices={metric.name: metric.title for metric in METRICS.values()},
        ),
        "threshold": FieldText(
            QT_TR_NOOP("Threshold"),
            QT_TR_NOOP("How alike tasks must be to use one schedule; 0 to 1"),
        ),
        "top_k": FieldText(
            QT_TR_NOOP("Schedules each"),
            QT_TR_NOOP("How many of its representative's best each dependant measures"),
        ),
        "tune_weak": FieldText(
            QT_TR_NOOP("Tune weak ones"),
            QT_TR_NOOP("Tune dependants that stay far behind in the time that is left"),
        ),
    },
    "transfer": {
        "per_task": FieldText(
            QT_TR_NOOP("Donors a task"), QT_TR_NOOP("How many donors each task tries, best first")
        ),
    },
    "droplet": {
        "per_task": FieldText(
            QT_TR_NOOP("Neighbours a task"),
            QT_TR_NOOP("How many neighbours each task tries at most"),
        ),
        "p_value": FieldText(
            QT_TR_NOOP("p-value"),
            QT_TR_NOOP("Below this chance of being a fluke a neighbour counts as faster"),
        ),
    },
    "merge": {
        "per_task": FieldText(
            QT_TR_NOOP("Trials each"),
            QT_TR_NOOP("How many trials each merged operator gets on average"),
            QT_TR_NOOP("trials"),
        ),
        "per_input": FieldText(
            QT_TR_NOOP("Sets an input"),
            QT_TR_NOOP(
                "How many sets of operators that share an input are merged, the largest first"
            ),
        ),
    },
}
"""The options of the passes, by kind."""

IOS = {
    "r": FieldText(
        QT_TR_NOOP("Operators a group (r)"),
        QT_TR_NOOP("How many operators may follow each other in a group, at most"),
    ),
    "s": FieldText(
        QT_TR_NOOP("Groups a stage (s)"),
        QT_TR_NOOP("How many groups may run side by side, at most"),
    ),
    "strategies": FieldText(
        QT_TR_NOOP("Stages may be"),
        QT_TR_NOOP("How the operators of a stage run"),
        choices={
            "both": QT_TR_NOOP("side by side, or merged"),
            "parallel": QT_TR_NOOP("side by side only"),
            "merge": QT_TR_NOOP("merged only"),
        },
    ),
    "seconds": FieldText(
        QT_TR_NOOP("Time"),
        QT_TR_NOOP("The search ends after so long, measurements included"),
        "min",
        1 / 60,
        least=1.0,
    ),
}
"""The limits of a search for stages."""
