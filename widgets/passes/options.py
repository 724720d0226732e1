"""The options of a pass as a form, made from what its kind of step declares."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from engine.jobs.steps.steps import StepKind
from engine.passes.similarity import METRICS
from widgets.parts import field_texts
from widgets.parts.field_form import FieldControl, FieldForm
from widgets.parts.number_box import DecimalBox, WholeBox
from widgets.passes.places import DonorPlaces

BY_PLACES = frozenset({"library"})


class PassOptions(QWidget):
    """The form of one kind; `changed` tells that a person changed something in it."""

    changed = Signal()

    def __init__(self, kind: StepKind) -> None:
        super().__init__()
        self._stored = False
        skip = BY_PLACES if kind.name == "transfer" else frozenset[str]()
        self.form: FieldForm[Any] = FieldForm(
            kind.Options, field_texts.PASSES.get(kind.name, {}), skip
        )
        self.places = DonorPlaces() if kind.name == "transfer" else None
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self.form)
        if self.places is not None:
            layout.addWidget(self.places)
            self.places.changed.connect(self.changed)
        for control in self.form.controls.values():
            follow(control, self.changed.emit)
        self._join_stored()
        self._join_metric()

    def values(self) -> dict[str, Any]:
        """The options as they stand; UsageError where they make no sense."""
        values = self.form.values()
        return values if self.places is None else {**values, **self.places.values()}

    def offer_stored(self, stored: bool) -> None:
        """Whether there are clusters that could be taken as they are."""
        control = self.form.controls.get("stored")
        rows = self.form.layout()
        if control is not None and isinstance(rows, QFormLayout):
            self._stored = stored
            rows.setRowVisible(control, stored)
            self._show_stored()

    def _join_stored(self) -> None:
        """What makes clusters asks for nothing where those that are stored are taken."""
        control = self.form.controls.get("stored")
        if control is not None and isinstance(control.editor, QCheckBox):
            control.editor.toggled.connect(self._show_stored)
            self._show_stored()

    def _join_metric(self) -> None:
        """Each metric has a threshold of its own to start from."""
        control = self.form.controls.get("metric")
        if control is not None and isinstance(control.editor, QComboBox):
            control.editor.currentIndexChanged.connect(self._show_threshold)
            self._show_threshold()

    def _show_threshold(self) -> None:
        metric = METRICS.get(self.form.controls["metric"].value())
        if metric is not None:
            self.form.controls["threshold"].set_value(metric.threshold)

    def _show_stored(self) -> None:
        control = self.form.controls["stored"]
        taken = self._stored and bool(control.value())
        for name in ("metric", "threshold"):
            if name in self.form.controls:
                self.form.controls[name].setEnabled(not taken)


def follow(control: FieldControl, tell: Any) -> None:
    """Call `tell` when a person changes a field."""
    editor = control.editor
    if control.tick is not None:
        control.tick.toggled.connect(lambda _: tell())
    if isinstance(editor, WholeBox | DecimalBox):
        editor.valueChanged.connect(lambda _: tell())
        editor.checked.connect(lambda _: tell())
    elif isinstance(editor, QCheckBox):
        editor.toggled.connect(lambda _: tell())
    elif isinstance(editor, QComboBox):
        editor.currentIndexChanged.connect(lambda _: tell())
    elif isinstance(editor, QLineEdit):
        editor.textChanged.connect(lambda _: tell())
