"""Where a transfer looks for donors: the user's library and files of other projects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from engine.records.errors import UsageError
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.pieces import beside, stacked, text_label

PATH = Qt.ItemDataRole.UserRole
KINDS = QT_TR_NOOP("Tunewright projects (*.tune)")


class DonorPlaces(QWidget):
    """A tick for the library and a list of project files; `changed` tells of each change."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.library = QCheckBox(tr("My &library of records"))
        self.library.setToolTip(tr("What finished runs added to it, and `tunewright library add`"))
        self.library.setChecked(True)
        self.files = QListWidget()
        self.files.setAccessibleName(tr("Project files with donors"))
        self.files.setSelectionMode(QListWidget.SelectionMode.ExtendedSelection)
        self.files.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.files.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.files.setFixedHeight(84)
        self.add_button, self.remove_button = (
            QPushButton(tr("&Add files…")),
            QPushButton(tr("&Remove")),
        )
        self.add_button.setToolTip(tr("Project files (.tune) of other models"))
        self.library.toggled.connect(self._tell)
        self.files.itemSelectionChanged.connect(self._refresh)
        self.add_button.clicked.connect(self.ask)
        self.remove_button.clicked.connect(self.remove)
        self._arrange()
        self._refresh()

    def values(self) -> dict[str, Any]:
        """As options of a transfer; UsageError where there is no place to look."""
        if not self.library.isChecked() and not self.files.count():
            raise UsageError(
                tr("There are no donors to transfer from."),
                tr("Tick the library, or add project files of other models."),
            )
        return {"places": self.paths(), "library": self.library.isChecked()}

    def paths(self) -> tuple[str, ...]:
        """The files, in their order."""
        return tuple(str(self.files.item(row).data(PATH)) for row in range(self.files.count()))

    def add(self, paths: Iterable[str]) -> None:
        """Append files that are not there yet."""
        for path in paths:
            if path not in self.paths():
                item = QListWidgetItem(_short(path))
                item.setData(PATH, path)
                item.setToolTip(path)
                self.files.addItem(item)
        self._tell()

    def remove(self) -> None:
        """Take the marked files off the list; nothing happens to the files."""
        for item in self.files.selectedItems():
            self.files.takeItem(self.files.row(item))
        self._tell()

    def ask(self) -> QFileDialog:
        """Ask for files, without holding the window up."""
        folder = str(Path(self.paths()[-1]).parent) if self.paths() else str(Path.home())
        dialog = QFileDialog(self, tr("Add donors"), folder, tr(KINDS))
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.filesSelected.connect(self._add_chosen)
        dialog.show()
        return dialog

    def _add_chosen(self, paths: Sequence[str]) -> None:
        self.add(paths)

    def _tell(self) -> None:
        self._refresh()
        self.changed.emit()

    def _refresh(self) -> None:
        self.remove_button.setEnabled(bool(self.files.selectedItems()))

    def _arrange(self) -> None:
        title = text_label(tr("Donors from"), "muted", wraps=False)
        buttons = QVBoxLayout()
        for button in (self.add_button, self.remove_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch()
        row = beside((self.files, 1), buttons)
        stacked(title, self.library, row, on=self, margins=(8, 0, 8, 8), spacing=4)


def _short(path: str) -> str:
    """A path as it is told from others at a glance: its name first."""
    place = Path(path)
    return tr("{name}  in {folder}", name=place.name, folder=place.parent)
