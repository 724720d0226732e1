"""What the parts of one run share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, TypeVar

from engine.history.history import History
from engine.jobs.clock import Pace, RunClock
from engine.jobs.opening.open_worker import OpenedModel
from engine.jobs.resources import Need, Resources
from engine.measure.runner import Builder, Runner
from engine.project.repository import Project
from engine.records.events import Event
from engine.records.outstanding import Outstanding, StageKind
from engine.records.settings import RunSettings
from engine.search.experience import Experience
from engine.workers.artifacts import ArtifactFolder

_T = TypeVar("_T")


@dataclass(slots=True)
class RunContext:
    """One run of one project. Everything here belongs to the engine's thread but `threads`.

    `build_target` is TVM's JSON text of the target, host included. `gate` is open while the run
    goes on and shut while it is paused. `losses` counts how often its device was lost in a row,
    `failed` says of tasks that are given up why.
    `floor_s` is what the shortest kernel takes on the device, None where nobody knows.
    `searches` are the `SearchPool`'s, which outlive a step, with the `experience` that they share.
    """

    run: int
    project: Project
    model: OpenedModel
    settings: RunSettings
    history: History
    clock: RunClock
    resources: Resources
    builder: Builder
    runner: Runner
    artifacts: ArtifactFolder
    threads: ThreadPoolExecutor
    gate: asyncio.Event
    build_target: str
    emit: Callable[[Event], None]
    outstanding: Outstanding = field(default_factory=Outstanding)
    pace: Pace = field(default_factory=Pace)
    losses: int = 0
    floor_s: float | None = None
    failed: dict[int, str] = field(default_factory=dict)
    searches: dict[Any, Any] = field(default_factory=dict)
    experience: Experience = field(default_factory=Experience)
    _elsewhere: asyncio.Semaphore | None = None

    async def workers_started(self) -> None:
        """Wait until builder and runner can work; TuningError where they never will."""
        await asyncio.to_thread(self.builder.wait_ready)
        await asyncio.to_thread(self.runner.wait_ready)

    @asynccontextmanager
    async def stage(self, need: Need) -> AsyncIterator[None]:
        """Hold what a stage needs, and start it only while the run is not paused.

        The gate is looked at again once the stage's turn has come: a batch that queued before a
        pause would otherwise be built during it.
        """
        while True:
            await self.gate.wait()
            async with self.resources.hold(need):
                if self.gate.is_set():
                    yield
                    return

    @asynccontextmanager
    async def building(self, task: int | None = None) -> AsyncIterator[None]:
        """Hold what a build needs: on other machines one of the builder's places, no core here."""
        if self.builder.is_here:
            async with self.stage(self.needs_build(task)):
                yield
            return
        if self._elsewhere is None:
            self._elsewhere = asyncio.Semaphore(self.builder.width)
        async with self._elsewhere:
            await self.gate.wait()
            yield

    def needs_search(self, task: int | None = None) -> Need:
        """A search: one core, for seconds."""
        return self._need(StageKind.SEARCH, task, cores=1, priority=3, long=True)

    def needs_build(self, task: int | None = None) -> Need:
        """A build: one core, for less than a second on a CPU."""
        return self._need(StageKind.BUILD, task, cores=1, priority=2, brief=True)

    def needs_update(self, task: int | None = None, kind: StageKind = StageKind.LEARNING) -> Need:
        """Training a cost model, or what takes as long: one core."""
        return self._need(kind, task, cores=1, priority=1, brief=True)

    def needs_run(
        self,
        task: int | None = None,
        kind: StageKind = StageKind.MEASUREMENT,
        place: str = "",
    ) -> Need:
        """A measurement: its device alone, and on a CPU of this machine all the cores.

        The device is the target's where `place` names no other one of the run.
        """
        target = self.model.program.target
        device = place or target.place
        alone = self.runner.is_here and not target.is_gpu
        group = "" if self.runner.is_here else device
        cores = self.resources.cores if alone else 1
        return self._need(kind, task, cores=cores, device=device, group=group)

    async def run_whole(self, call: Callable[[], _T]) -> _T:
        """Run a blocking call on the device in a thread, on a core of this machine at least."""
        need = self.needs_run(kind=StageKind.WHOLE)
        if not need.group:
            return await self.resources.run(need, self.threads, call)
        async with self.resources.hold(need):
            here = self._need(StageKind.WHOLE, None, cores=1, long=True)
            return await self.resources.run(here, self.threads, call)

    def _need(self, kind: StageKind, task: int | None, cores: int, **more: Any) -> Need:
        program = self.model.program
        named = None if task is None else program.tasks[task]
        return Need(
            cores,
            kind=kind,
            task=named.name if named else "",
            key=named.fingerprint if named else "",
            target=program.target.title,
            **more,
        )
