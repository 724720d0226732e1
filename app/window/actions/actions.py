"""The one table of actions: it feeds menus, toolbar, palette, keys and the page of the help."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from app.document.document import Document
from app.process.application import choose_theme, chosen_theme
from app.window.actions.conditions import (
    always,
    can_cancel,
    can_export,
    can_find_stages,
    can_locate,
    can_merge,
    can_pause,
    can_resume,
    can_start,
    can_stop,
    has_selection,
    has_task,
    has_tasks,
    is_idle,
    is_idle_project,
    is_open,
    is_saved,
)
from app.window.aids.aids import Aids
from app.window.aids.help_places import START
from app.window.aids.notify import toggle_notices, wants_notices
from app.window.exporting import copy_here, save_here
from engine.records.settings import RunState
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import ThemeName

MENUS = (
    QT_TR_NOOP("&File"),
    QT_TR_NOOP("&Edit"),
    QT_TR_NOOP("&Run"),
    QT_TR_NOOP("&View"),
    QT_TR_NOOP("&Help"),
)


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action. `checked` makes it a tick; `before` starts a new section of its menu.

    `ready` is asked beside `enabled` of what the document does not know; `title` gives a text that
    changes. With `shows_keys` a button of it bears its keys; one that `writes` the project says why
    it is off where only looking is possible. `text` and `tip` are English.
    """

    id: str
    text: str
    menu: str
    run: Callable[[Aids], object]
    tip: str
    shortcut: str = ""
    icon: str = ""
    enabled: Callable[[Document], bool] = always
    checked: Callable[[Aids], bool] | None = None
    before: bool = False
    ready: Callable[[Aids], bool] | None = None
    title: Callable[[Aids], str] | None = None
    shows_keys: bool = False
    writes: bool = False


def _go(name: str) -> Callable[[Aids], None]:
    return lambda aids: aids.console.go_to(name)


def _theme(name: ThemeName) -> Callable[[Aids], None]:
    return lambda aids: choose_theme(aids.console.settings, name)


def _is_theme(name: ThemeName) -> Callable[[Aids], bool]:
    return lambda aids: chosen_theme(aids.console.settings) == name


def _toggle_follow(aids: Aids) -> None:
    document = aids.console.document
    document.set_follow(not document.follow)


def _undo_title(aids: Aids) -> str:
    edit = aids.console.commands.edits.undo.undo_text.replace("&", "&&")
    return tr("&Undo {edit}", edit=edit) if edit else tr("&Undo")


def _redo_title(aids: Aids) -> str:
    edit = aids.console.commands.edits.undo.redo_text.replace("&", "&&")
    return tr("&Redo {edit}", edit=edit) if edit else tr("&Redo")


def _pause_title(aids: Aids) -> str:
    return tr("&Go on") if aids.console.document.state is RunState.PAUSED else tr("&Pause")


def _queue_title(aids: Aids) -> str:
    return tr("Hold &queue of jobs") if aids.jobs.running else tr("Run &queue of jobs")


def _name_project(aids: Aids) -> None:
    aids.console.go_to("project")
    aids.views.project.name_project()


def _name_task(aids: Aids) -> None:
    aids.console.go_to("inspector")
    aids.views.inspector.name_task()


def _ask_trial(aids: Aids) -> None:
    aids.console.go_to("trials")
    aids.views.trials.ask_number()


def _compare_trials(aids: Aids) -> None:
    aids.console.go_to("trials")
    if not aids.views.trials.compare():
        aids.console.messages.show_message(
            "info", tr("Two trials can be compared."), tr("Mark two rows first.")
        )


SPECS: tuple[ActionSpec, ...] = (
    ActionSpec("open-model", QT_TR_NOOP("&Open model…"), "&File", lambda a: a.dialogs.open_model(),
               QT_TR_NOOP("Open an ONNX model and find its tasks"), "Ctrl+O", "open", is_idle),
    ActionSpec("open-project", QT_TR_NOOP("Open &project…"), "&File",
               lambda a: a.dialogs.open_project(),
               QT_TR_NOOP("Open a .tune file and go on where it ended"), "Ctrl+Shift+O",
               enabled=is_idle),
    ActionSpec("watch", QT_TR_NOOP("Watc&h a run on another machine…"), "&File",
               lambda a: a.dialogs.watch(),
               QT_TR_NOOP("Show a project that is tuned elsewhere, as it grows; by ssh, read only"),
               "Ctrl+Alt+W", enabled=is_idle),
    ActionSpec("open-experiment", QT_TR_NOOP("Open e&xperiment…"), "&File",
               lambda a: a.dialogs.open_experiment(),
               QT_TR_NOOP("Show what came of an experiment, and open its projects"), "Ctrl+Alt+O"),
    ActionSpec("save-as", QT_TR_NOOP("&Save as…"), "&File", lambda a: a.dialogs.save_as(),
               QT_TR_NOOP("Copy the project; it is saved as it goes anyway"), "Ctrl+Shift+S",
               "save", is_open, before=True),
    ActionSpec("export", QT_TR_NOOP("&Export…"), "&File", lambda a: a.dialogs.export(),
               QT_TR_NOOP("Write the tuned module, checked and measured, into a folder"), "Ctrl+E",
               "export", can_export, writes=True),
    ActionSpec("locate-model", QT_TR_NOOP("&Locate model…"), "&File",
               lambda a: a.dialogs.locate_model(),
               QT_TR_NOOP("Say where the file of the project's model is now"), "Ctrl+Alt+M",
               enabled=can_locate, writes=True),
    ActionSpec("report", QT_TR_NOOP("Repor&t…"), "&File", lambda a: a.reports.save(),
               QT_TR_NOOP("Write one HTML file with curves, tasks, passes, stages and settings"),
               "Ctrl+Shift+E", enabled=is_saved),
    ActionSpec("print-report", QT_TR_NOOP("Pr&int report…"), "&File",
               lambda a: a.reports.print_report(),
               QT_TR_NOOP("Print the report, or save it as PDF"), "Ctrl+P", enabled=is_saved),
    ActionSpec("close-project", QT_TR_NOOP("&Close project"), "&File",
               lambda a: a.console.commands.close_project(),
               QT_TR_NOOP("Close the project file"), "Ctrl+W",
               enabled=lambda d: d.is_open and d.idle),
    ActionSpec("new-window", QT_TR_NOOP("&New window"), "&File", lambda a: a.console.windows.new(),
               QT_TR_NOOP("One more window, for another model"), "Ctrl+Shift+N", before=True,
               ready=lambda a: a.console.windows.many),
    ActionSpec("close-window", QT_TR_NOOP("Close &window"), "&File",
               lambda a: a.console.window.close(),
               QT_TR_NOOP("Close this window; others go on"), "Ctrl+Shift+W"),
    ActionSpec("quit", QT_TR_NOOP("&Quit"), "&File",
               lambda a: a.console.windows.close_all(), QT_TR_NOOP("Close all windows"),
               "Ctrl+Q"),
    ActionSpec("undo", QT_TR_NOOP("&Undo"), "&Edit", lambda a: a.console.commands.edits.undo.undo(),
               QT_TR_NOOP("Take the last edit back: of wishes, budget, clusters, names and notes"),
               "Ctrl+Z", ready=lambda a: a.console.commands.edits.undo.can_undo, title=_undo_title),
    ActionSpec("redo", QT_TR_NOOP("&Redo"), "&Edit", lambda a: a.console.commands.edits.undo.redo(),
               QT_TR_NOOP("Do again what was taken back"), "Ctrl+Shift+Z",
               ready=lambda a: a.console.commands.edits.undo.can_redo, title=_redo_title),
    ActionSpec("name-project", QT_TR_NOOP("&Title and note of the project"), "&Edit", _name_project,
               QT_TR_NOOP("What you call the project, and what you want to remember of it"),
               "Ctrl+Shift+J", enabled=is_saved, before=True,
               writes=True),
    ActionSpec("name-task", QT_TR_NOOP("&Name and note of the task"), "&Edit", _name_task,
               QT_TR_NOOP("What you call the selected task, and what you want to remember of it"),
               "Ctrl+J", enabled=has_task,
               writes=True),
    ActionSpec("copy-here", QT_TR_NOOP("&Copy picture or rows"), "&Edit",
               lambda a: copy_here(a.console),
               QT_TR_NOOP("Copy the plot as a picture, or rows as CSV: whichever has the keyboard"),
               "Ctrl+Shift+C", "copy", is_open, before=True),
    ActionSpec("save-here", QT_TR_NOOP("&Save picture or table…"), "&Edit",
               lambda a: save_here(a.console),
               QT_TR_NOOP("Save the plot as PNG, SVG or CSV, or the table as CSV"), "Ctrl+Alt+S",
               enabled=is_open),
    ActionSpec("clear-selection", QT_TR_NOOP("Clear s&election"), "&Edit",
               lambda a: a.console.document.select_task(None), QT_TR_NOOP("Select nothing"), "Esc",
               before=True, enabled=has_selection),
    ActionSpec("start", QT_TR_NOOP("&Start"), "&Run", lambda a: a.console.commands.start(),
               QT_TR_NOOP("Start tuning with the budget shown"), "F5", "start", can_start,
               writes=True),
    ActionSpec("resume", QT_TR_NOOP("&Continue last run"), "&Run",
               lambda a: a.console.commands.resume(),
               QT_TR_NOOP("Go on with the settings of the last run"), "Shift+F5", "resume",
               can_resume,
               writes=True),
    ActionSpec("pause", QT_TR_NOOP("&Pause"), "&Run", lambda a: a.console.commands.toggle_pause(),
               QT_TR_NOOP("Hold the run, or let it go on"), "F7", "pause", can_pause,
               title=_pause_title),
    ActionSpec("stop", QT_TR_NOOP("S&top"), "&Run", lambda a: a.console.commands.stop(),
               QT_TR_NOOP("End the run, or the search for stages; every result is kept"), "F8",
               "stop", can_stop),
    ActionSpec("cancel", QT_TR_NOOP("C&ancel"), "&Run", lambda a: a.console.commands.cancel(),
               QT_TR_NOOP("Take back the opening of a model, the export or the finding of design "
                          "spaces"),
               "Ctrl+.", enabled=can_cancel),
    ActionSpec("measure-again", QT_TR_NOOP("Measu&re again"), "&Run",
               lambda a: a.console.commands.measure_again(),
               QT_TR_NOOP("Measure the whole model, untuned and tuned, and what runs its file"),
               "Shift+F9", enabled=is_idle_project, writes=True),
    ActionSpec("settings", QT_TR_NOOP("Run settin&gs…"), "&Run", lambda a: a.dialogs.run_settings(),
               QT_TR_NOOP("Budget, policy, search, measurement, seed"), "Ctrl+,", "settings",
               before=True),
    ActionSpec("other-machine", QT_TR_NOOP("T&une for another machine…"), "&Run",
               lambda a: a.dialogs.board(),
               QT_TR_NOOP("Choose a board as the target: compiled for here, measured there"),
               "Ctrl+Alt+T", enabled=is_idle),
    ActionSpec("compare", QT_TR_NOOP("Co&mpare runs and policies…"), "&Run", _go("compare"),
               QT_TR_NOOP("Runs and replayed policies on one plot, with the time saved"), "Ctrl+9",
               "compare", is_open),
    ActionSpec("share", QT_TR_NOOP("S&hare…"), "&Run", lambda a: a.passes.open("share"),
               QT_TR_NOOP("Tune one task of each cluster, and give its schedules to the others"),
               "Ctrl+Shift+H", "share", has_tasks, before=True,
               writes=True),
    ActionSpec("transfer", QT_TR_NOOP("Trans&fer…"), "&Run", lambda a: a.passes.open("transfer"),
               QT_TR_NOOP("Try the best schedules of other models"), "Ctrl+Shift+T", "transfer",
               has_tasks,
               writes=True),
    ActionSpec("droplet", QT_TR_NOOP("&Droplet…"), "&Run", lambda a: a.passes.open("droplet"),
               QT_TR_NOOP("Polish each task's best schedule, one decision at a time"),
               "Ctrl+Shift+D", "droplet", has_tasks,
               writes=True),
    ActionSpec("plan", QT_TR_NOOP("P&lan of passes…"), "&Run", lambda a: a.passes.open("plan"),
               QT_TR_NOOP("Bursts of search with passes between them"), "Ctrl+Shift+L",
               enabled=has_tasks,
               writes=True),
    ActionSpec("stages", QT_TR_NOOP("F&ind stages…"), "&Run", lambda a: a.stages.open(),
               QT_TR_NOOP("Run operators side by side, or merged, where that is faster"),
               "Ctrl+Shift+I", "stages", can_find_stages, before=True,
               writes=True),
    ActionSpec("merge", QT_TR_NOOP("Tune m&erged operators…"), "&Run",
               lambda a: a.passes.open("merge"),
               QT_TR_NOOP("Tune what several operators would be as one, for stages"),
               "Ctrl+Shift+M", enabled=can_merge,
               writes=True),
    ActionSpec("library", QT_TR_NOOP("Add to m&y library"), "&Run",
               lambda a: a.passes.add_to_library(),
               QT_TR_NOOP("Keep the best records, traces and latencies, as donors for other "
                          "models"),
               "Ctrl+Shift+Y", enabled=is_idle_project, before=True),
    ActionSpec("add-job", QT_TR_NOOP("Add pro&ject to jobs…"), "&Run",
               lambda a: a.jobs.add_project(),
               QT_TR_NOOP("Leave the open project to the queue of jobs"), "Ctrl+Shift+A",
               ready=lambda a: a.jobs.can_add_project, before=True,
               writes=True),
    ActionSpec("add-model-job", QT_TR_NOOP("Add m&odel to jobs…"), "&Run",
               lambda a: a.jobs.add_model(),
               QT_TR_NOOP("Have the queue of jobs tune a model file"), "Ctrl+Alt+A",
               ready=lambda a: a.jobs.can_add),
    ActionSpec("run-jobs", QT_TR_NOOP("Run &queue of jobs"), "&Run", lambda a: a.jobs.toggle(),
               QT_TR_NOOP("Take the jobs in turn, or hold all of them"), "Ctrl+Shift+Q",
               ready=lambda a: a.jobs.can_run, title=_queue_title),
    ActionSpec("fit-graph", QT_TR_NOOP("&Fit graph"), "&View", lambda a: a.late.fit_graph(),
               QT_TR_NOOP("Show the whole graph"), "Ctrl+0", "fit", is_open),
    ActionSpec("find-node", QT_TR_NOOP("Find in graph or code"), "&View", lambda a: a.late.find(),
               QT_TR_NOOP("Find nodes by name, operator or shape, or words in the code on show"),
               "Ctrl+F", enabled=has_tasks),
    ActionSpec("graph-side", QT_TR_NOOP("Operators or file's nodes"), "&View",
               lambda a: a.late.show_other_side(),
               QT_TR_NOOP("Show the nodes of the model's file, or the fused operators"),
               "Ctrl+Shift+G", enabled=has_tasks),
    ActionSpec("follow", QT_TR_NOOP("Follo&w the tuner"), "&View", _toggle_follow,
               QT_TR_NOOP("Select each task when it gets a slot"), "Ctrl+L", "follow", is_open,
               checked=lambda a: a.console.document.follow),
    ActionSpec("belief", QT_TR_NOOP("Show &belief"), "&View", lambda a: a.late.toggle_belief(),
               QT_TR_NOOP("What the selected task is expected to do next, over its curve"),
               "Ctrl+B", enabled=has_task, checked=lambda a: a.late.belief_shown),
    ActionSpec("sampler", QT_TR_NOOP("Belief's &sampler…"), "&View",
               lambda a: a.late.convergence.show_sampler(),
               QT_TR_NOOP("Walkers and acceptance behind the selected task's belief"),
               "Ctrl+Shift+B", enabled=has_task),
    ActionSpec("go-graph", QT_TR_NOOP("Go to &graph"), "&View", _go("graph"),
               QT_TR_NOOP("Put the keyboard on the graph"), "Ctrl+1", before=True),
    ActionSpec("go-convergence", QT_TR_NOOP("Go to con&vergence"), "&View",
               _go("convergence"), QT_TR_NOOP("Show the convergence curves"),
               "Ctrl+2"),
    ActionSpec("go-tasks", QT_TR_NOOP("Go to &tasks"), "&View", _go("tasks"),
               QT_TR_NOOP("Show the task table"), "Ctrl+3"),
    ActionSpec("go-trials", QT_TR_NOOP("Go to tri&als"), "&View", _go("trials"),
               QT_TR_NOOP("Show the trials"), "Ctrl+4"),
    ActionSpec("go-log", QT_TR_NOOP("Go to l&og"), "&View", _go("log"),
               QT_TR_NOOP("Show the log"), "Ctrl+5"),
    ActionSpec("go-project", QT_TR_NOOP("Go to &project"), "&View", _go("project"),
               QT_TR_NOOP("Show inputs, runs and exports"), "Ctrl+6"),
    ActionSpec("go-inspector", QT_TR_NOOP("Go to &inspector"), "&View",
               _go("inspector"), QT_TR_NOOP("Show the selected task or trial, or the model"),
               "Ctrl+7"),
    ActionSpec("go-layers", QT_TR_NOOP("Go to layers"), "&View", _go("layers"),
               QT_TR_NOOP("Show how long each layer of the model takes"), "Ctrl+Alt+P"),
    ActionSpec("go-clusters", QT_TR_NOOP("Go to clusters"), "&View", _go("clusters"),
               QT_TR_NOOP("Show which tasks can use one schedule"), "Ctrl+Alt+4"),
    ActionSpec("go-transfer", QT_TR_NOOP("Go to transfers"), "&View", _go("transfer"),
               QT_TR_NOOP("Show what donors gave"), "Ctrl+Alt+5"),
    ActionSpec("go-droplet", QT_TR_NOOP("Go to droplet"), "&View", _go("droplet"),
               QT_TR_NOOP("Show the path through a task's decisions"), "Ctrl+Alt+6"),
    ActionSpec("go-stages", QT_TR_NOOP("Go to stages"), "&View", _go("stages"),
               QT_TR_NOOP("Show which operators run side by side"), "Ctrl+Alt+8"),
    ActionSpec("go-jobs", QT_TR_NOOP("Go to jobs"), "&View", _go("jobs"),
               QT_TR_NOOP("Show the queue, and what has the cores and devices"), "Ctrl+Alt+J"),
    ActionSpec("go-sources", QT_TR_NOOP("Go to sources"), "&View", _go("sources"),
               QT_TR_NOOP("Show what search and passes gave"), "Ctrl+Alt+7"),
    ActionSpec("go-allocation", QT_TR_NOOP("Go to allocation"), "&View",
               _go("allocation"), QT_TR_NOOP("Show where the tuning time goes"),
               "Ctrl+8"),
    ActionSpec("go-timeline", QT_TR_NOOP("Go to timeline"), "&View", _go("timeline"),
               QT_TR_NOOP("Show one inference kernel by kernel"), "Ctrl+Alt+I"),
    ActionSpec("go-knobs", QT_TR_NOOP("Go to knobs"), "&View", _go("knobs"),
               QT_TR_NOOP("Show what each choice of a schedule does to its latency"), "Ctrl+Alt+V"),
    ActionSpec("go-code", QT_TR_NOOP("Go to code"), "&View", _go("code"),
               QT_TR_NOOP("Show schedule, TensorIR and assembly of the selected trial"),
               "Ctrl+Alt+C"),
    ActionSpec("go-trial", QT_TR_NOOP("Go to trial by nu&mber"), "&View", _ask_trial,
               QT_TR_NOOP("Type the number of a trial"), "Ctrl+G", enabled=is_open),
    ActionSpec("compare-trials", QT_TR_NOOP("Compare mar&ked trials"), "&View", _compare_trials,
               QT_TR_NOOP("What differs between the two rows that are marked in the trials"),
               "Ctrl+D", enabled=is_open),
    ActionSpec("theme-light", QT_TR_NOOP("Theme: &light"), "&View", _theme("light"),
               QT_TR_NOOP("Dark text on light"), "Ctrl+Alt+1",
               checked=_is_theme("light"), before=True),
    ActionSpec("theme-dark", QT_TR_NOOP("Theme: &dark"), "&View", _theme("dark"),
               QT_TR_NOOP("Light text on dark"), "Ctrl+Alt+2",
               checked=_is_theme("dark")),
    ActionSpec("theme-system", QT_TR_NOOP("Theme: as the s&ystem"), "&View",
               _theme("system"), QT_TR_NOOP("As the desktop is set"), "Ctrl+Alt+3",
               checked=_is_theme("system")),
    ActionSpec("theme-contrast", QT_TR_NOOP("Theme: &high contrast"), "&View",
               _theme("contrast"),
               QT_TR_NOOP("Stronger colours, light or dark as the desktop"), "Ctrl+Alt+9",
               checked=_is_theme("contrast")),
    ActionSpec("preferences", QT_TR_NOOP("Pr&eferences…"), "&View",
               lambda a: a.dialogs.preferences(),
               QT_TR_NOOP("Notices, and when silence is worth a word"), "Ctrl+Shift+,",
               before=True),
    ActionSpec("next-part", QT_TR_NOOP("Ne&xt part"), "&View", lambda a: a.cycle.step(1),
               QT_TR_NOOP("Take the keyboard to the next panel, page or bar"), "F6", before=True),
    ActionSpec("previous-part", QT_TR_NOOP("Previous part"), "&View", lambda a: a.cycle.step(-1),
               QT_TR_NOOP("Take the keyboard to the panel, page or bar before"), "Shift+F6"),
    ActionSpec("float-panel", QT_TR_NOOP("Tear off or put back panel"), "&View",
               lambda a: a.layouts.float_current(),
               QT_TR_NOOP("The panel that has the keyboard becomes a window, or is one no longer"),
               "Ctrl+F6"),
    ActionSpec("move-panel", QT_TR_NOOP("Move panel to next side"), "&View",
               lambda a: a.layouts.move_current(),
               QT_TR_NOOP("Take the panel that has the keyboard round the window"),
               "Ctrl+Shift+F6"),
    ActionSpec("save-layout", QT_TR_NOOP("Save layout as…"), "&View",
               lambda a: a.layouts.ask_name(),
               QT_TR_NOOP("Keep the arrangement of panels by a name"), "Ctrl+Alt+L", before=True),
    ActionSpec("reset-layout", QT_TR_NOOP("&Reset layout"), "&View", lambda a: a.layouts.reset(),
               QT_TR_NOOP("Put all docks where they were at first"), "Ctrl+Alt+0"),
    ActionSpec("bring-back", QT_TR_NOOP("Bring back all panels"), "&View",
               lambda a: a.layouts.bring_back(),
               QT_TR_NOOP("Show closed panels, and windows that are off the screen"), "Ctrl+Alt+B"),
    ActionSpec("palette", QT_TR_NOOP("Command &palette…"), "&Help", lambda a: a.dialogs.palette(),
               QT_TR_NOOP("Find any command, task, view or recent file by name"), "Ctrl+K",
               "search", shows_keys=True),
    ActionSpec("help", QT_TR_NOOP("&Help on this part"), "&Help", lambda a: a.help.open_here(),
               QT_TR_NOOP("Open the help at the part of the window that has the keyboard"), "F1",
               before=True),
    ActionSpec("help-contents", QT_TR_NOOP("&Read how it works"), "&Help",
               lambda a: a.help.open(*START), QT_TR_NOOP("The help from its first page"),
               "Shift+F1"),
    ActionSpec("tour", QT_TR_NOOP("&Guided first run"), "&Help", lambda a: a.guiding.begin(),
               QT_TR_NOOP("Tune a sample with hints at each step"), "Ctrl+Shift+F1"),
    ActionSpec("keys", QT_TR_NOOP("&Keyboard shortcuts…"), "&Help", lambda a: a.dialogs.keys(),
               QT_TR_NOOP("Read, find and change the keys of all commands"), "Ctrl+F1"),
    ActionSpec("notify", QT_TR_NOOP("&Notify when work ends"), "&Help",
               lambda a: toggle_notices(a.console.settings),
               QT_TR_NOOP("A message of the desktop where the window is not in front"),
               "Ctrl+Alt+N", checked=lambda a: wants_notices(a.console.settings), before=True),
)  # fmt: skip
