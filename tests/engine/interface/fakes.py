"""An engine that answers at once, and remembers what it was asked."""

from __future__ import annotations

from concurrent.futures import Future
from dataclasses import replace
from typing import Any

from engine.jobs.commands import EngineCommands
from engine.records.events import Message
from engine.records.settings import RunSettings, RunState
from engine.records.snapshot import RunInfo, Snapshot
from tests.samples import make_task

PROJECT = Snapshot("/made/tiny.tune", "tiny", "tiny.onnx", "llvm", (make_task(0, "conv", None),),
                   (), (), (RunInfo(1, RunState.FINISHED, RunSettings(seed=5), 0.0),))  # fmt: skip


def answered(value: Any) -> Future[Any]:
    """A future that is done."""
    made: Future[Any] = Future()
    made.set_result(value)
    return made


_ANSWERS = {
    "open_model": replace(PROJECT, runs=()),
    "open_project": PROJECT,
    "start_run": 2,
    "resume_run": 1,
    "export": {"latency_s": 1e-3},
}


class AnsweringEngine(EngineCommands):
    """Has one project, whatever is opened."""

    def __init__(self) -> None:
        super().__init__()
        AnsweringEngine.last = self
        self.asked: list[tuple[Any, ...]] = []

    def start(self) -> None:
        self.asked.append(("start",))

    def shutdown(self, timeout_s: float = 5) -> None:
        self.asked.append(("shutdown",))

    def wait(self) -> Future[None]:
        self.events.put(Message("info", "done"))
        return answered(None)

    def _by_default(self, command: str, *arguments: Any) -> Future[Any]:
        self.asked.append((command, *arguments))
        return answered(_ANSWERS.get(command))

    def call(self, name: str) -> Any:
        """The arguments of the last call of that name."""
        return next(call[1:] for call in reversed(self.asked) if call[0] == name)

    @property
    def names(self) -> list[str]:
        """What was asked, in order."""
        return [call[0] for call in self.asked]

    last: AnsweringEngine
