"""The engine: one thread with an asyncio loop, commands in, events out."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from engine.deploy.packing.wheel import WheelName
from engine.jobs.cancelling import Cancelled, Cancelling, Stopped, run_stoppable
from engine.jobs.commands import EngineCommands
from engine.jobs.find_schedule import Ended, find_schedule
from engine.jobs.host import Host, RunQueue
from engine.jobs.opening.locating import located_model
from engine.jobs.opening.open_worker import OpenedModel
from engine.jobs.opening.opening import open_source
from engine.jobs.opening.places import default_project_path
from engine.jobs.resources import Need, Resources
from engine.jobs.session import Session
from engine.jobs.starting import check_records, run_to_end
from engine.jobs.steps.spaces import find_spaces
from engine.jobs.steps.steps import options_of
from engine.jobs.together import beside
from engine.jobs.verifying.measuring_again import measure_again
from engine.measure.build_cache import BuildCache
from engine.measure.remote.given import require_all_given
from engine.models.sketch import sketch_of
from engine.project.repository import Project
from engine.records.clustering import Clustering
from engine.records.errors import DeviceMissing, TunewrightError, UsageError
from engine.records.events import (
    ClustersChanged,
    Failure,
    LabelChanged,
    Message,
    ModelSeen,
    Progress,
    ProjectOpened,
    ProjectSaved,
    RunChanged,
    RunStarted,
)
from engine.records.labels import Label, Subject
from engine.records.outstanding import StageKind
from engine.records.schedule import FoundSchedule, IosOptions
from engine.records.sentences import Sentence
from engine.records.settings import Budget, RunSettings, RunState
from engine.records.snapshot import Figure, Snapshot
from engine.records.source import ModelSource
from engine.records.space import DesignSpace
from engine.storage.refusals import explained
from engine.storage.sqlite_file import located
from engine.targets.targets import TargetSpec, resolve
from engine.watching.address import parse_watched
from engine.watching.following import Following

_log = logging.getLogger(__name__)
_T = TypeVar("_T")


class Engine(EngineCommands):
    """Carries the commands out, in the thread of its `host`.

    Engines of one host, each with a project of its own, take turns on cores and devices; that of a
    `job` does so as the queue of jobs says, whose `turns` it has, and perhaps its `builds`.
    """

    def __init__(
        self,
        host: Host | None = None,
        job: str = "",
        turns: RunQueue | None = None,
        builds: BuildCache | None = None,
    ) -> None:
        super().__init__()
        self._host = host or Host()
        self._job = job
        self._turns = turns or self._host.queue
        self._builds = builds
        self._session: Session | None = None
        self._following: Following | None = None
        self._cancelling = Cancelling()
        self._entered = False

    def start(self) -> None:
        self._host.enter()
        self._entered = True

    def shutdown(self, timeout_s: float = 5) -> None:
        if not self._entered:
            return
        self._entered = False
        with suppress(TimeoutError, CancelledError):
            self._submit(self._close_project()).exception(timeout_s)
        self._host.leave(timeout_s)

    # Projects

    def look_at_target(self, target: str) -> Future[TargetSpec]:
        return self._submit(self._in_thread(partial(resolve, target)), tell=False)

    def open_model(
        self, source: ModelSource, target: str = "auto", project: Path | None = None
    ) -> Future[Snapshot]:
        return self._submit(self._open_model(source, target, project))

    def open_project(self, path: Path) -> Future[Snapshot]:
        return self._submit(self._open_project(path))

    def watch_project(self, address: str) -> Future[Snapshot]:
        return self._submit(self._cancelling.run(self._watch_project(address)))

    def locate_model(self, path: Path) -> Future[None]:
        return self._submit(self._locate_model(path))

    def save_as(self, path: Path) -> Future[None]:
        return self._submit(self._save_as(path))

    def cancel(self) -> Future[None]:
        return self._submit(self._cancel(), tell=False)

    def close_project(self) -> Future[None]:
        return self._submit(self._close_project())

    # Runs

    def start_run(self, settings: RunSettings) -> Future[int]:
        return self._submit(self._start_run(settings))

    def resume_run(
        self, budget: Budget | None = None, cluster: str = "", devices: str = ""
    ) -> Future[int]:
        return self._submit(self._resume_run(budget, cluster, devices))

    def pause(self) -> Future[None]:
        return self._submit(self._with_tuning("pause"))

    def unpause(self) -> Future[None]:
        return self._submit(self._with_tuning("unpause"))

    def stop(self) -> Future[None]:
        return self._submit(self._stop())

    def wait(self) -> Future[None]:
        return self._submit(self._wait(), tell=False)

    # Passes

    def snapshot(self) -> Future[Snapshot]:
        return self._submit(self._snapshot())

    def find_spaces(self) -> Future[tuple[DesignSpace, ...]]:
        return self._submit(self._cancelling.run(self._find_spaces()))

    def set_clustering(self, clustering: Clustering) -> Future[None]:
        return self._submit(self._set_clustering(clustering))

    def set_label(self, subject: Subject, label: Label) -> Future[None]:
        return self._submit(self._set_label(subject, label))

    def set_used(self, run: int, used: bool) -> Future[None]:
        return self._submit(self._set_used(run, used))

    # Schedules of stages

    def find_schedule(self, options: IosOptions) -> Future[FoundSchedule]:
        return self._submit(self._find_schedule(options))

    # Results

    def measure_again(self) -> Future[Figure]:
        return self._submit(self._cancelling.run(self._measure_again()))

    def export(
        self,
        directory: Path,
        wheel: WheelName | None = None,
        pads: Mapping[str, float] | None = None,
    ) -> Future[dict[str, Any]]:
        return self._submit(self._cancelling.run(self._export(directory, wheel, pads)))

    def trial_detail(self, number: int) -> Future[dict[str, str]]:
        return self._submit(self._trial_detail(number))

    # In the engine's thread

    def _submit(self, command: Coroutine[Any, Any, _T], tell: bool = True) -> Future[_T]:
        return asyncio.run_coroutine_threadsafe(self._answer(command, tell), self._host.loop)

    async def _answer(self, command: Coroutine[Any, Any, _T], tell: bool) -> _T:
        try:
            return await command
        except Cancelled:
            self.events.put(Progress(""))
            raise
        except TunewrightError as error:
            if tell and not isinstance(error, Ended):  # which is what the person asked for
                self.events.put(Progress(""))
                self.events.put(Failure(error.what, error.todo))
            raise
        except Exception as error:
            _log.exception("A command failed.")
            if tell:
                self.events.put(Progress(""))
                self.events.put(Failure(explained(error).what, explained(error).todo))
            raise

    async def _open_model(self, source: ModelSource, target: str, project: Path | None) -> Snapshot:
        if self._session is not None:
            await self._session.stop()
        return await self._cancelling.run(self._import(source, target, project))

    async def _import(self, source: ModelSource, target: str, project: Path | None) -> Snapshot:
        resources = self._require_resources()

        def work(stopped: Stopped) -> OpenedModel:
            return open_source(source, resolve(target), self._say, stopped=stopped)

        async with beside(self._look(source)):
            await self._libraries()
            need = Need(cores=1, long=True, kind=StageKind.READING)
            model = await run_stoppable(resources, need, self._host.threads, work)
        import tvm

        made = Project.create(
            project or default_project_path(source),
            model.source,
            model_name=model.prepared.name,
            target=model.program.target.text,
            target_title=model.program.target.title,
            tvm_version=str(tvm.__version__),
            tasks=model.program.tasks,
            operators=model.program.operators,
            further=[other.program.operators for other in model.others],
            file_nodes=model.file_nodes,
            device=model.program.target.device,
            device_uuid=model.program.target.uuid,
        )
        return await self._take(made, model)

    async def _look(self, source: ModelSource) -> None:
        """Tell what the file has, for somebody to look at meanwhile."""
        looking = partial(sketch_of, source)
        seen = await asyncio.get_running_loop().run_in_executor(self._host.threads, looking)
        if seen is not None:
            self.events.put(ModelSeen(seen.name, seen.nodes, seen.parameters))

    def _say(self, text: str, about: str = "") -> None:
        self.events.put(Progress(text, about=about))

    async def _open_project(self, path: Path) -> Snapshot:
        session = self._session
        if session is not None and located(path) == session.project.path:
            await self._close_project()  # it has one writer
        return await self._take(Project.open_or_view(path))

    async def _watch_project(self, address: str) -> Snapshot:
        following = Following(parse_watched(address), self.events.put)
        try:
            first = await following.first()
            shown = await self._take(Project.open(first.path, read_only=True), None, following)
        except BaseException:
            await following.close()
            raise
        following.follow(shown, partial(self._renew, Path(first.path)))
        return shown

    def _renew(self, copy: Path) -> None:
        """Read the newer copy of the watched project from now on."""
        session = self._require_session()
        with suppress(TunewrightError):
            session.project, before = Project.open(copy, read_only=True), session.project
            before.close()

    async def _take(
        self,
        project: Project,
        model: OpenedModel | None = None,
        following: Following | None = None,
    ) -> Snapshot:
        """Show a project that was opened, in the place of the one before."""
        try:
            project.snapshot()  # what is damaged is not shown, and takes nothing's place
        except BaseException:
            project.close()
            raise
        await self._close_project()
        self._session, self._following = self._new_session(project, model), following
        return self._show()

    def _new_session(self, project: Project, model: OpenedModel | None = None) -> Session:
        return Session(
            project,
            self._require_resources(),
            self._host.threads,
            self.events.put,
            self._libraries,
            model=model,
            queue=self._turns,
            builds=self._builds,
        )

    def _show(self) -> Snapshot:
        project = self._require_session().project
        watched = str(self._following.file) if self._following else ""
        read_only = project.is_read_only
        snapshot = replace(project.snapshot(), read_only=read_only, watched=watched)
        self.events.put(Progress(""))
        self.events.put(ProjectOpened(snapshot))
        if snapshot.schedule is None and project.has_schedule:
            text = Sentence(
                "The stored schedule is not one of this project's operators, and is left out."
            )
            self.events.put(Message("warning", text))
        return snapshot

    async def _save_as(self, path: Path) -> None:
        session = self._require_session()
        session.project.save_as(path)
        saved = session.project.path
        self.events.put(ProjectSaved(str(saved)))
        if self._following is not None:  # its run goes on there, and not in the copy
            session.project.close()
            await self._take(Project.open(saved))

    async def _locate_model(self, path: Path) -> None:
        session = self._require_session()
        await session.require_idle()
        session.require_writable()
        project = session.project
        project.set_source(await self._in_thread(partial(located_model, project.source, path)))
        session.model = None
        self._show()

    async def _close_project(self) -> None:
        session, self._session = self._session, None
        following, self._following = self._following, None
        if session is not None:
            await session.stop()
            session.project.close()
        if following is not None:
            await following.close()

    async def _start_run(self, settings: RunSettings) -> int:
        session = self._require_session()
        await session.require_idle()
        session.require_ready()
        for step in settings.steps:
            options_of(step)
        _require_places(session, settings)
        return self._launch(session, session.project.start_run(settings))

    async def _resume_run(self, budget: Budget | None, cluster: str, devices: str) -> int:
        session = self._require_session()
        await session.require_idle()
        session.require_ready()
        project, runs = session.project, session.project.snapshot().runs
        if not runs:
            raise UsageError("There is no run to resume.", "Start one.")
        last, settings = runs[-1], runs[-1].settings.elsewhere(cluster, devices)
        _require_places(session, settings)
        if budget is None and last.state is not RunState.FINISHED:
            project.set_run(last.id, settings=settings)
            return self._launch(session, last.id)
        run = project.start_run(replace(settings, budget=budget or settings.budget))
        project.set_run(run, policy_state=project.run_policy_state(last.id))
        return self._launch(session, run)

    def _launch(self, session: Session, run: int) -> int:
        """Begin with what the file says of the run, so that all know the same of it."""
        settings = session.project.run_settings(run)
        self.events.put(RunStarted(run, settings))
        self.events.put(RunChanged(run, RunState.PREPARING))
        session.task = asyncio.create_task(run_to_end(session, run, settings))
        session.task.add_done_callback(partial(self._ended, run))
        return run

    def _ended(self, run: int, task: asyncio.Task[None]) -> None:
        error = None if task.cancelled() else task.exception()
        if error is not None:
            self.events.put(Progress(""))  # of the step that it failed in
        if isinstance(error, TunewrightError):
            self.events.put(RunChanged(run, RunState.FAILED, error.what))
            self.events.put(Failure(error.what, error.todo))
        elif error is not None:
            _log.error("A run failed.", exc_info=error)
            self.events.put(RunChanged(run, RunState.FAILED, Sentence("{error}", error=error)))
            self.events.put(
                Failure(
                    Sentence("The run failed: {error}.", error=error),
                    "See the log; resume the run.",
                )
            )

    async def _with_tuning(self, name: str) -> None:
        session = self._require_session()
        if session.finding is not None:
            raise UsageError("A search for a schedule cannot be held.", "Stop it.")
        tuning = session.tuning
        if tuning is None or tuning.state is RunState.PREPARING:
            if session.active:
                raise UsageError("The run is still being prepared.", "Wait a moment, or stop it.")
            raise UsageError("No run goes on.", "Start one.")
        getattr(tuning, name)()

    async def _stop(self) -> None:
        session = self._require_session()
        if session.finding is not None:
            self.events.put(Message("info", "Stopping the search for a schedule."))
            await session.finding.stop()
            return
        self.events.put(Message("info", "Stopping the run."))
        await session.stop()

    async def _wait(self) -> None:
        session = self._session
        if session is not None and session.task is not None:
            await asyncio.shield(session.task)

    async def _snapshot(self) -> Snapshot:
        return self._require_session().project.snapshot()

    async def _cancel(self) -> None:
        self._cancelling.cancel()

    async def _find_spaces(self) -> tuple[DesignSpace, ...]:
        session = self._require_session()
        await session.require_idle()
        session.require_ready()
        model = await session.load_model()
        return await find_spaces(
            session.project, model.program, session.resources, self._host.threads, self.events.put
        )

    async def _find_schedule(self, options: IosOptions) -> FoundSchedule:
        session = self._require_session()
        session.require_ready()
        return await find_schedule(session, options)

    async def _set_clustering(self, clustering: Clustering) -> None:
        session = self._require_session()
        await session.require_idle()
        session.require_writable()
        session.project.set_clustering(clustering)
        self.events.put(ClustersChanged(clustering))

    async def _set_label(self, subject: Subject, label: Label) -> None:
        session = self._require_session()
        session.require_writable()
        session.project.set_label(subject, label)
        self.events.put(LabelChanged(subject, label))

    async def _set_used(self, run: int, used: bool) -> None:
        session = self._require_session()
        await session.require_idle()
        session.require_writable()
        session.project.set_used(run, used)
        self._show()

    async def _measure_again(self) -> Figure:
        session = self._require_session()
        require_all_given(session.project.target)
        return await measure_again(session)

    async def _export(
        self, directory: Path, wheel: WheelName | None, pads: Mapping[str, float] | None
    ) -> dict[str, Any]:
        session = self._require_session()
        session.require_ready()
        require_all_given(session.project.target)  # before minutes of compiling
        if not session.active:  # a run checks its records in the end
            with suppress(DeviceMissing):  # an export leaves out what it cannot do without it
                await check_records(session)
        return await session.export(directory, wheel, pads)

    async def _trial_detail(self, number: int) -> dict[str, str]:
        from engine.deploy.detail import describe
        from engine.jobs.opening.isolation import shown_apart

        project = self._require_session().project
        trial = project.trial(number)
        task = project.tasks()[trial.task]
        subject = f"The schedule of trial {number} of {task.name}"
        given = (subject, task.workload, trial.trace, project.target)
        return await self._in_thread(partial(shown_apart, subject, describe, *given))

    async def _in_thread(self, call: Callable[[], _T]) -> _T:
        await self._libraries()
        return await asyncio.get_running_loop().run_in_executor(self._host.threads, call)

    async def _libraries(self) -> None:
        """Wait until they are loaded: two threads that import TVM at once see half of it."""
        await asyncio.shield(asyncio.wrap_future(self._host.loaded))

    def _require_session(self) -> Session:
        if self._session is None:
            raise UsageError("No project is open.", "Open a model or a project.")
        return self._session

    def _require_resources(self) -> Resources:
        assert self._host.resources is not None
        return self._host.resources.of_job(self._job)


def _require_places(session: Session, settings: RunSettings) -> None:
    """Refuse a run, before it is begun, that would connect where nobody allowed it."""
    require_all_given(session.project.target, settings.devices, settings.cluster)
