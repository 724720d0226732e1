"""Asks for the folder of an export, and for a wheel beside it or, of several shapes, padding."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTreeView,
    QWidget,
)

from engine.deploy.executor_template import MANIFEST
from engine.deploy.packing.wheel import WheelName
from engine.models.values import parse_values
from engine.records.errors import TunewrightError, UsageError
from widgets.look.language import refusal, tr
from widgets.parts.pieces import text_label


class ExportDialog(QFileDialog):
    """Qt's own question for a file, as the system's has no room for more, with a row below it.

    The folder may be a new one. A wheel that cannot be called so is told, and nothing is chosen. A
    project of `several` shapes has no wheel, and its inputs may be padded to the larger ones.
    """

    def __init__(self, parent: QWidget, model: str = "", several: bool = False) -> None:
        super().__init__(parent)
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self.setOption(QFileDialog.Option.DontConfirmOverwrite)
        if (files := self.findChild(QTreeView, "treeView")) is not None:  # else it cuts its heads
            files.header().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        self.tick = QCheckBox(tr("Write a wheel, too, which pip installs"))
        self.name, self.version = QLineEdit(_name(model)), QLineEdit("1.0")
        for field, words in (
            (self.name, tr("Name of the wheel")),
            (self.version, tr("Version of the wheel")),
        ):
            field.setAccessibleName(words)
            field.setToolTip(words)
            field.setEnabled(False)
            self.tick.toggled.connect(field.setEnabled)
            field.textChanged.connect(self._take_back)
        self.problem = text_label(role="error")
        self.problem.hide()
        self.tick.toggled.connect(self._take_back)
        self.padding = QLineEdit()
        self.padding.setAccessibleName(tr("Padding of inputs"))
        self.padding.setPlaceholderText("input_ids=0 attention_mask=0")
        self.padding.setToolTip(
            tr(
                "Inputs that may be padded where no shape is theirs, each with its value; where "
                "this is empty they are refused."
            )
        )
        self.padding.textChanged.connect(self._take_back)
        row = QHBoxLayout()
        parts: list[tuple[QWidget, int]] = [(self.tick, 0), (self.name, 2), (self.version, 1)]
        if several:
            for part, _ in parts:
                part.hide()
            parts += [(text_label(tr("Pad inputs"), wraps=False), 0), (self.padding, 1)]
        for part, stretch in parts:
            row.addWidget(part, stretch)
        layout = self.layout()
        assert isinstance(layout, QGridLayout)
        below = layout.rowCount()
        layout.addLayout(row, below, 0, 1, -1)
        layout.addWidget(self.problem, below + 1, 0, 1, -1)

    def wheel(self) -> WheelName | None:
        """What the wheel is to be called, where one is wanted; UsageError where none can be."""
        if not self.tick.isChecked():
            return None
        return WheelName(self.name.text().strip(), self.version.text().strip())

    def pads(self) -> dict[str, float] | None:
        """What inputs may be padded with; ShapeError where a text is no value."""
        return parse_values(self.padding.text().split()) or None

    def accept(self) -> None:
        """Take the folder, unless the wheel has no name that it can have, or the padding no value.
        An earlier export is taken as it is, where Qt would look into it."""
        try:
            self.wheel()
            self.pads()
        except TunewrightError as error:
            self.problem.setText(refusal(error))
            self.problem.show()
            return
        (chosen,) = self.selectedFiles()[:1] or ("",)
        if (Path(chosen) / MANIFEST).is_file():
            self.fileSelected.emit(chosen)
            QDialog.accept(self)
        else:
            super().accept()

    def _take_back(self) -> None:
        self.problem.hide()


def _name(model: str) -> str:
    """A model's name, where a wheel can be called so."""
    try:
        return WheelName(model, "1.0").name
    except UsageError:
        return ""
