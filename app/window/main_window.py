"""The console: toolbar, scoreboard, workspace, docks, status line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, QUrl, Signal
from PySide6.QtGui import QCloseEvent, QDesktopServices, QDropEvent, QPaintEvent
from PySide6.QtWidgets import QDockWidget, QLineEdit, QMainWindow, QStackedWidget, QToolBar, QWidget

from app.document.commands import Commands
from app.document.document import Document
from app.process.bridge import Bridge
from app.process.handing_over import is_ours
from app.process.settings import Settings
from app.window.actions.action_set import ActionSet, NextSteps, first_keys, new_actions, new_samples
from app.window.actions.cycling import Cycle
from app.window.actions.menus import Menus
from app.window.actions.shortcuts import Shortcuts
from app.window.actions.toolbar import ToolBar
from app.window.aids.aids import Aids
from app.window.aids.guiding import Guiding
from app.window.aids.help_window import Help
from app.window.aids.notify import Notifier
from app.window.aids.recents import Recents
from app.window.aids.reporting import Reports
from app.window.aids.work import Works
from app.window.closing import Closing
from app.window.console import Console
from app.window.dialogs import Dialogs
from app.window.exporting import ExportMessages
from app.window.jobs import Jobs
from app.window.judged import JudgedNotice
from app.window.late_views import LateViews
from app.window.layouts import Layouts
from app.window.panels import Area, Panel
from app.window.passes import Passes
from app.window.siblings import Alone, Siblings
from app.window.stages import Stages
from app.window.status import StatusLine
from app.window.views import Views
from app.window.watching import WatchNotice, names
from app.window.workspace import Workspace
from engine.records.settings import RunState
from widgets.look.icons import icon
from widgets.look.language import tr
from widgets.parts.message_bar import MessageBar
from widgets.parts.pieces import beside, stacked
from widgets.parts.precision_box import precision_name
from widgets.window.project_tree import export_words
from widgets.window.scoreboard import Scoreboard
from widgets.window.shape_box import ShapeBox
from widgets.window.welcome import Welcome

STARTERS = ("open-model", "tour", "open-project", "help-contents")


class MainWindow(QMainWindow):
    """One project on screen: makes the parts of the window and joins them.

    They share its `console`; its actions are carried out by its `aids`. No part knows the window.
    """

    first_painted = Signal()
    closed = Signal()

    def __init__(
        self,
        document: Document,
        commands: Commands,
        bridge: Bridge,
        settings: Settings,
        windows: Siblings | None = None,
    ) -> None:
        super().__init__()
        self._painted = self._closing = self._complete = False
        self.setWindowIcon(icon("app"))
        self.shortcuts = Shortcuts(settings, first_keys(), self)
        self.views = Views(document, commands)
        self.console = Console(
            window=self,
            document=document,
            commands=commands,
            settings=settings,
            windows=windows or Alone(),
            actions=new_actions(self, self.shortcuts),
            samples=new_samples(self, commands),
            messages=MessageBar(),
            works=Works(document, settings, parent=self),
            workspace=Workspace(),
            panels=_panels(self.views),
        )
        self.scoreboard, self.status, self.shape_box = Scoreboard(), StatusLine(), ShapeBox()
        actions, samples = self.console.actions, self.console.samples
        self.welcome = Welcome([actions[name] for name in STARTERS], samples)
        self._stack = QStackedWidget()
        self.setCentralWidget(self._center())
        self.toolbar = ToolBar(actions, commands, document)
        self.aids = self._make_aids()
        self.menus = Menus(self.console, self.aids.layouts)
        self._add_bars()
        self.drops, self.closing = FileDrops(self.console), Closing(self.console, self.close_now)
        ExportMessages(self, self.console.messages)
        self.aids.layouts.begin()
        self.action_set = ActionSet(actions, self.aids)
        self._listen(bridge)
        self._refresh()
        self._show_work()

    def complete(self) -> None:
        """Make the views whose libraries take long to load."""
        if not self._complete:
            self._complete = True
            self.aids.late.complete()
            NextSteps(self, self.console.actions)
            self.drops.watch_parts()

    def close_now(self) -> None:
        """Close without asking; the engine stops the run as it shuts down."""
        self._closing = True
        self.close()

    # Qt events

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint; say so the first time."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self.aids.layouts, self.aids.layouts.settle)
            QTimer.singleShot(0, self.first_painted.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask where a run or the queue goes on; otherwise remember the layout."""
        if not self._closing and self.closing.ask():
            event.ignore()
            return
        self.aids.close()
        super().closeEvent(event)
        self.closed.emit()

    def focusNextPrevChild(self, onwards: bool) -> bool:
        """Tab goes through what is in sight."""
        return self.aids.cycle.tab(onwards)

    # Making

    def _make_aids(self) -> Aids:
        console, views = self.console, self.views
        jobs, passes, stages = Jobs(console), Passes(console), Stages(console)
        center = (console.messages, console.workspace, self.welcome)
        return Aids(
            console=console,
            views=views,
            late=LateViews(console, views, passes, stages, jobs),
            dialogs=Dialogs(console, self.shortcuts),
            passes=passes,
            stages=stages,
            jobs=jobs,
            layouts=Layouts(self, console.panels, console.settings),
            cycle=Cycle(self, console.panels, (self.toolbar,), center, self.status),
            notifier=Notifier(console),
            reports=Reports(console),
            help=Help(self, console.settings, console.workspace),
            guiding=Guiding(console, self.welcome),
            recents=Recents(console.settings, self),
        )

    def _center(self) -> QWidget:
        center = QWidget()
        self._stack.addWidget(self.console.workspace)
        self._stack.addWidget(self.welcome)
        stacked((self._stack, 1), on=center, margins=0)
        self.console.messages.lie_over(center)
        return center

    def _add_bars(self) -> None:
        self.addToolBar(self.toolbar)
        self.addToolBarBreak()
        strip = QToolBar(tr("Scoreboard"))
        strip.setObjectName("scoreboard")
        strip.setMovable(False)
        strip.setContentsMargins(0, 0, 0, 0)
        row = QWidget()
        beside((self.scoreboard, 1), self.shape_box, on=row, margins=0)
        strip.addWidget(row)
        self.shape_box.hide()
        self.addToolBar(strip)
        self.setStatusBar(self.status)
        for bar in (self.toolbar, strip):
            bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)

    def _show_shapes(self) -> None:
        project = self.console.document.project
        self.shape_box.show_shapes(project.shapes, project.shape)
        self.shape_box.setVisible(bool(project.shapes))

    def _listen(self, bridge: Bridge) -> None:
        console, document, commands = self.console, self.console.document, self.console.commands
        messages, works = console.messages, console.works
        bridge.events.connect(works.apply)
        bridge.events.connect(document.apply)
        bridge.events.connect(self.views.log.apply)
        works.changed.connect(self._show_work)
        self.status.action_wanted.connect(lambda name: console.actions[name].trigger())
        console.workspace.currentChanged.connect(lambda _: self._show_page())
        self._listen_for_recents()
        document.opened.connect(self._opened)
        document.opened.connect(self._show_shapes)
        document.closed.connect(self._show_shapes)
        self.shape_box.chosen.connect(commands.show_shape)
        document.closed.connect(self._refresh)
        document.seen_changed.connect(self._show_seen)
        document.closed.connect(messages.leave_project)
        document.changed.connect(self._refresh)
        document.project_changed.connect(self._refresh_title)
        document.scores_changed.connect(self._refresh_scores)
        self.toolbar.told.connect(lambda *words: messages.show_message("info", *words))
        document.failed.connect(lambda what, todo: messages.show_message("error", what, todo))
        commands.recent_changed.connect(self.menus.refresh)
        commands.export_done.connect(self._exported)
        offered = document, commands, messages
        commands.target_changed.connect(lambda: offer_target(*offered))
        commands.precisions.chosen_by_hand.connect(lambda: offer_precision(*offered))
        self.views.project.export_opened.connect(_open_folder)
        self.views.inspector.code_wanted.connect(lambda: console.go_to("code"))
        JudgedNotice(console, self.aids.late.show_file_node)
        WatchNotice(console)

    def _listen_for_recents(self) -> None:
        document, commands = self.console.document, self.console.commands
        recents, guiding = self.aids.recents, self.aids.guiding
        recents.changed.connect(self.welcome.show_recents)
        recents.changed.connect(lambda _: QTimer.singleShot(0, guiding, guiding.refresh))
        self.welcome.recent_wanted.connect(lambda path: commands.open_path(Path(path)))
        self.welcome.recent_forgotten.connect(commands.forget_recent)
        for signal in (commands.recent_changed, document.closed):
            signal.connect(self.aids.show_recents)

    # Following the document

    def _show_work(self) -> None:
        works = self.console.works
        self.status.show_document(self.console.document)
        self.status.show_work(works.all(), works.alarm())
        if self.console.document.is_active:
            self._refresh_scores()

    def _show_page(self) -> None:
        """Without a project there is nothing on the pages but that of the jobs."""
        workspace = self.console.workspace
        document = self.console.document
        busy = document.is_open or document.seen is not None or workspace.shown == "jobs"
        self._stack.setCurrentWidget(workspace if busy else self.welcome)

    def _show_seen(self) -> None:
        """What is being opened is looked at in the graph."""
        if self.console.document.seen is not None:
            self.console.workspace.bring("graph")
        self._show_page()

    def _refresh(self) -> None:
        self.action_set.refresh()
        self.menus.refresh()
        self._show_page()
        self._refresh_title()

    def _refresh_title(self) -> None:
        document = self.console.document
        name = _name(document)
        if document.watched:
            name = tr("{name} on {host} (read-only)", **names(document))
        title = f"{document.title} – {name}" if document.title else name
        self.setWindowTitle(f"{title} – Tunewright" if title else "Tunewright")
        self.setWindowFilePath("" if document.watched else document.path)

    def _refresh_scores(self) -> None:
        document = self.console.document
        scores, precision = document.scores, document.head.precision
        if scores is not None and document.is_active:
            scores = replace(scores, time_left_s=self.console.works.run_left())
        self.scoreboard.show_scores(scores, document.is_active, precision)

    def _opened(self) -> None:
        document, messages = self.console.document, self.console.messages
        if document.is_refresh:
            return
        messages.clear()
        if document.watched:
            return  # the notice of the watch says so
        if document.read_only:
            messages.show_message(
                "info",
                tr("{name} cannot be written here, and is only shown.", name=_name(document)),
                tr("A copy that is saved elsewhere can be tuned."),
                action=(tr("Save as…"), self.console.actions["save-as"].trigger),
                kind="read-only",
            )
            return
        run = document.run
        if run is not None and run.state is RunState.INTERRUPTED:
            messages.show_message(
                "info",
                tr("The last run was interrupted after %n trials; all are kept.", "", run.trials),
                action=(tr("Continue"), self.console.commands.resume),
                kind="run",
            )

    def _exported(self) -> None:
        document = self.console.document
        if document.head.exports:
            export = document.head.exports[-1]
            action = (tr("Open folder"), lambda: _open_folder(export.dir))
            precision = document.head.precision
            text = export_words(export, precision)
            self.console.messages.show_message("info", text, action=action, kind="export")


def _name(document: Document) -> str:
    return Path(document.path).name if document.path else ""


def _panels(views: Views) -> dict[str, Panel]:
    bottom = Area.BottomDockWidgetArea
    panels = (
        Panel("project", tr("Project"), Area.LeftDockWidgetArea, views.project),
        Panel("inspector", tr("Inspector"), Area.RightDockWidgetArea, views.inspector),
        Panel("convergence", tr("Convergence"), bottom, views.convergence_page),
        Panel("tasks", tr("Tasks"), bottom, views.tasks),
        Panel("trials", tr("Trials"), bottom, views.trials),
        Panel("log", tr("Log"), bottom, views.log),
        Panel("sources", tr("Sources"), bottom, views.sources_page),
    )
    return {panel.objectName(): panel for panel in panels}


def _open_folder(folder: str) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(folder))


_KINDS = (QEvent.Type.DragEnter, QEvent.Type.DragMove, QEvent.Type.Drop)


class FileDrops(QObject):
    """Takes models and projects; the first is opened here, the others in windows of their own.

    Where something goes on here, all of them are.
    """

    def __init__(self, console: Console) -> None:
        super().__init__(console.window)
        self._console = console
        self._watch(console.window)

    def watch_parts(self) -> None:
        """Watch the parts that would keep a drop: lines to type in, and panels torn off."""
        for kind in (QLineEdit, QDockWidget):
            for part in self._console.window.findChildren(kind):
                self._watch(part)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() not in _KINDS or not isinstance(event, QDropEvent):
            return False
        paths = dropped_files(event)
        if not paths or not self._has_room:
            return False
        event.acceptProposedAction()
        if event.type() == QEvent.Type.Drop:
            self._open(paths)
        return True

    @property
    def _has_room(self) -> bool:
        """Whether a file can be shown, here or elsewhere."""
        return self._console.document.idle or self._console.windows.many

    def _open(self, paths: list[Path]) -> None:
        if self._console.document.idle:
            self._console.commands.open_path(paths.pop(0))
        for path in paths:
            self._console.windows.open(path)

    def _watch(self, part: QWidget) -> None:
        part.setAcceptDrops(True)
        part.installEventFilter(self)


def dropped_files(event: QDropEvent) -> list[Path]:
    """The models and projects among what is dropped."""
    paths = [Path(url.toLocalFile()) for url in event.mimeData().urls()]
    return [path for path in paths if is_ours(path)]


def offer_target(document: Document, commands: Commands, messages: MessageBar) -> None:
    """Say that the open project stays with its target, and offer the other one."""
    if _can_reopen(document, commands):
        target = commands.target
        what = tr(
            "The open project stays with its target; {target} holds for the next model.",
            target=target,
        )
        action = tr("Open this model for {target}", target=target), commands.reopen
        messages.show_message("info", what, action=action, kind="target")


def offer_precision(document: Document, commands: Commands, messages: MessageBar) -> None:
    """The same of the precision."""
    if not _can_reopen(document, commands):
        return
    wanted = commands.precisions.wanted
    if wanted == document.head.precision:
        for row in messages.rows():
            if row.kind == "precision":
                row.dismiss()
        return
    name = precision_name(wanted)
    what = tr(
        "The open project stays with its precision; {precision} holds for the next model.",
        precision=name,
    )
    action = tr("Open this model in {precision}", precision=name), commands.reopen
    messages.show_message("info", what, action=action, kind="precision")


def _can_reopen(document: Document, commands: Commands) -> bool:
    return document.is_open and commands.source is not None and document.idle
