"""What the engines of one process share: a thread with its loop, helpers, cores and devices."""

from __future__ import annotations

import asyncio
import importlib
import threading
from collections.abc import AsyncIterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress

from engine.jobs.opening.isolation import warm_up
from engine.jobs.resources import Resources
from engine.records.errors import Hint, TuningError
from engine.records.machine import prepare_environment, usable_cores
from engine.records.sentences import Sentence
from engine.records.words import Doing, Say
from engine.storage.notes import sweep
from engine.workers.memory import keep_libraries

_THREADS = 64  # a run waits in up to eight of them; they begin as they are needed
_LIBRARIES = (
    "tvm.relax.frontend.onnx",
    "tvm.s_tir.meta_schedule",
    "onnxslim",
    "xgboost",
    "scipy.optimize",
)


def load_libraries() -> None:
    """Import what a run needs in this thread; TuningError where one does not load.

    Loading a library holds the interpreter for 0.1 s and more: that would stall the window in
    the middle of a run. The server of the workers that open models imports its own meanwhile.
    """
    sweep()
    with suppress(OSError):  # what opens a model says it
        warm_up()
    for name in _LIBRARIES:
        try:
            importlib.import_module(name)
        except (ImportError, OSError) as error:
            raise TuningError(
                Sentence(
                    "The library {value} does not load: {error}.",
                    value=name.partition(".")[0],
                    error=error,
                ),
                "The help says under Troubleshooting what may be missing.",
                Hint.CHECK,
            ) from error
    keep_libraries()


class Host:
    """Begins with the first engine that enters and ends with the last one that leaves.

    `enter` and `leave` are the main thread's; everything else belongs to the loop.
    """

    loop: asyncio.AbstractEventLoop
    threads: ThreadPoolExecutor
    loaded: Future[None]

    def __init__(self) -> None:
        self.queue = RunQueue()
        self.resources: Resources | None = None
        self._thread: threading.Thread | None = None
        self._engines = 0

    @property
    def alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread is not None and self._thread.is_alive()

    def enter(self) -> None:
        """Be used by one more engine."""
        self._engines += 1
        if self._engines == 1:
            prepare_environment()
            self.loop = asyncio.new_event_loop()
            self.threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="stage")
            self._thread = threading.Thread(target=self._serve, name="engine", daemon=True)
            self._thread.start()
            self.loaded = self.threads.submit(load_libraries)

    def leave(self, timeout_s: float) -> None:
        """Be used by one engine less; the last one ends the thread."""
        self._engines -= 1
        if self._engines or self._thread is None:
            return
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(timeout_s)
        self.threads.shutdown(wait=False, cancel_futures=True)
        if not self.alive:
            self.loop.close()

    def _serve(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.resources = Resources(usable_cores())
        self.loop.run_forever()


class RunQueue:
    """Lets one run or search have a device at a time; the others wait in order of arrival.

    Measurements of two runs would not disturb each other, as `Resources` sees to that, but each
    would spend the other's budget of time.
    """

    def __init__(self) -> None:
        self._locks: dict[str, asyncio.Lock] = {}
        self._holders: dict[str, str] = {}

    @asynccontextmanager
    async def turn(
        self, device: str, name: str, say: Say = lambda *said: None
    ) -> AsyncIterator[None]:
        """Hold `device` inside the block; `say` tells whom it waits for, and "" at the end."""
        lock = self._locks.setdefault(device, asyncio.Lock())
        if lock.locked():
            say(Doing.WAITING, self._holders[device])
            try:
                await lock.acquire()
            finally:
                say("")
        else:
            await lock.acquire()
        try:
            self._holders[device] = name
            yield
        finally:
            lock.release()
