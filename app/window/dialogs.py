"""The questions the window asks, and its palette; none blocks, so tuning and the window go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFileDialog, QMessageBox, QPushButton

from app.document.document import Document
from app.process.languages import KEY as LANGUAGE_KEY
from app.process.languages import LANGUAGES, SYSTEM, chosen
from app.process.settings import Settings
from app.window.actions.shortcuts import Shortcuts
from app.window.aids.notify import KEY as NOTIFY_KEY
from app.window.aids.notify import wants_notices
from app.window.aids.silence import LEAST_S
from app.window.aids.work import SILENCE_KEY
from app.window.console import MODELS, Console, kinds_of
from engine.experiments.place import RESULT_FILE
from engine.experiments.reading import read_results
from engine.interface.shape_sets import with_shapes
from engine.measure.remote.given import give_place
from engine.records.errors import (
    AddressNotGiven,
    ModelMissing,
    NoReference,
    ShapeError,
    TunewrightError,
    UsageError,
)
from engine.records.formats import PROJECT_SUFFIX
from engine.records.labels import task_subject
from engine.records.source import ModelSource
from widgets.comparison.experiment_sheet import ExperimentSheet
from widgets.look.language import QT_TR_NOOP, told, tr
from widgets.parts.field_form import FieldForm, FieldText
from widgets.parts.pieces import stacked
from widgets.parts.run_dialog import RunDialog
from widgets.window.board_sheet import BoardSheet
from widgets.window.export_dialog import ExportDialog
from widgets.window.palette import CommandPalette, Offer, action_offer
from widgets.window.shape_sheet import ShapeSheet
from widgets.window.shortcut_dialog import ShortcutDialog
from widgets.window.watch_sheet import WatchSheet

_PROJECTS = QT_TR_NOOP("Tunewright projects"), (PROJECT_SUFFIX,)


class Dialogs(QObject):
    """Opens dialogs over a window and hands the answers to its commands."""

    def __init__(self, console: Console, shortcuts: Shortcuts) -> None:
        super().__init__(console.window)
        self._console, self._shortcuts = console, shortcuts
        self.run_dialog: RunDialog | None = None
        console.commands.shapes_wanted.connect(self.shapes)
        console.commands.reference_missed.connect(self.without_reference)
        console.commands.address_wanted.connect(self.address)
        console.commands.model_missed.connect(self._model_missed)

    def open_model(self) -> QFileDialog:
        """Ask for a model file."""
        open_path = self._console.commands.open_path
        return self._console.ask_file(tr("Open model"), kinds_of(*MODELS), open_path)

    def open_project(self) -> QFileDialog:
        """Ask for a project file."""
        open_path = self._console.commands.open_path
        return self._console.ask_file(tr("Open project"), kinds_of(*_PROJECTS), open_path)

    def watch(self) -> WatchSheet:
        """Ask for a project on another machine."""
        console = self._console
        sheet = WatchSheet(console.commands.watched(), console.window)
        sheet.address_given.connect(console.commands.watch)
        console.show_sheet(sheet)
        return sheet

    def locate_model(self) -> QFileDialog:
        """Ask where the model of the open project is now."""
        console = self._console
        name = Path(console.document.head.model_source).name
        locate, title = console.commands.locate_model, tr("Locate {name}", name=name)
        return console.ask_file(title, kinds_of(*MODELS), locate)

    def _model_missed(self, error: ModelMissing) -> None:
        """The engine has said it; here is what helps."""
        action = tr("Locate model…"), self.locate_model
        messages = self._console.messages
        messages.dismiss(error.what)
        messages.show_message("error", error.what, error.todo, action=action, kind="model")

    def open_experiment(self) -> QFileDialog:
        """Ask for the file with what came of an experiment."""
        kinds = f"{tr('Experiments')} ({RESULT_FILE})"
        return self._console.ask_file(tr("Open experiment"), kinds, self.experiment)

    def experiment(self, path: Path) -> ExperimentSheet | None:
        """Show the results of a file, whose projects open elsewhere, or say why not."""
        console = self._console
        try:
            results = read_results(path)
        except TunewrightError as error:
            console.messages.show_message("error", error.what, error.todo)
            return None
        sheet = ExperimentSheet(results, console.window)
        sheet.open_wanted.connect(console.windows.open)
        console.show_sheet(sheet)
        return sheet

    def save_as(self) -> QFileDialog:
        """Ask where the copy goes."""
        console = self._console
        name = Path(console.document.path).name or f"model{PROJECT_SUFFIX}"
        kinds, save_as = kinds_of(*_PROJECTS), console.commands.save_as
        dialog = console.ask_file(tr("Save as"), kinds, save_as, save=name)
        dialog.setDefaultSuffix(PROJECT_SUFFIX.lstrip("."))
        return dialog

    def export(self) -> ExportDialog:
        """Ask for the folder of the exported module, and for a wheel."""
        console = self._console
        model = Path(console.document.path).stem or "model"
        several = bool(console.document.project.shapes)
        dialog = ExportDialog(console.window, model, several)
        console.ask_file(
            tr("Export into folder"),
            "",
            lambda folder: console.commands.export(folder, dialog.wheel(), dialog.pads()),
            f"{model}-export",
            dialog,
        )
        return dialog

    def run_settings(self) -> RunDialog:
        """Show the settings of the next run."""
        console, commands = self._console, self._console.commands
        dialog = RunDialog(commands.run_settings, parent=console.window)
        dialog.start_wanted.connect(commands.start_with)
        dialog.kept.connect(commands.keep)
        start = console.actions["start"]
        dialog.allow_start(start.isEnabled())
        start.enabledChanged.connect(dialog.allow_start)
        console.show_sheet(dialog)
        self.run_dialog = dialog
        return dialog

    def board(self) -> BoardSheet:
        """Ask which device of another machine is the target."""
        console = self._console
        sheet = BoardSheet(console.commands.target, console.window)
        sheet.target_given.connect(console.commands.set_target)
        console.show_sheet(sheet)
        return sheet

    def shapes(self, source: ModelSource, error: ShapeError) -> ShapeSheet:
        """Ask for the shapes that a model leaves open, and for values, then open it again."""
        console = self._console
        console.messages.dismiss(error.what)
        sheet = ShapeSheet(error, Path(source.location).name, console.window, source.values)

        def open_it(_: object, values: dict[str, float]) -> None:
            """With what was given before for inputs that were not asked for."""
            given = [
                replace(one, shapes={**source.shapes, **one.shapes}) for one in sheet.shape_set()
            ]
            console.commands.open_model(with_shapes(replace(source, values=values), given))

        sheet.shapes_given.connect(open_it)
        console.show_sheet(sheet)
        return sheet

    def without_reference(self, source: ModelSource, error: NoReference) -> QMessageBox:
        """Ask whether to go on with a model whose answers can be compared with nothing."""
        console = self._console
        console.messages.dismiss(error.what)
        box = QMessageBox(console.window)
        box.setWindowTitle(tr("No reference"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(told(error.what))
        box.setInformativeText(
            tr("Without a reference nobody can say whether the tuned module answers rightly.")
        )
        role = QMessageBox.ButtonRole
        box.addButton(QMessageBox.StandardButton.Cancel)
        on = box.addButton(tr("Go on without a reference"), role.AcceptRole)
        on.clicked.connect(
            lambda: console.commands.open_model(replace(source, without_reference=True))
        )
        box.setModal(False)
        console.show_sheet(box)
        return box

    def address(self, error: AddressNotGiven, then: Callable[[], object]) -> QMessageBox:
        """Ask whether to connect to what a file names; yes is remembered, and `then` goes on."""
        console = self._console
        console.messages.dismiss(error.what)
        names = ", ".join(error.places)
        box = QMessageBox(console.window)
        box.setWindowTitle(tr("An address of a file"))
        box.setIcon(QMessageBox.Icon.Warning)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(tr("Connect to {places}?", places=names))
        box.setInformativeText(
            tr(
                "The project names this address, and what answers there can run code on this "
                "machine. Say yes only if you know who that is; it is remembered."
            )
        )
        no = box.addButton(QMessageBox.StandardButton.Cancel)
        yes = box.addButton(tr("Connect"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(no if isinstance(no, QPushButton) else None)

        def allow() -> None:
            for name in error.places:
                give_place(name)
            then()

        yes.clicked.connect(allow)
        box.setModal(False)
        console.show_sheet(box)
        return box

    def palette(self) -> CommandPalette:
        """Offer every command, and what can be gone to, by name."""
        settings, window = self._console.settings, self._console.window
        palette = CommandPalette(offers(self._console), used(settings), window)
        palette.taken.connect(lambda key: note_used(settings, key))
        palette.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        corner = QPoint((window.width() - palette.minimumWidth()) // 2, 80)
        palette.move(window.mapToGlobal(corner))
        palette.show()
        palette.query.setFocus()
        return palette

    def keys(self) -> ShortcutDialog:
        """Show every command with its keys, which can be changed."""
        shortcuts = self._shortcuts
        dialog = ShortcutDialog(shortcuts.all(), self._console.window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.given.connect(shortcuts.set)
        dialog.reset.connect(lambda ids: shortcuts.reset(*ids))
        shortcuts.changed.connect(dialog.show_shortcuts)
        dialog.show()
        return dialog

    def preferences(self) -> PreferencesDialog:
        """Ask what a person prefers."""
        dialog = PreferencesDialog(self._console)
        dialog.show()
        return dialog


TEXTS = {
    "notices": FieldText(
        QT_TR_NOOP("Notify when work ends"),
        QT_TR_NOOP(
            "A message of the desktop after more than ten seconds, where another window is in front"
        ),
    ),
    "silence_s": FieldText(
        QT_TR_NOOP("Say when no result comes"),
        QT_TR_NOOP("After so long at the earliest; where results come slowly, later. 0 is never."),
        "s",
    ),
    "language": FieldText(
        QT_TR_NOOP("Language"),
        QT_TR_NOOP("Of menus, views and notes, from the next start on"),
        choices=LANGUAGES,
    ),
}


@dataclass(frozen=True, slots=True)
class Preferences:
    """What the dialog asks."""

    notices: bool = True
    silence_s: float = LEAST_S
    language: str = SYSTEM


class PreferencesDialog(QDialog):
    """The form; what is chosen holds at once when it is accepted."""

    def __init__(self, console: Console) -> None:
        super().__init__(console.window)
        self.setWindowTitle(tr("Preferences"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._console = console
        self.form = FieldForm(Preferences, TEXTS)
        settings = console.settings
        silence_s = settings.get(SILENCE_KEY, LEAST_S)
        self.form.set_value(Preferences(wants_notices(settings), silence_s, chosen(settings)))
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.accepted.connect(self._keep)
        self.buttons.rejected.connect(self.reject)
        stacked(self.form, self.buttons, on=self)

    def _keep(self) -> None:
        try:
            wanted = self.form.value()
        except UsageError:
            return  # the field says why
        settings = self._console.settings
        settings.set(NOTIFY_KEY, wanted.notices)
        settings.set(SILENCE_KEY, wanted.silence_s)
        self._console.works.silence.least_s = wanted.silence_s
        if wanted.language != chosen(settings):
            settings.set(LANGUAGE_KEY, wanted.language)
            text = tr("The language changes with the next start.")
            self._console.messages.show_message("info", text)
        self.accept()


USED = "palette/used"
USED_KEPT = 20


def offers(console: Console) -> list[Offer]:
    """All of them, in the order of the menus; commands are found by their English names, too."""
    return [
        *(action_offer(id, action, action.data()) for id, action in console.actions.items()),
        *(action_offer(action.text(), action) for action in console.samples),
        *_recent_files(console),
        *_tasks(console.document),
    ]


def used(settings: Settings) -> list[str]:
    """The keys of what was taken, the last one first."""
    return [key for key in settings.get(USED, [""]) if isinstance(key, str) and key]


def note_used(settings: Settings, key: str) -> None:
    """Offer this first the next time."""
    kept = [key, *(other for other in used(settings) if other != key)]
    settings.set(USED, kept[:USED_KEPT])


def _recent_files(console: Console) -> list[Offer]:
    idle, here = console.document.idle, console.document.path
    return [
        Offer(
            f"file {path}",
            tr("Open recent: {name}", name=Path(path).name),
            partial(console.commands.open_path, Path(path)),
            hint=Path(path).parent.name,
            tip=path,
            enabled=idle,
        )
        for path in console.commands.recent()
        if path != here
    ]


def _tasks(document: Document) -> list[Offer]:
    tasks = document.head.tasks
    found = []
    for task in tasks:
        own = document.label(task_subject(task.index)).name
        name = f"{task.name} ({own})" if own else task.name
        found.append(
            Offer(
                f"task {document.path} {task.name}",
                tr("Go to task {name}", name=name),
                partial(document.select_task, task.index),
                hint=task.op_class,
                quiet=True,
            )
        )
    return found
