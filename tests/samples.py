"""Synthetic projects for tests. The figures are made up; no device measured them."""

from __future__ import annotations

import hashlib
import random
from dataclasses import replace

from engine.records.events import Event, RunChanged, RunStarted
from engine.records.network import Operator
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import RunInfo, Snapshot
from engine.records.task import Task, TensorSpec
from engine.records.trial import ErrorKind, Trial

FIRES = (
    *((56, 128, 16), (56, 128, 16), (28, 256, 32), (28, 256, 32)),
    *((14, 384, 48), (14, 384, 48), (14, 512, 64), (14, 512, 64)),
)
POOL_AFTER = (1, 3)
KINDS = tuple(ErrorKind)


def run_begins(
    run: int, state: RunState = RunState.RUNNING, settings: RunSettings = RunSettings()
) -> tuple[Event, Event]:
    """What an engine says of a run that begins, or goes on, and has come to this state."""
    return RunStarted(run, settings), RunChanged(run, state)


def squeezenet_like_snapshot(trials: int = 0, seed: int = 0) -> Snapshot:
    """A network of fire modules with made-up trials; the same arguments give the same project."""
    maker = _Maker()
    maker.network()
    tasks = tuple(maker.tasks)
    made = make_trials(tasks, trials, seed)
    state = RunState.FINISHED if trials else RunState.STOPPED
    elapsed_s = made[-1].elapsed_s if made else 0.0
    run = RunInfo(1, state, RunSettings(seed=seed), 1.7e9, 1.7e9 + 99, elapsed_s, trials)
    untuned_s = sum(task.weight * (task.untuned_latency_s or 0.0) for task in tasks)
    return Snapshot(
        path="/nowhere/test-data.tune",
        model_name="test data (squeezenet-like)",
        model_source="sample:test-data",
        target="llvm -num-cores 2",
        tasks=tasks,
        operators=tuple(maker.operators),
        trials=made,
        runs=(run,) if trials else (),
        untuned_latency_s=untuned_s,
        reference_latency_s=untuned_s / 3.2,
        elapsed_s=elapsed_s,
    )


def make_trials(tasks: tuple[Task, ...], count: int, seed: int = 0) -> tuple[Trial, ...]:
    """Round-robin batches of eight; latencies fall towards a floor, about one in twelve fails."""
    dice = random.Random(seed)
    made: list[Trial] = []
    elapsed_s = 0.0
    for number in range(1, count + 1):
        turn, task = divmod((number - 1) // 8, len(tasks))
        elapsed_s += dice.uniform(0.1, 0.3)
        trial = make_trial(number, tasks[task].index, None, elapsed_s=elapsed_s, run=1)
        if dice.random() < 1 / 12:
            kind = dice.choice(KINDS)
            made.append(replace(trial, error=kind, error_text=f"test data: {kind}"))
            continue
        start = tasks[task].untuned_latency_s or 1e-3
        latency_s = start * (0.12 + dice.random() / (1 + 1.2 * turn) + 0.05 * dice.random())
        samples = tuple(latency_s * dice.uniform(0.99, 1.01) for _ in range(4))
        made.append(replace(trial, samples=samples))
    return tuple(made)


def make_trial(
    number: int,
    task: int,
    latency_s: float | None,
    *,
    error: ErrorKind | None = None,
    confirmed: tuple[float, ...] = (),
    elapsed_s: float | None = None,
    run: int = 1,
) -> Trial:
    """One trial; `elapsed_s` is half its number unless given."""
    return Trial(
        number=number,
        task=task,
        trace="[]",
        trace_key=_digest(f"trace {number}"),
        samples=() if latency_s is None else (latency_s,),
        error=error,
        error_text=f"test data: {error}" if error else "",
        elapsed_s=number / 2 if elapsed_s is None else elapsed_s,
        run=run,
        confirmed=confirmed,
    )


def make_task(
    index: int, name: str, untuned_s: float | None, *, weight: int = 1, flops: float = 1e8
) -> Task:
    """One task with a float32 argument of shape 1x1."""
    args = (TensorSpec((1, 1), "float32"),)
    return Task(index, name, weight, flops, name, args, _digest(name), untuned_latency_s=untuned_s)


class _Maker:
    """Collects operators and the distinct tasks among them."""

    def __init__(self) -> None:
        self.operators: list[Operator] = []
        self.tasks: list[Task] = []

    def network(self) -> None:
        """Convolution, pool, eight fire modules, classifier."""
        last = self.op("conv2d_add_relu", (), (1, 56, 56, 64), 1.2e8)
        for place, (size, channels, squeeze) in enumerate(FIRES):
            work = 2.0 * size * size * squeeze
            squeezed = self.op(
                "conv2d_add_relu", (last,), (1, size, size, squeeze), work * channels
            )
            half = (1, size, size, channels // 2)
            one = self.op("conv2d_add_relu", (squeezed,), half, work * channels / 2)
            three = self.op("conv2d1_add_relu", (squeezed,), half, work * channels * 4.5)
            last = self.op("concatenate", (one, three), (1, size, size, channels), 0.0)
            if place in POOL_AFTER:
                shape = (1, size // 2, size // 2, channels)
                last = self.op("max_pool2d", (last,), shape, 9.0 * size * size * channels / 4)
        last = self.op("conv2d_add_relu", (last,), (1, 14, 14, 1000), 1.5e8)
        last = self.op("adaptive_avg_pool2d", (last,), (1, 1, 1, 1000), 2e5)
        last = self.op("reshape", (last,), (1, 1000), 0.0, tunable=False)
        self.op("softmax", (last,), (1, 1000), 4e3)

    def op(
        self,
        op_class: str,
        inputs: tuple[int, ...],
        shape: tuple[int, ...],
        flops: float,
        tunable: bool = True,
    ) -> int:
        """Append one operator; equal class, shape and work share a task."""
        output = TensorSpec(shape, "float32")
        task = self._task(op_class, output, flops) if tunable else None
        name = self.tasks[task].name if task is not None else op_class
        node = Operator(len(self.operators), name, op_class, task, inputs, output, flops)
        self.operators.append(node)
        return node.id

    def _task(self, op_class: str, output: TensorSpec, flops: float) -> int:
        fingerprint = _digest(f"{op_class} {output} {flops}")
        for task in self.tasks:
            if task.fingerprint == fingerprint:
                self.tasks[task.index] = replace(task, weight=task.weight + 1)
                return task.index
        index = len(self.tasks)
        latency_s = 8e-6 + flops / 9e9
        self.tasks.append(
            Task(
                index,
                f"fused_{op_class}{index or ''}",
                1,
                flops,
                op_class,
                (output,),
                fingerprint,
                untuned_latency_s=latency_s,
            )
        )
        return index


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
