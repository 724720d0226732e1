"""An open project, its model once it is needed, and its run or search while one goes on."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from engine.deploy.export import TaskRecord, export_module
from engine.deploy.export_set import ShapeToExport, export_set
from engine.deploy.export_stages import Staging
from engine.deploy.packing.wheel import WheelName, refuse_foreign, write_wheel
from engine.jobs.cancelling import Stopped, run_stoppable, saying
from engine.jobs.host import RunQueue
from engine.jobs.opening.locating import require_there
from engine.jobs.opening.open_worker import OpenedModel
from engine.jobs.opening.opening import open_source
from engine.jobs.records import Records
from engine.jobs.resources import Need, Resources
from engine.jobs.together import end
from engine.jobs.tuning import Tuning
from engine.jobs.verifying.whole import keep_exported
from engine.judge.examining import examine
from engine.measure.build_cache import BuildCache
from engine.project.repository import Project
from engine.records.errors import ProjectError, UsageError
from engine.records.events import Event, ExportDone, Message, Progress
from engine.records.outstanding import StageKind
from engine.records.sentences import Sentence, counting, ended
from engine.records.task import Task, own_tasks
from engine.records.words import Doing, Say
from engine.storage.failures import shown
from engine.targets.targets import TargetSpec, device_missed, resolve


class Search(Protocol):
    """A search for a schedule of stages (`engine.jobs.find_schedule`)."""

    async def stop(self) -> None:
        """End it with the best so far; asked again, without a result."""

    async def end(self) -> None:
        """End it without a result."""


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
    finding: Search | None = None
    queue: RunQueue = field(default_factory=RunQueue)
    builds: BuildCache | None = None

    @property
    def active(self) -> bool:
        """Whether a run goes on, is paused, or is being prepared."""
        return self.task is not None and not self.task.done()

    async def load_model(self) -> OpenedModel:
        """The project's model, read anew where it must be, and checked against its tasks."""
        if self.model is None:
            project = self.project
            stored = own_tasks(project.tasks())
            open_it = partial(_open, project.target, project, stored, self._say)
            need = Need(cores=1, long=True, kind=StageKind.READING)
            await self.libraries()
            model = await run_stoppable(self.resources, need, self.threads, open_it)
            self.emit(Progress(""))
            if _fingerprints(stored) != _fingerprints(model.program.tasks):
                raise ProjectError(
                    Sentence(
                        "The tasks of this project were made by TVM {tvm_version} and are not "
                        "the ones that this version makes of the model.",
                        tvm_version=project.tvm_version,
                    ),
                    "Start a new project from the model; this one stays readable.",
                )
            project.add_file_nodes(model.file_nodes)
            self.model = model
            found = model.program.target
            if missed := device_missed(found, project.device, project.device_uuid):
                self.emit(Message("warning", missed))
        tasks = self.project.tasks()
        if len(tasks) != len(self.model.program.tasks):
            self.model = await self._with_merges(self.model, tasks)
        return self.model

    async def _with_merges(self, model: OpenedModel, tasks: tuple[Task, ...]) -> OpenedModel:
        """The model with the project's merged operators."""
        from engine.ios.merges import with_merges

        self.emit(Progress(Doing.MERGING))
        call = partial(with_merges, model.program, tasks)
        try:
            need = Need(cores=1, long=True, kind=StageKind.READING)
            program = await self.resources.run(need, self.threads, call)
        finally:
            self.emit(Progress(""))
        return replace(model, program=program)

    async def export(
        self,
        directory: Path,
        wheel: WheelName | None = None,
        pads: Mapping[str, float] | None = None,
    ) -> dict[str, Any]:
        """Compile with the best records into `directory`, and a wheel of it; the manifest. Of a set
        of shapes `pads` says what inputs may be padded with to a larger one.

        Where the device is elsewhere, and not there now, what needs it is left out: records that
        were not compared, the latency, and the comparison of outputs. Sets of shapes need it.
        """
        if wheel is not None:
            if self.project.source.more:
                raise UsageError(
                    "A wheel holds one shape, and this project has several.",
                    "Export the folder, which holds all of them.",
                )
            refuse_foreign(directory, wheel)
        model = await self.load_model()
        several = bool(self.project.source.more)
        if pads and not several:
            raise UsageError(
                "The project has one shape, and nothing to be padded to.", "Leave padding out."
            )
        target = model.program.target
        alone = bool(target.remote) and not self.active and not several
        records = Records.of(self.project, checked=alone)
        found = records.snapshot.schedule
        staging = None if found is None else Staging(found, records.by_fingerprint)

        def call(stopped: Stopped) -> dict[str, Any]:
            if several:
                return export_set(
                    _shapes_to_export(model, records),
                    _task_records(records),
                    records.history.share_tuned(),
                    directory,
                    examine,
                    saying(self._say, stopped),
                    pads,
                    model.source.precision,
                )
            manifest = export_module(
                model.prepared,
                model.program,
                _task_records(records),
                records.history.share_tuned(),
                records.snapshot.reference_latency_s,
                directory,
                examine,
                saying(self._say, stopped),
                staging,
                model.source.precision,
                alone,
                _unchecked_text(records.unchecked),
            )
            if wheel is not None:
                write_wheel(directory, wheel, manifest)
            return manifest

        whole = Need(self.resources.cores, target.place, long=True, kind=StageKind.WHOLE)
        try:
            async with self.device_elsewhere(target):
                manifest = await run_stoppable(self.resources, whole, self.threads, call)
        finally:
            self.emit(Progress(""))
        if (schedule := manifest["schedule"]) is not None and not schedule["used"]:
            level = "info" if schedule["way"] == "sequential" else "warning"
            text = Sentence(
                "The export runs one operator after another: {reason}",
                reason=ended(schedule["reason"]),
            )
            self.emit(Message(level, text))
        if manifest["left_out"]:
            self.emit(Message("warning", Sentence.of(manifest["left_out"])))
        self.project.add_export(str(directory.resolve()), manifest)
        keep_exported(self.project, self.emit, records, manifest)
        self.emit(ExportDone(str(directory), manifest))
        return manifest

    def device_elsewhere(self, target: TargetSpec) -> AbstractAsyncContextManager[None]:
        """Hold the target's device where it is another machine's; one of this is held anyway."""
        if not target.remote:
            return nullcontext()
        need = Need(1, target.place, kind=StageKind.WHOLE, group=target.place)
        return self.resources.hold(need)

    async def require_idle(self) -> None:
        """UsageError where a run or a search for a schedule goes on. A run that has said that it
        ended is waited for: it clears away its workers after that."""
        if self.finding is not None:
            raise UsageError("A search for a schedule goes on.", "Stop it first.")
        while self.task is not None and not self.task.done():
            if self.tuning is None or self.tuning.state.active:
                raise UsageError("A run goes on.", "Stop it first.")
            await asyncio.wait([self.task])

    def require_writable(self) -> None:
        """ProjectError where the project can only be looked at."""
        if self.project.is_read_only:
            raise ProjectError(
                Sentence(
                    "{path} cannot be written here, and is only shown.",
                    path=shown(self.project.path),
                ),
                "Save a copy under another name: that can be tuned.",
            )

    def require_ready(self) -> None:
        """The same, and ModelMissing where the model would have to be read and is not there."""
        self.require_writable()
        if self.model is None:
            require_there(self.project.source)

    async def stop(self) -> None:
        """End the run or the search, if there is one, and wait for it."""
        if self.finding is not None:
            await self.finding.end()
        if self.task is not None:
            await end(self.task)

    def turn(self, device: str) -> AbstractAsyncContextManager[None]:
        """Hold a device inside the block, before all other projects that are open."""
        return self.queue.turn(device, self.project.path.name, self._say)

    def _say(self, text: str, about: str = "") -> None:
        self.emit(Progress(text, about=about))


NO_FASTER = "no schedule measured faster than the untuned kernel"


def _shapes_to_export(model: OpenedModel, records: Records) -> list[ShapeToExport]:
    snapshot = records.snapshot
    return [
        ShapeToExport(
            shape.label,
            shape.frequency,
            one.prepared,
            one.program,
            snapshot.of_shape(place).reference_latency_s,
        )
        for place, (shape, one) in enumerate(zip(snapshot.shapes, model.each, strict=True))
    ]


def _unchecked_text(count: int) -> Sentence:
    """How many tasks are exported without their best schedules; nothing where none is."""
    if not count:
        return Sentence("")
    return counting(
        count,
        "{n:,} task is exported without its best schedule, which was not compared with the untuned "
        "kernel.",
        "{n:,} tasks are exported without their best schedules, which were not compared with the "
        "untuned kernels.",
    )


def _task_records(records: Records) -> dict[int, TaskRecord]:
    return {
        task.index: TaskRecord(
            name=task.name,
            weight=task.weight,
            flops=task.flops,
            latency_s=records.history.now(task.index),
            trace=records.traces.get(task.index, ""),
            note=NO_FASTER if records.history.stays_untuned(task.index) else "",
        )
        for task in records.snapshot.tasks
    }


def _fingerprints(tasks: Sequence[Task]) -> set[str]:
    return {task.fingerprint for task in tasks}


def _open(
    target: str,
    project: Project,
    stored: Sequence[Task],
    say: Say,
    stopped: Stopped,
) -> OpenedModel:
    """The model with the names of blocks that the project's traces go by.

    Projects of earlier versions have tasks for concatenations that are written in place now.
    """
    from engine.tasks.block_names import with_names_of
    from engine.tasks.extract import extract

    here = resolve(target, project.device, project.device_uuid)
    model = open_source(project.source, here, say, stopped=stopped)
    program = model.program
    if len(stored) > len(program.tasks) and not model.others:
        program = extract(program.module, program.target, whole=True)
    pairs = zip(program.workloads, program.tasks, stored, strict=False)
    workloads = tuple(
        with_names_of(workload, old.workload) if new.fingerprint == old.fingerprint else workload
        for workload, new, old in pairs
    )
    if len(workloads) != len(program.workloads):
        return model  # of other tasks, which the caller refuses
    others = tuple(
        replace(one, program=replace(one.program, workloads=workloads)) for one in model.others
    )
    return replace(model, program=replace(program, workloads=workloads), others=others)
