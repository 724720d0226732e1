"""The Jobs view of a window, joined to the queue that all windows share."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from app.document.commands import TARGETS
from app.window.actions.conditions import can_start
from app.window.closing import CancelQuestion
from app.window.console import MODELS, Console, kinds_of
from app.window.precisions import in_precision
from engine.measure.remote.given import give
from engine.records.errors import AddressNotGiven
from engine.records.machine import usable_cores
from engine.records.settings import RunSettings
from engine.records.source import ModelSource
from widgets.jobs.sheet import JobSheet
from widgets.look.language import tr

if TYPE_CHECKING:
    from widgets.jobs.view import JobView


class Jobs(QObject):
    """Shows the queue, asks what is to be added, passes on what a person wants of a job."""

    changed = Signal()  # what can be done with the queue

    def __init__(self, console: Console) -> None:
        super().__init__(console.window)
        self._console = console
        self._desk = console.windows.desk
        self._view: JobView | None = None
        self.sheet: JobSheet | None = None
        self._desk.changed.connect(self._show)
        self._desk.spans_put.connect(self._put)
        console.document.changed.connect(self._allow)
        console.document.opened.connect(self._opened)

    def make_view(self) -> JobView:
        """The view of the queue, which does what a person asks for there."""
        from widgets.jobs.view import JobView

        desk, view = self._desk, JobView(usable_cores())
        self._view = view
        view.project_wanted.connect(self.add_project)
        view.model_wanted.connect(self.add_model)
        view.run_wanted.connect(desk.set_running)
        view.open_wanted.connect(self._open)
        view.cancel_wanted.connect(self._cancel)
        view.stop_wanted.connect(desk.stop)
        view.pause_wanted.connect(desk.set_paused)
        view.remove_wanted.connect(desk.remove)
        view.order_wanted.connect(desk.reorder)
        view.priority_wanted.connect(desk.set_priority)
        view.policy_wanted.connect(desk.set_policy)
        view.limit_wanted.connect(desk.set_limit)
        view.share_spans(desk.store)
        self._show()
        return view

    def close(self) -> None:
        """The window closes: show nothing more, leave no sheet."""
        if self.sheet is not None:
            self.sheet.close()
        self._view = None

    # What actions call

    @property
    def can_add(self) -> bool:
        """Whether there is a queue."""
        return self._desk.is_open

    @property
    def can_add_project(self) -> bool:
        """Whether there is a queue, and a project here that can be left to it."""
        document = self._console.document
        return self.can_add and can_start(document) and bool(document.path)

    @property
    def can_run(self) -> bool:
        """Whether the queue can be run or held."""
        desk = self._desk
        waiting = desk.running or any(not job.state.over for job in desk.jobs)
        return desk.is_open and not desk.elsewhere and waiting

    @property
    def running(self) -> bool:
        """Whether the queue runs, and begins other jobs."""
        return self._desk.running and not self._desk.holding

    def toggle(self) -> None:
        """Run the queue, or hold it."""
        self._desk.set_running(not self.running)

    def add_project(self) -> None:
        """Ask how the open project is to be tuned."""
        if self.can_add_project:
            document, settings = self._console.document, self._console.commands.run_settings
            self._ask(JobSheet(document.path, settings, parent=self._console.window))

    def add_model(self) -> QFileDialog | None:
        """Ask for a model file, then how it is to be tuned."""
        if not self.can_add:
            return None
        return self._console.ask_file(tr("Add a model"), kinds_of(*MODELS), self.ask_of_model)

    def ask_of_model(self, path: Path) -> None:
        """Ask how a model is to be tuned."""
        commands, window = self._console.commands, self._console.window
        targets, wanted = (commands.target, *TARGETS), commands.precisions.wanted
        sheet = JobSheet(str(path.absolute()), commands.run_settings, targets, window, wanted)

        def look(target: str) -> None:
            give(target)  # a person chose it
            commands.precisions.ask(target, lambda reason: self._hear(sheet, target, reason))

        sheet.target_chosen.connect(look)
        self._ask(sheet)
        look(sheet.target)

    # Asking

    def _ask(self, sheet: JobSheet) -> None:
        if self.sheet is not None:
            self.sheet.close()
        self.sheet = sheet
        sheet.start_wanted.connect(self._add)
        sheet.finished.connect(self._forget)
        self._console.show_sheet(sheet)

    def _hear(self, sheet: JobSheet, target: str, reason: str) -> None:
        """What precisions a target has; the sheet may be gone by then."""
        if self.sheet is sheet:
            sheet.allow_precision(target, reason)

    def _forget(self) -> None:
        self.sheet = None

    def _add(self, settings: RunSettings) -> None:
        sheet, desk = self.sheet, self._desk
        if sheet is None:
            return
        path, priority = sheet.path, sheet.priority
        give(sheet.target, settings.devices, settings.cluster)  # a person wrote them
        if sheet.target_box is None:  # the queue writes it, and a project has one writer
            add = partial(self._add_project, Path(path), settings, priority)
            self._console.commands.close_project(add)
        else:
            source = in_precision(ModelSource("file", path), sheet.precision)
            desk.add_model(source, sheet.target, settings, priority)
        self._console.go_to("jobs")

    def _add_project(self, path: Path, settings: RunSettings, priority: int) -> None:
        def refused(error: BaseException) -> None:
            if isinstance(error, AddressNotGiven):
                again = partial(self._add_project, path, settings, priority)
                self._console.commands.address_wanted.emit(error, again)

        self._desk.add_project(path, settings, priority, refused)

    # What is asked of a job

    def _open(self, number: int) -> None:
        job = self._desk.job(number)
        if job is not None and job.project:
            self._console.windows.open(Path(job.project))

    def _cancel(self, number: int) -> None:
        job, desk = self._desk.job(number), self._desk
        if job is None:
            return
        if job.state.active:
            question = CancelQuestion(self._console.window, job.title)
            question.accepted.connect(lambda: desk.cancel(number))
            question.show()
        else:
            desk.cancel(number)

    # Following

    def _show(self) -> None:
        if self._view is not None:
            desk = self._desk
            self._view.connect_queue(desk.is_open)
            self._view.show_choices(desk.policy, desk.limit)
            self._view.show_jobs(desk.jobs, desk.running, desk.holding, desk.elsewhere)
        self._allow()
        self.changed.emit()

    def _put(self) -> None:
        if self._view is not None:
            self._view.refresh_spans()

    def _allow(self) -> None:
        if self._view is not None:
            self._view.allow_project(self.can_add_project)

    def _opened(self) -> None:
        """Who opens a project wants to see it, not the queue."""
        workspace = self._console.workspace
        if workspace.shown == "jobs" and not self._console.document.is_refresh:
            workspace.bring("graph")
