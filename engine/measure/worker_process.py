"""The parent's side of one measuring worker: start it, ask it, kill it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from engine.measure import run_worker
from engine.measure.run_worker import Job, Reply
from engine.records.errors import Hint, TuningError
from engine.records.sentences import Sentence
from engine.workers.child import exit_text, is_halted, last_words, was_killed
from engine.workers.fork_server import ForkServerContext

_START_S = 120.0
_JOIN_S = 1.0  # for a server to tell how its child ended
_LOOK_S = 0.5


class WorkerDied(Exception):
    """The worker ended in the middle of a job; the text says how, and its last words. `killed`:
    somebody ended or halted it, which is no fault of the job's."""

    def __init__(self, text: str, *, killed: bool = False) -> None:
        super().__init__(text)
        self.killed = killed


class WorkerHung(Exception):
    """The worker did not answer in time."""


class WorkerProcess:
    """One worker for `device`; it imports TVM while the caller does something else.

    To be used by one thread at a time, but for `kill`. `killed`: it did not start as somebody
    ended it.
    """

    killed = False

    def __init__(
        self,
        context: ForkServerContext,
        log_dir: str,
        device: str,
        serve: Callable[..., None] = run_worker.serve,
    ) -> None:
        self._log_dir = log_dir
        self._process, self._pipe = context.piped(serve, log_dir, device, name="run-worker")
        self._started = False

    def wait_started(self) -> None:
        """Wait until the worker can measure; TuningError where it cannot."""
        if self._started:
            return
        try:
            refusal = self._await(_START_S)
        except WorkerHung:
            refusal = Sentence("it does not answer")
        except WorkerDied as error:
            refusal = f"{error}"
            self.killed = error.killed
        except (EOFError, OSError):
            refusal = self._death()
            self.killed = was_killed(self._process.exitcode)
        if refusal:
            raise TuningError(
                Sentence("The measuring process does not start: {refusal}.", refusal=refusal),
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
            return self._await(timeout_s)
        except (EOFError, OSError) as error:
            text = self._death()
            raise WorkerDied(text, killed=was_killed(self._process.exitcode)) from error

    def _await(self, timeout_s: float) -> Any:
        """What the worker sends next. Time is counted in looks, so that a halt of this process is
        none of the worker's time."""
        left_s = timeout_s
        while not self._pipe.poll(min(left_s, _LOOK_S)):
            if is_halted(self._process.pid):
                raise WorkerDied("it was halted", killed=True)
            left_s -= _LOOK_S
            if left_s <= 0:
                raise WorkerHung
        return self._pipe.recv()

    def kill(self) -> None:
        """End the process at once; idempotent."""
        self._process.kill()
        self._process.join(_JOIN_S)

    def close(self) -> None:
        """Kill it and give back its pipe."""
        self.kill()
        with suppress(OSError):
            self._pipe.close()

    def _death(self) -> str:
        self._process.join(_JOIN_S)
        words = last_words(self._log_dir, self._process.pid)
        return f"it died ({exit_text(self._process.exitcode)}). {words}".strip().rstrip(".")
