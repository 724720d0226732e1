"""What the sheet of a pass says: what it does, what it is expected to cost and to gain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from engine.jobs.steps.estimate import Estimate
from engine.jobs.steps.steps import STEPS
from engine.records.settings import Step
from engine.records.snapshot import Snapshot
from engine.records.units import format_duration
from widgets.look.engine_words import step_title
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.facts import Fact

PLAN = "plan"
Estimator: TypeAlias = Callable[..., Estimate]


@dataclass(frozen=True, slots=True)
class PassWords:
    """Title, what it does in a sentence, and what may be hoped for."""

    title: str
    what: str
    gain: str


_GAINS = {
    "share": QT_TR_NOOP(
        "most of what tuning every task would bring; published: 84 % of it in 28 % of the time on "
        "average"
    ),
    "transfer": QT_TR_NOOP(
        "a part of what a search would bring, within minutes; published: 49 % of it on average"
    ),
    "droplet": QT_TR_NOOP("a few per cent on tasks that were searched; never less than before"),
    "merge": QT_TR_NOOP(
        "nothing by itself: a search for stages then finds where merged operators pay"
    ),
    "search": QT_TR_NOOP("more, the longer it lasts; most of it early"),
}
_PLAN = PassWords(
    QT_TR_NOOP("Plan"),
    QT_TR_NOOP("Takes the steps in their order, each from the best that those before it left."),
    QT_TR_NOOP("what its steps bring; a repeated plan ends where a round brings nothing more"),
)


def words_of(kind: str) -> PassWords:
    """The words of a kind of step, or of a plan."""
    if kind != PLAN:
        gain = _GAINS.get(kind)
        what = tr(STEPS[kind].what)
        return PassWords(step_title(kind), what, tr(gain) if gain else "")
    return PassWords(tr(_PLAN.title), tr(_PLAN.what), tr(_PLAN.gain))


def cost_facts(found: Estimate, tasks: int | None, gain: str) -> list[Fact]:
    """An estimate as names and values; `tasks` are those of the project that it is about, None
    where it is about operators to be merged."""
    what, count = tr("Merged operators"), tr("at most {count}", count=f"{found.tasks:,}")
    if tasks is not None:
        what = tr("Tasks")
        count = tr("{count} of {all}", count=f"{found.tasks:,}", all=f"{tasks:,}")
    trials = tr("about {count}", count=f"{found.trials:,}") if found.trials else tr("none")
    time = format_duration(found.seconds)
    facts = [
        (what, count),
        (tr("Trials"), trials),
        (tr("Time"), tr("about {time}, unless the budget ends it earlier", time=time)),
        (tr("Gain"), gain),
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
