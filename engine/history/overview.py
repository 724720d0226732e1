"""Where the model's time goes, how far it is from what it could be, and what to try next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engine.history.history import History
from engine.history.open_project import OpenProject
from engine.records.formats import reference_of
from engine.records.settings import RunState
from engine.records.snapshot import Figure, Snapshot
from engine.records.task import TaskState
from engine.records.trial import Source
from engine.records.units import format_ratio, format_share
from engine.records.words import RunEnd

TOP = 5
FEW_TRIALS = 64  # a search has found most of what it finds by then
_LARGE = 0.1  # the share of a task that is worth a word
_MANY_TASKS = 8
_PASSES = {"share": Source.SHARED, "droplet": Source.DROPLET, "transfer": Source.TRANSFERRED}


class Advice(StrEnum):
    """What a person may try next."""

    START = "Nothing is tuned yet: start a run."
    CONTINUE = "The last run was interrupted: continue it."
    MEASURE = "Something disturbed a measurement: measure again when the machine is quiet."
    SHARE = (
        "Most tasks were never tuned: Share tunes one of each cluster, and tries its schedules on "
        "the others."
    )
    TRIALS = "{task} has {share} of the latency and had only {trials} trials: tune it longer."
    DROPLET = "Droplet was never run: it takes the best schedule of each task to faster neighbours."
    TRANSFER = "Transfer was never run: schedules of other models may be faster here."
    LONGER = (
        "It still takes {ratio} the time of {reference}: tune longer. {task} has most of the "
        "latency, {share}."
    )
    EXPORT = "The passes were run. Export it, or tune longer: {task} has most of the latency."


Advised: TypeAlias = tuple[Advice, dict[str, str]]


@dataclass(frozen=True, slots=True)
class Overview:
    """The model at a glance.

    `top` are the tasks that take most of the latency, with their shares in [0, 1], `reference` what
    runs the file, and `reference_s` its latency in seconds. `peak_share` is the model's speed over
    the device's peak. `advice` has the fields of its sentence; None while a run goes on.
    """

    figure: Figure
    top: tuple[tuple[int, float], ...]
    reference: str
    reference_s: float | None
    peak_share: float | None
    advice: Advised | None


def overview(project: OpenProject, peak_flops: float | None) -> Overview:
    """That of a project as it stands; `peak_flops` is the device's peak in FLOP/s."""
    head, history, figure = project.head, project.history, project.figure()
    shares = sorted(history.shares().items(), key=lambda item: -item[1])
    work = sum(task.weight * task.flops for task in head.own_tasks) / head.inferences
    speed = work / figure.latency_s if figure.latency_s else None
    return Overview(
        figure=figure,
        top=tuple(shares[:TOP]),
        reference=reference_of(head.model_source),
        reference_s=head.reference_latency_s,
        peak_share=speed / peak_flops if speed and peak_flops else None,
        advice=next(_advices(project, figure, shares), None),
    )


def advice_text(advised: Advised | None) -> str:
    """What to try next in English; empty for nothing."""
    return advised[0].format(**advised[1]) if advised else ""


def _advices(
    project: OpenProject, figure: Figure, shares: list[tuple[int, float]]
) -> Iterator[Advised]:
    """All that holds now, the most important first."""
    head, history, run = project.head, project.history, project.run
    if not head.own_tasks or (run is not None and run.state.active):
        return
    if not history.trial_count:
        yield Advice.START, {}
        return
    if run is not None and run.state is RunState.INTERRUPTED:
        yield Advice.CONTINUE, {}
    if _is_doubtful(figure):
        yield Advice.MEASURE, {}
    ran = _passes_run(project)
    if "share" not in ran and _is_mostly_untried(head, history):
        yield Advice.SHARE, {}
    exhausted = run is not None and run.reason == RunEnd.EXHAUSTED
    if not exhausted and (starved := _starved(history, shares)) is not None:
        yield Advice.TRIALS, starved
    if "droplet" not in ran and history.share_tuned():
        yield Advice.DROPLET, {}
    if "transfer" not in ran:
        yield Advice.TRANSFER, {}
    if shares:
        yield _after_all(head, history.name(shares[0][0]), shares[0][1], figure.latency_s)


def _is_doubtful(figure: Figure) -> bool:
    """Whether anything that the figure says was disturbed."""
    measured = (figure.suspect, figure.untuned if figure.tuned else None, figure.reference)
    return any(each is not None and each.disturbed for each in measured)


def _passes_run(project: OpenProject) -> set[str]:
    """The passes that a run had in its plan, or that gave a trial."""
    planned = {step.kind for run in project.head.runs for step in run.settings.steps}
    return planned | {name for name, source in _PASSES.items() if project.tried[source]}


def _is_mostly_untried(head: Snapshot, history: History) -> bool:
    untried = sum(not history.trials(task.index) for task in head.own_tasks)
    return len(head.own_tasks) >= _MANY_TASKS and 2 * untried > len(head.own_tasks)


def _starved(history: History, shares: list[tuple[int, float]]) -> dict[str, str] | None:
    """Of the large tasks that had few trials, the one with most of the latency for each of them."""
    found = [
        (share / (1 + history.trials(task)), task, share)
        for task, share in shares
        if share >= _LARGE
        and history.trials(task) < FEW_TRIALS
        and history.state(task) is not TaskState.FAILED
    ]
    if not found:
        return None
    _, task, share = max(found)
    return {
        "task": history.name(task),
        "share": format_share(share),
        "trials": f"{history.trials(task):,}",
    }


def _after_all(head: Snapshot, task: str, share: float, now_s: float | None) -> Advised:
    """What is left where all passes were run; `task` has most of the latency."""
    reference_s = head.reference_latency_s
    if not now_s or not reference_s or now_s <= reference_s:
        return Advice.EXPORT, {"task": task}
    return Advice.LONGER, {
        "task": task,
        "share": format_share(share),
        "ratio": format_ratio(now_s / reference_s),
        "reference": reference_of(head.model_source),
    }
