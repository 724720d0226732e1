"""Tuned projects of the networks that the benchmark of IOS schedules, and their schedules."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from engine.project.repository import Project
from engine.records.errors import TuningError
from engine.records.events import StageSearch
from engine.records.schedule import FoundSchedule, IosOptions
from engine.records.settings import Budget, RunState, Step
from engine.records.snapshot import Snapshot
from tests.benchmarks.networks.random_networks import NETWORKS
from tests.benchmarks.passes.pass_runs import OutOfTime, Result, Workshop

if TYPE_CHECKING:
    from onnx import ModelProto

TINY = "tiny_branches"
_SAY_EVERY_S = 15.0
_LEFT_S = 20.0  # for what follows a search: the whole programs are measured


@dataclass(frozen=True, slots=True)
class Effort:
    """How kernels are tuned and schedules searched.

    Where there are `donors`, a model without a full search of its own starts from theirs and then
    searches until its tuning took `tune_s`. Each merged operator gets `merge_trials`.
    """

    options: IosOptions = field(default_factory=IosOptions)
    donors: tuple[str, ...] = ()
    tune_s: float | None = None
    merge_trials: int = 0


def title_of(model: str) -> str:
    """A model's name: that of its file, where it is one."""
    return Path(model).stem


def model_of(shop: Workshop, name: str, batch: int = 1) -> str:
    """What the workshop opens by that name, at a batch size: a sample's name or a file."""
    if name in NETWORKS:
        return _written(shop, name, batch, lambda: NETWORKS[name](batch))
    if name == TINY:
        from tests.engine.models.build import branches_model

        return _written(shop, name, batch, lambda: rebatched(branches_model((3, 1, 3)), batch))
    if batch == 1:
        return name
    return _written(shop, title_of(name), batch, lambda: rebatched(_loaded(name), batch))


def rebatched(proto: ModelProto, batch: int) -> ModelProto:
    """The model, changed in place, for inputs of another batch size than 1."""
    import numpy as np
    from onnx import numpy_helper

    graph = proto.graph
    stored = {tensor.name: tensor for tensor in graph.initializer}
    for value in (*graph.input, *graph.output):
        if value.name not in stored:
            value.type.tensor_type.shape.dim[0].dim_value = batch
    del graph.value_info[:]
    for node in graph.node:
        shape = stored.get(node.input[1]) if node.op_type == "Reshape" else None
        if shape is not None and node.input[0] not in stored:
            sizes = np.array(numpy_helper.to_array(shape))
            if sizes.size and sizes[0] == 1:
                sizes[0] = batch
                shape.CopyFrom(numpy_helper.from_array(sizes, shape.name))
    return proto


def tuned(shop: Workshop, model: str, effort: Effort) -> Result:
    """The model's project with its records: a full search, or a transfer and a short search."""
    full, inherited = _path(shop, "full", model), _path(shop, "inherited", model)
    donors = kept_projects(shop, effort.donors)
    if full.exists() or not (inherited.exists() or donors):
        # Merged operators are tasks, too, which ask for no full search.
        result = Result(model, full) if _is_merged(full) else shop.full(model)
    else:
        result = _inherited(shop, model, inherited, donors, effort)
    return _with_merged(shop, result, effort.merge_trials)


def scheduled(shop: Workshop, result: Result, options: IosOptions) -> FoundSchedule:
    """The schedule of the project's records, found now if the project has no such one."""
    known = _known(result.snapshot, options)
    if known is not None:
        return known
    shop.check()
    shop.say(f"schedule of {title_of(result.model)}, r = {options.r}, s = {options.s}")
    shop.engine.open_project(result.path).result()
    try:
        _search(shop, options)
    finally:
        shop.engine.close_project().result()
    found = Result(result.model, result.path).snapshot.schedule
    if found is None:
        raise TuningError("The search for a schedule ended without one.")
    return found


def _known(snapshot: Snapshot, options: IosOptions) -> FoundSchedule | None:
    """The project's schedule, where it was searched to its end, alike, after the last run."""
    found = snapshot.schedule
    if found is None or found.ended != "exact":
        return None
    asked = (options.r, options.s, options.strategies)
    alike = (found.options.r, found.options.s, found.options.strategies) == asked
    runs = (run.started_at + run.elapsed_s for run in snapshot.runs)
    return found if alike and found.created_at > max(runs, default=0.0) else None


def _search(shop: Workshop, options: IosOptions) -> None:
    """Search, and stop at the benchmark's limit; OutOfTime then, or with Ctrl+C."""
    seconds = min(options.seconds, max(1.0, shop.left_s() - _LEFT_S))
    asked = IosOptions(options.r, options.s, options.strategies, seconds)
    engine, said = shop.engine, time.monotonic()
    done = engine.find_schedule(asked)
    try:
        while not done.done():
            time.sleep(0.1)
            searches = [item for item in engine.events.drain() if isinstance(item, StageSearch)]
            if searches and time.monotonic() - said > _SAY_EVERY_S:
                said, state = time.monotonic(), searches[-1].state
                best = "" if state.best_s is None else f", {state.best_s * 1e6:.1f} us"
                shop.say(f"{state.measured} stages, {state.open_stages} open{best}")
            shop.check()
    except (KeyboardInterrupt, OutOfTime) as end:
        engine.stop().result()
        raise OutOfTime(str(end) or "Ctrl+C") from None
    done.result()


def _inherited(
    shop: Workshop, model: str, path: Path, donors: Sequence[Path], effort: Effort
) -> Result:
    if not path.exists():
        shop.create(model, path)
    result = Result(model, path)
    runs = result.snapshot.runs
    if not (runs and runs[-1].state is RunState.FINISHED):
        trials = shop.asked.trials * len(result.snapshot.tasks)
        shop.say(f"transfer to {title_of(model)} and search, at most {trials} trials")
        places = [str(donor.absolute()) for donor in donors]
        steps = (Step("transfer", {"places": places, "library": False}), Step("search"))
        budget = Budget(seconds=effort.tune_s, trials=trials)
        shop.carry_out(path, shop.asked.settings(*steps, budget=budget))
    return Result(model, path)


def _with_merged(shop: Workshop, result: Result, per_task: int) -> Result:
    """The project after its merged operators were tuned, once."""
    if per_task < 1 or _is_merged(result.path):
        return result
    shop.say(f"merged operators of {title_of(result.model)}")
    step = Step("merge", {"per_task": per_task})
    shop.carry_out(result.path, shop.asked.settings(step, budget=Budget()))
    return Result(result.model, result.path)


def _is_merged(path: Path) -> bool:
    """Whether the last run of a project tuned its merged operators to the end."""
    if not path.exists():
        return False
    with Project.open(path, read_only=True) as project:
        runs = project.snapshot().runs
    kinds = [step.kind for run in runs[-1:] for step in run.settings.steps]
    return kinds == ["merge"] and runs[-1].state is RunState.FINISHED


def kept_projects(shop: Workshop, names: Sequence[str]) -> list[Path]:
    """The donors' projects: files, or kept ones by name, also those of another device."""
    found = []
    for name in names:
        kept = sorted(shop.folder.parent.glob(f"*/full-{name}.tune"))
        own = [path for path in kept if path.parent == shop.folder]
        found += [Path(name)] if Path(name).is_file() else (own or kept)
    return found


def _path(shop: Workshop, kind: str, model: str) -> Path:
    seed = f"-seed{shop.asked.seed}" if shop.asked.seed else ""
    return shop.folder / f"{kind}-{title_of(model)}{seed}.tune"


def _written(shop: Workshop, name: str, batch: int, make: Callable[[], ModelProto]) -> str:
    path = shop.folder / f"{name}{'' if batch == 1 else f'-batch{batch}'}.onnx"
    if not path.exists():
        path.write_bytes(make().SerializeToString(deterministic=True))
    return str(path)


def _loaded(name: str) -> ModelProto:
    from engine.models.onnx_file import load_onnx
    from engine.models.samples import load_sample

    return load_onnx(Path(name)).proto if Path(name).is_file() else load_sample(name)
