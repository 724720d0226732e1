"""File > Open experiment: shows what came of a matrix of runs, and opens its projects."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QFileDialog

from app.window.console import Console
from engine.experiments.place import RESULT_FILE
from engine.experiments.reading import read_results
from engine.records.errors import TunewrightError
from widgets.comparison.experiment_sheet import ExperimentSheet
from widgets.look.language import tr


def ask_experiment(console: Console) -> QFileDialog:
    """Ask for the file with the results."""
    kinds = f"{tr('Experiments')} ({RESULT_FILE})"
    return console.ask_file(tr("Open experiment"), kinds, partial(show_experiment, console))


def show_experiment(console: Console, path: Path) -> ExperimentSheet | None:
    """Show the results of a file, or say why not."""
    try:
        results = read_results(path)
    except TunewrightError as error:
        console.messages.show_message("error", error.what, error.todo)
        return None
    sheet = ExperimentSheet(results, console.window)
    sheet.open_wanted.connect(console.windows.open)  # so that the table stays where it is
    console.show_sheet(sheet)
    return sheet
