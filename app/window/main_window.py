"""The console: toolbar, scoreboard, workspace, docks, status line."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QDesktopServices,
    QPaintEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QMainWindow,
    QStackedWidget,
    QTabWidget,
    QToolBar,
    QVBoxLayout,
    QWidget,
)

from app.document.commands import Commands
from app.document.document import Document
from app.process.bridge import Bridge
from app.process.settings import Settings
from app.process.windows import Windows
from app.window.actions.action_set import Actions
from app.window.actions.cycling import tab
from app.window.actions.menus import Menus
from app.window.actions.toolbar import PassBar, ToolBar
from app.window.aids.aids import STARTERS, Aids
from app.window.dialogs import Dialogs
from app.window.file_drops import FileDrops
from app.window.jobs import Jobs
from app.window.layouts import Layouts
from app.window.panels import Area, Panel
from app.window.passes import Passes
from app.window.reopening import offer_precision, offer_target
from app.window.stages import Stages
from app.window.status import StatusLine
from app.window.views import Views
from engine.records.settings import RunState
from engine.records.snapshot import Snapshot
from widgets.look.icons import icon
from widgets.look.language import tr
from widgets.look.theme import THEME_NAMES, ThemeName, apply_theme, theme_notifier
from widgets.parts.message_bar import MessageBar
from widgets.window.export_words import export_words
from widgets.window.scoreboard import Scoreboard
from widgets.window.welcome import Welcome


class MainWindow(QMainWindow):
    """One project on screen. Its graph and curves come with `complete`, after the first paint."""

    first_painted = Signal()
    closed = Signal()
    windows: Windows | None = None  # all of the process
    document: Document
    commands: Commands
    settings: Settings
    dialogs: Dialogs
    aids: Aids
    menus: Menus
    layouts: Layouts
    passes: Passes
    stages: Stages
    jobs: Jobs

    def __init__(
        self, document: Document, commands: Commands, bridge: Bridge, settings: Settings
    ) -> None:
        super().__init__()
        self.document, self.commands, self.settings = document, commands, settings
        self._painted = self._closing = False
        self.setWindowIcon(icon("app"))
        self.drops = FileDrops(self)
        self.views = Views(document, commands)
        self.scoreboard, self.messages = Scoreboard(), MessageBar()
        self.workspace = QTabWidget()
        self.workspace.setAccessibleName(tr("Workspace"))
        self.workspace.addTab(self.views.graph_page, tr("Graph"))
        self.workspace.addTab(self.views.allocation_page, tr("Allocation"))
        self.workspace.addTab(self.views.clusters_page, tr("Clusters"))
        self.workspace.addTab(self.views.transfer_page, tr("Transfer"))
        self.workspace.addTab(self.views.droplet_page, tr("Droplet"))
        self.workspace.addTab(self.views.stages_page, tr("Stages"))
        self.workspace.addTab(self.views.jobs_page, tr("Jobs"))
        self.views.compare_page.setParent(self)
        self.views.compare_page.hide()
        self._stack = QStackedWidget()
        self.setCentralWidget(self._center())
        self.panels = self._make_panels()
        self.jobs = Jobs(self)
        self.actions_table = Actions(self)
        self.dialogs = Dialogs(self)
        self.passes, self.stages = Passes(self), Stages(self)
        self.menus = Menus(self)
        self.welcome = Welcome([self.actions_table[id] for id in STARTERS], self.menus.samples)
        self._stack.addWidget(self.welcome)
        self.toolbar = ToolBar(self.actions_table, commands, document)
        self.pass_bar = PassBar(self.actions_table)
        self._add_bars()
        self.status = StatusLine()
        self.setStatusBar(self.status)
        self.aids = Aids(self, bridge)
        self.layouts = Layouts(self, self.panels, settings)
        self.layouts.begin()
        self._listen(bridge)
        self._refresh()
        self.aids.works.changed.emit()

    # What actions call

    def complete(self) -> None:
        """Make the views whose libraries take long to load."""
        if self.views.graph is None:
            self.views.complete()
            self.views.comparison.recording_wanted.connect(self.dialogs.load_recording)
            self.views.convergence.bar.belief_changed.connect(self.actions_table.refresh)
            self.views.clusters.share_wanted.connect(lambda: self.passes.open("share"))
            self.stages.join(self.views.stages)
            self.jobs.join(self.views.jobs)
            self.aids.complete()
            self.drops.watch_parts()

    def fit_graph(self) -> None:
        """Show the whole graph."""
        self.workspace.setCurrentWidget(self.views.graph_page)
        self.views.fit_graph()

    def toggle_follow(self) -> None:
        """Let the selection go with the tuner, or not."""
        self.document.set_follow(not self.document.follow)

    def go_to(self, name: str) -> None:
        """Show a part of the window and give it the keyboard."""
        page = self.views.pages.get(name)
        if page is not None:
            self.workspace.setCurrentWidget(page)
            self.views.focus_page(name)
        else:
            self.panels[name].show_here()

    def compare(self) -> None:
        """Show the comparison of runs and policies, a tab of its own from then on."""
        self.complete()
        page = self.views.compare_page
        if self.workspace.indexOf(page) < 0:
            self.workspace.addTab(page, tr("Compare"))
        self.workspace.setCurrentWidget(page)
        self.views.focus_page("compare")

    def toggle_belief(self) -> None:
        """Show what is believed of the selected task over its curve, or not."""
        self.complete()
        self.panels["convergence"].show_here()
        self.views.convergence.set_belief(not self.belief_shown)

    def show_sampler(self) -> None:
        """Show how the sampler behind the selected task's belief went."""
        self.complete()
        self.views.convergence.show_sampler()

    @property
    def theme_name(self) -> ThemeName:
        """The colours that were chosen; another window may have done it."""
        stored = self.settings.get("theme", "system")
        return next((name for name in THEME_NAMES if name == stored), "system")

    @property
    def belief_shown(self) -> bool:
        """Whether the belief is wanted."""
        convergence = self.views.convergence
        return convergence is not None and bool(convergence.belief.wanted)

    def set_theme(self, name: ThemeName) -> None:
        """Use other colours, now and the next time."""
        self.settings.set("theme", name)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_theme(app, name)

    def reset_layout(self) -> None:
        """Put the panels where they were at first."""
        self.layouts.reset()

    def close_now(self) -> None:
        """Close without asking; the engine stops the run as it shuts down."""
        self._closing = True
        self.close()

    def close_asked(self) -> None:
        """Close although a run goes on, as a person said; jobs that go on are asked about."""
        if not self.jobs.ask_before_closing():
            self.close_now()

    # Qt events

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint; say so the first time."""
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self.first_painted.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Ask where a run or the queue goes on; otherwise remember the layout."""
        if not self._closing and self._asks():
            event.ignore()
            return
        self.layouts.keep()
        self.passes.close()
        self.stages.close()
        self.jobs.close()
        self.aids.close()
        self.views.close()
        super().closeEvent(event)
        self.closed.emit()

    def focusNextPrevChild(self, onwards: bool) -> bool:
        """Tab goes through what is in sight."""
        return tab(self, onwards)

    # Making

    def _center(self) -> QWidget:
        center = QWidget()
        self._stack.addWidget(self.workspace)
        layout = QVBoxLayout(center)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.messages)
        layout.addWidget(self._stack, 1)
        return center

    def _make_panels(self) -> dict[str, Panel]:
        views, bottom = self.views, Area.BottomDockWidgetArea
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

    def _add_bars(self) -> None:
        self.addToolBar(self.toolbar)
        self.addToolBarBreak()
        self.addToolBar(self.pass_bar)
        self.addToolBarBreak()
        strip = QToolBar(tr("Scoreboard"))
        strip.setObjectName("scoreboard")
        strip.setMovable(False)
        strip.setContentsMargins(0, 0, 0, 0)
        strip.addWidget(self.scoreboard)
        self.addToolBar(strip)
        for bar in (self.toolbar, self.pass_bar, strip):
            bar.setContextMenuPolicy(Qt.ContextMenuPolicy.PreventContextMenu)

    def _listen(self, bridge: Bridge) -> None:
        document, commands = self.document, self.commands
        bridge.events.connect(document.apply)
        bridge.events.connect(self.views.log.apply)
        self.workspace.currentChanged.connect(lambda _: self._show_page())
        document.opened.connect(self._opened)
        document.closed.connect(self._refresh)
        document.closed.connect(self.messages.leave_project)
        document.changed.connect(self._refresh)
        document.project_changed.connect(self._refresh_title)
        document.selection_changed.connect(self.actions_table.refresh)
        document.scores_changed.connect(self._refresh_scores)
        document.failed.connect(lambda what, todo: self.messages.show_message("error", what, todo))
        commands.recent_changed.connect(self.menus.refresh)
        commands.export_done.connect(self._exported)
        commands.target_changed.connect(lambda: offer_target(self))
        commands.precisions.chosen_by_hand.connect(lambda: offer_precision(self))
        self.views.project.export_opened.connect(_open_folder)
        theme_notifier().changed.connect(self.actions_table.retint)

    # Following the document

    def _asks(self) -> bool:
        """Whether a person was asked what becomes of what goes on."""
        if self.document.is_active:
            self.dialogs.closing()
            return True
        return self.jobs.ask_before_closing()

    def _show_page(self) -> None:
        """Without a project there is nothing on the pages but that of the jobs."""
        jobs = self.workspace.currentWidget() is self.views.jobs_page
        shown = self.workspace if self.document.is_open or jobs else self.welcome
        self._stack.setCurrentWidget(shown)

    def _refresh(self) -> None:
        self.actions_table.refresh()
        self.menus.refresh()
        self._show_page()
        self._refresh_title()

    def _refresh_title(self) -> None:
        name = Path(self.document.path).name if self.document.path else ""
        title = f"{self.document.title} – {name}" if self.document.title else name
        self.setWindowTitle(f"{title} – Tunewright" if title else "Tunewright")
        self.setWindowFilePath(self.document.path)

    def _refresh_scores(self) -> None:
        precision = self.document.snapshot.precision if self.document.snapshot else ""
        self.scoreboard.show_scores(self.document.scores, self.document.is_active, precision)

    def _opened(self, snapshot: Snapshot) -> None:
        if self.document.is_refresh:
            return
        self.messages.clear()
        run = self.document.run
        if run is not None and run.state is RunState.INTERRUPTED:
            self.messages.show_message(
                "info",
                tr("The last run was interrupted after %n trials; all are kept.", "", run.trials),
                action=(tr("Continue"), self.commands.resume),
                kind="run",
            )

    def _exported(self) -> None:
        if self.document.exports:
            export = self.document.exports[-1]
            action = (tr("Open folder"), lambda: _open_folder(export.dir))
            precision = self.document.snapshot.precision if self.document.snapshot else ""
            text = export_words(export, precision)
            self.messages.show_message("info", text, action=action, kind="export")


def _open_folder(folder: str) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(folder))
