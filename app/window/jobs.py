"""The Jobs view of a window, joined to the queue that all windows share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QFileDialog

from app.document.commands import TARGETS
from app.window.closing import CancelQuestion, JobsQuestion
from app.window.precisions import in_precision
from engine.records.settings import RunSettings
from engine.records.snapshot import Snapshot
from engine.records.source import ModelSource
from widgets.jobs.sheet import JobSheet
from widgets.look.language import tr

if TYPE_CHECKING:
    from app.process.job_desk import JobDesk
    from app.window.main_window import MainWindow
    from widgets.jobs.view import JobView


class Jobs(QObject):
    """Shows the queue, asks what is to be added, passes on what a person wants of a job."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self._view: JobView | None = None
        self.desk: JobDesk | None = None
        self.sheet: JobSheet | None = None
        window.document.changed.connect(self._allow)
        window.document.opened.connect(self._opened)

    def join(self, view: JobView) -> None:
        """Do what this view asks for."""
        self._view = view
        view.project_wanted.connect(self.add_project)
        view.model_wanted.connect(self.add_model)
        view.run_wanted.connect(self.run)
        view.open_wanted.connect(self._open)
        view.cancel_wanted.connect(self._cancel)
        self._connect()

    def attach(self, desk: JobDesk) -> None:
        """Show the queue of this desk."""
        self.desk = desk
        desk.changed.connect(self._show)
        desk.spans_put.connect(self._put)
        self._connect()

    def close(self) -> None:
        """The window closes: hear no more, leave no sheet."""
        if self.desk is not None:
            self.desk.changed.disconnect(self._show)
            self.desk.spans_put.disconnect(self._put)
            self.desk = None
        if self.sheet is not None:
            self.sheet.close()
        self._view = None

    # What actions call

    @property
    def can_add(self) -> bool:
        """Whether there is a queue."""
        return self.desk is not None and self.desk.is_open

    @property
    def can_add_project(self) -> bool:
        """Whether there is a queue, and a project here that can be left to it."""
        document = self._window.document
        return self.can_add and document.has_tasks and document.idle and bool(document.path)

    @property
    def can_run(self) -> bool:
        """Whether the queue can be run or held."""
        desk = self.desk
        if desk is None or not desk.is_open or desk.elsewhere:
            return False
        return desk.running or any(not job.state.over for job in desk.jobs)

    @property
    def running(self) -> bool:
        """Whether the queue runs, and begins other jobs."""
        return self.desk is not None and self.desk.running and not self.desk.holding

    def toggle(self) -> None:
        """Run the queue, or hold it."""
        self.run(not self.running)

    def run(self, running: bool) -> None:
        """Run the queue, or hold it."""
        if self.desk is not None:
            self.desk.set_running(running)

    def add_project(self) -> None:
        """Ask how the open project is to be tuned."""
        if self.can_add_project:
            self._ask(JobSheet(self._window.document.path, self._settings(), parent=self._window))

    def add_model(self) -> QFileDialog | None:
        """Ask for a model file, then how it is to be tuned."""
        if not self.can_add:
            return None
        return self._window.dialogs.ask_model(tr("Add a model"), self.ask_of_model)

    def ask_of_model(self, path: Path) -> None:
        """Ask how a model is to be tuned."""
        commands = self._window.commands
        targets, wanted = (commands.target, *TARGETS), commands.precisions.wanted
        sheet = JobSheet(str(path.absolute()), self._settings(), targets, self._window, wanted)

        def look(target: str) -> None:
            commands.precisions.ask(target, lambda reason: self._hear(sheet, target, reason))

        sheet.target_chosen.connect(look)
        self._ask(sheet)
        look(sheet.target)

    # Closing

    def ask_before_closing(self) -> bool:
        """Whether a person is asked first: the queue runs, and this is the last window."""
        windows, desk = self._window.windows, self.desk
        if windows is None or desk is None or not desk.busy or len(windows.sessions) > 1:
            return False
        question = JobsQuestion(self._window, windows.reachable)
        question.show()
        return True

    # Asking

    def _settings(self) -> RunSettings:
        return self._window.commands.run_settings

    def _ask(self, sheet: JobSheet) -> None:
        if self.sheet is not None:
            self.sheet.close()
        self.sheet = sheet
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sheet.addAction(self._window.actions_table["help"])
        sheet.start_wanted.connect(self._add)
        sheet.finished.connect(self._forget)
        sheet.show()

    def _hear(self, sheet: JobSheet, target: str, reason: str) -> None:
        """What precisions a target has; the sheet may be gone by then."""
        if self.sheet is sheet:
            sheet.allow_precision(target, reason)

    def _forget(self) -> None:
        self.sheet = None

    def _add(self, settings: RunSettings) -> None:
        sheet = self.sheet
        desk = self.desk
        if sheet is None or desk is None:
            return
        path, priority = sheet.path, sheet.priority
        if sheet.target_box is None:  # the queue writes it, and a project has one writer
            self._window.commands.close_project(
                lambda: desk.add_project(Path(path), settings, priority)
            )
        else:
            source = in_precision(ModelSource("file", path), sheet.precision)
            desk.add_model(source, sheet.target, settings, priority)
        self._window.go_to("jobs")

    # What is asked of a job

    def _open(self, number: int) -> None:
        job = self.desk.job(number) if self.desk is not None else None
        if job is None or not job.project:
            return
        window = self._window
        if window.windows is not None:
            window.windows.open(Path(job.project))
        else:
            window.commands.open_path(Path(job.project))

    def _cancel(self, number: int) -> None:
        job = self.desk.job(number) if self.desk is not None else None
        if job is None or self.desk is None:
            return
        if job.state.active:
            question = CancelQuestion(self._window, job.title)
            desk = self.desk
            question.accepted.connect(lambda: desk.cancel(number))
            question.show()
        else:
            self.desk.cancel(number)

    # Following

    def _connect(self) -> None:
        view, desk = self._view, self.desk
        if view is None or desk is None:
            return
        view.stop_wanted.connect(desk.stop)
        view.pause_wanted.connect(desk.set_paused)
        view.remove_wanted.connect(desk.remove)
        view.order_wanted.connect(desk.reorder)
        view.priority_wanted.connect(desk.set_priority)
        view.policy_wanted.connect(desk.set_policy)
        view.limit_wanted.connect(desk.set_limit)
        view.share_spans(desk.store)
        self._show()

    def _show(self) -> None:
        if self._view is not None and self.desk is not None:
            self._view.connect_queue(self.desk.is_open)
            desk = self.desk
            self._view.show_choices(desk.policy, desk.limit)
            self._view.show_jobs(desk.jobs, desk.running, desk.holding, desk.elsewhere)
        self._allow()

    def _put(self) -> None:
        if self._view is not None:
            self._view.refresh_spans()

    def _allow(self) -> None:
        if self._view is not None:
            self._view.allow_project(self.can_add_project)
        self._window.actions_table.refresh()

    def _opened(self, snapshot: Snapshot) -> None:
        """Who opens a project wants to see it, not the queue."""
        window = self._window
        seen = window.workspace.currentWidget() is window.views.jobs_page
        if seen and not window.document.is_refresh:
            window.workspace.setCurrentWidget(window.views.graph_page)
