"""The contract of builders and runners, and the plain data that goes in and out of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace

from engine.measure.comparing import Comparison
from engine.records.task import TensorSpec
from engine.records.trial import (
    BoardState,
    ErrorKind,
    Measured,
    Protocol,
    measured_of,
    mostly_disturbed,
)


@dataclass(frozen=True, slots=True)
class BuildRequest:
    """A scheduled module (TVM's JSON text), its target (TVM's JSON text), where the library goes.

    `artifact` is a path that no library has had before: TVM does not load a reused path again.
    A library that is `whole` takes its weights as the task does, and rewrites them in each call.
    `kernel` is the name of the program's function that it may become: a GPU's code is named so.
    """

    module: str
    target: str
    artifact: str
    whole: bool = False
    kernel: str = ""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """A library at `artifact`, or an error; `seconds` is the time in the worker."""

    artifact: str | None
    seconds: float
    error: ErrorKind | None = None
    error_text: str = ""


@dataclass(frozen=True, slots=True)
class RunRequest:
    """A built library to measure: its arguments in order, `best_s` the best latency known.

    `place` is the device that a runner with several reserved for it. `weights`: which arguments
    are the model's constants; `model_bytes`: what it reads of them in one inference.
    """

    artifact: str
    args: tuple[TensorSpec, ...]
    protocol: Protocol
    best_s: float | None = None
    place: str = ""
    weights: tuple[int, ...] = ()
    model_bytes: int = 0


@dataclass(frozen=True, slots=True)
class RunResult:
    """Latency samples in seconds, or an error. `cut`: stopped early, far slower than the best.

    `place` is the device where there are several. `load` is what other programs had meanwhile of
    the cores that kernels use, None where nobody watched. `in_graph`: the calls followed each other
    in a CUDA Graph, as in a module, without the host's time for launches. `board` is what a board
    said of itself right afterwards."""

    samples: tuple[float, ...]
    seconds: float
    cut: bool = False
    error: ErrorKind | None = None
    error_text: str = ""
    place: str = ""
    load: float | None = None
    in_graph: bool = False
    board: BoardState | None = None

    @property
    def measured(self) -> Measured:
        """What its samples say, of which there is at least one."""
        throttled = self.board is not None and bool(self.board.throttled)
        return replace(measured_of(self.samples, self.load), throttled=throttled)


def were_disturbed(results: Sequence[RunResult]) -> bool:
    """Whether other programs, a hot board, or most samples say that something else was measured
    as well."""
    return mostly_disturbed([result.measured for result in results if result.samples])


class Builder(ABC):
    """Turns scheduled modules into libraries, in worker processes.

    `submit` may be called from any thread and returns at once. A future always ends in a
    BuildResult: a crash, a hang and a compiler's error cost one candidate and come back by kind.
    It raises TuningError where nothing will be built any more. A cancelled future frees its worker.
    `is_here` says whether builds take cores of this machine; else `width` of them go on at once.
    """

    is_here = True
    width = 1

    def wait_ready(self, timeout: float | None = None) -> bool:
        """Wait until it can build, at most so many seconds; TuningError where it never will."""
        return True

    @abstractmethod
    def submit(self, request: BuildRequest) -> Future[BuildResult]:
        """Queue one candidate."""

    @abstractmethod
    def close(self) -> None:
        """Stop the workers, whatever they do; idempotent."""


class Runner(ABC):
    """Measures libraries on one device, one at a time.

    `submit` may be called from any thread and returns at once; a future always ends in a
    RunResult. A cancelled one frees the device soon, also while it is measured.

    `confirm` measures several libraries of one task in turns (a sample of each, round
    after round), so that drift of the machine meets all of them alike. `check` compares what
    libraries compute. `is_here` says whether what else this machine does disturbs the measurements.
    """

    is_here = True

    def reserve(self, task: int) -> str | None:
        """The name of the device for the next measurement of a task (an index), "" for the run's
        only one, None where what may measure the task is lost. `release` it afterwards."""
        return ""

    def release(self, place: str) -> None:  # noqa: B027  # with one device there is nothing to do
        """A reserved measurement is over."""

    def serves(self, task: int) -> bool:
        """Whether a device is left that may measure a task."""
        return True

    @property
    def alone(self) -> bool:
        """Whether no other device is left where one was lost."""
        return True

    def wait_ready(self, timeout: float | None = None) -> bool:
        """Wait until it can measure, at most so many seconds; TuningError where it never will."""
        return True

    @abstractmethod
    def submit(self, request: RunRequest) -> Future[RunResult]:
        """Queue one measurement."""

    @abstractmethod
    def confirm(self, requests: tuple[RunRequest, ...]) -> Future[tuple[RunResult, ...]]:
        """Queue an interleaved measurement; one result for each request, in order."""

    @abstractmethod
    def check(
        self, requests: tuple[RunRequest, ...], comparison: Comparison
    ) -> Future[tuple[RunResult, ...]]:
        """Queue a comparison of whole libraries with the first of them, on the same arguments.

        Results have no samples. One that computes something else is a WRONG_RESULT; where the
        first has an error, nothing is known of the others.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop the worker, whatever it does; idempotent."""
