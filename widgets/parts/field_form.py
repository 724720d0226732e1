"""A form made from a dataclass: one control a field, typed and bounded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, Generic, TypeVar

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QWidget,
)

from engine.records.errors import UsageError
from engine.records.options import bound, fits, hints
from widgets.look.language import told, tr
from widgets.parts.number_box import SHOWN, DecimalBox, WholeBox
from widgets.parts.pieces import stacked, text_label

T = TypeVar("T")
_MOST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class FieldText:
    """How a field is shown: its label, its unit, how many of the unit one stored unit is.

    The texts are marked, not yet translated.
    A text with `choices` is one of those, shown as they are named there. `least` is the smallest
    number that is offered, in stored units, where less is allowed.
    """

    label: str
    tip: str = ""
    unit: str = ""
    scale: float = 1.0
    start: float = 1.0
    least: float = 0.0
    choices: Mapping[str, str] | None = None


class FieldControl(QWidget):
    """One field: a spin box, a text, choices, a tick, or a tick before it where None is meant.

    `hint` is the field's type with its bounds, as `engine.records.options` reads them. A number
    that cannot be read as it is meant stays as it was typed, with the reason below it.
    """

    def __init__(self, hint: Any, text: FieldText) -> None:
        super().__init__()
        self.text, self.hint, self.bound = text, hint, bound(hint)
        layout = QHBoxLayout()
        self.problem = text_label(role="error")
        self.problem.hide()
        stacked(layout, self.problem, on=self, margins=0, spacing=2)
        self._given = -1.0, 0.0  # what the box showed at first, and what that stands for
        self.tick: QCheckBox | None = None
        self.editor = self._editor()
        self.editor.setToolTip(tr(text.tip))
        self.editor.setAccessibleName(tr(text.label))
        if self.bound.optional:
            self.tick = QCheckBox()
            self.tick.setAccessibleName(tr("{label}: give a limit", label=tr(text.label)))
            self.tick.toggled.connect(self.editor.setEnabled)
            self.editor.setEnabled(False)
            layout.addWidget(self.tick)
        layout.addWidget(self.editor, 1)

    def value(self) -> Any:
        """The value in stored units, None where the tick is off; UsageError where what was typed
        is none."""
        if self.tick is not None and not self.tick.isChecked():
            return None
        if isinstance(self.editor, WholeBox | DecimalBox):
            return self._number(self.editor)
        if isinstance(self.editor, QComboBox):
            return self.editor.currentData()
        return self.editor.isChecked() if isinstance(self.editor, QCheckBox) else self.editor.text()

    def _number(self, editor: WholeBox | DecimalBox) -> float:
        try:
            editor.check()
        except UsageError as error:
            raise UsageError(f"{tr(self.text.label)}: {told(error.what)}", error.todo) from None
        if isinstance(editor, WholeBox):
            return editor.value()
        shown, given = self._given
        if editor.value() == shown:
            return given  # with the digits that the box has no room for
        return float(f"{editor.value() / self.text.scale:.9g}")

    def _show_problem(self, problem: str) -> None:
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))

    def set_value(self, value: Any) -> None:
        """Show a value in stored units."""
        if self.tick is not None:
            self.tick.setChecked(value is not None)
            if value is None:
                value = self.bound.kind(self.text.start)
        if isinstance(self.editor, WholeBox):
            self.editor.setValue(min(max(value, self.editor.minimum()), self.editor.maximum()))
        elif isinstance(self.editor, DecimalBox):
            self.editor.setValue(float(value) * self.text.scale)
            if fits(value, self.hint) and abs(self.editor.value() / self.text.scale - value) < 1e-9:
                self._given = self.editor.value(), value
        elif isinstance(self.editor, QCheckBox):
            self.editor.setChecked(bool(value))
        elif isinstance(self.editor, QComboBox):
            self.editor.setCurrentIndex(max(0, self.editor.findData(value)))
        else:
            self.editor.setText(str(value))

    def _editor(self) -> WholeBox | DecimalBox | QCheckBox | QComboBox | QLineEdit:
        allowed = self.bound
        if choices := self.text.choices or dict(zip(allowed.choices, allowed.choices, strict=True)):
            combo = QComboBox()
            for value, name in choices.items():
                combo.addItem(tr(name), value)
            return combo
        if allowed.kind is bool:
            return QCheckBox()
        least, most = allowed.least or 0, _MOST if allowed.most is None else allowed.most
        if allowed.kind is int:
            whole = WholeBox(self.text.unit)
            whole.setRange(max(-_MOST, int(least)), min(_MOST, int(most)))
            whole.checked.connect(self._show_problem)
            return whole
        if allowed.kind is float:
            decimal = DecimalBox(self.text.unit)
            smallest = least * self.text.scale + allowed.above * 10**-SHOWN
            offered = max(smallest, self.text.least * self.text.scale)
            decimal.setRange(offered, min(most * self.text.scale, 1e9))
            decimal.setStepType(QDoubleSpinBox.StepType.AdaptiveDecimalStepType)
            decimal.checked.connect(self._show_problem)
            return decimal
        return QLineEdit()


class FieldForm(QWidget, Generic[T]):
    """The simple fields of a dataclass, one below the other, in the order of their texts.

    `skip` names fields that are asked for elsewhere; fields of other kinds than int, float, bool,
    str and their optional forms are left out.
    """

    def __init__(
        self, form_type: type[T], texts: Mapping[str, FieldText], skip: frozenset[str] = frozenset()
    ) -> None:
        super().__init__()
        self._type = form_type
        self.controls: dict[str, FieldControl] = {}
        layout = QFormLayout(self)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(4)
        known = hints(form_type)
        items: tuple[Field[Any], ...] = fields(form_type)  # type: ignore[arg-type]
        places = {name: place for place, name in enumerate(texts)}
        for item in sorted(items, key=lambda item: places.get(item.name, len(texts))):
            if item.name in skip or not _simple(known[item.name]):
                continue
            text = texts.get(item.name) or FieldText(item.name.replace("_", " ").capitalize())
            control = FieldControl(known[item.name], text)
            default = _default(item)
            if default is not MISSING:
                control.set_value(default)
            layout.addRow(tr(text.label), control)
            label = layout.labelForField(control)
            label.setToolTip(tr(text.tip))
            self.controls[item.name] = control

    def values(self) -> dict[str, Any]:
        """The fields as they stand."""
        return {name: control.value() for name, control in self.controls.items()}

    def value(self) -> T:
        """The dataclass as it stands; what its own checks raise passes through."""
        return self._type(**self.values())

    def set_value(self, value: T) -> None:
        self.set_values({name: getattr(value, name) for name in self.controls})

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show these; those that are not given, or that the field cannot have, stay."""
        for name, control in self.controls.items():
            if name in values and fits(values[name], control.hint):
                control.set_value(values[name])


def _simple(hint: Any) -> bool:
    return bound(hint).kind in (int, float, bool, str)


def _default(item: Field[Any]) -> Any:
    return item.default if item.default_factory is MISSING else item.default_factory()
