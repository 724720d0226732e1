"""The sheets of the passes: opened by actions, fed by the document, answered by commands."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt

from app.window.aids.work import OwnWork
from engine.jobs.steps.steps import parse_plan
from engine.records.events import Event, RunChanged
from engine.records.settings import Budget, RunState, Step
from engine.records.snapshot import Snapshot
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.background import Background

if TYPE_CHECKING:
    from app.window.main_window import MainWindow
    from widgets.passes.sheet import PassSheet

PLAN, LIBRARY = "plan", "library"
FINISHED = QT_TR_NOOP("The run is finished. Its schedules may serve your other models as donors.")


class Passes(QObject):
    """Keeps a sheet for each kind of pass, and offers the library what a run gave."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.sheets: dict[str, PassSheet] = {}
        self._background = Background(self)
        self._background.done.connect(self._added)
        self._background.failed.connect(self._failed)
        self._work: OwnWork | None = None
        document = window.document
        document.batch.connect(self._apply)
        document.opened.connect(self._opened)
        document.closed.connect(self._close)
        document.changed.connect(self._changed)
        document.selection_changed.connect(self._select)

    def open(self, kind: str) -> None:
        """Show the sheet of a step (share, transfer, droplet, merge) or of a plan of them."""
        if not self._window.document.path:
            self._refuse()
        elif kind in self.sheets:
            self._raise(self.sheets[kind])
        else:
            self._window.commands.with_snapshot(partial(self._make, kind))

    def add_to_library(self, path: str = "") -> None:
        """Put a project's best records, the open one's by default, into the user's library."""
        project = path or self._window.document.path
        if not project:
            self._refuse()
        elif not self._background.busy:
            self._work = self._window.aids.works.begin(QT_TR_NOOP("Adding to the library"))
            self._background.start(lambda job: _add(Path(project)))

    def close(self) -> None:
        """Leave no thread and no sheet behind."""
        self._background.close()
        self._close()

    def _refuse(self) -> None:
        what, todo = tr("A replay has no schedules."), tr("Open the model or its project for that.")
        self._window.messages.show_message("warning", what, todo)

    def _make(self, kind: str, snapshot: Snapshot) -> None:
        from widgets.passes.sheet import PassSheet

        if kind in self.sheets or snapshot.path != self._window.document.path:
            return
        sheet = PassSheet(kind, snapshot, self._window)
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        sheet.addAction(self._window.actions_table["help"])
        sheet.started.connect(self._start)
        sheet.use_changed.connect(self._window.commands.edits.set_used)
        sheet.task_picked.connect(self._window.document.select_task)
        sheet.finished.connect(lambda _: self.sheets.pop(kind, None))
        sheet.allow_start(self._can_start())
        sheet.select_task(self._window.document.task)
        self.sheets[kind] = sheet
        self._raise(sheet)

    def _raise(self, sheet: PassSheet) -> None:
        sheet.show()
        sheet.raise_()
        sheet.activateWindow()

    def _start(self, kind: str, options: dict[str, Any], budget: Budget) -> None:
        commands = self._window.commands
        if kind == PLAN:
            commands.start_pass(parse_plan(options["plan"]), budget, bool(options["repeat"]))
        else:
            commands.start_pass((Step(kind, options),), budget)

    # Following the document

    def _apply(self, events: list[Event]) -> None:
        for sheet in self.sheets.values():
            sheet.apply(events)
        for event in events:
            if isinstance(event, RunChanged) and event.state is RunState.FINISHED:
                self._offer_library()

    def _opened(self, snapshot: Snapshot) -> None:
        for sheet in self.sheets.values():
            sheet.show_snapshot(snapshot)

    def _close(self) -> None:
        for sheet in list(self.sheets.values()):
            sheet.close()

    def _changed(self) -> None:
        for sheet in self.sheets.values():
            sheet.allow_start(self._can_start())

    def _select(self) -> None:
        for sheet in self.sheets.values():
            sheet.select_task(self._window.document.task)

    def _can_start(self) -> bool:
        return self._window.document.idle and self._window.document.has_tasks

    def _offer_library(self) -> None:
        document = self._window.document
        if not document.path or document.run is None or document.run.trials == 0:
            return
        path = document.path
        action = (tr("Add to my library"), lambda: self.add_to_library(path))
        self._window.messages.show_message("info", tr(FINISHED), action=action, kind=LIBRARY)

    def _failed(self, what: str, todo: str) -> None:
        self._end_work(whole=False)
        self._window.messages.show_message("error", what, todo)

    def _end_work(self, whole: bool) -> None:
        if self._work is not None:
            self._work.end(whole=whole)
            self._work = None

    def _added(self, counts: dict[str, Any]) -> None:
        self._end_work(whole=True)
        self._window.messages.show_message(
            "info",
            tr(
                "The library has {new} new and {better} better records of {model}: traces and "
                "latencies, no weights.",
                new=counts["new"],
                better=counts["better"],
                model=counts["model"],
            ),
            kind=LIBRARY,
        )


def _add(project: Path) -> Any:
    from app.cli_library import add

    return add(project).data
