"""File > Open experiment: shows what came of a matrix of runs, and opens its projects."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog

from engine.experiments.place import RESULT_FILE
from engine.experiments.reading import read_results
from engine.records.errors import TunewrightError
from widgets.comparison.experiment_sheet import ExperimentSheet
from widgets.look.language import tr

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


def ask_experiment(window: MainWindow) -> QFileDialog:
    """Ask for the file with the results."""
    kinds = f"{tr('Experiments')} ({RESULT_FILE})"
    return window.dialogs.ask_file(tr("Open experiment"), kinds, partial(show_experiment, window))


def show_experiment(window: MainWindow, path: Path) -> ExperimentSheet | None:
    """Show the results of a file, or say why not."""
    try:
        results = read_results(path)
    except TunewrightError as error:
        window.messages.show_message("error", error.what, error.todo)
        return None
    sheet = ExperimentSheet(results, window)
    sheet.addAction(window.actions_table["help"])
    sheet.open_wanted.connect(partial(_open, window))
    sheet.show()
    return sheet


def _open(window: MainWindow, project: Path) -> None:
    """In a window of its own, so that the table stays where it is."""
    if window.windows is not None:
        window.windows.open(project)
    elif window.document.idle:
        window.commands.open_path(project)
