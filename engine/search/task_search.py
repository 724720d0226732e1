"""One task's search: an evolutionary MetaSchedule search that we drive step by step."""

from __future__ import annotations

import hashlib
import json
import logging
import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from engine.kernels.marks import text_on, trace_of
from engine.kernels.ready import ready_texts, serve_all
from engine.records.errors import TuningError
from engine.records.sentences import Sentence
from engine.records.settings import SearchSettings
from engine.records.task import Task, TensorSpec
from engine.search.cost_model import CostModel
from engine.search.experience import Experience
from engine.search.int8_rules import register_for
from engine.search.space import space_generator
from engine.search.tensor_cores import register_tensor_cores_for, tensor_cores_of
from engine.search.trace_text import check
from engine.targets.targets import TargetSpec, to_tvm
from engine.tasks.lower import first_line

_log = logging.getLogger(__name__)
_tvm_log = logging.getLogger(f"{__name__}.tvm")
# Which our own rule does for float32, after TVM's.
_tvm_log.addFilter(lambda record: "StorageAlign is not applied" not in record.getMessage())
_EMPTY_ROUNDS = 3
# A round of random schedules without a valid one is common on a GPU, and TVM's five of them would
# give up convolutions that have thousands.
_EMPTY_SAMPLINGS = 64

_BEST = 16  # records that a search goes on from; it takes a fifth of its population of them

Samples = tuple[float, ...]  # latencies in seconds
# A trace (TVM's JSON text) and its samples: none after an error, None where nothing is known of
# it, as its device was lost.
Record = tuple[str, Samples | None]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A proposed schedule: its trace (TVM's JSON text), the trace's SHA-256, the scheduled
    module (TVM's JSON text) and its arguments, of which prepacked ones have another shape than
    the task's; `handle` is the search's own."""

    trace: str
    trace_key: str
    module: str
    args: tuple[TensorSpec, ...]
    handle: Any


class TaskSearch:
    """Proposes candidates for one task and learns from their latencies.

    Not thread-safe: one call at a time, from any thread. `propose` takes seconds and releases
    the GIL for most of them. Proposals depend on the seed and on the outcomes alone. `trained` is
    how many of the records and outcomes that it was given, in their order, made its cost model.

    TVM's search keeps the module and the trace of all it ever proposed, 80 KB each. So it begins
    anew from its best records after `room` of them; its model stays, and so do the hashes of what
    is known. `samples` is what its model keeps.

    On a GPU nothing evolves as long as the model guesses: to replay and check a schedule for
    tensor cores takes 0.1 s, so that a first batch of what evolved takes 20 to 30 s.

    Kernels that are ready for the task are proposed before any schedule; neither TVM's search nor
    the model hears of them, as their blocks are scheduled no way.
    """

    room = 256
    samples = 512

    def __init__(
        self,
        task: Task,
        workload: Any,
        target: TargetSpec,
        settings: SearchSettings,
        seed: int,
        experience: Experience | None = None,
    ) -> None:
        self._task = task
        self._workload = workload
        self._target = target
        self._settings = settings
        self._seed = seed
        self._experience = experience or Experience()
        self._context: Any = None
        self._database: Any = None
        self._model: Any = None
        self._known: set[Any] = set()
        self._spaces: Any = None
        self._best: list[tuple[float, Any]] = []
        self._held = 0
        self._taken = 0
        self._tensor_cores: bool | None = None
        self._drafts = False
        self._ready = ready_texts(workload["main"], target)
        self.trained = 0
        self.exhausted = False

    def start(self, records: Sequence[Record] = (), trained: int | None = None) -> None:
        """Make the design space and replay earlier records.

        Replayed records train the cost model, seed the population and are never proposed again.
        `trained`, of an earlier search that was given the first of these records, makes the model
        that it had; without it, all records do. As `hear`, `propose` and `learn` it raises
        TuningError, and nothing else, where TVM fails on the task.
        """
        seed = _rand_state(self._seed, self._task.fingerprint, len(records))
        with self._alone():
            if not serve_all(self._workload["main"]):
                self._make_space(seed)
                self._model = CostModel(
                    self._settings, seed, self._experience, self._task.fingerprint
                )
                self._begin()
            first = len(records) if trained is None else trained
            self._replay(records[:first], now=True)
            self._replay(records[first:])

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Whatever TVM raises inside is a TuningError of this task, which ends no other's search.

        It raises whatever its rules, its features and its postprocessors do.
        """
        try:
            yield
        except Exception as error:
            _log.warning("The search of %s ended.", self._task.name, exc_info=error)
            raise self._hopeless(error) from error

    def _make_space(self, seed: int) -> None:
        """Make its design space; one without tensor cores where the rules for those fail."""
        task, workload, target = self._task, self._workload, self._target
        if self._tensor_cores is None:
            self._tensor_cores = bool(tensor_cores_of(task, target, workload))
        for tensor_cores in (True, False) if self._tensor_cores else (False,):
            self._tensor_cores = tensor_cores
            try:
                self._evolve(seed, target.is_gpu)
                self._spaces = self._context.generate_design_space()
            except Exception as error:  # TVM raises whatever its rules do
                if not tensor_cores:
                    raise
                _log.warning("No tensor cores for %s: %s", task.name, first_line(error))
            else:
                return

    def _evolve(self, seed: int, drafts: bool) -> None:
        """Take up TVM's search, or only its first draws where it `drafts`."""
        from tvm.s_tir import meta_schedule as ms

        settings = self._settings
        self._drafts = drafts
        strategy = ms.search_strategy.EvolutionarySearch(
            population_size=min(settings.population, settings.batch)
            if drafts
            else settings.population,
            init_min_unmeasured=_enough(self._target, settings),
            max_fail_count=_EMPTY_SAMPLINGS,
            genetic_num_iters=0 if drafts else settings.iterations,
        )
        self._context = tune_context(
            self._task,
            self._workload,
            self._target,
            strategy,
            seed,
            bool(self._tensor_cores),
        )

    def _begin(self) -> None:
        """Let TVM's search begin, from the best records there are."""
        from tvm.s_tir import meta_schedule as ms

        self._database = ms.database.MemoryDatabase()
        self._token = self._database.commit_workload(self._workload)
        self._held = 0
        best, self._best = self._best, []
        for latency_s, record in best:
            self._keep(latency_s, record.trace, list(record.run_secs), record.args_info)
        self._context.pre_tuning(
            max_trials=1_000_000_000,
            num_trials_per_iter=self._settings.batch,
            design_spaces=self._spaces,
            database=self._database,
            cost_model=self._model.handle,
        )

    def hear(self, records: Sequence[Record]) -> None:
        """Learn from records that others made since, and never propose them."""
        with self._alone():
            self._replay(records)

    def propose(self) -> list[Candidate]:
        """The next batch, none of it proposed or recorded before; empty when the space is."""
        with self._alone():
            return self._propose()

    def _propose(self) -> list[Candidate]:
        while texts := self._ready[: self._settings.batch]:
            del self._ready[: len(texts)]
            items = (_candidate(apply_trace(self._workload, trace_of(text))) for text in texts)
            if fresh := [found for item in items if (found := self._fresh(item)) is not None]:
                return fresh
        if self._spaces is None:
            self.exhausted = True
            return []
        if self._held >= self.room:
            self._context.post_tuning()
            self._begin()
        self._model.most = self.samples
        self._listen()
        if self._drafts and not self._model.is_guessing:
            self._context.post_tuning()
            self._evolve(_rand_state(self._seed, self._task.fingerprint, self._taken), False)
            self._begin()
        for _ in range(_EMPTY_ROUNDS):
            proposed = self._context.generate_measure_candidates()
            if proposed is None:
                break
            self._held += len(proposed)
            fresh = [found for item in proposed if (found := self._fresh(item)) is not None]
            if fresh:
                return fresh
        if self._tensor_cores and not self._known:  # no tile of theirs is valid on the device
            self._tensor_cores = False
            self._make_space(_rand_state(self._seed, self._task.fingerprint, 0))
            self._begin()
            return self._propose()
        self.exhausted = True
        return []

    def _listen(self) -> None:
        """Let the model hear what others learnt."""
        try:
            self._model.refresh()
        except Exception as error:  # without it the search still goes on
            _log.warning("%s: the cost model did not learn: %s", self._task.name, error)

    def _hopeless(self, error: Exception) -> TuningError:
        values = {"name": self._task.name, "error": first_line(error)}
        if self._best:
            return TuningError(
                Sentence("TVM finds no further schedule for {name}: {error}.", **values),
                "The other tasks are tuned; this one keeps its best one.",
            )
        return TuningError(
            Sentence("TVM finds no schedule for {name}: {error}.", **values),
            "The other tasks are tuned; this one keeps TVM's default.",
        )

    def learn(self, outcomes: Sequence[tuple[Candidate, Samples]]) -> None:
        """Take in what measuring candidates gave: latency samples (s), none after an error."""
        pairs = [(candidate.handle, samples) for candidate, samples in outcomes]
        with self._alone():
            self._take(pairs, len(pairs))

    def _replay(self, records: Sequence[Record], now: bool = False) -> None:
        known = []
        for trace, samples in records:
            try:
                schedule = apply_trace(self._workload, trace)
            except Exception as error:
                _log.warning("A record of %s does not replay: %s", self._task.name, error)
                continue
            candidate = _candidate(schedule)
            self._remember(candidate)
            if samples is not None:
                known.append((candidate, samples))
        self._take(known, len(records), now)

    def _fresh(self, item: Any) -> Candidate | None:
        import tvm

        if not self._remember(item):
            return None
        trace = trace_json(item.sch.trace)
        key = hashlib.sha256(trace.encode()).hexdigest()
        return Candidate(trace, key, tvm.ir.save_json(item.sch.mod), _specs(item.args_info), item)

    def _remember(self, item: Any) -> bool:
        """Whether this module is new; two traces can lead to one module."""
        import tvm_ffi

        key = int(tvm_ffi.structural_hash(item.sch.mod))
        if key in self._known:
            return False
        self._known.add(key)
        return True

    def _take(self, pairs: Sequence[tuple[Any, Samples]], given: int, now: bool = False) -> None:
        """Learn from what is left of so many that were given; train `now`, or when it is time."""
        from tvm.s_tir import meta_schedule as ms

        self._taken += given
        pairs = [pair for pair in pairs if not text_on(pair[0].sch.mod["main"])]
        if not pairs:
            return
        candidates = [item for item, _ in pairs]
        valid = [samples if _valid(samples) else () for _, samples in pairs]
        results = [
            ms.runner.RunnerResult(list(samples), None)
            if samples
            else ms.runner.RunnerResult(None, "failed")
            for samples in valid
        ]
        for item, samples in zip(candidates, valid, strict=True):
            if samples:
                latency_s = sum(samples) / len(samples)
                self._keep(latency_s, item.sch.trace, list(samples), item.args_info)
        self._context.notify_runner_results(candidates, results)
        try:
            if self._model.update(self._context, candidates, results, now):
                self.trained = self._taken
        except Exception as error:  # without it the search still goes on
            _log.warning("%s: the cost model did not learn: %s", self._task.name, error)

    def _keep(self, latency_s: float, trace: Any, samples: list[float], args: Any) -> None:
        """Put a record into TVM's database, and among the best if it is one."""
        from tvm.s_tir.meta_schedule.database import TuningRecord

        record = TuningRecord(trace, self._token, samples, to_tvm(self._target), args)
        self._database.commit_tuning_record(record)
        self._best = sorted([*self._best, (latency_s, record)], key=lambda item: item[0])[:_BEST]


def _candidate(schedule: Any) -> Any:
    from tvm.s_tir.meta_schedule import MeasureCandidate

    return MeasureCandidate(schedule, _args_info(schedule.mod))


def _valid(samples: Samples) -> bool:
    return bool(samples) and all(math.isfinite(sample) and sample > 0 for sample in samples)


def _enough(target: TargetSpec, settings: SearchSettings) -> int:
    """How many valid random schedules a population needs; they are rare on a GPU."""
    return min(settings.min_unmeasured, 4) if target.is_gpu else settings.min_unmeasured


def tune_context(
    task: Task,
    workload: Any,
    target: TargetSpec,
    strategy: Any,
    seed: int,
    tensor_cores: bool = True,
) -> Any:
    """A TuneContext on one thread; more share their random states in the order of their luck.

    It is made without the class's own constructor, which parses every tensor intrinsic first:
    11 s that only tensor-core and dot-product rules need.
    """
    from tvm.s_tir.meta_schedule import TuneContext, _ffi_api
    from tvm.s_tir.meta_schedule.logging import get_logging_func

    context = TuneContext.__new__(TuneContext)
    context.__init_handle_by_constructor__(
        _ffi_api.TuneContext,
        workload,
        to_tvm(target),
        space_generator(task, target, workload if tensor_cores else None),
        strategy,
        task.name,
        1,
        seed,
        get_logging_func(_tvm_log),
    )
    _ffi_api.TuneContextInitialize(context)
    return context


def _args_info(module: Any) -> Any:
    from tvm.s_tir.meta_schedule.arg_info import ArgInfo

    return ArgInfo.from_entry_func(module, remove_preproc=True)


def _specs(args_info: Any) -> tuple[TensorSpec, ...]:
    return tuple(
        TensorSpec(tuple(int(n) for n in info.shape), str(info.dtype)) for info in args_info
    )


class NotApplied(Exception):
    """A stored trace does not apply to its task's workload."""


def scheduled_module(workload: Any, trace: str) -> tuple[str, tuple[TensorSpec, ...]]:
    """What a builder and a runner need of a record: the module (TVM's JSON text), its args.

    Raises NotApplied where the trace, maybe a stranger's, does not apply to the workload.
    """
    try:
        return module_and_args(apply_trace(workload, trace).mod)
    except Exception as error:  # TVM raises whatever its primitives do
        raise NotApplied from error


def module_and_args(module: Any) -> tuple[str, tuple[TensorSpec, ...]]:
    """A scheduled module as TVM's JSON text, and its arguments, prepacked ones as packed."""
    import tvm

    return tvm.ir.save_json(module), _specs(_args_info(module))


def trace_json(trace: Any) -> str:
    """A trace as compact JSON text."""
    return json.dumps(trace.as_json(), separators=(",", ":"), default=_plain)


def _plain(number: Any) -> int | float:
    """TVM leaves immediates of its own in a trace's JSON."""
    return int(number) if type(number).__name__ == "IntImm" else float(number)


def apply_trace(workload: Any, trace: str) -> Any:
    """A schedule of `workload` after the trace (TVM's JSON text, postprocessors included).

    Raises ValueError where the trace, maybe a stranger's, is damaged or does more than schedule.
    """
    from tvm.s_tir.schedule import Schedule, Trace

    schedule = Schedule(workload, error_render_level="none")
    register_for(trace)
    register_tensor_cores_for(trace, workload)
    Trace.apply_json_to_schedule(check(trace), schedule)
    return schedule


def _rand_state(seed: int, fingerprint: str, records: int) -> int:
    """A resumed search goes on with other draws: the same ones would propose what is known."""
    digest = hashlib.sha256(f"{seed}:{fingerprint}:{records}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % (2**31 - 2) + 1
