"""The words of the run dialog, by dataclass field."""

from __future__ import annotations

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
