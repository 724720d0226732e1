"""Measures on a device elsewhere: what holds however its server is reached."""

from __future__ import annotations

import math
import shutil
import time
from abc import abstractmethod
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from statistics import median

from engine.measure.local_runner import LocalRunner, Results, timeout_of
from engine.measure.remote.server_search import NoServer, Wanted
from engine.measure.run_worker import Job
from engine.measure.runner import RunRequest, RunResult
from engine.measure.worker_process import WorkerDied, WorkerHung
from engine.records.addresses import Server, place
from engine.records.errors import DeviceMissing, Hint, TuningError
from engine.records.sentences import Sentence
from engine.records.trial import ErrorKind

_BRIEF_S = 1.0  # to look for a server after it was missed
_AGREE = 1.15  # two devices of one model differ by less
_PROBES = 8  # measurements of which the longest becomes the probe


@dataclass(frozen=True, slots=True)
class Attached:
    """The server that the next job will be measured on; `is_here`: it is this machine."""

    server: Server
    is_here: bool


@dataclass(frozen=True, slots=True)
class _Probe:
    """A library of this run, and its latency (s) on the run's device."""

    request: RunRequest
    latency_s: float


class RemoteRunner(LocalRunner):
    """The device ("cpu", "cuda:0") of one server of several.

    A measurement that loses its server is repeated once: on the same server where it comes back,
    else on another, which must be as fast on a library that was measured before. Where it comes
    back and is lost again, that is the candidate's fault; where no server can be had for
    `wait_s`, the result is DEVICE_LOST. A server that a crash took along is back within
    `return_s`. `say` is told of what is lost, in the runner's thread. `avoid` names servers that
    other runners have. `start` is what to do where there is none, `hint` what helps.
    """

    start = Sentence("Start its server, or choose another device.")
    hint: Hint | None = None

    def __init__(
        self,
        device: str,
        *,
        wait_s: float,
        return_s: float,
        say: Callable[[str], None],
        avoid: Callable[[], frozenset[Server]],
    ) -> None:
        self._wait_s, self._return_s = wait_s, return_s
        self._say, self._avoid = say, avoid
        self._server: Server | None = None
        self._refused: frozenset[Server] = frozenset()
        self._missing = False
        self._probe: _Probe | None = None
        self._measured = 0
        super().__init__(device)

    @property
    def server(self) -> Server | None:
        """Where the device is; None while there is none yet."""
        return self._server

    @abstractmethod
    def _find(self, wanted: Wanted) -> Attached:
        """A server, to work with from now on. NoServer where none can be had."""

    @abstractmethod
    def _once(self, job: Job) -> Results:
        """A job's results from the server. WorkerHung, WorkerDied where that was lost."""

    def _begin(self) -> None:
        try:
            self._attach(1.0)
        except NoServer as error:
            raise DeviceMissing(Sentence("{error}.", error=error), self.start, self.hint) from error

    def _measure(self, job: Job) -> Results:
        """A job's results; after a failure that took all down, each library has its own try."""
        began = time.perf_counter()
        try:
            results = self._twice(job)
        except NoServer as error:
            return _all(job, began, ErrorKind.DEVICE_LOST, f"{error}.")
        except WorkerHung:
            kind, text = ErrorKind.RUN_TIMEOUT, f"No end after {timeout_of(job):g} s."
        except WorkerDied:
            kind, text = ErrorKind.RUN_CRASH, "The server's process died with it, twice."
        except TuningError as error:
            kind, text = ErrorKind.RUN_ERROR, error.what
        else:
            self._remember(job, results)
            return results
        failed = _all(job, began, kind, text)
        return failed if self._unwanted else self._apart(job, failed[0])

    def _twice(self, job: Job) -> Results:
        """Measure, and again where the server was lost. WorkerHung, WorkerDied: the candidate's
        fault, as the server is back."""
        if self._failure is not None:
            raise self._failure
        failure: Exception | None = None
        lost: Server | None = None
        for _ in range(2):
            self._attach(timeout_of(job))
            server = self._server
            try:
                results = self._once(job)
            except (WorkerHung, WorkerDied) as error:
                failure, lost = error, server
            else:
                if lost is not None:
                    self._say(
                        Sentence(
                            "The device at {lost} was lost; its trial was repeated.",
                            lost=place(lost),
                        )
                    )
                return results
            if self._unwanted:
                break
            self._attach(timeout_of(job))
            if isinstance(failure, WorkerHung) and self._server == server:
                break
        assert failure is not None
        raise failure

    # The server

    def _attach(self, work_s: float) -> None:
        """Have a server for `work_s` seconds; NoServer where there is none. Says what changed."""
        while True:
            found = self._ask_for_server(work_s)
            before, self._server = self._server, found.server
            self.is_here = found.is_here
            if self._missing:
                self._missing = False
                self._say(
                    Sentence("The device at {server} measures again.", server=place(found.server))
                )
            if before in (None, found.server):
                return
            assert before is not None
            if self._agrees():
                self._say(
                    Sentence(
                        "The device at {before} is lost; the run goes on with the one at "
                        "{server}, which is as fast.",
                        before=place(before),
                        server=place(found.server),
                    )
                )
                return
            self._refused |= {found.server}
            self._server = before
            self._say(
                Sentence(
                    "The device at {server} is not as fast as the one at {before}, and does "
                    "not take its place.",
                    server=place(found.server),
                    before=place(before),
                )
            )

    def _ask_for_server(self, work_s: float) -> Attached:
        wait_s = _BRIEF_S if self._missing else self._wait_s
        refused = self._refused | self._avoid()
        try:
            return self._find(Wanted(work_s, wait_s, self._return_s, self._server, refused))
        except NoServer as error:
            if not self._missing and self._server is not None and not self._closed:
                self._say(
                    Sentence(
                        "The device at {server} is lost. {error}.",
                        server=place(self._server),
                        error=error,
                    )
                )
            self._missing = self._server is not None
            raise

    # The probe

    def _remember(self, job: Job, results: Results) -> None:
        """Keep the longest of the first libraries, to know the device's speed by."""
        result, request = results[0], job.requests[0]
        if self._measured >= _PROBES or result.error or result.cut or not result.samples:
            return
        self._measured += 1
        latency_s = median(result.samples)
        if self._probe is None or latency_s > self._probe.latency_s:
            kept = str(self._logs.path / f"probe-{self._measured}.so")
            with suppress(OSError):
                shutil.copyfile(request.artifact, kept)
                self._probe = _Probe(replace(request, artifact=kept, best_s=None), latency_s)

    def _agrees(self) -> bool:
        """Whether the server that we have now is as fast as the one before."""
        if self._probe is None:
            return True
        try:
            samples = self._once(Job((self._probe.request,)))[0].samples
        except (WorkerHung, WorkerDied):
            return False
        ratio = median(samples) / self._probe.latency_s if samples else math.inf
        return 1 / _AGREE <= ratio <= _AGREE


def _all(job: Job, began: float, kind: ErrorKind, text: str) -> Results:
    seconds = time.perf_counter() - began
    return tuple(RunResult((), seconds, False, kind, text) for _ in job.requests)
