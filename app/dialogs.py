"""The questions the window asks; none of them blocks, so tuning and the window go on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
)

from app.commands import MODEL_SUFFIXES, PROJECT_SUFFIX
from engine.errors import ShapeError
from engine.models.source import ModelSource
from widgets.palette import CommandPalette, plain_text
from widgets.run_dialog import RunDialog
from widgets.shape_sheet import ShapeSheet

if TYPE_CHECKING:
    from app.main_window import MainWindow

_MODELS = f"Models ({' '.join(f'*{suffix}' for suffix in MODEL_SUFFIXES)})"
_PROJECTS = f"Tunewright projects (*{PROJECT_SUFFIX})"
_RECORDINGS = "Recordings (*.npz)"


class Dialogs(QObject):
    """Opens dialogs over a window and hands the answers to its commands."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.run_dialog: RunDialog | None = None
        window.commands.shapes_wanted.connect(self.shapes)

    def open_model(self) -> QFileDialog:
        """Ask for a model file."""
        return self._ask_file("Open model", _MODELS, self._window.commands.open_path)

    def open_project(self) -> QFileDialog:
        """Ask for a project file."""
        return self._ask_file("Open project", _PROJECTS, self._window.commands.open_path)

    def save_as(self) -> QFileDialog:
        """Ask where the copy goes."""
        name = Path(self._window.document.path).name or f"model{PROJECT_SUFFIX}"
        dialog = self._ask_file("Save as", _PROJECTS, self._window.commands.save_as, save=name)
        dialog.setDefaultSuffix(PROJECT_SUFFIX.lstrip("."))
        return dialog

    def export(self) -> QFileDialog:
        """Ask for the folder of the exported module; it may be a new one."""
        path = Path(self._window.document.path)
        name = f"{path.stem or 'model'}-export"
        dialog = self._ask_file("Export into folder", "", self._window.commands.export, save=name)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        return dialog

    def load_recording(self) -> QFileDialog:
        """Ask for a recording to replay."""
        views = self._window.views
        return self._ask_file("Load recording", _RECORDINGS, views.comparison.load_recording)

    def run_settings(self) -> RunDialog:
        """Show the settings of the next run."""
        commands = self._window.commands
        dialog = RunDialog(commands.run_settings, parent=self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.start_wanted.connect(commands.start_with)
        dialog.kept.connect(commands.keep)

        def follow() -> None:
            dialog.allow_start(self._window.actions_table["start"].isEnabled())

        follow()
        changed = self._window.document.changed
        connection = changed.connect(follow)
        dialog.destroyed.connect(lambda: changed.disconnect(connection))
        dialog.show()
        self.run_dialog = dialog
        return dialog

    def shapes(self, source: ModelSource, error: ShapeError) -> ShapeSheet:
        """Ask for the shapes that a model leaves open, then open it again."""
        self._window.messages.dismiss(error.what)
        sheet = ShapeSheet(error, Path(source.location).name, self._window)
        sheet.shapes_given.connect(
            lambda shapes: self._window.commands.open_model(
                ModelSource(source.kind, source.location, {**source.shapes, **shapes})
            )
        )
        sheet.show()
        return sheet

    def palette(self) -> CommandPalette:
        """Offer every command by name."""
        palette = CommandPalette(self._window.palette_actions(), self._window)
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        corner = QPoint((self._window.width() - palette.minimumWidth()) // 2, 80)
        palette.move(self._window.mapToGlobal(corner))
        palette.show()
        palette.query.setFocus()
        return palette

    def keys(self) -> QDialog:
        """List every command with its key."""
        dialog = KeyList(self._window)
        dialog.show()
        return dialog

    def closing(self) -> CloseQuestion:
        """Ask what becomes of a run that goes on."""
        question = CloseQuestion(self._window)
        question.show()
        return question

    def _ask_file(
        self, title: str, kinds: str, then: Callable[[Path], object], save: str = ""
    ) -> QFileDialog:
        folder = self._window.settings.get("folder", str(Path.home()))
        dialog = QFileDialog(self._window, title, folder, kinds)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if save:
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.selectFile(save)
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)

        def chosen(name: str) -> None:
            self._window.settings.set("folder", str(Path(name).parent))
            then(Path(name))

        dialog.fileSelected.connect(chosen)
        dialog.show()
        return dialog


class KeyList(QDialog):
    """A table of commands and keys."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setWindowTitle("Keyboard shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(480, 520)
        actions = [action for action in window.actions_table.all() if action.shortcut()]
        self.table = QTableWidget(len(actions), 2)
        self.table.setAccessibleName("Keyboard shortcuts")
        self.table.setHorizontalHeaderLabels(["Command", "Key"])
        self.table.verticalHeader().hide()
        self.table.setShowGrid(False)
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        for row, action in enumerate(actions):
            keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
            self.table.setItem(row, 0, QTableWidgetItem(plain_text(action)))
            self.table.setItem(row, 1, QTableWidgetItem(keys))
        self.table.resizeColumnsToContents()
        self.table.horizontalHeader().setStretchLastSection(True)
        hint = QLabel("In tables: arrows move, Enter picks. Tab goes on to the next part.")
        hint.setProperty("role", "muted")
        layout = QVBoxLayout(self)
        layout.addWidget(self.table)
        layout.addWidget(hint)


class CloseQuestion(QDialog):
    """Stop and close, keep running out of sight, or stay."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setWindowTitle("A run goes on")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = QLabel("Tuning still runs. Every result so far is kept either way.")
        text.setWordWrap(True)
        role = QDialogButtonBox.ButtonRole
        self.buttons = QDialogButtonBox()
        self.stop_button = self.buttons.addButton("Stop and close", role.DestructiveRole)
        self.keep_button = self.buttons.addButton("Keep running, minimised", role.ActionRole)
        self.cancel_button = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.stop_button.clicked.connect(self.accept)
        self.stop_button.clicked.connect(window.close_now)
        self.keep_button.clicked.connect(self.accept)
        self.keep_button.clicked.connect(window.showMinimized)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(text)
        layout.addWidget(self.buttons)


def accepted_path(urls: list[str]) -> Path | None:
    """The first dropped local file that can be opened."""
    for name in urls:
        path = Path(name)
        if path.suffix.lower() in (PROJECT_SUFFIX, *MODEL_SUFFIXES):
            return path
    return None
