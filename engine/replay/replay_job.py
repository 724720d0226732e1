"""An engine that only replays a recording: the console's demo mode and its deterministic tests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from engine.allocation.recording import Recording
from engine.jobs.commands import EngineCommands
from engine.records.errors import TunewrightError, UsageError
from engine.records.events import Failure, Progress
from engine.records.sentences import Sentence
from engine.records.settings import Budget, RunSettings
from engine.records.snapshot import Snapshot
from engine.records.source import ModelSource
from engine.replay.paced_loop import PacedLoop
from engine.replay.recording_file import SUFFIX, load_recording
from engine.replay.replay_session import ReplaySession

_T = TypeVar("_T")


_UNABLE = {
    "look_at_target": UsageError(
        "A replay has the target and the precision of its recording.",
        "Open a model to choose them.",
    ),
    "save_as": UsageError("A replay saves nothing.", "Tune the model itself to have a project."),
    "watch_project": UsageError(
        "A replay shows its recording alone.", "Start Tunewright without a recording."
    ),
    "locate_model": UsageError("A replay needs no model.", "Tune the model itself to have one."),
    "find_spaces": UsageError("A replay has no design spaces.", "Tune the model itself to share."),
    "set_clustering": UsageError("A replay has no clusters.", "Tune the model itself to share."),
    "set_label": UsageError(
        "A replay keeps no names and notes.", "Tune the model itself for that."
    ),
    "set_used": UsageError("A replay keeps no results.", "Tune the model itself to choose."),
    "find_schedule": UsageError(
        "A replay has no kernels.", "Tune the model itself to find stages."
    ),
    "measure_again": UsageError("A replay has no kernels.", "Tune the model itself to measure it."),
    "export": UsageError("A replay exports nothing.", "Tune the model itself to export it."),
    "trial_detail": UsageError("A replay has no schedules.", "Tune the model itself to see them."),
}
_NO_COMMAND = UsageError("A replay cannot do this.", "Tune the model itself for that.")


class ReplayEngine(EngineCommands):
    """Plays instead of tuning, and says so; it needs no TVM.

    `start` opens the recording, `open_model` and `open_project` another one. A recorded second
    takes `1 / speed` seconds, none at all at infinite speed. Commands that need the real model
    raise UsageError.
    """

    def __init__(self, recording: Recording, speed: float = 10.0) -> None:
        if not speed > 0:
            raise UsageError(
                Sentence("A speed of {speed:g} shows nothing.", speed=speed), "Give more than zero."
            )
        super().__init__()
        self._recording = recording
        self._loop = PacedLoop(speed)
        self._thread = threading.Thread(target=self._loop.run_forever, name="replay", daemon=True)
        self._session: ReplaySession | None = None
        self._closed = False

    def start(self) -> None:
        self._thread.start()
        self._submit(self._open(self._recording))

    def shutdown(self, timeout_s: float = 5) -> None:
        if self._closed:
            return
        self._closed = True
        if not self._thread.is_alive():
            self._loop.close()
            return
        self._submit(self._close()).exception(timeout_s)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(timeout_s)
        self._loop.close()

    def open_model(
        self, source: ModelSource, target: str = "auto", project: Path | None = None
    ) -> Future[Snapshot]:
        return self._submit(self._open_file(Path(source.location)))

    def open_project(self, path: Path) -> Future[Snapshot]:
        return self._submit(self._open_file(path))

    def start_run(self, settings: RunSettings) -> Future[int]:
        return self._submit(self._with_session(lambda session: session.start(settings)))

    def resume_run(
        self, budget: Budget | None = None, cluster: str = "", devices: str = ""
    ) -> Future[int]:
        return self._submit(self._with_session(lambda session: session.resume(budget)))

    def pause(self) -> Future[None]:
        return self._submit(self._with_session(lambda session: session.pause()))

    def unpause(self) -> Future[None]:
        return self._submit(self._with_session(lambda session: session.unpause()))

    def stop(self) -> Future[None]:
        return self._submit(self._stop())

    def wait(self) -> Future[None]:
        return self._submit(self._wait(), tell=False)

    def cancel(self) -> Future[None]:
        """Nothing: no command of a replay takes long enough to be taken back."""
        done: Future[None] = Future()
        done.set_result(None)
        return done

    def snapshot(self) -> Future[Snapshot]:
        return self._submit(self._with_session(lambda session: session.show()))

    def close_project(self) -> Future[None]:
        return self._submit(self._close())

    # In the replay's thread

    def _submit(self, command: Coroutine[Any, Any, _T], tell: bool = True) -> Future[_T]:
        return asyncio.run_coroutine_threadsafe(self._answer(command, tell), self._loop)

    def _by_default(self, command: str, *arguments: Any) -> Future[Any]:
        async def refuse() -> NoReturn:
            known = _UNABLE.get(command, _NO_COMMAND)
            raise UsageError(known.what, known.todo)

        return self._submit(refuse(), tell=command != "look_at_target")

    async def _answer(self, command: Coroutine[Any, Any, _T], tell: bool) -> _T:
        try:
            return await command
        except TunewrightError as error:
            if tell:
                self.events.put(Progress(""))
                self.events.put(Failure(error.what, error.todo))
            raise

    async def _open_file(self, path: Path) -> Snapshot:
        if path.suffix.lower() != SUFFIX:
            raise UsageError(
                "A replay opens nothing but recordings.", "Start Tunewright without a recording."
            )
        return await self._open(load_recording(path))

    async def _open(self, recording: Recording) -> Snapshot:
        await self._close()
        self._session = ReplaySession(recording, self._loop, self.events.put)
        return self._session.show()

    async def _close(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.stop()

    async def _stop(self) -> None:
        await self._require_session().stop()

    async def _wait(self) -> None:
        if self._session is not None:
            await self._session.wait()

    async def _with_session(self, call: Callable[[ReplaySession], _T]) -> _T:
        return call(self._require_session())

    def _require_session(self) -> ReplaySession:
        if self._session is None:
            raise UsageError("No recording is open.", "Open one.")
        return self._session
