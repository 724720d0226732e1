"""The one table of actions: it feeds menus, toolbar, palette, keys and the page of the help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from app.cycling import float_panel, move_panel, step
from app.document import Document
from app.exporting import copy_here, save_here
from app.help_places import START
from app.notify import toggle_notices, wants_notices
from engine.jobs.settings import RunState
from engine.jobs.steps import STEPS

if TYPE_CHECKING:
    from app.main_window import MainWindow

MENUS = ("&File", "&Edit", "&Run", "&View", "&Help")
CONTINUABLE = (RunState.STOPPED, RunState.INTERRUPTED, RunState.FINISHED, RunState.FAILED)


def always(document: Document) -> bool:
    """Enabled at any time."""
    return True


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action. `checked` makes it a tick; `before` starts a new section of its menu.

    `ready` is asked beside `enabled` of what the document does not know; `title` gives a text that
    changes. With `shows_keys` a button of it bears its keys.
    """

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
    ready: Callable[[MainWindow], bool] | None = None
    title: Callable[[MainWindow], str] | None = None
    shows_keys: bool = False


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


def _can_cancel(document: Document) -> bool:
    return document.can_cancel


def _is_saved(document: Document) -> bool:
    return document.is_open and bool(document.path)


def _is_open(document: Document) -> bool:
    return document.is_open


def _is_idle(document: Document) -> bool:
    return document.idle


def _has_selection(document: Document) -> bool:
    return document.task is not None or bool(document.operators)


def _has_task(document: Document) -> bool:
    return document.task is not None


def _find_node(window: MainWindow) -> None:
    window.go_to("graph")
    window.views.graph.start_search()


def _other_side(window: MainWindow) -> None:
    window.go_to("graph")
    window.views.graph.show_other_side()


def _new_window(window: MainWindow) -> None:
    if window.windows is not None:
        window.windows.new()


def _quit(window: MainWindow) -> None:
    if window.windows is not None:
        window.windows.close_all()
    else:
        window.close()


def _undo_title(window: MainWindow) -> str:
    return f"&Undo {window.commands.edits.undo.undo_text.replace('&', '&&')}".rstrip()


def _redo_title(window: MainWindow) -> str:
    return f"&Redo {window.commands.edits.undo.redo_text.replace('&', '&&')}".rstrip()


def _name_project(window: MainWindow) -> None:
    window.go_to("project")
    window.views.project.name_project()


def _name_task(window: MainWindow) -> None:
    window.go_to("inspector")
    window.views.inspector.name_task()


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
    ActionSpec("report", "Repor&t…", "&File", lambda w: w.aids.reports.save(),
               "Write one HTML file with curves, tasks, passes, stages and settings",
               "Ctrl+Shift+E", enabled=_is_saved),
    ActionSpec("print-report", "Pr&int report…", "&File", lambda w: w.aids.reports.print_report(),
               "Print the report, or save it as PDF", "Ctrl+P", enabled=_is_saved),
    ActionSpec("close-project", "&Close project", "&File", lambda w: w.commands.close_project(),
               "Close the project file", "Ctrl+W",
               enabled=lambda d: d.is_open and d.idle),
    ActionSpec("new-window", "&New window", "&File", _new_window,
               "One more window, for another model", "Ctrl+Shift+N", before=True,
               ready=lambda w: w.windows is not None),
    ActionSpec("close-window", "Close &window", "&File", lambda w: w.close(),
               "Close this window; others go on", "Ctrl+Shift+W"),
    ActionSpec("quit", "&Quit", "&File", _quit,
               "Close all windows", "Ctrl+Q"),
    ActionSpec("undo", "&Undo", "&Edit", lambda w: w.commands.edits.undo.undo(),
               "Take the last edit back: of wishes, budget, clusters, names and notes", "Ctrl+Z",
               ready=lambda w: w.commands.edits.undo.can_undo, title=_undo_title),
    ActionSpec("redo", "&Redo", "&Edit", lambda w: w.commands.edits.undo.redo(),
               "Do again what was taken back", "Ctrl+Shift+Z",
               ready=lambda w: w.commands.edits.undo.can_redo, title=_redo_title),
    ActionSpec("name-project", "&Title and note of the project", "&Edit", _name_project,
               "What you call the project, and what you want to remember of it", "Ctrl+Shift+J",
               enabled=_is_saved, before=True),
    ActionSpec("name-task", "&Name and note of the task", "&Edit", _name_task,
               "What you call the selected task, and what you want to remember of it", "Ctrl+J",
               enabled=_has_task),
    ActionSpec("copy-here", "&Copy picture or rows", "&Edit", copy_here,
               "Copy the plot as a picture, or rows as CSV: whichever has the keyboard",
               "Ctrl+Shift+C", "copy", _is_open, before=True),
    ActionSpec("save-here", "&Save picture or table…", "&Edit", save_here,
               "Save the plot as PNG, SVG or CSV, or the table as CSV", "Ctrl+Alt+S",
               enabled=_is_open),
    ActionSpec("clear-selection", "Clear s&election", "&Edit",
               lambda w: w.document.select_task(None), "Select nothing", "Esc", before=True,
               enabled=_has_selection),
    ActionSpec("start", "&Start", "&Run", lambda w: w.commands.start(),
               "Start tuning with the budget shown", "F5", "start", _can_start),
    ActionSpec("resume", "&Continue last run", "&Run", lambda w: w.commands.resume(),
               "Go on with the settings of the last run", "Shift+F5", "resume", _can_resume),
    ActionSpec("pause", "&Pause", "&Run", lambda w: w.commands.toggle_pause(),
               "Hold the run, or let it go on", "F7", "pause", _can_pause,
               title=lambda w: "&Go on" if w.document.state is RunState.PAUSED else "&Pause"),
    ActionSpec("stop", "S&top", "&Run", lambda w: w.commands.stop(),
               "End the run, or the search for stages; every result is kept", "F8", "stop",
               _can_stop),
    ActionSpec("cancel", "C&ancel", "&Run", lambda w: w.commands.cancel(),
               "Take back the opening of a model, the export or the finding of design spaces",
               "Ctrl+.", enabled=_can_cancel),
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
    ActionSpec("find-node", "Find in graph", "&View", _find_node,
               "Find nodes by name, operator or shape", "Ctrl+F", enabled=_has_tasks),
    ActionSpec("graph-side", "Operators or file's nodes", "&View", _other_side,
               "Show the nodes of the model's file, or the fused operators", "Ctrl+Shift+G",
               enabled=_has_tasks),
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
    ActionSpec("theme-contrast", "Theme: &high contrast", "&View",
               lambda w: w.set_theme("contrast"), "Stronger colours, light or dark as the desktop",
               "Ctrl+Alt+9", checked=lambda w: w.theme_name == "contrast"),
    ActionSpec("preferences", "Pr&eferences…", "&View", lambda w: w.aids.preferences(),
               "Notices, and when silence is worth a word", "Ctrl+Shift+,", before=True),
    ActionSpec("next-part", "Ne&xt part", "&View", lambda w: step(w, 1),
               "Take the keyboard to the next panel, page or bar", "F6", before=True),
    ActionSpec("previous-part", "Previous part", "&View", lambda w: step(w, -1),
               "Take the keyboard to the panel, page or bar before", "Shift+F6"),
    ActionSpec("float-panel", "Tear off or put back panel", "&View", float_panel,
               "The panel that has the keyboard becomes a window, or is one no longer", "Ctrl+F6"),
    ActionSpec("move-panel", "Move panel to next side", "&View", move_panel,
               "Take the panel that has the keyboard round the window", "Ctrl+Shift+F6"),
    ActionSpec("save-layout", "Save layout as…", "&View",
               lambda w: w.menus.layouts.ask_name(), "Keep the arrangement of panels by a name",
               "Ctrl+Alt+L", before=True),
    ActionSpec("reset-layout", "&Reset layout", "&View", lambda w: w.reset_layout(),
               "Put all docks where they were at first", "Ctrl+Alt+0"),
    ActionSpec("bring-back", "Bring back all panels", "&View", lambda w: w.layouts.bring_back(),
               "Show closed panels, and windows that are off the screen", "Ctrl+Alt+B"),
    ActionSpec("palette", "Command &palette…", "&Help", lambda w: w.dialogs.palette(),
               "Find any command, task, view or recent file by name", "Ctrl+K", "search",
               shows_keys=True),
    ActionSpec("help", "&Help on this part", "&Help", lambda w: w.aids.help.open_here(),
               "Open the help at the part of the window that has the keyboard", "F1",
               before=True),
    ActionSpec("help-contents", "&Read how it works", "&Help",
               lambda w: w.aids.help.open(*START), "The help from its first page",
               "Shift+F1"),
    ActionSpec("tour", "&Guided first run", "&Help", lambda w: w.aids.guiding.begin(),
               "Tune a sample with hints at each step", "Ctrl+Shift+F1"),
    ActionSpec("keys", "&Keyboard shortcuts…", "&Help", lambda w: w.dialogs.keys(),
               "Read, find and change the keys of all commands", "Ctrl+F1"),
    ActionSpec("notify", "&Notify when work ends", "&Help",
               lambda w: toggle_notices(w.settings),
               "A message of the desktop where the window is not in front", "Ctrl+Alt+N",
               checked=lambda w: wants_notices(w.settings), before=True),
)  # fmt: skip
