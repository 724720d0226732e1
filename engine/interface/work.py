"""What commands and programs do with an engine: each waits for it, and says what goes on.

All take a `Following` that has begun. Errors are those of the engine; `Stopped` where a person
ended a step that has no result so far.
"""

from __future__ import annotations

from collections.abc import Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

from engine.deploy.packing.wheel import WheelName
from engine.interface.following import Following, Stopped
from engine.interface.models import DEFAULT_SECONDS
from engine.ios.options import Strategies
from engine.jobs.commands import EngineCommands
from engine.jobs.steps.estimate import estimate
from engine.jobs.steps.steps import options_of, plan_text
from engine.project.repository import Project
from engine.records.errors import TunewrightError, UsageError
from engine.records.schedule import FoundSchedule, IosOptions
from engine.records.sentences import Sentence
from engine.records.settings import Budget, RunSettings, Step
from engine.records.snapshot import Figure, Snapshot
from engine.records.source import ModelSource
from engine.records.units import format_duration
from engine.records.words import budget_text

EngineFollowing: TypeAlias = Following[EngineCommands]
_ENDLESS = ("search", "share")
_PATIENCE_S = 10.0  # for what was told to end


def tune(
    follow: EngineFollowing,
    source: ModelSource,
    target: str,
    settings: RunSettings,
    project: Path | None = None,
) -> Snapshot:
    """Import a model into a new project and tune it; the project as it was opened.

    No project is left behind where that is stopped before its run has begun.
    """
    opening = follow.engine.open_model(source, target, project)
    try:
        opened = follow.result(opening)
        shapes = f"{len(opened.shapes)} shapes, " if opened.shapes else ""
        follow.progress.say(
            f"{opened.model_name} for {opened.target}: {shapes}{len(opened.tasks)} tasks, "
            f"budget {budget_text(settings.budget)}, project {opened.path}"
        )
        follow.result(follow.engine.start_run(settings))
    except Stopped:
        _take_back(follow, opening)
        raise
    follow.finish_run()
    return opened


def resume(
    follow: EngineFollowing,
    project: Path,
    budget: Budget | None = None,
    despite: bool = False,
    **places: str,
) -> Snapshot:
    """Go on with a project's last run, or with its settings under another budget, or building on
    another `cluster` or measuring on other `devices`: "none" is this machine, and the target's.

    A project without a run, such as a kill may leave, gets one of default settings. `despite` a
    wrong answer there is always a new run.
    """
    opened = follow.result(follow.engine.open_project(project))
    if not opened.runs:
        settings = RunSettings(budget=budget or Budget(seconds=DEFAULT_SECONDS), despite=despite)
        follow.progress.say(
            f"{opened.model_name}: it has had no run, so this is the first, "
            f"budget {budget_text(settings.budget)}"
        )
        _run(follow, settings.elsewhere(**places))
        return opened
    last = opened.runs[-1]
    if despite and not last.settings.despite:
        settings = replace(last.settings, budget=budget or last.settings.budget, despite=True)
        _run(follow, settings.elsewhere(**places))
        return opened
    more = {name: text for name, text in places.items() if text}
    follow.result(follow.engine.resume_run(budget, **more))
    follow.progress.say(
        f"{opened.model_name}: run {last.id} was {last.state}; going on after "
        f"{len(opened.trials)} trials, budget {budget_text(budget or last.settings.budget)}"
    )
    follow.finish_run()
    return opened


def carry_out(
    follow: EngineFollowing,
    project: Path,
    steps: tuple[Step, ...],
    budget: Budget,
    repeat: bool = False,
    **changes: Any,
) -> Snapshot:
    """Carry a plan out on a project, with the settings of its last run but for `changes`."""
    opened = follow.result(follow.engine.open_project(project))
    settings = replace(plan_settings(opened, steps, budget, repeat), **changes)
    follow.progress.say(
        f"{opened.model_name}: {plan_text(steps)}, budget {budget_text(settings.budget)}"
    )
    _run(follow, settings)
    return opened


def plan_settings(
    opened: Snapshot, steps: tuple[Step, ...], budget: Budget, repeat: bool
) -> RunSettings:
    """The last run's, with another plan and budget: ten minutes for a plan that has no end."""
    last = opened.runs[-1].settings if opened.runs else RunSettings()
    endless = repeat or any(step.kind in _ENDLESS and step.trials is None for step in steps)
    if budget == Budget() and endless:
        budget = Budget(seconds=DEFAULT_SECONDS)
    return replace(last, budget=budget, steps=steps, repeat=repeat)


def check_schedule(options: IosOptions, merge_trials: int | None) -> None:
    """UsageError where no schedule of stages could be found so, before the model is read."""
    if merge_trials is None:
        return
    options_of(Step("merge", {"per_task": merge_trials}))
    if not Strategies(options.strategies).merge:
        raise UsageError(
            "Nothing is merged side by side only.", "Choose the strategy merge or both."
        )


def find_schedule(
    follow: EngineFollowing, opened: Snapshot, options: IosOptions, merge_trials: int | None = None
) -> FoundSchedule:
    """Find a schedule of stages for the open project, after tuning merged operators, that many
    trials for each, where that is asked for."""
    if merge_trials is not None:
        _tune_merged(follow, opened, merge_trials)
    follow.progress.say(
        f"{opened.model_name}: a schedule of {len(opened.operators)} operators, "
        f"r = {options.r}, s = {options.s}, {options.strategies}, "
        f"at most {format_duration(options.seconds)}"
    )
    return follow.finish(follow.engine.find_schedule(options))


def measure_again(follow: EngineFollowing, project: Path) -> Figure:
    """Measure the whole model of a project again, and what runs its file."""
    follow.result(follow.engine.open_project(project))
    return follow.result(follow.engine.measure_again())


def export(
    follow: EngineFollowing,
    project: Path,
    folder: Path,
    wheel: WheelName | None = None,
    pads: Mapping[str, float] | None = None,
) -> tuple[Snapshot, dict[str, Any]]:
    """Write the module with the best schedules so far, checked and measured, and a wheel of it
    beside its folder where that has a name; its manifest."""
    opened = follow.result(follow.engine.open_project(project))
    if not opened.trials:
        follow.progress.say("Nothing is tuned yet: this exports the untuned module.")
    return opened, follow.whole_result(follow.engine.export(folder, wheel, pads))


def read_project(path: Path) -> Snapshot:
    """A project as its file has it now."""
    with Project.open(path, read_only=True) as project:
        return project.snapshot()


def _take_back(follow: EngineFollowing, opening: Future[Snapshot]) -> None:
    """Delete a project that was being made, where it has no run yet."""
    engine = follow.engine
    engine.cancel().result(_PATIENCE_S)
    try:
        opened = opening.result(_PATIENCE_S)
        if engine.snapshot().result(_PATIENCE_S).runs:
            return
        engine.close_project().result(_PATIENCE_S)
    except (TunewrightError, TimeoutError):  # it was not made, and will not be
        return
    with suppress(OSError):
        Path(opened.path).unlink()


def _run(follow: EngineFollowing, settings: RunSettings) -> None:
    follow.result(follow.engine.start_run(settings))
    follow.finish_run()


def _tune_merged(follow: EngineFollowing, opened: Snapshot, trials: int) -> None:
    """A run that tunes merged operators; says before what it takes."""
    step = Step("merge", {"per_task": trials})
    options_of(step)
    cost = estimate("merge", opened, step.options)
    follow.progress.say(
        f"{opened.model_name}: tuning {cost.tasks} merged operators takes about {cost.trials:,} "
        f"trials, {format_duration(cost.seconds)}. {cost.note}"
    )
    last = opened.runs[-1].settings if opened.runs else RunSettings()
    _run(follow, replace(last, budget=Budget(), steps=(step,), repeat=False))
    if follow.stop_asked:
        raise Stopped(Sentence("The trials are kept; ask again to go on."))
