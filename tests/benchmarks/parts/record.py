"""Record a model's curves on this machine, for replays.

`python -m tests.benchmarks.parts.record MODEL --trials-per-task 256 --seed 0 -o FILE.npz`

MODEL is an ONNX file, a sample's name or "encoder-block". Every task gets slots in turn until it
has had that many trials. The project beside the recording (FILE.tune) keeps all results: the same
command goes on where it stopped, whether --seconds-limit, Ctrl-C or a kill stopped it, and writes
the recording anew.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest.mock import patch

from engine.allocation.policies.registry import POLICIES
from engine.allocation.policies.round_robin import RoundRobin
from engine.allocation.policy import Choice, TaskView
from engine.allocation.recording import Recording
from engine.history.history import History
from engine.jobs.engine import Engine
from engine.jobs.event_queue import EventQueue
from engine.project.repository import Project
from engine.records.errors import TunewrightError
from engine.records.events import Event, SlotStarted
from engine.records.machine import usable_cores
from engine.records.settings import Budget, RunSettings, SearchSettings
from engine.records.source import ModelSource
from engine.replay.record_columns import recording_of
from engine.replay.recording_file import save_recording
from engine.search.task_search import Candidate, Record, Samples, TaskSearch
from engine.targets.peak import peak_flops
from engine.targets.targets import TargetSpec, resolve
from tests.benchmarks.networks.encoder_block import encoder_block
from tests.benchmarks.parts.report import cpu_name

_ENCODER_BLOCK = "encoder-block"
_SAY_EVERY_S = 30.0


class Fill(RoundRobin):
    """Round robin over the tasks that have had fewer than `trials` trials.

    Its state carries the seconds that each slot searched into the project file.
    """

    name = "fill"
    title = "Fill"

    @dataclass(frozen=True)
    class Options:
        """How many trials every task gets."""

        trials: int = 256

    def choose(self, tasks: Sequence[TaskView]) -> Choice | None:
        options: Any = self.options
        return super().choose([task for task in tasks if len(task.latencies) < options.trials])

    def state(self) -> dict[str, Any]:
        return {**super().state(), "searches": dict(STOPWATCH.searches)}


class Stopwatch:
    """How long the search of each slot took, learning included, by slot number."""

    def __init__(self) -> None:
        self.searches: dict[int, float] = {}
        self._slots: dict[int, int] = {}

    def slot_started(self, task: int, slot: int) -> None:
        """What this task's search does from now on belongs to that slot."""
        self._slots[task] = slot

    def add(self, task: int, seconds: float) -> None:
        """The search of a task worked."""
        slot = self._slots[task]
        self.searches[slot] = self.searches.get(slot, 0.0) + seconds


STOPWATCH = Stopwatch()


class TimedSearch(TaskSearch):
    """A search that tells the stopwatch; taking in old records when going on is not counted."""

    def __init__(self, task: Any, *arguments: Any) -> None:
        super().__init__(task, *arguments)
        self._index = task.index

    def start(self, records: Sequence[Record] = (), trained: int | None = None) -> None:
        began = time.perf_counter()
        super().start(records, trained)
        if not records:
            STOPWATCH.add(self._index, time.perf_counter() - began)

    def propose(self) -> list[Candidate]:
        began = time.perf_counter()
        try:
            return super().propose()
        finally:
            STOPWATCH.add(self._index, time.perf_counter() - began)

    def learn(self, outcomes: Sequence[tuple[Candidate, Samples]]) -> None:
        began = time.perf_counter()
        super().learn(outcomes)
        STOPWATCH.add(self._index, time.perf_counter() - began)


class _Queue(EventQueue):
    """Notes which slot a task is in before its search begins."""

    def put(self, event: Event) -> None:
        if isinstance(event, SlotStarted):
            STOPWATCH.slot_started(event.slot.task, event.slot.number)
        super().put(event)


def record(
    model: str,
    out: Path,
    *,
    target: str,
    trials: int,
    seed: int,
    seconds: float | None = None,
    batch: int = 16,
) -> Recording:
    """Tune until every task has its trials or `seconds` are over, and write the recording."""
    project, spec = out.with_suffix(".tune"), resolve(target)
    settings = RunSettings(
        starter=False,
        budget=Budget(seconds=seconds),
        policy=Fill.name,
        policy_options={"trials": trials},
        seed=seed,
        search=SearchSettings(batch=batch),
        finalists=1,  # a recording holds first measurements: no need to repeat any
    )
    policies = patch.dict(POLICIES, {Fill.name: Fill})
    with policies, patch("engine.jobs.search_pool.TaskSearch", TimedSearch):
        engine = Engine()
        engine.events = _Queue()
        engine.start()
        try:
            _open(engine, model, spec, project)
            _run(engine, settings, trials)
        finally:
            engine.shutdown(60)
    recording = _recording(project, spec)
    if model == _ENCODER_BLOCK:  # its file has the recording's name, seed and all
        recording = replace(recording, model=model)
    save_recording(recording, out)
    return recording


def _open(engine: Engine, model: str, spec: TargetSpec, project: Path) -> None:
    if project.exists():
        engine.open_project(project).result()
    else:
        engine.open_model(_source(model, project), spec.text, project).result()


def _source(model: str, project: Path) -> ModelSource:
    if model == _ENCODER_BLOCK:
        file = project.with_suffix(".onnx")
        file.write_bytes(encoder_block().SerializeToString())
        return ModelSource("file", str(file.absolute()))
    if Path(model).exists():
        return ModelSource("file", str(Path(model).absolute()))
    return ModelSource("sample", model)


def _run(engine: Engine, settings: RunSettings, trials: int) -> None:
    engine.start_run(settings).result()
    done = engine.wait()
    history, said = History(), time.monotonic()
    try:
        while not done.done():
            time.sleep(0.2)
            history.apply(engine.events.drain())
            if time.monotonic() - said > _SAY_EVERY_S:
                said = time.monotonic()
                _say(history, trials)
    except KeyboardInterrupt:
        engine.stop().result()
        return
    done.result()


def _say(history: History, trials: int) -> None:
    wanted = trials * len(history.tasks)
    now_s = history.now_s()
    model = "" if now_s is None else f", model {now_s * 1e3:.3f} ms"
    print(f"{history.trial_count} of {wanted} trials{model}", file=sys.stderr)


def _recording(project: Path, spec: TargetSpec) -> Recording:
    with Project.open(project, read_only=True) as opened:
        searches: dict[int, float] = {}
        for run in opened.snapshot().runs:
            stored = (opened.run_policy_state(run.id) or {}).get("searches", {})
            searches |= {int(slot): float(seconds) for slot, seconds in stored.items()}
        return recording_of(
            opened,
            device=spec.title.removeprefix("cuda ") if spec.is_gpu else cpu_name(),
            cores=max(1, usable_cores() - 2) if spec.is_gpu else spec.cores,
            peak_flops=peak_flops(spec),
            searches=searches | STOPWATCH.searches,
        )


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model")
    parser.add_argument("-o", "--out", type=Path, required=True, metavar="FILE.npz")
    parser.add_argument("--target", default="auto")
    parser.add_argument("--trials-per-task", type=int, default=256)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--batch", type=int, default=16, help="trials of a slot")
    parser.add_argument("--seconds-limit", type=float)
    options = parser.parse_args()
    try:
        made = record(
            options.model,
            options.out,
            target=options.target,
            trials=options.trials_per_task,
            seed=options.seed,
            seconds=options.seconds_limit,
            batch=options.batch,
        )
    except TunewrightError as error:
        sys.exit(str(error))
    count = sum(len(task.latency_s) for task in made.tasks)
    print(f"{options.out}: {len(made.tasks)} tasks, {count} trials, "
          f"{options.out.stat().st_size} bytes")  # fmt: skip


if __name__ == "__main__":
    main()
