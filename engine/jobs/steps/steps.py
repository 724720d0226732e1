"""The kinds of step that a run's plan is made of, and their options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from msgspec import Meta

from engine.passes.similarity import DEFAULT_METRIC, DEFAULT_THRESHOLD, METRICS
from engine.records.errors import UsageError
from engine.records.options import Checked, Share, made, one_of
from engine.records.sentences import Sentence
from engine.records.settings import Step
from engine.records.units import whole_number

_Each = Annotated[int, Meta(ge=1, le=1_000_000)]


@dataclass(frozen=True, slots=True)
class SearchOptions(Checked):
    """A search has the run's own settings."""


@dataclass(frozen=True, slots=True)
class ShareOptions(Checked):
    """How tasks are put together, and what dependants get.

    `metric` and `threshold` make the clusters, unless `stored` ones are there and wanted.
    `top_k` candidates made of its representative's records are measured for each dependant.
    `tune_weak` spends the time that is left on dependants that stay far behind.
    """

    metric: Annotated[str, one_of(*METRICS)] = DEFAULT_METRIC
    threshold: Share = DEFAULT_THRESHOLD
    stored: bool = True
    top_k: Annotated[int, Meta(ge=0, le=10_000)] = 4
    tune_weak: bool = False


@dataclass(frozen=True, slots=True)
class TransferOptions(Checked):
    """Where donors come from (project files, and the user's library); candidates a task tries."""

    places: tuple[str, ...] = ()
    library: bool = True
    per_task: _Each = 6


@dataclass(frozen=True, slots=True)
class DropletOptions(Checked):
    """How many neighbours a task tries at most, and the p-value below which one is faster."""

    per_task: _Each = 48
    p_value: Share = 0.05


@dataclass(frozen=True, slots=True)
class MergeOptions(Checked):
    """How many trials each merged operator gets on average, members' schedules that are tried on
    it included, and how many sets of operators that share an input are merged, largest first."""

    per_task: _Each = 32
    per_input: Annotated[int, Meta(ge=0, le=10_000)] = 2


@dataclass(frozen=True, slots=True)
class StepKind:
    """A kind of step: its name, its title, what it does in one sentence, its options."""

    name: str
    title: str
    what: str
    Options: type[Any]


STEPS: dict[str, StepKind] = {
    kind.name: kind
    for kind in (
        StepKind(
            "search",
            "Search",
            "Searches schedules for the tasks, with the time allocated by the policy.",
            SearchOptions,
        ),
        StepKind(
            "share",
            "Share",
            "Tunes one task of each cluster, and measures its best schedules on the others.",
            ShareOptions,
        ),
        StepKind(
            "transfer",
            "Transfer",
            "Measures the best schedules of other models on the tasks of the same class.",
            TransferOptions,
        ),
        StepKind(
            "droplet",
            "Droplet",
            "Moves each task's best schedule to a neighbour as long as that is surely faster.",
            DropletOptions,
        ),
        StepKind(
            "merge",
            "Merge",
            "Tunes operators that stand for several of one input, which a schedule of stages may "
            "use.",
            MergeOptions,
        ),
    )
}


def options_of(step: Step) -> Any:
    """A step's options as its kind declares them; UsageError where they make no sense."""
    kind = _kind(step.kind)
    return made(kind.Options, step.options, kind.title)


def parse_plan(text: str) -> tuple[Step, ...]:
    """The steps of "search:500,transfer,droplet"; a number is the trials of its step."""
    return tuple(_parse(part.strip()) for part in text.split(","))


def plan_text(steps: tuple[Step, ...]) -> str:
    """What `parse_plan` reads."""
    return ",".join(
        step.kind if step.trials is None else f"{step.kind}:{step.trials}" for step in steps
    )


def _parse(part: str) -> Step:
    name, mark, number = part.partition(":")
    kind = _kind(name.strip())
    if not mark:
        return Step(kind.name)
    if (trials := whole_number(number.strip())) is None:
        raise UsageError(
            Sentence("'{number}' is no number of trials.", number=number.strip()),
            Sentence("Write it like {kind}:500.", kind=kind.name),
        )
    return Step(kind.name, trials=trials)


def _kind(name: str) -> StepKind:
    if name not in STEPS:
        raise UsageError(
            Sentence("There is no step '{name}'.", name=name),
            Sentence("A plan is made of {names}.", names=", ".join(STEPS)),
        )
    return STEPS[name]
