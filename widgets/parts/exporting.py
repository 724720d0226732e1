"""What leaves the window as a file or by the clipboard: values as CSV, bytes into files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QMimeData, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget

from engine.records.errors import StorageError
from engine.storage.sheet import csv_text
from engine.storage.whole_file import write_whole
from widgets.look.language import told, tr


@dataclass(frozen=True, slots=True)
class Sheet:
    """Exact values: `header` names the columns and their units, `rows` are of its length; None
    and NaN are numbers that are unknown."""

    header: tuple[str, ...]
    rows: Iterable[Sequence[object]]


class _Notifier(QObject):
    """Says what became of exports, to whoever shows messages."""

    saved = Signal(str)  # the path
    failed = Signal(str, str)  # what, todo


class _Last:
    """The folder that a person chose last."""

    folder = ""


@cache
def export_notifier() -> _Notifier:
    """The one object that tells of exports."""
    return _Notifier()


def copy_csv(sheet: Sheet) -> None:
    """Put a sheet on the clipboard, as text and as CSV."""
    text = csv_text(sheet.header, sheet.rows)
    data = QMimeData()
    data.setText(text)
    data.setData("text/csv", text.encode())
    QGuiApplication.clipboard().setMimeData(data)


def copy_tsv(sheet: Sheet) -> None:
    """Put a sheet on the clipboard as text with tabs, which spreadsheets part into cells."""
    QGuiApplication.clipboard().setText(csv_text(sheet.header, sheet.rows, "\t"))


def save_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, and tell; a failure is told, not raised."""
    try:
        write_bytes(path, data)
    except StorageError as error:
        export_notifier().failed.emit(told(error.what), told(error.todo))
    else:
        export_notifier().saved.emit(str(path))


def save_sheet(path: Path, sheet: Sheet) -> None:
    """Write a long sheet as CSV in a thread, which the application waits for, and tell."""
    Thread(
        target=lambda: save_bytes(path, csv_text(sheet.header, sheet.rows).encode()),
        name="save",
        daemon=False,
    ).start()


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. StorageError where it cannot be written."""
    try:
        write_whole(path, data)
    except OSError as error:
        raise StorageError(
            tr("The file {path} cannot be written: {why}.", path=path, why=error.strerror),
            tr("Choose another place."),
        ) from error


def ask_path(
    parent: QWidget, name: str, kinds: Sequence[tuple[str, str]], then: Callable[[Path], object]
) -> QFileDialog:
    """Ask where to save; `kinds` are words and suffixes, the first one is meant if none is given.

    The dialog blocks nothing; `then` gets the path, with a suffix.
    """
    filters = [f"{words} (*{suffix})" for words, suffix in kinds]
    dialog = QFileDialog(parent.window(), tr("Save"), _Last.folder, ";;".join(filters))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)

    def prefer(chosen: str) -> None:
        dialog.setDefaultSuffix(kinds[filters.index(chosen)][1].lstrip("."))

    def chosen(path: str) -> None:
        _Last.folder = str(Path(path).parent)
        then(Path(path))

    prefer(filters[0])
    dialog.filterSelected.connect(prefer)
    dialog.selectFile(f"{name}{kinds[0][1]}")
    dialog.fileSelected.connect(chosen)
    dialog.show()
    return dialog
