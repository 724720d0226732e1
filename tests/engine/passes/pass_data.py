"""Snapshots of projects with trials of several sources. The figures are made up."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from engine.records.snapshot import Snapshot
from engine.records.task import Task
from engine.records.trial import ErrorKind, Source, Trial
from tests.samples import make_task, make_trial


def snapshot(*tasks: Task, trials: tuple[Trial, ...] = (), **changes: Any) -> Snapshot:
    """A project of these tasks and trials."""
    elapsed_s = max((trial.elapsed_s for trial in trials), default=0.0)
    made = Snapshot("", "test data", "", "llvm", tasks, (), trials, elapsed_s=elapsed_s)
    return replace(made, **changes)


def two_tasks() -> tuple[Task, Task]:
    """Untuned 3 x 4 ms and 1 x 8 ms: 20 ms in all."""
    return make_task(0, "a", 4e-3, weight=3), make_task(1, "b", 8e-3)


def trial(number: int, task: int, latency_s: float | None, **changes: Any) -> Trial:
    """A trial of run 1 by search, failed where it has no latency."""
    error = None if latency_s is not None else ErrorKind.RUN_ERROR
    return replace(make_trial(number, task, latency_s, error=error), **changes)


def transferred(number: int, task: int, latency_s: float | None, model: str = "vgg") -> Trial:
    """A trial that a donor of `model` gave."""
    origin = {
        "model": model,
        "task": f"conv of {model}",
        "latency_s": 2e-3,
        "target": "cuda NVIDIA H200",
        "place": f"/{model}.tune",
    }
    made = trial(number, task, latency_s, source=Source.TRANSFERRED, origin=origin)
    return replace(made, build_s=0.5, run_s=0.25)


def random_snapshot(seed: int) -> Snapshot:
    """Up to four tasks, three runs, all sources, failures, confirmations, runs left out."""
    dice = random.Random(seed)
    count = dice.randint(1, 4)
    tasks = tuple(
        make_task(
            index,
            f"t{index}",
            None if dice.random() < 0.15 else dice.uniform(1, 9),
            weight=dice.randint(1, 3),
        )
        for index in range(count)
    )
    runs = sorted(dice.randint(1, 3) for _ in range(dice.randint(0, 40)))
    trials = tuple(_random_trial(dice, number, count, run) for number, run in enumerate(runs, 1))
    unused = frozenset({2}) if dice.random() < 0.2 else frozenset[int]()
    return snapshot(*tasks, trials=trials, unused=unused)


def _random_trial(dice: random.Random, number: int, tasks: int, run: int) -> Trial:
    failed = dice.random() < 0.1
    made = trial(
        number,
        dice.randrange(tasks),
        None if failed else dice.uniform(1, 9),
        run=run,
        source=dice.choice(tuple(Source)),
    )
    if failed or dice.random() > 0.2:
        return made
    return replace(made, confirmed=(dice.uniform(1, 9),))
