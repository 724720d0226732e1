"""Builds candidates in worker processes that have imported TVM already."""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from functools import partial

from pebble import ProcessExpired, ProcessPool

from engine.measure import build_worker
from engine.measure.runner import Builder, BuildRequest, BuildResult
from engine.records.errors import Hint, TuningError
from engine.records.trial import ErrorKind
from engine.workers.artifacts import ArtifactFolder
from engine.workers.child import error_text, exit_text, last_words
from engine.workers.fork_server import ForkServerContext
from engine.workers.work_future import WorkFuture

_START_S = 120.0
_BROKEN = (BrokenProcessPool, RuntimeError)  # what pebble says when a worker died while idle


@dataclass(eq=False, slots=True)
class _Job:
    """A candidate on its way; `inner` is the pool's future once a worker is free for it."""

    request: BuildRequest
    future: WorkFuture[BuildResult] = field(default_factory=WorkFuture)
    inner: Future[BuildResult] | None = None
    began: float = 0.0
    retried: bool = False


class BuildPool(Builder):
    """A pool of build workers; it starts in the background and the constructor returns at once.

    Each candidate may take `timeout_s`; a worker is replaced after `max_tasks` of them. A
    candidate goes to the pool when a worker is free, so that cancelling one that waits costs
    nothing.
    """

    def __init__(
        self,
        workers: int,
        *,
        timeout_s: float = 30.0,
        max_tasks: int = 64,
        work: Callable[[BuildRequest], BuildResult] = build_worker.build_candidate,
    ) -> None:
        self._workers = workers
        self._timeout_s = timeout_s
        self._max_tasks = max_tasks
        self._work = work
        self._context = ForkServerContext(build_worker.IMPORTS)
        self._logs = ArtifactFolder()
        self._lock = threading.RLock()
        self._waiting: deque[_Job] = deque()
        self._running: set[_Job] = set()
        self._pool: ProcessPool | None = None
        self._settled = threading.Event()
        self._failure = ""
        self._closed = False
        self._starter = self._start_in_background(None)

    def ready(self) -> bool:
        """Whether workers wait for candidates."""
        return self._pool is not None

    def wait_ready(self, timeout: float | None = None) -> bool:
        """Wait until `ready`, at most `timeout` seconds. TuningError where it will never be."""
        self._settled.wait(timeout)
        if self._failure:
            raise TuningError(
                self._failure,
                "The help says under Troubleshooting what may be missing.",
                Hint.CHECK,
            )
        return self.ready()

    def submit(self, request: BuildRequest) -> Future[BuildResult]:
        job = _Job(request)
        with self._lock:
            if self._closed:
                raise RuntimeError("The build pool is closed.")
            self._waiting.append(job)
        job.future.add_done_callback(partial(self._cancelled, job))
        self._dispatch()
        return job.future

    def close(self) -> None:
        """Stop the workers and cancel what is left."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            left = [*self._waiting, *self._running]
            pool, self._pool = self._pool, None
        for job in left:
            job.future.cancel()
        if pool is None:  # its starter waits for the server's imports
            self._context.stop()
        self._starter.join()
        _stop(pool)
        self._context.stop()
        self._logs.close()

    def _start_in_background(self, broken: ProcessPool | None) -> threading.Thread:
        starter = threading.Thread(
            target=self._start, args=(broken,), name="build-pool-start", daemon=True
        )
        starter.start()
        return starter

    def _start(self, broken: ProcessPool | None) -> None:
        """Replace `broken`, wait for the workers and let the candidates in."""
        _stop(broken)
        pool = ProcessPool(
            self._workers,
            self._max_tasks,
            build_worker.start,
            (str(self._logs.path),),
            context=self._context,
        )
        try:
            pool.schedule(build_worker.probe, timeout=_START_S).result()
        except Exception as error:
            self._failure = f"The build workers do not start: {error_text(error)}."
        with self._lock:
            usable = not self._closed and not self._failure
            self._pool = pool if usable else None
        if not usable:
            _stop(pool)
        self._settled.set()
        self._dispatch()

    def _dispatch(self) -> None:
        """Give waiting candidates to idle workers."""
        while (job := self._next()) is not None:
            if job.inner is not None:
                job.inner.add_done_callback(partial(self._finished, job))
            elif self._failure:
                job.future.settle(BuildResult(None, 0.0, ErrorKind.BUILD_CRASH, self._failure))

    def _next(self) -> _Job | None:
        """The next candidate, scheduled; without `inner` where the pool will never work."""
        with self._lock:
            while self._waiting and (self._failure or self._idle_worker()):
                job = self._waiting.popleft()
                if job.future.cancelled():
                    continue
                if not self._failure:
                    self._schedule(job)
                return job
        return None

    def _idle_worker(self) -> bool:
        return self._pool is not None and len(self._running) < self._workers

    def _schedule(self, job: _Job) -> None:
        assert self._pool is not None
        try:
            job.inner = self._pool.schedule(self._work, (job.request,), timeout=self._timeout_s)
        except _BROKEN:
            job.inner = None
            self._waiting.appendleft(job)
            self._replace_pool()
            return
        job.began = time.perf_counter()
        self._running.add(job)

    def _replace_pool(self) -> None:
        broken, self._pool = self._pool, None
        if broken is not None and not self._closed:
            self._settled.clear()
            self._starter = self._start_in_background(broken)

    def _finished(self, job: _Job, inner: Future[BuildResult]) -> None:
        """Pass a result on; a candidate that another's death took along gets a second try."""
        error = None if inner.cancelled() else inner.exception()
        with self._lock:
            self._running.discard(job)
            again = isinstance(error, BrokenProcessPool) and not job.retried and not self._closed
            if again:
                job.retried, job.inner = True, None
                self._waiting.appendleft(job)
                self._replace_pool()
        self._dispatch()
        if not again and not inner.cancelled():
            job.future.settle(inner.result() if error is None else self._failed(job, error))

    def _failed(self, job: _Job, error: BaseException) -> BuildResult:
        seconds = time.perf_counter() - job.began
        if isinstance(error, ProcessExpired) and error.exitcode == -signal.SIGXCPU:
            text = "The compiler took too much of a core's time: the kernel is unrolled too far."
            return BuildResult(None, seconds, ErrorKind.BUILD_TIMEOUT, text)
        if isinstance(error, ProcessExpired):
            words = last_words(str(self._logs.path), error.pid)
            text = f"The compiler died ({exit_text(error.exitcode)}). {words}".strip()
            return BuildResult(None, seconds, ErrorKind.BUILD_CRASH, text)
        if isinstance(error, TimeoutError):
            text = f"The compiler took longer than {self._timeout_s:g} s."
            return BuildResult(None, seconds, ErrorKind.BUILD_TIMEOUT, text)
        return BuildResult(None, seconds, ErrorKind.BUILD_CRASH, error_text(error))

    def _cancelled(self, job: _Job, future: Future[BuildResult]) -> None:
        """Stop the worker of a candidate that nobody wants any more."""
        if not future.cancelled():
            return
        with self._lock:
            inner = job.inner
        if inner is not None:
            inner.cancel()


def _stop(pool: ProcessPool | None) -> None:
    if pool is not None:
        pool.stop()
        pool.join()
