"""An engine that only replays a recording: the console's demo mode and its deterministic tests."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from engine.jobs.event_queue import EventQueue
from engine.records.clustering import Clustering
from engine.records.errors import TunewrightError, UsageError
from engine.records.events import Failure, Progress
from engine.records.labels import Label, Subject
from engine.records.machine import TargetSpec
from engine.records.recording import Recording
from engine.records.schedule import IosOptions
from engine.records.settings import Budget, RunSettings
from engine.records.snapshot import Snapshot
from engine.records.source import ModelSource
from engine.records.space import DesignSpace
from engine.replay.paced_loop import PacedLoop
from engine.replay.recording_file import SUFFIX, load_recording
from engine.replay.replay_session import ReplaySession

_T = TypeVar("_T")


class ReplayEngine:
    """Has the engine's commands, plays instead of tuning, and says so; it needs no TVM.

    Commands may be called from any thread; each returns a future at once. `start` opens the
    recording. A recorded second takes `1 / speed` seconds, none at all at infinite speed.
    Commands that need the real model raise UsageError, after a `Failure` event said the same.
    """

    def __init__(self, recording: Recording, speed: float = 10.0) -> None:
        if not speed > 0:
            raise UsageError(f"A speed of {speed:g} shows nothing.", "Give more than zero.")
        self.events = EventQueue()
        self._recording = recording
        self._loop = PacedLoop(speed)
        self._thread = threading.Thread(target=self._loop.run_forever, name="replay", daemon=True)
        self._session: ReplaySession | None = None
        self._closed = False

    def start(self) -> None:
        """Start the thread and open the recording."""
        self._thread.start()
        self._submit(self._open(self._recording))

    def shutdown(self, timeout_s: float = 5) -> None:
        """Stop a run that goes on and end the thread; idempotent."""
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

    def look_at_target(self, target: str) -> Future[TargetSpec]:
        """UsageError: it has the recording's target."""
        what = "A replay has the target and the precision of its recording."
        return self._refuse(what, "Open a model to choose them.", tell=False)

    def open_model(
        self, source: ModelSource, target: str = "auto", project: Path | None = None
    ) -> Future[Snapshot]:
        """Open another recording; UsageError for a model."""
        return self._submit(self._open_file(Path(source.location)))

    def open_project(self, path: Path) -> Future[Snapshot]:
        """Open another recording; UsageError for a project."""
        return self._submit(self._open_file(path))

    def start_run(self, settings: RunSettings) -> Future[int]:
        """Replay what is left of the recording under the settings' policy and budget."""
        return self._submit(self._with_session(lambda session: session.start(settings)))

    def resume_run(self, budget: Budget | None = None) -> Future[int]:
        """Go on with the last run, or with its settings under another budget; the run's id."""
        return self._submit(self._with_session(lambda session: session.resume(budget)))

    def pause(self) -> Future[None]:
        """Hold the recording's clock."""
        return self._submit(self._with_session(lambda session: session.pause()))

    def unpause(self) -> Future[None]:
        """Let the clock run again."""
        return self._submit(self._with_session(lambda session: session.unpause()))

    def stop(self) -> Future[None]:
        """End the run; what was shown stays."""
        return self._submit(self._stop())

    def wait(self) -> Future[None]:
        """Done when no run goes on; raises what a run failed with."""
        return self._submit(self._wait(), tell=False)

    def cancel(self) -> Future[None]:
        """Nothing: no command of a replay takes long enough to be taken back."""
        done: Future[None] = Future()
        done.set_result(None)
        return done

    def export(self, directory: Path) -> Future[dict[str, Any]]:
        """UsageError: there is no model here."""
        return self._refuse("A replay exports nothing.", "Tune the model itself to export it.")

    def save_as(self, path: Path) -> Future[None]:
        """UsageError: there is no project here."""
        return self._refuse("A replay saves nothing.", "Tune the model itself to have a project.")

    def trial_detail(self, number: int) -> Future[dict[str, str]]:
        """UsageError: a recording has no schedules."""
        return self._refuse("A replay has no schedules.", "Tune the model itself to see them.")

    def snapshot(self) -> Future[Snapshot]:
        """The recording as a project."""
        return self._submit(self._with_session(lambda session: session.show()))

    def find_spaces(self) -> Future[tuple[DesignSpace, ...]]:
        """UsageError: a recording has no workloads."""
        return self._refuse("A replay has no design spaces.", "Tune the model itself to share.")

    def set_clustering(self, clustering: Clustering) -> Future[None]:
        """UsageError: there is no project here."""
        return self._refuse("A replay has no clusters.", "Tune the model itself to share.")

    def set_label(self, subject: Subject, label: Label) -> Future[None]:
        """UsageError: there is no project here."""
        return self._refuse("A replay keeps no names and notes.", "Tune the model itself for that.")

    def set_used(self, run: int, used: bool) -> Future[None]:
        """UsageError: there is no project here."""
        return self._refuse("A replay keeps no results.", "Tune the model itself to choose.")

    def find_schedule(self, options: IosOptions) -> Future[Any]:
        """UsageError: a recording has no kernels."""
        return self._refuse("A replay has no kernels.", "Tune the model itself to find stages.")

    def close_project(self) -> Future[None]:
        """Stop the run and put the recording away."""
        return self._submit(self._close())

    # In the replay's thread

    def _submit(self, command: Coroutine[Any, Any, _T], tell: bool = True) -> Future[_T]:
        return asyncio.run_coroutine_threadsafe(self._answer(command, tell), self._loop)

    def _refuse(self, what: str, todo: str, tell: bool = True) -> Future[Any]:
        async def refuse() -> NoReturn:
            raise UsageError(what, todo)

        return self._submit(refuse(), tell)

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
