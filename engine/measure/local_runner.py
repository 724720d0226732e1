"""Measures on a device of this machine, in a worker process."""

from __future__ import annotations

import queue
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from engine.measure.comparing import Comparison
from engine.measure.run_worker import Job, Reply
from engine.measure.runner import Runner, RunRequest, RunResult
from engine.measure.worker_process import WorkerDied, WorkerHung, WorkerProcess
from engine.records.errors import TunewrightError, TuningError
from engine.records.sentences import Sentence
from engine.records.trial import ErrorKind
from engine.workers.artifacts import ArtifactFolder
from engine.workers.child import PAUSES_S
from engine.workers.fork_server import ForkServerContext
from engine.workers.work_future import WorkFuture

Results = tuple[RunResult, ...]


@dataclass(eq=False, slots=True)
class _Entry:
    """A job in the queue."""

    job: Job
    future: WorkFuture[Results] = field(default_factory=WorkFuture)


class LocalRunner(Runner):
    """One worker for `device` ("cpu", "cuda:0"); it starts in the background.

    A library's file is removed once it was measured. What a worker had that was killed or halted
    is measured again. A worker that crashed, hung or lost its device is replaced: on a GPU by a
    spare that has imported TVM already; on the CPU there is none, as its start would disturb a
    measurement. The caller sees to it that nothing else of ours runs while a CPU measures. A
    measurement that is cancelled while it runs is ended with its worker.
    """

    def __init__(self, device: str = "cpu") -> None:
        self._device = device
        self._wanted = self._how_many()
        self._context = self._make_context()
        self._logs = ArtifactFolder()
        self._queue: queue.SimpleQueue[_Entry | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._open: set[_Entry] = set()
        self._at: _Entry | None = None
        self._workers: list[WorkerProcess] = []
        self._settled = threading.Event()
        self._failure: TunewrightError | None = None
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name=f"run-{device}", daemon=True)
        self._thread.start()

    def ready(self) -> bool:
        """Whether the worker has started."""
        return self._settled.is_set() and self._failure is None

    def wait_ready(self, timeout: float | None = None) -> bool:
        """Wait until `ready`, at most `timeout` seconds; what it cannot start for is raised."""
        self._settled.wait(timeout)
        if self._failure is not None:
            raise self._failure
        return self.ready()

    def submit(self, request: RunRequest) -> Future[RunResult]:
        outer: WorkFuture[RunResult] = WorkFuture()
        inner = self._put(Job((request,)))
        inner.add_done_callback(lambda done: _pass_on(done, outer))
        outer.add_done_callback(lambda done: done.cancelled() and inner.cancel())
        return outer

    def confirm(self, requests: tuple[RunRequest, ...]) -> Future[Results]:
        return self._put(Job(requests, in_turns=True))

    def check(self, requests: tuple[RunRequest, ...], comparison: Comparison) -> Future[Results]:
        return self._put(Job(requests, comparison=comparison))

    def close(self) -> None:
        """Stop the worker and cancel what is left."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            left = tuple(self._open)
            workers = tuple(self._workers)
        for entry in left:
            entry.future.cancel()
        self._queue.put(None)
        for worker in workers:
            worker.kill()
        self._context.stop()
        self._thread.join()
        for worker in self._workers:
            worker.close()
        self._logs.close()

    def _put(self, job: Job) -> Future[Results]:
        entry = _Entry(job)
        with self._lock:
            if self._closed:
                raise RuntimeError("The runner is closed.")
            self._open.add(entry)
            self._queue.put(entry)
        entry.future.add_done_callback(lambda _: self._give_up(entry))
        return entry.future

    def _serve(self) -> None:
        """The runner's thread: one job after another."""
        try:
            self._begin()
        except TunewrightError as error:
            self._failure = error
        self._settled.set()
        while (entry := self._queue.get()) is not None:
            with self._lock:
                self._at = entry
            if not entry.future.cancelled():
                try:
                    entry.future.settle(self._measure(entry.job))
                except Exception as error:  # a mistake of ours: nobody shall wait for its end
                    entry.future.fail(error)
            _remove_files(entry.job)
            with self._lock:
                self._at = None
                self._open.discard(entry)

    def _give_up(self, entry: _Entry) -> None:
        """End a measurement that nobody waits for any more."""
        if not entry.future.cancelled():
            return
        with self._lock:
            workers = self._workers[:1] if self._at is entry else []
        for worker in workers:
            worker.kill()

    @property
    def _unwanted(self) -> bool:
        """Whether nobody waits for what is measured now."""
        entry = self._at
        return self._closed or (entry is not None and entry.future.cancelled())

    def _make_context(self) -> ForkServerContext:
        return ForkServerContext()

    def _how_many(self) -> int:
        return 1 if self._device.startswith("cpu") else 2

    def _begin(self) -> None:
        """Get ready; TuningError where that will never be."""
        self._ready_worker()

    def _measure(self, job: Job) -> Results:
        """A job's results; after a failure that took all down, each library has its own try."""
        began = time.perf_counter()
        try:
            reply = self._ask(job)
            if reply.healthy or not (lost := self._gone()):
                return reply.results
            kind, text = ErrorKind.DEVICE_LOST, lost
        except TuningError as error:
            kind, text = ErrorKind.DEVICE_LOST, error.what
        except WorkerHung:
            kind, text = ErrorKind.RUN_TIMEOUT, f"No end after {timeout_of(job):g} s."
        except WorkerDied as error:
            kind, text = ErrorKind.RUN_CRASH, f"{error}."
        if kind is not ErrorKind.DEVICE_LOST and (lost := self._gone()):
            kind, text = ErrorKind.DEVICE_LOST, lost
        failed = RunResult((), time.perf_counter() - began, False, kind, text)
        if kind is ErrorKind.DEVICE_LOST or self._unwanted:
            return (failed,) * len(job.requests)
        return self._apart(job, failed)

    def _apart(self, job: Job, failed: RunResult) -> Results:
        """The results of a job that `failed` together: each library has its own try."""
        first, *others = job.requests
        if not others:
            return (failed,)
        if job.comparison is None:
            return tuple(self._measure(job.only(one))[0] for one in job.requests)
        alone = self._measure(job.only(first))[0]
        if alone.error is not None:
            return (alone,) * len(job.requests)
        if len(others) == 1:
            return (alone, failed)
        return (alone, *(self._measure(job.only(first, one))[1] for one in others))

    def _gone(self) -> str:
        """Why no new worker finds the device after a candidate took one along, which is then no
        fault of the candidate's; empty where it is there. A CPU always is."""
        if self._device.startswith("cpu") or self._unwanted:
            return ""
        try:
            self._ready_worker()
        except TuningError as error:
            return error.what
        return ""

    def _ask(self, job: Job) -> Reply:
        """Have a worker measure, and another one where that was killed: no fault of the job's."""
        if self._failure is not None:
            raise self._failure
        for pause_s in PAUSES_S:
            try:
                return self._ask_once(job)
            except WorkerDied as error:
                if not error.killed or self._unwanted:
                    raise
            time.sleep(pause_s)
        return self._ask_once(job)

    def _ask_once(self, job: Job) -> Reply:
        """Have the worker measure; a worker that is not to be trusted again is replaced."""
        worker = self._ready_worker()
        healthy = False
        try:
            reply = worker.ask(job, timeout_of(job))
            healthy = reply.healthy
        finally:
            if not healthy:
                self._drop(worker)
        return reply

    def _ready_worker(self) -> WorkerProcess:
        """The worker whose turn it is, once it has started; TuningError where none does."""
        pauses = iter(PAUSES_S)
        while True:
            worker = self._worker()
            try:
                worker.wait_started()
                return worker
            except TuningError:
                killed = worker.killed and not self._closed
                self._drop(worker)
                if not killed or (pause_s := next(pauses, None)) is None:
                    raise
            time.sleep(pause_s)

    def _worker(self) -> WorkerProcess:
        """The worker whose turn it is; starts it, and its spare, where they are missing."""
        with self._lock:
            while len(self._workers) < self._wanted and not self._closed:
                self._workers.append(self._start())
            if not self._workers:
                raise TuningError("The runner was closed.")
            return self._workers[0]

    def _start(self) -> WorkerProcess:
        try:
            return WorkerProcess(self._context, str(self._logs.path), self._device)
        except (OSError, EOFError) as error:
            raise TuningError(
                Sentence("No measuring process could be started: {error}.", error=error)
            ) from error

    def _drop(self, worker: WorkerProcess) -> None:
        """Kill a worker and let its successor start while the caller goes on."""
        worker.close()
        with self._lock:
            self._workers.remove(worker)
        with suppress(TuningError):
            self._worker()


def timeout_of(job: Job) -> float:
    return sum(request.protocol.timeout_s for request in job.requests)


def _remove_files(job: Job) -> None:
    for request in job.requests:
        with suppress(OSError):
            Path(request.artifact).unlink()


def _pass_on(inner: Future[Results], outer: WorkFuture[RunResult]) -> None:
    """Give a job's only result to the future its caller holds."""
    if inner.cancelled():
        outer.cancel()
    else:
        outer.settle(inner.result()[0])
