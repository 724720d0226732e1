"""The chainable interface: Tuning("m.onnx").budget(seconds=600).run().export("out")."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias

from engine.interface import work
from engine.interface.following import Hear, following
from engine.interface.models import device_target, model_source, settled
from engine.interface.shape_sets import parse_shape_set, with_shapes
from engine.interface.tuned import Tuned
from engine.jobs.steps.steps import options_of, parse_plan
from engine.measure.remote.given import give, give_place
from engine.queueing.adding import refuse_place
from engine.records.errors import ShapeError, UsageError
from engine.records.formats import is_project
from engine.records.options import Finite, checked, made, required
from engine.records.precision import DEFAULT_PRECISION, known_precision
from engine.records.schedule import IosOptions
from engine.records.sentences import Sentence
from engine.records.settings import Budget, RunSettings, Step
from engine.records.source import InputShapes

Pathlike: TypeAlias = "str | os.PathLike[str]"


@dataclass(frozen=True, slots=True)
class _Wishes:
    """What was asked for so far; None and empty are what the command line does by default."""

    target: str | None = None
    device: str | None = None
    project: str | None = None
    shapes: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    shape_set: tuple[InputShapes, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    precision: str | None = None
    without_reference: bool = False
    budget: Budget = Budget()
    settings: Mapping[str, Any] = field(default_factory=dict)  # of RunSettings
    steps: tuple[Step, ...] = ()
    repeat: bool = False
    ios: IosOptions | None = None
    merge_trials: int | None = None
    resume: bool = False
    places: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Tuning:
    """What shall be done with a model or a project; each step gives a new one, `run` does it.

    `model` is a model file, a sample's name, or a project (FILE.tune). What makes no sense raises a
    `UsageError` at once, or in `run` before anything is read.
    """

    model: Pathlike
    _wishes: _Wishes = field(default=_Wishes(), kw_only=True, repr=False)

    def __post_init__(self) -> None:
        required(self.model, str | os.PathLike, Sentence("The model"))

    # The model

    @checked
    def target(self, text: str = "auto", *, device: str | None = None, devices: str = "") -> Tuning:
        """Tune for "auto", "cpu", "cuda", "cuda:1", a TVM tag or JSON.

        `device` is one behind TVM's tracker, rpc://HOST:PORT/KEY, or a Dask cluster's,
        dask://HOST:PORT; `devices` spreads measurements over several, "cuda:0,cuda:1".
        """
        return self._with(target=text, device=device)._set(devices=devices)

    @checked
    def shape(self, name: str, axes: Sequence[int]) -> Tuning:
        """Give an input its shape, in elements."""
        given = tuple(axes)
        if not name or not given or not all(type(axis) is int and axis > 0 for axis in given):
            raise UsageError(
                Sentence("{axes!r} is no shape of '{name}'.", axes=axes, name=name),
                "Give whole numbers above zero.",
            )
        return self._with(shapes={**self._wishes.shapes, name: given})

    @checked
    def shapes(self, *texts: str) -> Tuning:
        """Tune for a set of shapes, as the command line has them: "ids=1x{32*5,64}" is 1x32 five
        times as often as 1x64. Inputs that `shape` gave one have it in all of them."""
        try:
            return self._with(shape_set=parse_shape_set(texts))
        except ShapeError as error:
            raise UsageError(error.what, error.todo) from error

    @checked
    def values(self, values: Mapping[str, Finite]) -> Tuning:
        """Make inputs constants, each filled with a number."""
        return self._with(values={**self._wishes.values, **values})

    @checked
    def precision(self, name: str) -> Tuning:
        """Compute convolutions and matrix products in "float32", "tf32", "float16" or "bfloat16".

        All but the first use a GPU's tensor cores, and the outputs differ more from those of the
        reference: `export` says by how much. Inputs and outputs keep their types.
        """
        return self._with(precision=known_precision(name))

    def without_reference(self) -> Tuning:
        """Go on where nothing here runs the model's file, so that outputs cannot be compared."""
        return self._with(without_reference=True)

    @checked
    def project(self, path: Pathlike) -> Tuning:
        """Keep the results in a new project here. Default: a free name near the model."""
        return self._with(project=os.fspath(path))

    # The run

    @checked
    def budget(
        self,
        *,
        seconds: float | None = None,
        trials: int | None = None,
        latency_s: float | None = None,
    ) -> Tuning:
        """End at the first limit that is reached. Without one, a search takes ten minutes."""
        return self._with(budget=Budget(trials, seconds, latency_s))

    @checked
    def policy(self, name: str, **options: Any) -> Tuning:
        """Choose what decides which task gets the next slot."""
        settings = settled(replace(RunSettings(), policy=name, policy_options=options))
        return self._set(policy=settings.policy, policy_options=settings.policy_options)

    @checked
    def seed(self, number: int) -> Tuning:
        """Make the proposals repeatable."""
        return self._set(seed=number)

    def without_starter(self) -> Tuning:
        """Begin from nothing: without the schedules of the starter library and the user's own."""
        return self._set(starter=False)

    @checked
    def search(self, trials: int | None = None) -> Tuning:
        """Add a search to the plan; a plan without steps is one search."""
        return self._step("search", {}, trials)

    @checked
    def share(self, trials: int | None = None, **options: Any) -> Tuning:
        """Add sharing: tune one task of each cluster, and try its schedules on the others.

        Options as in `engine.jobs.steps.steps.ShareOptions`: metric, threshold, stored, top_k,
        tune_weak.
        """
        return self._step("share", options, trials)

    @checked
    def transfer(self, *projects: Pathlike, library: bool = True, **options: Any) -> Tuning:
        """Add a transfer: measure the schedules of other projects, and of your library."""
        places = [str(Path(project).absolute()) for project in projects]
        return self._step("transfer", {"places": places, "library": library, **options})

    @checked
    def droplet(self, trials: int | None = None, **options: Any) -> Tuning:
        """Add Droplet: move each task's best schedule to neighbours that are faster."""
        return self._step("droplet", options, trials)

    @checked
    def plan(self, steps: str, *, repeat: bool = False) -> Tuning:
        """Take the steps of a text such as "search:500,transfer,droplet" instead of those so far;
        with `repeat` again until the budget ends."""
        return self._with(steps=parse_plan(steps), repeat=repeat)

    def resume(self) -> Tuning:
        """Go on with a project's last run; with a budget, a new run gets it and its settings."""
        return self._with(resume=True)

    @checked
    def ios(self, *, merge_trials: int | None = None, **options: Any) -> Tuning:
        """At the end, find operators to run side by side, or merged.

        Options as in `engine.records.schedule.IosOptions`: r, s, strategies, seconds. With
        `merge_trials`, merged operators are tuned before, that many trials for each.
        """
        chosen = made(IosOptions, options)
        work.check_schedule(chosen, merge_trials)
        return self._with(ios=chosen, merge_trials=merge_trials)

    @checked
    def connect(self, place: str) -> Tuning:
        """Allow connecting to HOST:PORT, which a project names, now and later on this machine.

        What answers there can run code here. An address that `target` is given needs no more.
        """
        return self._with(places=(*self._wishes.places, place))

    def run(self, progress: Hear | None = None) -> Tuned:
        """Do all that was asked for; blocks. `progress` hears each `engine.records.events.Event`.

        Ctrl+C stops what goes on and keeps its results (`stopped` says so); again, it raises
        KeyboardInterrupt. Where there is no result yet, it raises `Stopped`.
        """
        began, wishes = time.monotonic(), self._wishes
        typed = (wishes.settings.get(name, "") for name in ("devices", "cluster"))
        give(wishes.target or "", wishes.device or "", *typed)
        for place in wishes.places:
            give_place(place)
        ask = self._ask_project() if is_project(self.model) else self._ask_model()
        with following(progress) as follow:
            opened = ask(follow)
            found = None
            if wishes.ios is not None and not follow.stop_asked:
                found = work.find_schedule(follow, opened, wishes.ios, wishes.merge_trials)
        path = Path(opened.path)
        wall_s = time.monotonic() - began
        return Tuned(path, work.read_project(path), wall_s, follow.stop_asked, found)

    # Within

    def _ask_model(self) -> Callable[[work.EngineFollowing], Any]:
        """What a model is asked to do; refused before it is read."""
        wishes = self._wishes
        if wishes.resume:
            raise UsageError("A model has no run to resume.", "Name its project, FILE.tune.")
        precision = wishes.precision or DEFAULT_PRECISION
        source = model_source(
            os.fspath(self.model), wishes.shapes, wishes.values, precision, wishes.without_reference
        )
        each = [replace(one, shapes={**wishes.shapes, **one.shapes}) for one in wishes.shape_set]
        source = with_shapes(source, each)
        asked = RunSettings(wishes.budget, repeat=wishes.repeat)
        settings = settled(replace(asked, steps=wishes.steps or asked.steps, **wishes.settings))
        project = None if wishes.project is None else Path(wishes.project)
        if project is not None:
            refuse_place(project)
        target = device_target(wishes.device, wishes.target or "auto", settings.devices)
        return lambda follow: work.tune(follow, source, target, settings, project)

    def _ask_project(self) -> Callable[[work.EngineFollowing], Any]:
        """What a project is asked to do; refused before it is read."""
        wishes, path = self._wishes, Path(self.model)
        new = (wishes.target, wishes.device, wishes.project, wishes.precision, wishes.shape_set)
        if any(new) or wishes.without_reference or wishes.shapes or wishes.values:
            raise UsageError(
                Sentence(
                    "{path} has its model, its shapes, its precision and its target already.",
                    path=path.name,
                ),
                "Leave target, shape, values, precision and project out.",
            )
        if wishes.resume:
            if wishes.steps or wishes.settings:
                raise UsageError(
                    "A run that is resumed has its steps, policy and seed already.",
                    "Leave them out, or leave resume out.",
                )
            budget = None if wishes.budget == Budget() else wishes.budget
            return lambda follow: work.resume(follow, path, budget)
        if wishes.steps:
            return lambda follow: work.carry_out(
                follow, path, wishes.steps, wishes.budget, wishes.repeat, **wishes.settings
            )
        if wishes.ios is None:
            raise UsageError(
                Sentence("Nothing was asked of {path}.", path=path.name),
                "Add resume, a step such as search, or ios.",
            )
        return lambda follow: follow.result(follow.engine.open_project(path))

    def _step(self, kind: str, options: Mapping[str, Any], trials: int | None = None) -> Tuning:
        step = Step(kind, dict(options), trials)
        options_of(step)
        return self._with(steps=(*self._wishes.steps, step))

    def _set(self, **settings: Any) -> Tuning:
        return self._with(settings={**self._wishes.settings, **settings})

    def _with(self, **changes: Any) -> Tuning:
        return replace(self, _wishes=replace(self._wishes, **changes))
