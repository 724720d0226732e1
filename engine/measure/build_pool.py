"""Builds candidates in worker processes that have imported TVM already."""

from __future__ import annotations

import logging
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from pathlib import Path
from typing import cast

from engine.measure import build_worker
from engine.measure.build_process import BuildProcess
from engine.measure.runner import Builder, BuildRequest, BuildResult
from engine.records.errors import Hint, TuningError
from engine.records.sentences import Sentence
from engine.records.trial import ErrorKind
from engine.workers.artifacts import ArtifactFolder
from engine.workers.child import error_text, exit_text, was_killed
from engine.workers.fork_server import ForkServerContext
from engine.workers.work_future import WorkFuture

_LOOK_S = 1.0
_STILL_S = 30.0
_PAUSES_S = (0.0, 0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 5.0)  # before workers that were killed start anew
_KILLS = 4  # of its workers that a candidate survives, less one

_log = logging.getLogger(__name__)


@dataclass(eq=False, slots=True)
class _Job:
    """A candidate on its way; `kills` counts the workers that were killed when they had it."""

    request: BuildRequest
    future: WorkFuture[BuildResult] = field(default_factory=WorkFuture)
    kills: int = 0


@dataclass(eq=False, slots=True)
class _Worker:
    """A worker, what it builds since when, and how many candidates it has had."""

    process: BuildProcess
    started: bool = False
    job: _Job | None = None
    began: float = 0.0
    looked: float = 0.0
    given: int = 0


class BuildPool(Builder):
    """A pool of build workers; they start in the background and the constructor returns at once.

    Each candidate may take `timeout_s` seconds of a core: of a busy machine it waits as long as
    it must, but no longer than `still_s` without any progress. A worker is replaced after
    `max_tasks` candidates. One that was killed is replaced after a pause, which grows until
    something is built again, and what it had is built again: it is no fault of the candidate's.
    After the last pause, or where the disk is full, nothing is built any more: the futures raise
    TuningError.
    """

    def __init__(
        self,
        workers: int,
        *,
        timeout_s: float = 30.0,
        still_s: float = _STILL_S,
        max_tasks: int = 64,
        work: Callable[[BuildRequest], BuildResult] = build_worker.build_candidate,
    ) -> None:
        self._wanted = workers
        self._timeout_s = timeout_s
        self._still_s = still_s
        self._max_tasks = max_tasks
        self._work = work
        self._context = ForkServerContext(build_worker.IMPORTS)
        self._logs = ArtifactFolder()
        self._lock = threading.Lock()
        self._waiting: deque[_Job] = deque()
        self._settled = threading.Event()
        self._failure: TuningError | None = None
        self._closed = False
        # The thread's own; others ring for it.
        self._workers: list[_Worker] = []
        self._losses = 0
        self._start_at = 0.0
        self._rung, self._bell = os.pipe()
        os.set_blocking(self._bell, False)
        self._thread = threading.Thread(target=self._serve, name="build-pool", daemon=True)
        self._thread.start()

    def ready(self) -> bool:
        """Whether workers wait for candidates."""
        return self._settled.is_set() and self._failure is None and not self._closed

    def wait_ready(self, timeout: float | None = None) -> bool:
        """Wait until `ready`, at most `timeout` seconds. TuningError where it will never be."""
        self._settled.wait(timeout)
        if self._failure is not None:
            raise self._failure
        return self.ready()

    def submit(self, request: BuildRequest) -> Future[BuildResult]:
        job = _Job(request)
        with self._lock:
            if self._closed:
                raise RuntimeError("The build pool is closed.")
            if self._failure is None:
                self._waiting.append(job)
        if self._failure is not None:
            job.future.fail(self._failure)
        job.future.add_done_callback(lambda _: self._ring())  # it may have been cancelled
        self._ring()
        return job.future

    def close(self) -> None:
        """Stop the workers and cancel what is left."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
        self._ring()
        self._context.stop()  # also a server that a worker's start waits for
        self._thread.join()
        self._context.stop()
        os.close(self._bell)
        os.close(self._rung)
        self._bell = -1
        self._logs.close()

    def _ring(self) -> None:
        with suppress(OSError):  # it is full, and heard anyway, or the pool is closed
            os.write(self._bell, b"!")

    # The pool's thread

    def _serve(self) -> None:
        try:
            while not self._closed and self._failure is None:
                self._start_missing()
                self._hand_out()
                self._listen()
                self._look()
        except Exception as error:  # a mistake of ours: nobody shall wait for it
            _log.exception("The build pool broke")
            self._fail(
                Sentence("The build workers broke: {error}.", error=error_text(error)),
                Sentence("Resume the run."),
            )
        with self._lock:
            left = [*self._waiting, *(worker.job for worker in self._workers if worker.job)]
            self._waiting.clear()
        for worker in self._workers:
            worker.process.close()
        for job in left:
            if self._failure is None:
                job.future.cancel()
            else:
                job.future.fail(self._failure)
        self._settled.set()

    def _start_missing(self) -> None:
        while len(self._workers) < self._wanted and time.monotonic() >= self._start_at:
            try:
                process = BuildProcess(
                    self._context, str(self._logs.path), self._work, self._timeout_s
                )
            except OSError as error:
                if not self._closed:
                    self._pause(error_text(error))
                return
            self._workers.append(_Worker(process))

    def _hand_out(self) -> None:
        """Give waiting candidates to idle workers."""
        for worker in [each for each in self._workers if each.started and each.job is None]:
            job = self._next()
            if job is None:
                return
            worker.job, worker.began = job, time.monotonic()
            worker.looked = worker.began
            worker.given += 1
            with suppress(OSError):  # it is dead, as its pipe says next
                worker.process.begin(job.request)

    def _next(self) -> _Job | None:
        with self._lock:
            while self._waiting:
                job = self._waiting.popleft()
                if not job.future.cancelled():
                    return job
        return None

    def _listen(self) -> None:
        """Wait until there is something to do, and hear what the workers say."""
        pipes = {worker.process.pipe: worker for worker in self._workers}
        heard = wait([self._rung, *pipes], self._patience_s())
        for source in heard:
            if source == self._rung:
                os.read(self._rung, 4096)
            else:
                self._hear(pipes[source])  # type: ignore[index]

    def _patience_s(self) -> float | None:
        """How long nothing is to be done unless somebody says so; None: for good."""
        now = time.monotonic()
        waits = [worker.looked + _LOOK_S - now for worker in self._workers if worker.job]
        if len(self._workers) < self._wanted:
            waits.append(self._start_at - now)
        return max(0.0, min(waits)) if waits else None

    def _hear(self, worker: _Worker) -> None:
        try:
            said: object = worker.process.pipe.recv()
        except (EOFError, OSError):
            self._died(worker)
            return
        if worker.started:
            if isinstance(said, OSError):
                self._no_room(said)
                return
            self._losses = 0
            self._settle(worker, cast("BuildResult", said))
            if worker.given >= self._max_tasks:
                self._dismiss(worker)
        elif said:
            what = Sentence("The build workers do not start: {said}.", said=said)
            todo = Sentence("The help says under Troubleshooting what may be missing.")
            self._fail(what, todo, Hint.CHECK)
        else:
            worker.started = True
            self._settled.set()

    def _no_room(self, error: OSError) -> None:
        """What was to be built is not to blame, and the next ones fare no better."""
        where = Path(error.filename or self._logs.path).parent
        what = Sentence(
            "The disk is full: no compiled kernel can be written in {where}.", where=where
        )
        todo = Sentence("Free some space there; then resume the run.")
        self._fail(what, todo, Hint.RESUME)

    def _died(self, worker: _Worker) -> None:
        """A compiler's own death is a result; after another's deed the candidate is built again."""
        code = worker.process.end()
        self._workers.remove(worker)
        job, how = worker.job, exit_text(code)
        if job is None or was_killed(code):
            self._give_back(worker, how)
        elif code == -signal.SIGXCPU:
            text = "The compiler took too much of a core's time: the kernel is unrolled too far."
            self._settle(worker, self._failed(worker, ErrorKind.BUILD_TIMEOUT, text))
        else:
            text = f"The compiler died ({how}). {worker.process.last_words()}".strip()
            self._settle(worker, self._failed(worker, ErrorKind.BUILD_CRASH, text))

    def _give_back(self, worker: _Worker, how: str) -> None:
        _log.info("A build worker was lost (%s); what it had is built again.", how)
        job, worker.job = worker.job, None
        if job is not None:
            job.kills += 1
            if job.kills < _KILLS:
                with self._lock:
                    self._waiting.appendleft(job)
            else:
                text = f"Its compilers were killed {_KILLS} times, as where memory runs out."
                job.future.settle(self._failed(worker, ErrorKind.BUILD_CRASH, text))
        self._pause(how)

    def _pause(self, how: str) -> None:
        """Let some time pass before workers start again, unless that was the last time."""
        if time.monotonic() < self._start_at:
            return  # it died with others
        if self._losses == len(_PAUSES_S):
            what = Sentence("The build workers die again and again: {how}.", how=how)
            todo = Sentence("Close other programs, as memory may be short; then resume the run.")
            self._fail(what, todo, Hint.RESUME)
            return
        self._start_at = time.monotonic() + _PAUSES_S[self._losses]
        self._losses += 1

    def _look(self) -> None:
        """Stop workers whose candidate nobody wants, or which will not end."""
        now = time.monotonic()
        for worker in [each for each in self._workers if each.job]:
            assert worker.job is not None
            if worker.job.future.cancelled():
                self._dismiss(worker)
            elif now >= worker.looked + _LOOK_S:
                worker.looked = now
                self._look_at(worker)

    def _look_at(self, worker: _Worker) -> None:
        if worker.process.halted():
            self._dismiss(worker)
            self._give_back(worker, "it was halted")
        elif worker.process.looks_still() * _LOOK_S >= self._still_s:
            text = f"The compiler stood still for {self._still_s:g} s."
            self._settle(worker, self._failed(worker, ErrorKind.BUILD_TIMEOUT, text))
            self._dismiss(worker)

    def _dismiss(self, worker: _Worker) -> None:
        self._workers.remove(worker)
        worker.process.close()

    def _settle(self, worker: _Worker, result: BuildResult) -> None:
        job, worker.job = worker.job, None
        assert job is not None
        job.future.settle(result)

    def _failed(self, worker: _Worker, kind: ErrorKind, text: str) -> BuildResult:
        return BuildResult(None, time.monotonic() - worker.began, kind, text)

    def _fail(self, what: Sentence, todo: Sentence, hint: Hint | None = None) -> None:
        """Nothing will be built any more."""
        with self._lock:
            self._failure = TuningError(what, todo, hint)
