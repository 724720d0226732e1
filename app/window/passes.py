"""The sheets of the passes: opened by actions, fed by the document, answered by commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from app.process.rescue import come_forward
from app.window.actions.conditions import can_start
from app.window.aids.work import OwnWork
from app.window.console import Console
from engine.jobs.steps.steps import parse_plan
from engine.records.events import Event, RunChanged
from engine.records.settings import Budget, RunState, Step
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.background import Background

if TYPE_CHECKING:
    from widgets.passes.sheet import PassSheet

PLAN, LIBRARY = "plan", "library"
FINISHED = QT_TR_NOOP("The run is finished. Its schedules may serve your other models as donors.")


class Passes(QObject):
    """Keeps a sheet for each kind of pass, and offers the library what a run gave."""

    def __init__(self, console: Console) -> None:
        super().__init__(console.window)
        self._console = console
        self.sheets: dict[str, PassSheet] = {}
        self._background = Background(self)
        self._background.done.connect(self._added)
        self._background.failed.connect(self._failed)
        self._work: OwnWork | None = None
        document = console.document
        document.batch.connect(self._apply)
        document.opened.connect(self._opened)
        document.closed.connect(self._close)
        document.changed.connect(self._changed)
        document.selection_changed.connect(self._select)

    def open(self, kind: str) -> None:
        """Show the sheet of a step (share, transfer, droplet, merge) or of a plan of them."""
        if not self._console.document.path:
            self._refuse()
        elif kind in self.sheets:
            come_forward(self.sheets[kind])
        else:
            self._make(kind)

    def add_to_library(self, path: str = "") -> None:
        """Put a project's best records, the open one's by default, into the user's library."""
        project = path or self._console.document.path
        if not project:
            self._refuse()
        elif not self._background.busy:
            self._work = self._console.works.begin(QT_TR_NOOP("Adding to the library"))
            self._background.start(lambda job: _add(Path(project)))

    def close(self) -> None:
        """Leave no thread and no sheet behind."""
        self._background.close()
        self._close()

    def _refuse(self) -> None:
        what, todo = tr("A replay has no schedules."), tr("Open the model or its project for that.")
        self._console.messages.show_message("warning", what, todo)

    def _make(self, kind: str) -> None:
        from widgets.passes.sheet import PassSheet

        sheet = PassSheet(kind, self._console.document.project, self._console.window)
        sheet.started.connect(self._start)
        sheet.use_changed.connect(self._console.commands.edits.set_used)
        sheet.task_picked.connect(self._console.document.select_task)
        sheet.finished.connect(lambda _: self.sheets.pop(kind, None))
        actions = self._console.actions
        sheet.hold_by(actions["pause"], actions["stop"])
        sheet.allow_start(self._can_start())
        sheet.select_task(self._console.document.task)
        self.sheets[kind] = sheet
        self._console.show_sheet(sheet)
        come_forward(sheet)

    def _start(self, kind: str, options: dict[str, Any], budget: Budget) -> None:
        commands = self._console.commands
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

    def _opened(self) -> None:
        for sheet in self.sheets.values():
            sheet.show_project()

    def _close(self) -> None:
        for sheet in list(self.sheets.values()):
            sheet.close()

    def _changed(self) -> None:
        for sheet in self.sheets.values():
            sheet.allow_start(self._can_start())

    def _select(self) -> None:
        for sheet in self.sheets.values():
            sheet.select_task(self._console.document.task)

    def _can_start(self) -> bool:
        return can_start(self._console.document)

    def _offer_library(self) -> None:
        document = self._console.document
        if not document.path or document.run is None or document.run.trials == 0:
            return
        path = document.path
        action = (tr("Add to my library"), lambda: self.add_to_library(path))
        self._console.messages.show_message("info", tr(FINISHED), action=action, kind=LIBRARY)

    def _failed(self, what: str, todo: str) -> None:
        self._end_work(whole=False)
        self._console.messages.show_message("error", what, todo)

    def _end_work(self, whole: bool) -> None:
        if self._work is not None:
            self._work.end(whole=whole)
            self._work = None

    def _added(self, counts: dict[str, Any]) -> None:
        self._end_work(whole=True)
        self._console.messages.show_message(
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
    from app.cli.library import add

    return add(project).data
