"""A GPU that goes away in the middle of a measurement: no fault of the candidate's."""

from __future__ import annotations

import pytest

from engine.measure.local_runner import LocalRunner
from engine.measure.run_worker import Job, Reply
from engine.measure.runner import RunRequest, RunResult
from engine.measure.worker_process import WorkerDied, WorkerProcess
from engine.records.errors import TuningError
from engine.records.trial import ErrorKind, Protocol

FAILED = RunResult((), 0.1, error=ErrorKind.RUN_ERROR, error_text="an illegal access")
REQUEST = RunRequest("/nowhere.so", (), Protocol())


class FakeWorker(WorkerProcess):
    """A worker of a device that is `there`; what it measures ends as `end` says."""

    def __init__(self, there: bool, end: str) -> None:
        self.there, self.end = there, end

    def wait_started(self) -> None:
        if not self.there:
            raise TuningError("There is no device cuda:0 on this machine.", "")

    def ask(self, job: Job, timeout_s: float) -> Reply:
        if self.end == "dies":
            raise WorkerDied("SIGSEGV")
        return Reply(tuple(FAILED for _ in job.requests), healthy=self.end == "fails")

    def kill(self) -> None:
        pass

    def close(self) -> None:
        pass


class FakeGpu(LocalRunner):
    """A GPU that is there for its first worker only, unless it `stays`."""

    def __init__(self, end: str, stays: bool) -> None:
        self.end, self.stays, self.started = end, stays, 0
        super().__init__("cuda:0")

    def _how_many(self) -> int:
        return 1

    def _start(self) -> WorkerProcess:
        self.started += 1
        return FakeWorker(self.stays or self.started == 1, self.end)


@pytest.fixture(params=["fails", "spoils", "dies"])
def end(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("stays", [True, False])
def test_a_failure_is_the_candidates_unless_the_device_went_with_it(end: str, stays: bool) -> None:
    runner = FakeGpu(end, stays)
    result = runner.submit(REQUEST).result(60)
    both = FakeGpu(end, stays)
    confirmed = both.confirm((REQUEST, REQUEST)).result(60)
    for one in (result, *confirmed):
        if end == "fails":
            assert one == FAILED
        elif stays:
            assert one.error is (ErrorKind.RUN_CRASH if end == "dies" else ErrorKind.RUN_ERROR)
        else:
            assert one.error is ErrorKind.DEVICE_LOST
            assert "no device cuda:0" in one.error_text
    runner.close()
    both.close()
