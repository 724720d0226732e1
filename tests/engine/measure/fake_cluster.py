"""A Dask client without a cluster: the test decides what comes of each task."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from typing import Any

from engine.measure.local_runner import Results
from engine.measure.remote.cluster_device import Libraries, measure, prepare
from engine.measure.remote.cluster_worker import Built, Facts, facts
from engine.measure.run_worker import Job
from engine.measure.runner import BuildRequest, BuildResult
from engine.records.errors import TuningError
from engine.records.trial import ErrorKind


@dataclass
class FakeTask:
    """A future of Dask's."""

    request: BuildRequest
    cancelled: bool = False
    released: bool = False
    outcome: Built | BaseException | None = None
    told: list[Callable[[FakeTask], None]] = field(default_factory=list)

    def add_done_callback(self, call: Callable[[FakeTask], None]) -> None:
        self.told.append(call)

    def end(self, outcome: Built | BaseException) -> None:
        """Come to an end."""
        self.outcome = outcome
        for call in self.told:
            call(self)

    def built(self) -> None:
        """End with a library."""
        self.end((BuildResult(self.request.artifact, 0.5), b"library"))

    def refused(self) -> None:
        """End with a compiler's error."""
        self.end((BuildResult(None, 0.5, ErrorKind.BUILD_ERROR, "no"), b""))

    def cancel(self, force: bool = False) -> None:
        self.cancelled = True
        self.end(CancelledError())

    def release(self) -> None:
        self.released = True

    def result(self) -> Any:
        if isinstance(self.outcome, BaseException):
            raise self.outcome
        return self.outcome


class FakeScheduler:
    """The way in which a client asks for the workers."""

    @property
    def scheduler(self) -> FakeScheduler:
        """What is asked."""
        return self

    def sync(self, call: Callable[..., Any], *, callback_timeout: float, **options: Any) -> Any:
        """Ask."""
        return call(**options)


class FakeClient(FakeScheduler):
    """One worker on another machine, unless the test says otherwise."""

    def __init__(self) -> None:
        self.workers: dict[str, dict[str, float]] = {"tcp://a": {"cpu": 2}, "tcp://b": {}}
        self.tasks: list[FakeTask] = []
        self.answer: Facts | Exception = replace(facts(), machine="another")
        self.gone = False
        self.closed = False
        self.left: list[str] = []

    def identity(self, n_workers: int) -> dict[str, Any]:
        if self.gone:
            raise OSError("gone")
        return {"workers": {name: {"resources": has} for name, has in self.workers.items()}}

    def run_on_scheduler(self, call: Callable[[], Any]) -> Any:
        return call()

    def run(self, call: Callable[..., Any], *args: Any, **options: Any) -> dict[str, Any]:
        if args:
            self.left += args
            return {}
        return dict.fromkeys(options["workers"], self.answer)

    def submit(self, call: Any, request: BuildRequest, *_: Any, **options: Any) -> FakeTask:
        assert options["resources"] == {"cpu": 1}
        self.tasks.append(FakeTask(request))
        return self.tasks[-1]

    def close(self, timeout: float = 0) -> None:
        self.closed = True


class FakeDevices(FakeScheduler):
    """A cluster whose workers `tcp://a:1` and `tcp://b:2` have devices; tasks end at once.

    `measure` is what measures; a worker of `dying` dies of the next task, and one of `back` is
    there again when it is looked for.
    """

    def __init__(self, measure: Callable[[str, Job, Libraries], Results]) -> None:
        self.workers: dict[str, dict[str, float]] = {
            f"tcp://{name}": {"cpu": 2, "device": 1} for name in ("a:1", "b:2")
        }
        self.measure = measure
        self.dying: list[str] = []
        self.back = False
        self.gone = False
        self.answers: dict[str, Facts] = {}
        self.taken: list[tuple[str, dict[str, float]]] = []
        self.left: list[str] = []
        self.cancelled = 0

    def connect(self, address: str) -> FakeDevices:
        """As `cluster_link.connect`."""
        if self.gone:
            raise TuningError(f"No Dask scheduler answers at {address}.", "Start one.")
        return self

    def identity(self, n_workers: int) -> dict[str, Any]:
        if self.gone:
            raise OSError("gone")
        return {"workers": {name: {"resources": has} for name, has in self.workers.items()}}

    def run(
        self, call: Callable[..., Any], *args: Any, workers: list[str], on_error: str
    ) -> dict[str, Any]:
        if args:
            self.left += workers
            return {}
        own = facts()
        return {
            name: self.answers.get(name, replace(own, machine=f"of {name}")) for name in workers
        }

    def submit(
        self,
        call: Callable[..., Any],
        *args: Any,
        workers: list[str],
        resources: dict[str, float],
        **_: Any,
    ) -> FakeWork:
        (name,) = workers
        if call is prepare:
            return FakeWork(self, None, True)
        assert call is measure
        self.taken.append((name, resources))
        if name in self.dying:
            self.dying.remove(name)
            has = self.workers.pop(name)
            if self.back:
                threading.Timer(0.1, self.workers.__setitem__, (name, has)).start()
            return FakeWork(self, None, False)
        return FakeWork(self, self.measure(name, args[0], args[1]), True)

    def close(self, timeout: float = 0) -> None:
        """It may be opened again."""


@dataclass
class FakeWork:
    """A future of Dask's that has its result, or never will."""

    client: FakeDevices
    outcome: Any
    ends: bool

    def add_done_callback(self, call: Callable[[FakeWork], None]) -> None:
        if self.ends:
            call(self)

    def result(self) -> Any:
        return self.outcome

    def cancel(self, force: bool = False) -> None:
        self.client.cancelled += 1

    def release(self) -> None:
        """Nothing is kept."""
