"""What the sheet of a pass says: what it does, what it is expected to cost and to gain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.jobs.settings import Step
from engine.jobs.steps import STEPS
from engine.passes.estimate import Estimate
from engine.project.snapshot import Snapshot
from widgets.facts import Fact
from widgets.units import format_duration

PLAN = "plan"
Estimator: TypeAlias = Callable[[str, Snapshot, dict[str, Any]], Estimate]


@dataclass(frozen=True, slots=True)
class PassWords:
    """Title, what it does in a sentence, and what may be hoped for."""

    title: str
    what: str
    gain: str


_GAINS = {
    "share": "most of what tuning every task would bring; published: 84 % of it in 28 % of the "
    "time on average",
    "transfer": "a part of what a search would bring, within minutes; published: 49 % of it on "
    "average",
    "droplet": "a few per cent on tasks that were searched; never less than before",
    "merge": "nothing by itself: a search for stages then finds where merged operators pay",
    "search": "more, the longer it lasts; most of it early",
}
_PLAN = PassWords(
    "Plan",
    "Takes the steps in their order, each from the best that those before it left.",
    "what its steps bring; a repeated plan ends where a round brings nothing more",
)


def words_of(kind: str) -> PassWords:
    """The words of a kind of step, or of a plan."""
    if kind == PLAN:
        return _PLAN
    step = STEPS[kind]
    return PassWords(step.title, step.what, _GAINS.get(kind, ""))


def counted(number: int, name: str) -> str:
    """A number of things: "1 trial", "1,000 trials"."""
    return f"{number:,} {name}{'' if number == 1 else 's'}"


def cost_facts(found: Estimate, tasks: int | None, gain: str) -> list[Fact]:
    """An estimate as names and values; `tasks` are those of the project that it is about, None
    where it is about operators to be merged."""
    facts = [
        ("Merged operators", f"at most {found.tasks:,}")
        if tasks is None
        else ("Tasks", f"{found.tasks:,} of {tasks:,}"),
        ("Trials", f"about {found.trials:,}" if found.trials else "none"),
        ("Time", f"about {format_duration(found.seconds)}, unless the budget ends it earlier"),
        ("Gain", gain),
    ]
    return [(name, value) for name, value in facts if value]


def plan_estimate(steps: Sequence[Step], snapshot: Snapshot, estimator: Estimator) -> Estimate:
    """One round of a plan: its steps' estimates, each within the trials that it may take."""
    found = [_within(step, estimator(step.kind, snapshot, step.options)) for step in steps]
    return Estimate(
        tasks=max((part.tasks for part in found), default=0),
        trials=sum(part.trials for part in found),
        seconds=sum(part.seconds for part in found),
        note=found[-1].note if found else "",
    )


def _within(step: Step, part: Estimate) -> Estimate:
    """A step with a number of trials takes as many of a search, and at most as many of a pass."""
    if step.trials is None or not part.trials:
        return part
    trials = step.trials if step.kind == "search" else min(step.trials, part.trials)
    return Estimate(part.tasks, trials, part.seconds * trials / part.trials, part.note)
