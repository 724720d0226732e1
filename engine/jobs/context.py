"""What the parts of one run share."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from engine.events import Event
from engine.history import History
from engine.jobs.clock import RunClock
from engine.jobs.opening import OpenedModel
from engine.jobs.outstanding import Outstanding
from engine.jobs.resources import Need, Resources
from engine.jobs.settings import RunSettings
from engine.measure.artifacts import ArtifactFolder
from engine.measure.runner import Builder, Runner
from engine.project.repository import Project


@dataclass(slots=True)
class RunContext:
    """One run of one project. Everything here belongs to the engine's thread but `threads`.

    `build_target` is TVM's JSON text of the target, host included. `gate` is open while the run
    goes on and shut while it is paused. `losses` counts how often its device was lost in a row.
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
    losses: int = 0

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

    def needs_search(self) -> Need:
        """A search: one core, for seconds."""
        return Need(cores=1, priority=3, long=True)

    def needs_build(self) -> Need:
        """A build: one core, for less than a second on a CPU."""
        return Need(cores=1, priority=2, brief=True)

    def needs_update(self) -> Need:
        """Training a cost model: one core."""
        return Need(cores=1, priority=1, brief=True)

    def needs_run(self) -> Need:
        """A measurement: its device alone, and on a CPU of this machine all the cores."""
        target = self.model.program.target
        alone = self.runner.is_here and not target.is_gpu
        return Need(self.resources.cores if alone else 1, device=target.place, priority=0)
