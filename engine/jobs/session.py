"""An open project, its model once it is needed, and its run while one goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from engine.deploy.export import TaskRecord, export_module
from engine.errors import ProjectError, UsageError
from engine.events import Event, ExportDone, Progress
from engine.history import History
from engine.jobs.opening import OpenedModel, open_source
from engine.jobs.records import best_records
from engine.jobs.resources import Need, Resources
from engine.jobs.tuning import Tuning
from engine.project.repository import Project
from engine.tasks.targets import resolve


@dataclass(slots=True)
class Session:
    """Belongs to the engine's thread. `model` is None until a command needs TVM, for which
    `libraries` waits."""

    project: Project
    resources: Resources
    threads: ThreadPoolExecutor
    emit: Callable[[Event], None]
    libraries: Callable[[], Awaitable[None]]
    model: OpenedModel | None = None
    tuning: Tuning | None = None
    task: asyncio.Task[None] | None = None

    @property
    def active(self) -> bool:
        """Whether a run goes on, is paused, or is being prepared."""
        return self.task is not None and not self.task.done()

    async def load_model(self) -> OpenedModel:
        """The project's model, read anew and checked against the project's tasks."""
        if self.model is None:
            project = self.project
            open_it = partial(_open, project.target, project, self._say)
            need = Need(cores=1, long=True)
            await self.libraries()
            model = await self.resources.run(need, self.threads, open_it)
            self.emit(Progress(""))
            known = {task.fingerprint for task in project.tasks()}
            if known != {task.fingerprint for task in model.program.tasks}:
                raise ProjectError(
                    f"The tasks of this project were made by TVM {project.tvm_version} and are "
                    "not the ones that this version makes of the model.",
                    "Start a new project from the model; this one stays readable.",
                )
            self.model = model
        return self.model

    async def export(self, directory: Path) -> dict[str, Any]:
        """Compile with the best records into `directory`; the manifest."""
        model = await self.load_model()
        snapshot = self.project.snapshot()
        history = History(snapshot)
        trials = best_records(self.project)
        records = {
            task.index: TaskRecord(
                name=task.name,
                weight=task.weight,
                flops=task.flops,
                latency_s=history.now(task.index),
                trace=trials[task.index].trace if task.index in trials else "",
            )
            for task in snapshot.tasks
        }
        call = partial(
            export_module,
            model.prepared,
            model.program,
            records,
            history.share_tuned(),
            snapshot.reference_latency_s,
            directory,
            self._say,
        )
        whole = Need(cores=self.resources.cores, device=model.program.target.device, long=True)
        try:
            manifest = await self.resources.run(whole, self.threads, call)
        finally:
            self.emit(Progress(""))
        self.project.add_export(str(directory.resolve()), manifest)
        self.emit(ExportDone(str(directory), manifest))
        return manifest

    async def require_idle(self) -> None:
        """UsageError where a run goes on. One that has said that it ended is waited for: it
        clears away its workers after that."""
        while self.task is not None and not self.task.done():
            if self.tuning is None or self.tuning.state.active:
                raise UsageError("A run goes on.", "Stop it first.")
            await asyncio.wait([self.task])

    async def stop(self) -> None:
        """End the run, if there is one, and wait for it."""
        if self.task is not None and not self.task.done():
            self.task.cancel()
            await asyncio.wait([self.task])

    def _say(self, text: str) -> None:
        self.emit(Progress(text))


def _open(target: str, project: Project, say: Callable[[str], None]) -> OpenedModel:
    return open_source(project.source, resolve(target), say)
