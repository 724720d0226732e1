"""A Dask client without a cluster: the test decides what comes of each task."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from typing import Any

from engine.measure.cluster_worker import Built, Facts, facts
from engine.measure.runner import BuildRequest, BuildResult
from engine.measure.trial import ErrorKind


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


class FakeClient:
    """One worker on another machine, unless the test says otherwise."""

    def __init__(self) -> None:
        self.workers: dict[str, dict[str, float]] = {"tcp://a": {"cpu": 2}, "tcp://b": {}}
        self.tasks: list[FakeTask] = []
        self.answer: Facts | Exception = replace(facts(), machine="another")
        self.gone = False
        self.closed = False
        self.left: list[str] = []

    def scheduler_info(self, n_workers: int) -> dict[str, Any]:
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
