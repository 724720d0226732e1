"""The parent's side of one build worker."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from engine.measure import build_worker
from engine.measure.runner import BuildRequest, BuildResult
from engine.workers.child import is_halted, last_words
from engine.workers.fork_server import ForkServerContext

if TYPE_CHECKING:
    import psutil

_JOIN_S = 1.0  # for a server to tell how its child ended


class BuildProcess:
    """One worker, which starts in the background; OSError where none could be started."""

    def __init__(
        self,
        context: ForkServerContext,
        log_dir: str,
        work: Callable[[BuildRequest], BuildResult],
        cpu_s: float,
    ) -> None:
        self._log_dir = log_dir
        self._process, self.pipe = context.piped(
            build_worker.serve, log_dir, work, cpu_s, name="build-worker"
        )
        self._cpu_s = -1.0
        self._still = 0

    def begin(self, request: BuildRequest) -> None:
        """Give it a candidate. OSError where it is dead."""
        self._cpu_s, self._still = -1.0, 0
        self.pipe.send(request)

    def looks_still(self) -> int:
        """How many times in a row this was asked while no processor time was taken by the worker
        and its children."""
        taken = self._taken_s()
        self._still = 0 if taken > self._cpu_s else self._still + 1
        self._cpu_s = taken
        return self._still

    def halted(self) -> bool:
        """Whether somebody stopped it (SIGSTOP) and did not let it go on."""
        return is_halted(self._process.pid)

    def end(self) -> int | None:
        """Kill it where it lives; how it ended, None where nobody knows."""
        self._process.join(_JOIN_S)
        code = self._process.exitcode
        self.close()
        return code

    def close(self) -> None:
        """Kill it, with a linker or compiler that it waits for, and give back its pipe."""
        import psutil

        self.pipe.close()
        tools = self._tools()
        self._process.kill()
        for tool in tools:
            with suppress(psutil.Error):
                tool.kill()
        self._process.join(_JOIN_S)

    def last_words(self) -> str:
        """The first meaningful line that it printed."""
        return last_words(self._log_dir, self._process.pid)

    def _tools(self) -> list[psutil.Process]:
        """What it has started and waits for."""
        import psutil

        with suppress(psutil.Error):
            return list(psutil.Process(self._process.pid).children(recursive=True))
        return []

    def _taken_s(self) -> float:
        import psutil

        seconds = 0.0
        with suppress(psutil.Error):
            for each in (psutil.Process(self._process.pid), *self._tools()):
                seconds += sum(each.cpu_times())  # those of children that have ended included
        return seconds
