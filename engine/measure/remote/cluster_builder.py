"""Builds candidates on the workers of a Dask cluster."""

from __future__ import annotations

import threading
import time
import uuid
from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from engine.measure.remote import cluster_link, cluster_worker
from engine.measure.remote.cluster_worker import Building, Built
from engine.measure.runner import Builder, BuildRequest, BuildResult
from engine.records.errors import TuningError
from engine.records.sentences import Sentence
from engine.records.trial import ErrorKind
from engine.workers.child import error_text
from engine.workers.work_future import WorkFuture

_LOOK_S = 1.0


@dataclass(eq=False, slots=True)
class _Job:
    """A candidate on its way; `inner` is Dask's future, `outcome` what waits for those before."""

    request: BuildRequest
    future: WorkFuture[BuildResult] = field(default_factory=WorkFuture)
    inner: Any = None
    began: float = field(default_factory=time.perf_counter)
    outcome: BuildResult | None = None


class ClusterBuilder(Builder):
    """Builds on the workers with the resource `cpu` of the cluster at `address`.

    Results come in the order in which candidates were submitted, so that a run with a seed
    measures in one order, however many workers there are. A candidate whose worker dies is built
    again on another. Where the scheduler goes away, or no worker is left for `lost_s`, the futures
    raise TuningError. What a worker compiles already goes on after a cancel until `close`.
    """

    def __init__(
        self,
        address: str,
        *,
        timeout_s: float = 30.0,
        lost_s: float = 20.0,
        connect: Callable[[str], Any] = cluster_link.connect,
    ) -> None:
        self.address = address
        self._lost_s = lost_s
        name = f"tunewright-{uuid.uuid4().hex}"
        self._building = Building(name, timeout_s, cluster_worker.versions())
        self._connect = connect
        self._client: Any = None
        self._lock = threading.RLock()
        self._jobs: deque[_Job] = deque()
        self._failure: TuningError | None = None
        self._closed = False
        self._end = threading.Event()
        self._watch: threading.Thread | None = None

    def wait_ready(self, timeout: float | None = None) -> bool:
        """Connect and look at the workers. TuningError where they cannot build."""
        client = self._connect(self.address)
        try:
            look = cluster_link.look_at(client, self.address)
        except OSError as error:
            client.close()
            raise self._gone() from error
        except BaseException:
            client.close()
            raise
        self.is_here, self.width = look.is_here, 2 * look.places  # the next ones wait there
        with self._lock:
            self._client = client
        self._watch = threading.Thread(target=self._look, name="cluster", daemon=True)
        self._watch.start()
        return True

    def submit(self, request: BuildRequest) -> Future[BuildResult]:
        """Queue one candidate on the cluster."""
        job = _Job(request)
        with self._lock:
            if self._closed:
                raise RuntimeError("The cluster's builder is closed.")
            if self._failure is not None:
                job.future.set_exception(self._failure)
                return job.future
            self._jobs.append(job)
            job.inner = self._client.submit(
                cluster_worker.build,
                request,
                self._building,
                key=f"{self._building.run}-{uuid.uuid4().hex}",
                resources={cluster_link.CPU: 1},
                pure=False,
            )
        job.future.add_done_callback(partial(self._cancelled, job))
        job.inner.add_done_callback(partial(self._finished, job))
        return job.future

    def close(self) -> None:
        """Take what is left off the cluster and disconnect; idempotent."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            left, client = tuple(self._jobs), self._client
        for job in left:
            job.future.cancel()
        self._end.set()
        if self._watch is not None:
            self._watch.join()
        if client is None:
            return
        if self._failure is None:
            with suppress(OSError, CancelledError):
                client.run(cluster_worker.leave, self._building.run, on_error="ignore")
        with suppress(OSError):
            client.close(timeout=2)

    def _cancelled(self, job: _Job, future: Future[BuildResult]) -> None:
        if not future.cancelled():
            return
        if self._failure is None:
            job.inner.cancel(force=True)
        self._deliver()

    def _finished(self, job: _Job, inner: Any) -> None:
        """In a thread of Dask's: take a result over."""
        if job.future.done():
            return
        seconds = time.perf_counter() - job.began
        try:
            built: Built = inner.result()
            job.outcome = _stored(job.request, built)
        except TuningError as error:
            self._fail(error)
        except CancelledError:
            if not job.future.cancelled():
                self._fail(self._gone())
        except Exception as error:
            job.outcome = BuildResult(None, seconds, ErrorKind.BUILD_CRASH, error_text(error))
        inner.release()
        self._deliver()

    def _deliver(self) -> None:
        """Settle the first candidates in the order they came, as far as they are known."""
        while True:
            with self._lock:
                if not self._jobs:
                    return
                job = self._jobs[0]
                if job.outcome is None and not job.future.done():
                    return
                self._jobs.popleft()
                if job.outcome is not None:
                    job.future.settle(job.outcome)

    def _look(self) -> None:
        """The watching thread: whether scheduler and workers are there."""
        seen = time.monotonic()
        while not self._end.wait(_LOOK_S) and self._failure is None:
            try:
                there = bool(cluster_link.builders(self._client))
            except Exception:  # whatever Dask says when its other end is gone
                if not self._end.is_set():
                    self._fail(self._gone())
                return
            now = time.monotonic()
            seen = now if there else seen
            if now - seen > self._lost_s:
                what = Sentence(
                    "The cluster at {address} has no worker left that builds.", address=self.address
                )
                self._fail(TuningError(what, "Start one again, and resume the run."))

    def _gone(self) -> TuningError:
        return TuningError(
            Sentence("The cluster's scheduler at {address} has gone away.", address=self.address),
            "Start it again, and resume the run.",
        )

    def _fail(self, error: TuningError) -> None:
        """Nothing will be built any more."""
        with self._lock:
            if self._closed or self._failure is not None:
                return
            self._failure = error
            left = tuple(self._jobs)
            self._jobs.clear()
        for job in left:
            if not job.future.done():
                job.future.set_exception(error)


def _stored(request: BuildRequest, built: Built) -> BuildResult:
    """The result, its library in this machine's file."""
    result, library = built
    if result.artifact is not None:
        Path(request.artifact).write_bytes(library)
    return result
