"""What the parts of a window share: handed to each that needs more than two or three of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDialog, QFileDialog, QMainWindow

from app.document.commands import Commands
from app.document.document import Document
from app.process.settings import Settings
from app.window.aids.work import Works
from app.window.panels import Panel
from app.window.siblings import Siblings
from app.window.workspace import Workspace
from engine.records.formats import MODEL_SUFFIXES
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.message_bar import MessageBar

MODELS = QT_TR_NOOP("Models"), tuple(MODEL_SUFFIXES)


def kinds_of(name: str, suffixes: tuple[str, ...]) -> str:
    """A kind of files as a file dialog filters them."""
    return f"{tr(name)} ({' '.join(f'*{suffix}' for suffix in suffixes)})"


@dataclass(frozen=True, slots=True, eq=False)
class Console:
    """One window with its project; `window` is there to be the parent of dialogs."""

    window: QMainWindow
    document: Document
    commands: Commands
    settings: Settings
    windows: Siblings
    actions: Mapping[str, QAction]  # by the names of the table
    samples: Sequence[QAction]
    messages: MessageBar
    works: Works
    workspace: Workspace
    panels: Mapping[str, Panel]

    def go_to(self, name: str) -> None:
        """Show a page or a panel and give it the keyboard."""
        if name in self.panels:
            self.panels[name].show_here()
        else:
            self.workspace.go_to(name)

    def show_sheet(self, sheet: QDialog) -> None:
        """Show a dialog that is gone once it is closed, and in which the keys work that a run
        may need at once, and that of the help."""
        sheet.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for name in ("help", "pause", "stop", "cancel"):
            sheet.addAction(self.actions[name])
        sheet.show()

    def ask_file(
        self,
        title: str,
        kinds: str,
        then: Callable[[Path], object],
        save: str = "",
        dialog: QFileDialog | None = None,
    ) -> QFileDialog:
        """Ask for a file, or with `save` for the place of a new one of that name; by a `dialog`
        that asks for more, where one is given."""
        dialog = dialog or QFileDialog(self.window)
        dialog.setWindowTitle(title)
        dialog.setDirectory(self.settings.get("folder", str(Path.home())))
        if kinds:
            dialog.setNameFilter(kinds)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if save:
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.selectFile(save)
        else:
            dialog.setFileMode(QFileDialog.FileMode.ExistingFile)

        def chosen(name: str) -> None:
            self.settings.set("folder", str(Path(name).parent))
            then(Path(name))

        dialog.fileSelected.connect(chosen)
        dialog.show()
        return dialog
