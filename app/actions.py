"""The one table of actions: it feeds menus, toolbar, command palette and the list of keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QColor, QKeySequence

from app.document import Document
from app.exporting import copy_here, save_here
from engine.jobs.settings import RunState
from engine.jobs.steps import STEPS
from widgets.icons import icon
from widgets.theme import text_on, theme

if TYPE_CHECKING:
    from app.main_window import MainWindow

MENUS = ("&File", "&Run", "&View", "&Help")
CONTINUABLE = (RunState.STOPPED, RunState.INTERRUPTED, RunState.FINISHED, RunState.FAILED)


def always(document: Document) -> bool:
    """Enabled at any time."""
    return True


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action. `checked` makes it a tick; `before` starts a new section of its menu."""

    id: str
    text: str
    menu: str
    run: Callable[[MainWindow], object]
    tip: str
    shortcut: str = ""
    icon: str = ""
    enabled: Callable[[Document], bool] = always
    checked: Callable[[MainWindow], bool] | None = None
    before: bool = False


def _can_start(document: Document) -> bool:
    return document.has_tasks and document.idle


def _can_resume(document: Document) -> bool:
    return _can_start(document) and document.state in CONTINUABLE


def _can_pause(document: Document) -> bool:
    return document.state in (RunState.RUNNING, RunState.PAUSED)


def _can_stop(document: Document) -> bool:
    running = document.is_active and document.state is not RunState.STOPPING
    return running or document.searching


def can_find_stages(document: Document) -> bool:
    """Whether a search for stages may begin."""
    return document.has_tasks and document.idle and bool(document.path)


def _can_export(document: Document) -> bool:
    return document.is_open and document.idle


def _can_merge(document: Document) -> bool:
    return document.has_tasks and "merge" in STEPS


def _has_tasks(document: Document) -> bool:
    return document.has_tasks


def _is_idle_project(document: Document) -> bool:
    return document.is_open and document.idle


def _is_open(document: Document) -> bool:
    return document.is_open


def _is_idle(document: Document) -> bool:
    return document.idle


def _has_selection(document: Document) -> bool:
    return document.task is not None or bool(document.operators)


def _has_task(document: Document) -> bool:
    return document.task is not None


def _ask_trial(window: MainWindow) -> None:
    window.go_to("trials")
    window.views.trials.ask_number()


def _compare_trials(window: MainWindow) -> None:
    window.go_to("trials")
    if not window.views.trials.compare():
        window.messages.show_message("info", "Two trials can be compared.", "Mark two rows first.")


SPECS: tuple[ActionSpec, ...] = (
    ActionSpec("open-model", "&Open model…", "&File", lambda w: w.dialogs.open_model(),
               "Open an ONNX model and find its tasks", "Ctrl+O", "open", _is_idle),
    ActionSpec("open-project", "Open &project…", "&File", lambda w: w.dialogs.open_project(),
               "Open a .tune file and go on where it ended", "Ctrl+Shift+O", enabled=_is_idle),
    ActionSpec("save-as", "&Save as…", "&File", lambda w: w.dialogs.save_as(),
               "Copy the project; it is saved as it goes anyway", "Ctrl+Shift+S", "save",
               _is_open, before=True),
    ActionSpec("export", "&Export…", "&File", lambda w: w.dialogs.export(),
               "Write the tuned module, checked and measured, into a folder", "Ctrl+E", "export",
               _can_export),
    ActionSpec("copy-here", "Cop&y picture or rows", "&File", copy_here,
               "Copy the plot as a picture, or rows as CSV: whichever has the keyboard",
               "Ctrl+Shift+C", "copy", _is_open, before=True),
    ActionSpec("save-here", "Save pict&ure or table…", "&File", save_here,
               "Save the plot as PNG, SVG or CSV, or the table as CSV", "Ctrl+Alt+S",
               enabled=_is_open),
    ActionSpec("close-project", "&Close project", "&File", lambda w: w.commands.close_project(),
               "Close the project file", "Ctrl+W",
               enabled=lambda d: d.is_open and d.idle),
    ActionSpec("quit", "&Quit", "&File", lambda w: w.close(),
               "Close the window", "Ctrl+Q", before=True),
    ActionSpec("start", "&Start", "&Run", lambda w: w.commands.start(),
               "Start tuning with the budget shown", "F5", "start", _can_start),
    ActionSpec("resume", "&Continue last run", "&Run", lambda w: w.commands.resume(),
               "Go on with the settings of the last run", "Shift+F5", "resume", _can_resume),
    ActionSpec("pause", "&Pause", "&Run", lambda w: w.commands.toggle_pause(),
               "Hold the run, or let it go on", "F6", "pause", _can_pause),
    ActionSpec("stop", "S&top", "&Run", lambda w: w.commands.stop(),
               "End the run, or the search for stages; every result is kept", "F8", "stop",
               _can_stop),
    ActionSpec("settings", "Run settin&gs…", "&Run", lambda w: w.dialogs.run_settings(),
               "Budget, policy, search, measurement, seed", "Ctrl+,", "settings", before=True),
    ActionSpec("compare", "Co&mpare runs and policies…", "&Run", lambda w: w.compare(),
               "Runs and replayed policies on one plot, with the time saved", "Ctrl+9", "compare",
               _is_open),
    ActionSpec("share", "S&hare…", "&Run", lambda w: w.passes.open("share"),
               "Tune one task of each cluster, and give its schedules to the others",
               "Ctrl+Shift+H", "share", _has_tasks, before=True),
    ActionSpec("transfer", "Trans&fer…", "&Run", lambda w: w.passes.open("transfer"),
               "Try the best schedules of other models", "Ctrl+Shift+T", "transfer", _has_tasks),
    ActionSpec("droplet", "&Droplet…", "&Run", lambda w: w.passes.open("droplet"),
               "Polish each task's best schedule, one decision at a time", "Ctrl+Shift+D",
               "droplet", _has_tasks),
    ActionSpec("plan", "P&lan of passes…", "&Run", lambda w: w.passes.open("plan"),
               "Bursts of search with passes between them", "Ctrl+Shift+L", enabled=_has_tasks),
    ActionSpec("stages", "F&ind stages…", "&Run", lambda w: w.stages.open(),
               "Run operators side by side, or merged, where that is faster", "Ctrl+Shift+I",
               "stages", can_find_stages, before=True),
    ActionSpec("merge", "Tune m&erged operators…", "&Run", lambda w: w.passes.open("merge"),
               "Tune what several operators would be as one, for stages", "Ctrl+Shift+M",
               enabled=_can_merge),
    ActionSpec("library", "Add to m&y library", "&Run", lambda w: w.passes.add_to_library(),
               "Keep the best records, traces and latencies, as donors for other models",
               "Ctrl+Shift+Y", enabled=_is_idle_project, before=True),
    ActionSpec("fit-graph", "&Fit graph", "&View", lambda w: w.fit_graph(),
               "Show the whole graph", "Ctrl+0", "fit", _is_open),
    ActionSpec("follow", "Follo&w the tuner", "&View", lambda w: w.toggle_follow(),
               "Select each task when it gets a slot", "Ctrl+L", "follow", _is_open,
               checked=lambda w: w.document.follow),
    ActionSpec("belief", "Show &belief", "&View", lambda w: w.toggle_belief(),
               "What the selected task is expected to do next, over its curve", "Ctrl+B",
               enabled=_has_task, checked=lambda w: w.belief_shown),
    ActionSpec("sampler", "Belief's &sampler…", "&View",
               lambda w: w.show_sampler(),
               "Walkers and acceptance behind the selected task's belief", "Ctrl+Shift+B",
               enabled=_has_task),
    ActionSpec("clear-selection", "&Clear selection", "&View",
               lambda w: w.document.select_task(None), "Select nothing", "Esc",
               enabled=_has_selection),
    ActionSpec("go-graph", "Go to &graph", "&View", lambda w: w.go_to("graph"),
               "Put the keyboard on the graph", "Ctrl+1", before=True),
    ActionSpec("go-convergence", "Go to con&vergence", "&View", lambda w: w.go_to("convergence"),
               "Show the convergence curves", "Ctrl+2"),
    ActionSpec("go-tasks", "Go to &tasks", "&View", lambda w: w.go_to("tasks"),
               "Show the task table", "Ctrl+3"),
    ActionSpec("go-trials", "Go to tri&als", "&View", lambda w: w.go_to("trials"),
               "Show the trials", "Ctrl+4"),
    ActionSpec("go-log", "Go to l&og", "&View", lambda w: w.go_to("log"),
               "Show the log", "Ctrl+5"),
    ActionSpec("go-project", "Go to &project", "&View", lambda w: w.go_to("project"),
               "Show inputs, runs and exports", "Ctrl+6"),
    ActionSpec("go-inspector", "Go to &inspector", "&View", lambda w: w.go_to("inspector"),
               "Show the selected task or trial", "Ctrl+7"),
    ActionSpec("go-clusters", "Go to clusters", "&View", lambda w: w.go_to("clusters"),
               "Show which tasks can use one schedule", "Ctrl+Alt+4"),
    ActionSpec("go-transfer", "Go to transfers", "&View", lambda w: w.go_to("transfer"),
               "Show what donors gave", "Ctrl+Alt+5"),
    ActionSpec("go-droplet", "Go to droplet", "&View", lambda w: w.go_to("droplet"),
               "Show the path through a task's decisions", "Ctrl+Alt+6"),
    ActionSpec("go-stages", "Go to stages", "&View", lambda w: w.go_to("stages"),
               "Show which operators run side by side", "Ctrl+Alt+8"),
    ActionSpec("go-sources", "Go to sources", "&View", lambda w: w.go_to("sources"),
               "Show what search and passes gave", "Ctrl+Alt+7"),
    ActionSpec("go-allocation", "Go to allocation", "&View", lambda w: w.go_to("allocation"),
               "Show where the tuning time goes", "Ctrl+8"),
    ActionSpec("go-trial", "Go to trial by nu&mber", "&View", _ask_trial,
               "Type the number of a trial", "Ctrl+G", enabled=_is_open),
    ActionSpec("compare-trials", "Compare mar&ked trials", "&View", _compare_trials,
               "What differs between the two rows that are marked in the trials", "Ctrl+D",
               enabled=_is_open),
    ActionSpec("theme-light", "Theme: &light", "&View", lambda w: w.set_theme("light"),
               "Dark text on light", "Ctrl+Alt+1", checked=lambda w: w.theme_name == "light",
               before=True),
    ActionSpec("theme-dark", "Theme: &dark", "&View", lambda w: w.set_theme("dark"),
               "Light text on dark", "Ctrl+Alt+2", checked=lambda w: w.theme_name == "dark"),
    ActionSpec("theme-system", "Theme: as the s&ystem", "&View",
               lambda w: w.set_theme("system"), "As the desktop is set", "Ctrl+Alt+3",
               checked=lambda w: w.theme_name == "system"),
    ActionSpec("reset-layout", "&Reset layout", "&View", lambda w: w.reset_layout(),
               "Put all docks where they were at first", "Ctrl+Alt+0", before=True),
    ActionSpec("palette", "Command &palette…", "&Help", lambda w: w.dialogs.palette(),
               "Find any command by name", "Ctrl+K", "search"),
    ActionSpec("keys", "&Keyboard shortcuts", "&Help", lambda w: w.dialogs.keys(),
               "List all keys", "F1"),
)  # fmt: skip


class Actions(QObject):
    """The QActions of a window, by id; `refresh` follows the document."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.by_id: dict[str, QAction] = {}
        for spec in SPECS:
            self.by_id[spec.id] = self._make(spec)
            window.addAction(self.by_id[spec.id])
        self.refresh()

    def __getitem__(self, action: str) -> QAction:
        return self.by_id[action]

    def all(self) -> list[QAction]:
        """Every action, in the order of the table."""
        return list(self.by_id.values())

    def refresh(self) -> None:
        """Enable and tick by the state of things."""
        document = self._window.document
        for spec in SPECS:
            action = self.by_id[spec.id]
            action.setEnabled(spec.enabled(document))
            if spec.checked is not None:
                action.setChecked(spec.checked(self._window))
        paused = document.state is RunState.PAUSED
        self.by_id["pause"].setText("&Go on" if paused else "&Pause")
        self.by_id["pause"].setIcon(icon("start" if paused else "pause"))

    def retint(self) -> None:
        """Draw the icons in the colours in force."""
        for spec in SPECS:
            if spec.icon:
                self.by_id[spec.id].setIcon(icon(spec.icon, _color(spec)))
        self.refresh()

    def _make(self, spec: ActionSpec) -> QAction:
        action = QAction(spec.text, self)
        keys = QKeySequence(spec.shortcut)
        action.setShortcut(keys)
        action.setCheckable(spec.checked is not None)
        named = f" ({keys.toString(QKeySequence.SequenceFormat.NativeText)})" if keys else ""
        action.setToolTip(f"{spec.tip}{named}")
        action.setStatusTip("")
        if spec.icon:
            action.setIcon(icon(spec.icon, _color(spec)))
        action.triggered.connect(lambda: self._run(spec))
        return action

    def _run(self, spec: ActionSpec) -> None:
        spec.run(self._window)
        self.refresh()


def _color(spec: ActionSpec) -> QColor | None:
    return text_on(theme().accent) if spec.id == "start" else None
