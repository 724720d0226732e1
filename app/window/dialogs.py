"""The questions the window asks; none of them blocks, so tuning and the window go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QVBoxLayout,
)

from app.window.actions.actions import SPECS
from app.window.actions.palette import note_used, offers, used
from engine.records.errors import ShapeError
from engine.records.formats import MODEL_SUFFIXES, PROJECT_SUFFIX
from engine.records.source import ModelSource
from widgets.look.language import QT_TR_NOOP, tr
from widgets.window.palette import CommandPalette
from widgets.window.run_dialog import RunDialog
from widgets.window.shape_sheet import ShapeSheet
from widgets.window.shortcut_dialog import ShortcutDialog

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

_MODELS = QT_TR_NOOP("Models"), tuple(MODEL_SUFFIXES)
_PROJECTS = QT_TR_NOOP("Tunewright projects"), (PROJECT_SUFFIX,)
_RECORDINGS = QT_TR_NOOP("Recordings"), (".npz",)


class Dialogs(QObject):
    """Opens dialogs over a window and hands the answers to its commands."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.run_dialog: RunDialog | None = None
        window.commands.shapes_wanted.connect(self.shapes)

    def open_model(self) -> QFileDialog:
        """Ask for a model file."""
        return self.ask_file(tr("Open model"), _kinds(*_MODELS), self._window.commands.open_path)

    def open_project(self) -> QFileDialog:
        """Ask for a project file."""
        return self.ask_file(
            tr("Open project"), _kinds(*_PROJECTS), self._window.commands.open_path
        )

    def save_as(self) -> QFileDialog:
        """Ask where the copy goes."""
        name = Path(self._window.document.path).name or f"model{PROJECT_SUFFIX}"
        kinds, save_as = _kinds(*_PROJECTS), self._window.commands.save_as
        dialog = self.ask_file(tr("Save as"), kinds, save_as, save=name)
        dialog.setDefaultSuffix(PROJECT_SUFFIX.lstrip("."))
        return dialog

    def export(self) -> QFileDialog:
        """Ask for the folder of the exported module; it may be a new one."""
        path = Path(self._window.document.path)
        name = f"{path.stem or 'model'}-export"
        export = self._window.commands.export
        dialog = self.ask_file(tr("Export into folder"), "", export, save=name)
        dialog.setOption(QFileDialog.Option.DontConfirmOverwrite)
        return dialog

    def load_recording(self) -> QFileDialog:
        """Ask for a recording to replay."""
        load = self._window.views.comparison.load_recording
        return self.ask_file(tr("Load recording"), _kinds(*_RECORDINGS), load)

    def run_settings(self) -> RunDialog:
        """Show the settings of the next run."""
        commands = self._window.commands
        dialog = RunDialog(commands.run_settings, parent=self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.addAction(self._window.actions_table["help"])
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
        """Ask for the shapes that a model leaves open, and for values, then open it again."""
        self._window.messages.dismiss(error.what)
        sheet = ShapeSheet(error, Path(source.location).name, self._window, source.values)
        sheet.addAction(self._window.actions_table["help"])
        sheet.shapes_given.connect(
            lambda shapes, values: self._window.commands.open_model(
                replace(source, shapes={**source.shapes, **shapes}, values=values)
            )
        )
        sheet.show()
        return sheet

    def palette(self) -> CommandPalette:
        """Offer every command, and what can be gone to, by name."""
        settings = self._window.settings
        palette = CommandPalette(offers(self._window), used(settings), self._window)
        palette.taken.connect(lambda key: note_used(settings, key))
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        corner = QPoint((self._window.width() - palette.minimumWidth()) // 2, 80)
        palette.move(self._window.mapToGlobal(corner))
        palette.show()
        palette.query.setFocus()
        return palette

    def keys(self) -> ShortcutDialog:
        """Show every command with its keys, which can be changed."""
        shortcuts = self._window.actions_table.shortcuts
        dialog = ShortcutDialog([shortcuts.shortcut(spec) for spec in SPECS], self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.given.connect(shortcuts.set)
        dialog.reset.connect(lambda ids: shortcuts.reset(*ids))

        def follow() -> None:
            dialog.show_shortcuts([shortcuts.shortcut(spec) for spec in SPECS])

        connection = shortcuts.changed.connect(follow)
        dialog.destroyed.connect(lambda: shortcuts.changed.disconnect(connection))
        dialog.show()
        return dialog

    def closing(self) -> CloseQuestion:
        """Ask what becomes of a run that goes on."""
        question = CloseQuestion(self._window)
        question.show()
        return question

    def ask_model(self, title: str, then: Callable[[Path], object]) -> QFileDialog:
        """Ask for a model file, for whatever comes next."""
        return self.ask_file(title, _kinds(*_MODELS), then)

    def ask_file(
        self, title: str, kinds: str, then: Callable[[Path], object], save: str = ""
    ) -> QFileDialog:
        """Ask for a file, or with `save` for the place of a new one of that name."""
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


class CloseQuestion(QDialog):
    """Stop and close, keep running out of sight, or stay."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self.setWindowTitle(tr("A run goes on"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        text = QLabel(tr("Tuning still runs. Every result so far is kept either way."))
        text.setWordWrap(True)
        role = QDialogButtonBox.ButtonRole
        self.buttons = QDialogButtonBox()
        self.stop_button = self.buttons.addButton(tr("Stop and close"), role.DestructiveRole)
        self.keep_button = self.buttons.addButton(tr("Keep running, minimised"), role.ActionRole)
        self.cancel_button = self.buttons.addButton(QDialogButtonBox.StandardButton.Cancel)
        self.stop_button.clicked.connect(self.accept)
        self.stop_button.clicked.connect(window.close_asked)
        self.keep_button.clicked.connect(self.accept)
        self.keep_button.clicked.connect(window.showMinimized)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(text)
        layout.addWidget(self.buttons)


def _kinds(name: str, suffixes: tuple[str, ...]) -> str:
    """A kind of files as a file dialog filters them."""
    return f"{tr(name)} ({' '.join(f'*{suffix}' for suffix in suffixes)})"
