"""The projects that the benchmarks of the passes compare, and the runs that make them.

Projects are kept by name in one folder for each target, and a run that is already there is not
made again: full searches are shared by all four benchmarks, and a benchmark that was cut by a
limit goes on where it stopped.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self, TypeVar

from engine.history.history import History
from engine.jobs.engine import Engine
from engine.jobs.host import load_libraries
from engine.project.repository import Project
from engine.records.errors import ProjectError, TunewrightError, TuningError
from engine.records.machine import prepare_environment
from engine.records.settings import Budget, RunSettings, RunState
from engine.records.snapshot import RunInfo, Snapshot
from engine.records.source import ModelSource, Precision
from engine.targets.targets import TargetSpec, resolve
from tests.benchmarks.parts.report import cpu_name
from tests.benchmarks.passes.pass_options import TINY, Asked

_SAY_EVERY_S = 30.0
_ROUNDING = 1e-9  # of a curve that is a sum of steps
_EXHAUSTED = "nothing is left to try"
_T = TypeVar("_T")


class OutOfTime(Exception):
    """The benchmark's limit is reached, or a person ended it; what it says names which."""


class Result:
    """A project with its last run finished; latencies and times in seconds."""

    def __init__(self, model: str, path: Path) -> None:
        self.model = model
        self.path = path
        with Project.open(path, read_only=True) as project:
            self.snapshot: Snapshot = project.snapshot()

    @cached_property
    def history(self) -> History:
        """The figures of the whole project."""
        return History(self.snapshot)

    @property
    def run(self) -> RunInfo:
        """The last run."""
        return self.snapshot.runs[-1]

    @property
    def seconds(self) -> float:
        """Tuning time of all runs, finals included."""
        return sum(run.elapsed_s for run in self.snapshot.runs)

    @property
    def search_s(self) -> float:
        """Tuning time until the last trial, finals of the last run left out."""
        return max((trial.elapsed_s for trial in self.snapshot.trials), default=0.0)

    @property
    def per_task(self) -> int:
        """Trials for each task, on average."""
        return max(1, round(len(self.snapshot.trials) / len(self.snapshot.tasks)))

    @property
    def key(self) -> str:
        """A name for files made from it."""
        return f"{Path(self.model).stem}-{self.per_task}"

    @property
    def latency_s(self) -> float:
        """The sum of weight times latency after finals."""
        return _known(self.history.now_s(), self.model)

    @property
    def untuned_s(self) -> float:
        """The same before tuning."""
        return _known(self.history.untuned_s(), self.model)

    def seconds_to(self, latency_s: float) -> float | None:
        """Tuning time until the sum was at most so much; None where it never was.

        First measurements decide, which are luckier than confirmed ones: it errs early.
        """
        curve = self.history.model_curve()
        reached = (curve.latency_s <= (1 + _ROUNDING) * latency_s).nonzero()[0]
        return float(curve.elapsed_s[reached[0]]) if len(reached) else None

    def as_dict(self) -> dict[str, Any]:
        """Its figures, JSON-ready."""
        return {
            "tasks": len(self.snapshot.tasks),
            "trials": len(self.snapshot.trials),
            "trials_per_task": self.per_task,
            "seconds": self.seconds,
            "seconds_without_finals": self.search_s,
            "latency_s": self.latency_s,
            "untuned_s": self.untuned_s,
            "measured_s": self.run.tuned_latency_s,
            "measured_untuned_s": self.snapshot.untuned_latency_s,
            "ended": self.run.reason,
        }


class Workshop:
    """Makes projects and runs, one at a time, with an engine of its own, until the limit."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self._began = time.monotonic()
        self._left = ExitStack()
        self.notes: list[str] = []

    def __enter__(self) -> Self:
        prepare_environment()
        load_libraries()  # here, before the engine's thread imports them, too
        self.spec: TargetSpec = resolve(self.asked.target)
        base = self.asked.keep or Path(self._left.enter_context(tempfile.TemporaryDirectory()))
        self.folder = base.absolute() / re.sub(r"\W+", "-", self.spec.title).strip("-").lower()
        self.folder.mkdir(parents=True, exist_ok=True)
        self._engine = Engine()
        self._engine.start()
        self._left.callback(self._engine.shutdown, 60)
        return self

    def __exit__(self, *_: object) -> None:
        self._left.close()

    @property
    def engine(self) -> Engine:
        """The engine, with no project open."""
        return self._engine

    @property
    def device(self) -> str:
        """What is measured on."""
        gpu = self.spec.title.removeprefix("cuda ")
        return f"{gpu}, {self.spec.cores} CPU cores" if self.spec.is_gpu else cpu_name()

    def left_s(self) -> float:
        """Seconds until the limit."""
        limit = self.asked.limit_s
        return float("inf") if limit is None else self._began + limit - time.monotonic()

    def check(self) -> None:
        """OutOfTime once the limit is reached."""
        if self.left_s() <= 0:
            raise OutOfTime(f"The limit of {self.asked.limit_s:g} s")

    def each(self, items: Sequence[Any], work: Callable[[Any], _T]) -> list[_T]:
        """What `work` makes of each item, until the limit or Ctrl+C; what fails is left out, noted.

        So is what fails by a bug: hours of other results stand beside it.
        """
        made = []
        for item in items:
            shown = item.model if isinstance(item, Result) else str(item)
            try:
                self.check()
                made.append(work(item))
            except TunewrightError as error:
                self.notes.append(f"{shown} is left out: {error.what}")
            except (OutOfTime, KeyboardInterrupt) as end:
                self.notes.append(
                    f"{str(end) or 'Ctrl+C'} came before {shown} was done. Where the projects are "
                    "kept, the same command goes on there."
                )
                break
            except Exception as error:
                traceback.print_exc()
                self.notes.append(f"{shown} is left out by a bug: {error!r}.")
        return made

    def details(self) -> dict[str, Any]:
        """What every report says."""
        return {
            "trials_per_task": self.asked.trials,
            "policy": RunSettings().policy,
            "target": self.spec.title,
            "seed": self.asked.seed,
            "quick": self.asked.quick,
            "notes": self.notes,
        }

    def say(self, text: str) -> None:
        """Tell a person what goes on."""
        print(f"{time.monotonic() - self._began:6.0f} s  {text}", file=sys.stderr, flush=True)

    # Projects

    def full(self, model: str) -> Result:
        """The project of a full search: the default policy, `trials` times tasks in all."""
        seed = f"-seed{self.asked.seed}" if self.asked.seed else ""
        path = self.folder / f"full-{Path(model).stem}{seed}.tune"
        if not path.exists():
            self.create(model, path)
        while (budget := self._missing(path)) is not None:
            self.say(f"full search of {model}, {budget.trials} trials")
            self.carry_out(path, self.asked.settings(budget=budget))
        return Result(model, path)

    def blank(self, full: Result, name: str) -> Path:
        """A project of the same model and the same untuned latencies, without any trial."""
        path = self.folder / f"{name}.tune"
        snapshot = full.snapshot
        with Project.open(full.path, read_only=True) as old:
            made = Project.create(
                path,
                old.source,
                model_name=old.model_name,
                target=old.target,
                target_title=old.target_title,
                tvm_version=old.tvm_version,
                tasks=old.tasks(),
                operators=snapshot.operators,
            )
        with made:
            untuned = {task.index: task.untuned_latency_s for task in snapshot.tasks}
            known = {task: latency_s for task, latency_s in untuned.items() if latency_s}
            made.set_untuned(_known(snapshot.untuned_latency_s, full.model), known)
            if snapshot.reference_latency_s is not None:
                made.set_reference(snapshot.reference_latency_s)
        return path

    def copy(self, of: Result, name: str) -> Path:
        """A copy of a project."""
        return Path(shutil.copyfile(of.path, self.folder / f"{name}.tune"))

    def passed(
        self,
        full: Result,
        name: str,
        settings: RunSettings,
        start: Callable[[Result, str], Path] | None = None,
    ) -> Result:
        """The result of a run with these settings on a fresh project, or on what `start` makes.

        One that was made before is taken as it is; one that was stopped goes on.
        """
        path = self.folder / f"{name}.tune"
        last = _runs(path)[-1:] if path.exists() else ()
        known = bool(last) and _same(last[0].settings, settings)
        if not known:
            path.unlink(missing_ok=True)
            (start or self.blank)(full, name)
        if not (known and last[0].state is RunState.FINISHED):
            self.say(name)
            self.carry_out(path, settings)
        return Result(full.model, path)

    def find_spaces(self, full: Result) -> Snapshot:
        """The project's snapshot with all its design spaces, which are kept there."""
        if len(full.snapshot.spaces) < len(full.snapshot.tasks):
            self.say(f"design spaces of {full.model}")
            self._engine.open_project(full.path).result()
            self._engine.find_spaces().result()
            self._engine.close_project().result()
        with Project.open(full.path, read_only=True) as project:
            return project.snapshot()

    def create(
        self,
        model: str,
        path: Path,
        shapes: dict[str, tuple[int, ...]] | None = None,
        precision: Precision = "float32",
    ) -> None:
        """A new project of a model, with shapes for inputs that leave theirs open."""
        self.say(f"reading {model}")
        source = replace(self._source(model), shapes=shapes or {}, precision=precision)
        self._engine.open_model(source, self.spec.text, path).result()
        self._engine.close_project().result()

    def _source(self, model: str) -> ModelSource:
        if model in TINY:
            from tests.engine.models.build import save, two_convs_model

            channels = 64 + 32 * TINY.index(model)
            path = self.folder / f"{model}.onnx"
            return ModelSource("file", str(save(two_convs_model(64, channels), path)))
        if Path(model).is_file():
            return ModelSource("file", str(Path(model).absolute()))
        return ModelSource("sample", model)

    def _missing(self, path: Path) -> Budget | None:
        """What a full search still lacks; that of its last run where it was stopped."""
        runs = _runs(path)
        if runs and runs[-1].state is not RunState.FINISHED:
            return runs[-1].settings.budget
        with Project.open(path, read_only=True) as project:
            snapshot = project.snapshot()
        lacks = self.asked.trials * len(snapshot.tasks) - len(snapshot.trials)
        exhausted = bool(runs) and runs[-1].reason == _EXHAUSTED
        return None if lacks <= 0 or exhausted else Budget(trials=lacks)

    # Runs

    def carry_out(self, path: Path, settings: RunSettings) -> None:
        """Run to the end on a project, its last run where that was stopped; OutOfTime at the
        limit, and the same can go on later."""
        self.check()
        stopped = any(run.state is not RunState.FINISHED for run in _runs(path)[-1:])
        engine = self._engine
        engine.open_project(path).result()
        try:
            (engine.resume_run() if stopped else engine.start_run(settings)).result()
            self._follow()
        finally:
            engine.close_project().result()
        if (state := _runs(path)[-1].state) is not RunState.FINISHED:
            raise TuningError(f"A run of {path.name} ended as {state.value}.")

    def _follow(self) -> None:
        engine, done = self._engine, self._engine.wait()
        history, said = History(engine.snapshot().result()), time.monotonic()
        try:
            while not done.done():
                time.sleep(0.1)
                history.apply(engine.events.drain())
                if time.monotonic() - said > _SAY_EVERY_S:
                    said = time.monotonic()
                    self._say_progress(history)
                self.check()
        except (KeyboardInterrupt, OutOfTime) as end:
            engine.stop().result()
            raise OutOfTime(str(end) or "Ctrl+C") from None
        done.result()

    def _say_progress(self, history: History) -> None:
        now_s = history.now_s()
        model = "" if now_s is None else f", {now_s * 1e3:.3f} ms"
        self.say(f"{history.trial_count} trials{model}")


def _runs(path: Path) -> tuple[RunInfo, ...]:
    with Project.open(path, read_only=True) as project:
        return project.snapshot().runs


def _same(first: RunSettings, second: RunSettings) -> bool:
    """Whether two runs were asked the same; JSON makes lists of tuples."""
    return json.dumps(first.as_dict()) == json.dumps(second.as_dict())


def _known(latency_s: float | None, model: str) -> float:
    if latency_s is None:
        raise ProjectError(f"Some latencies of {model} are unknown.", "Tune it for longer.")
    return latency_s
