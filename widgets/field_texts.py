"""The words of the run dialog, by dataclass field."""

from __future__ import annotations

from engine.allocation.curves import FAMILIES
from engine.passes.similarity import METRICS
from widgets.field_form import FieldText

BUDGET = {
    "trials": FieldText("Trials", "Stop after this many trials of this run", "trials", start=1000),
    "seconds": FieldText("Time", "Stop after this tuning time", "min", 1 / 60, start=1200),
    "latency_s": FieldText(
        "Objective", "Stop when the model's estimated latency is this low", "ms", 1e3, start=1e-3
    ),
}
RUN = {
    "seed": FieldText("Seed", "The same seed gives the same proposals"),
    "finalists": FieldText(
        "Finalists", "How many candidates of each task are measured again at the end"
    ),
}
SEARCH = {
    "population": FieldText("Population", "Candidates that evolve in each round"),
    "iterations": FieldText("Generations", "How often the population evolves in a round"),
    "min_unmeasured": FieldText("Fresh samples", "Least new candidates in a population"),
    "batch": FieldText("Batch", "Candidates that are built and measured in each slot"),
    "model_warmup": FieldText("Model warm-up", "Trials before the cost model's word counts"),
}
PROTOCOL = {
    "warmup": FieldText("Warm-up calls", "Calls before the first sample"),
    "sample_s": FieldText("Sample length", "A sample is the mean of calls that last so long",
                          "ms", 1e3),
    "min_samples": FieldText("Least samples", "Samples taken in any case"),
    "max_samples": FieldText("Most samples", "Sampling ends here"),
    "precision": FieldText("Precision", "Standard error of the mean that is good enough",
                           "%", 100),
    "max_s": FieldText("Longest sampling", "Sampling ends after so long", "ms", 1e3),
    "cut_ratio": FieldText("Cut ratio", "A first call so many times slower than the best is enough",
                           "x"),
    "timeout_s": FieldText("Time limit", "A measurement is given up after so long", "s"),
}  # fmt: skip
POLICY = {
    "form": FieldText(
        "Form of the bound",
        "How the gain and the bonus for being unsure are put into one number",
        choices={
            "relative": "relative: bonus by the belief's spread",
            "share": "share: bonus by share of the latency",
            "paper": "paper: gain in ms, bonus without unit",
        },
    ),
    "c": FieldText("Curiosity C", "How much being unsure of a task counts for it; the paper has 2"),
    "family": FieldText(
        "Curve family",
        "The curve that a task's progress is taken to follow",
        choices={name: f"{name}: {family.formula}" for name, family in FAMILIES.items()},
    ),
    "first_pass": FieldText(
        "A slot for each first", "Every task gets its first valid result before any gets more"
    ),
    "per_second": FieldText(
        "Count seconds", "Weigh a slot's gain by the seconds that slots of the task take"
    ),
    "pooled": FieldText(
        "Trust in other tasks",
        "With how many slots of its own a task's curve counts as much as the experience of all "
        "slots so far; 0: only its own counts",
        "slots",
    ),
    "peers": FieldText(
        "Compare with peers",
        "Expect more of a task that is slower than others of its class and size",
    ),
    "finish_after": FieldText(
        "Leave after", "A task leaves after so many trials without improvement; 0: never", "trials"
    ),
    "jump": FieldText(
        "Jump", "A gain of more than this at once starts a new segment; 0: none does", "%", 100
    ),
    "walkers": FieldText("Walkers", "Of the sampler; an even number"),
    "steps": FieldText("Sampler steps", "How long each walker goes; the first 100 are left out"),
    "samples": FieldText("Curves", "How many curves of the posterior the belief is made of"),
    "epsilon": FieldText("Explore", "How often a task is drawn by lot", "%", 100),
    "temperature": FieldText(
        "Temperature", "How freely tasks with smaller gains are drawn; 0: hardly ever"
    ),
    "alpha": FieldText("Weight of the past", "Of the last drop, against the hope of the next one"),
    "beta": FieldText("Trust in similar tasks", "How near their speed a task is taken to come"),
    "slots_per_task": FieldText("Slots of each", "How many a task gets before the next", "slots"),
    "window": FieldText("Window", "Over how many slots the last drop is taken", "slots"),
}
"""The options of all policies; an option of the same name means the same in each."""

ABOUT = {
    "dynatune": "The task whose next slot may shorten the whole model most: what its curve "
    "promises, and a bonus for being unsure of it.",
    "epsilon-greedy": "The task whose curve promises most; now and then any task, by lot.",
    "softmax": "By lot, the likelier the more a task's curve promises.",
    "gradient": "MetaSchedule's rule: the last drops of a task, and its latency over its slots.",
    "ansor": "Ansor's rule: as the gradient, with the speed of similar tasks as the hope.",
    "round-robin": "Each task in turn.",
    "random": "Any open task, by lot.",
    "flops": "Slots in proportion to weight times floating-point operations.",
    "sequential": "One task after another, in the order of the model.",
    "da-random": "Any task that still improves, by lot.",
    "da-round-robin": "Each task that still improves, in turn.",
}
"""What each policy does, in a sentence."""

PASSES = {
    "share": {
        "stored": FieldText(
            "Clusters as shown", "Take the clusters of the Clusters view, a person's edits included"
        ),
        "metric": FieldText(
            "Similarity",
            "How alike two design spaces are taken to be",
            choices={metric.name: metric.title for metric in METRICS.values()},
        ),
        "threshold": FieldText("Threshold", "How alike tasks must be to use one schedule; 0 to 1"),
        "top_k": FieldText(
            "Schedules each", "How many of its representative's best each dependant measures"
        ),
        "tune_weak": FieldText(
            "Tune weak ones", "Tune dependants that stay far behind in the time that is left"
        ),
    },
    "transfer": {
        "per_task": FieldText("Donors a task", "How many donors each task tries, best first"),
    },
    "droplet": {
        "per_task": FieldText("Neighbours a task", "How many neighbours each task tries at most"),
        "p_value": FieldText(
            "p-value", "Below this chance of being a fluke a neighbour counts as faster"
        ),
    },
    "merge": {
        "per_task": FieldText(
            "Trials each", "How many trials each merged operator gets on average", "trials"
        ),
        "per_input": FieldText(
            "Sets an input",
            "How many sets of operators that share an input are merged, the largest first",
        ),
    },
}
"""The options of the passes, by kind."""

IOS = {
    "r": FieldText(
        "Operators a group (r)",
        "How many operators may follow each other in a group, at most",
        least=1,
    ),
    "s": FieldText("Groups a stage (s)", "How many groups may run side by side, at most", least=1),
    "strategies": FieldText(
        "Stages may be",
        "How the operators of a stage run",
        choices={
            "both": "side by side, or merged",
            "parallel": "side by side only",
            "merge": "merged only",
        },
    ),
    "seconds": FieldText(
        "Time", "The search ends after so long, measurements included", "min", 1 / 60, least=1.0
    ),
}
"""The limits of a search for stages."""
