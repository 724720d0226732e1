"""A Dask client whose only worker is this process, so that its tasks run as they do there."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from engine.measure.remote.dask_runner import DaskRunner
from engine.records.addresses import DaskAddress
from tests.engine.measure.fake_cluster import FakeScheduler


@dataclass
class OwnTask:
    """A future of Dask's."""

    inner: Future[Any]

    def add_done_callback(self, call: Callable[[OwnTask], None]) -> None:
        self.inner.add_done_callback(lambda _: call(self))

    def result(self) -> Any:
        return self.inner.result()

    def cancel(self, force: bool = False) -> None:
        self.inner.cancel()

    def release(self) -> None:
        """Nothing is kept."""


class OwnClient(FakeScheduler):
    """Two threads of this process."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(2)

    def identity(self, n_workers: int) -> dict[str, Any]:
        return {"workers": {"tcp://127.0.0.1:1": {"resources": {"cpu": 2, "device": 1}}}}

    def run(
        self, call: Callable[..., Any], *args: Any, workers: list[str], on_error: str
    ) -> dict[str, Any]:
        return {name: call(*args) for name in workers}

    def submit(self, call: Callable[..., Any], *args: Any, **_: Any) -> OwnTask:
        return OwnTask(self._pool.submit(call, *args))

    def close(self, timeout: float = 0) -> None:
        self._pool.shutdown()


def runner() -> DaskRunner:
    """A runner on this process."""
    return DaskRunner(DaskAddress("127.0.0.1", 1), connect=lambda address: OwnClient())
