"""Asks which device of another machine to tune for, and which tracker knows its server."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLineEdit,
    QWidget,
)

from engine.records.addresses import SCHEME, RpcAddress, parse_address, place
from engine.records.errors import TargetError, TunewrightError
from engine.targets.presets import PRESETS, Preset, preset_fields
from widgets.look.language import refusal, tr
from widgets.parts.number_box import WholeBox
from widgets.parts.pieces import stacked, text_label

_TRACKER, _KEY = "127.0.0.1:9190", "board"
_CORES = "num-cores"


class BoardSheet(QDialog):
    """A preset with its cores, or any target of TVM's; `target_given` carries the whole text,
    which begins with the address.

    It begins with what `target` says. Not modal: the rest of the window stays usable.
    """

    target_given = Signal(str)

    def __init__(self, target: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Another machine"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(460)
        title = text_label(tr("Which device shall the model be tuned for?"), "title")
        hint = text_label(
            tr(
                "Kernels are compiled here and measured there, by a server of TVM's that has "
                "registered under this key. The help (F1) says how to start it."
            ),
            "muted",
        )
        self.device = QComboBox()
        for preset in PRESETS:
            self.device.addItem(f"{preset.title}, {preset.mcpu}", preset)
        self.device.addItem(tr("Another device"), None)
        self.cores = WholeBox()
        self.cores.setRange(1, 1024)
        self.fields, self.tracker, self.key = QLineEdit(), QLineEdit(), QLineEdit()
        self.fields.setPlaceholderText("nvidia/nvidia-a100")
        self.tracker.setPlaceholderText(_TRACKER)
        self.problem = text_label(role="error")
        standard = QDialogButtonBox.StandardButton
        self.buttons = QDialogButtonBox(standard.Ok | standard.Cancel)
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        stacked(title, hint, self._form(), self.problem, self.buttons, on=self)
        self._show(target)
        self.device.currentIndexChanged.connect(self._follow)
        self.cores.valueChanged.connect(self._check)
        for line in (self.fields, self.tracker, self.key):
            line.textChanged.connect(self._check)
        self._check()

    def target(self) -> str:
        """The text that stands for the choice; TargetError where one cannot be."""
        address = parse_address(f"{SCHEME}{self.tracker.text().strip()}/{self.key.text().strip()}")
        return f"{address} {self._described()}"

    def _described(self) -> str:
        preset = self._preset
        if preset is not None:
            cores = self.cores.value()
            return preset.name if cores == preset.cores else f"{preset.name} -{_CORES}={cores}"
        if not (typed := self.fields.text().strip()):
            raise TargetError(tr("What the device is has to be said as a target of TVM's."))
        return typed

    @property
    def _preset(self) -> Preset | None:
        found: Preset | None = self.device.currentData()
        return found

    def _form(self) -> QFormLayout:
        form = QFormLayout()
        for name, field in (
            (tr("Device"), self.device),
            (tr("Cores"), self.cores),
            (tr("TVM's target"), self.fields),
            (tr("Tracker"), self.tracker),
            (tr("Key"), self.key),
        ):
            field.setAccessibleName(name)
            form.addRow(name, field)
        return form

    def _show(self, target: str) -> None:
        """Begin with what a target says, where it is one behind a tracker."""
        address, _, described = target.strip().partition(" ")
        try:
            found: RpcAddress | None = parse_address(address)
        except TunewrightError:
            found, described = None, PRESETS[0].name
        self.tracker.setText(place(found.tracker) if found else _TRACKER)
        self.key.setText(found.key if found else _KEY)
        preset, cores = _preset_of(described)
        self.device.setCurrentIndex(PRESETS.index(preset) if preset else len(PRESETS))
        self.fields.setText("" if preset else described)
        self._follow()
        if preset:
            self.cores.setValue(cores)

    def _follow(self) -> None:
        """A preset has its cores, any other device says them in its target."""
        preset = self._preset
        self.cores.setEnabled(preset is not None)
        self.fields.setEnabled(preset is None)
        if preset is not None:
            self.cores.setValue(preset.cores)
        self._check()

    def _check(self) -> None:
        try:
            self.target()
        except TunewrightError as error:
            self.problem.setText(refusal(error))
        else:
            self.problem.setText("")
        usable = not self.problem.text()
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(usable)

    def _accept(self) -> None:
        self.target_given.emit(self.target())
        self.accept()


def _preset_of(text: str) -> tuple[Preset | None, int]:
    """The preset that a target is but for its cores, and how many those are; else None."""
    try:
        fields = preset_fields(text) or {}
    except TunewrightError:
        fields = {}
    cores = fields.pop(_CORES, 0)
    for preset in PRESETS:
        if fields | {_CORES: preset.cores} == preset.fields and type(cores) is int:
            return preset, cores
    return None, 0
