"""The parent's side of one measuring worker: start it, ask it, kill it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from engine.measure import run_worker
from engine.measure.run_worker import Job, Reply
from engine.records.errors import Hint, TuningError
from engine.workers.child import exit_text, last_words
from engine.workers.fork_server import ForkServerContext

_START_S = 120.0


class WorkerDied(Exception):
    """The worker ended in the middle of a job; the text says how, and its last words."""


class WorkerHung(Exception):
    """The worker did not answer in time."""


class WorkerProcess:
    """One worker for `device`; it imports TVM while the caller does something else.

    To be used by one thread at a time, but for `kill`.
    """

    def __init__(
        self,
        context: ForkServerContext,
        log_dir: str,
        device: str,
        serve: Callable[..., None] = run_worker.serve,
    ) -> None:
        self._log_dir = log_dir
        self._pipe, pipe = context.Pipe()
        self._process = context.Process(
            target=serve, args=(pipe, log_dir, device), daemon=True, name="run-worker"
        )
        self._process.start()
        pipe.close()
        self._started = False

    def wait_started(self) -> None:
        """Wait until the worker can measure; TuningError where it cannot."""
        if self._started:
            return
        try:
            refusal = self._pipe.recv() if self._pipe.poll(_START_S) else "it does not answer"
        except (EOFError, OSError):
            refusal = self._death()
        if refusal:
            raise TuningError(
                f"The measuring process does not start: {refusal}.",
                "Choose another target, or look under Troubleshooting in the help.",
                Hint.CHECK,
            )
        self._started = True

    def ask(self, job: Job, timeout_s: float) -> Reply:
        """Have a job measured. WorkerHung or WorkerDied: this worker is of no further use."""
        reply: Reply = self.call(job, timeout_s)
        return reply

    def call(self, message: object, timeout_s: float) -> Any:
        """The worker's answer to any message that it knows; raises as `ask` does."""
        try:
            self._pipe.send(message)
            if not self._pipe.poll(timeout_s):
                raise WorkerHung
            return self._pipe.recv()
        except (EOFError, OSError) as error:
            raise WorkerDied(self._death()) from error

    def kill(self) -> None:
        """End the process at once; idempotent."""
        self._process.kill()
        self._process.join()

    def close(self) -> None:
        """Kill it and give back its pipe."""
        self.kill()
        with suppress(OSError):
            self._pipe.close()

    def _death(self) -> str:
        self._process.join(timeout=1.0)
        words = last_words(self._log_dir, self._process.pid)
        return f"it died ({exit_text(self._process.exitcode)}). {words}".strip().rstrip(".")
