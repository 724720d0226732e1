"""Asks for the input shapes that a dynamic model leaves open, and for values of its scalars."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QLineEdit,
    QScrollArea,
    QWidget,
)

from engine.interface.shape_sets import with_shapes
from engine.models.questions import InputQuestion
from engine.models.shapes import parse_shape
from engine.models.values import parse_values
from engine.records.errors import ShapeError, TunewrightError, UsageError
from engine.records.source import InputShapes, ModelSource
from widgets.look.language import told, tr
from widgets.look.plain_label import PlainLabel
from widgets.parts.number_box import read_number
from widgets.parts.pieces import stacked, text_label
from widgets.window.shape_table import ShapeTable

_ROWS_SHOWN = 8
_COLUMNS = 6  # of the table of shapes, that can be read beside each other


class ShapeSheet(QDialog):
    """A row an input; `shapes_given` carries the shapes and the values, each by input.

    Shapes that the file fixes are only listed; an input of one number may get a value, which
    begins as the one in `values`, else as the last time. Where a table has several shapes,
    `shape_set` has all, and what `shapes_given` carries is the first. Not modal: the rest of the
    window stays usable.
    """

    shapes_given = Signal(dict, dict)

    def __init__(
        self,
        error: ShapeError,
        model_name: str,
        parent: QWidget | None = None,
        values: Mapping[str, float] | None = None,
    ) -> None:
        super().__init__(parent)
        self._given_values = values or {}
        self.setWindowTitle(tr("Input shapes"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setMinimumWidth(520)
        title = PlainLabel(tr("Which shapes shall {model} have?", model=model_name))
        title.setProperty("role", "title")
        reason = text_label(told(error.what))
        hint = PlainLabel(tr("Sizes with x between them, such as 1x3x640x640. Put one for each ?."))
        hint.setProperty("role", "muted")
        hint.setWordWrap(True)
        self.fields: dict[str, QLineEdit] = {}
        self.value_fields: dict[str, QLineEdit] = {}
        self._rows = QGridLayout()
        self._rows.setColumnStretch(2, 1)
        for question in error.questions:
            self._add_question(question)
        self.table = ShapeTable(list(self.fields))
        self.table.add_wanted.connect(self._add_shape)
        self.table.changed.connect(self._check)
        self.table.setVisible(0 < len(self.fields) <= _COLUMNS)
        self.problem = text_label(role="error")
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        body = self._body()
        stacked(title, reason, hint, body, self.table, self.problem, self.buttons, on=self)
        self._check()

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shapes as typed; ShapeError where one is none."""
        return self.shape_set()[0].shapes

    def shape_set(self) -> tuple[InputShapes, ...]:
        """All shapes as typed; ShapeError where one is none, or they are no set."""
        if not self.fields:
            raise ShapeError(tr("The model says of no input which shape it wants."))
        if self.table.is_used:
            shapes = self.table.shapes()
            with_shapes(ModelSource("file", ""), shapes)
            return shapes
        return (InputShapes(self._typed()),)

    def _typed(self) -> dict[str, tuple[int, ...]]:
        return dict(
            parse_shape(f"{name}={field.text()}".replace("*", "x"))
            for name, field in self.fields.items()
        )

    def values(self) -> dict[str, float]:
        """The values as typed, of the inputs that shall be constants; ShapeError as above."""
        typed = {name: field.text().strip() for name, field in self.value_fields.items()}
        kept = {name: v for name, v in self._given_values.items() if name not in typed}
        return kept | parse_values(f"{name}={_read(text)}" for name, text in typed.items() if text)

    def _add_shape(self) -> None:
        self.table.add([field.text() for field in self.fields.values()])

    def _add_question(self, question: InputQuestion) -> None:
        if question.is_open:
            self._add_field(question)
            return
        if question.may_be_constant:
            self._add_value(question)
            return
        self._rows.addWidget(_plain(question.name), self._rows.rowCount(), 0)
        self._rows.addWidget(_plain(question.declared, "muted"), self._rows.rowCount() - 1, 1, 1, 3)

    def _add_value(self, question: InputQuestion) -> None:
        name = question.name
        value = self._given_values.get(name, question.value)
        field = QLineEdit("" if value is None else _number(value))
        field.setAccessibleName(tr("Value of {name}", name=name))
        field.setPlaceholderText(tr("stays an input"))
        field.setToolTip(
            tr("A number makes this input a constant; where it is empty, it stays an input.")
        )
        self.value_fields[name] = field
        self._add_row(question, field)

    def _add_field(self, question: InputQuestion) -> None:
        field = QLineEdit(question.form)
        field.setAccessibleName(tr("Shape of {name}", name=question.name))
        field.setPlaceholderText("1x3x224x224")
        self.fields[question.name] = field
        self._add_row(question, field)

    def _add_row(self, question: InputQuestion, field: QLineEdit) -> None:
        field.textChanged.connect(self._check)
        row = self._rows.rowCount()
        self._rows.addWidget(_plain(question.name), row, 0)
        self._rows.addWidget(_plain(question.declared, "muted"), row, 1)
        self._rows.addWidget(field, row, 2)
        self._rows.addWidget(_plain(told(question.why), "muted"), row, 3)

    def _body(self) -> QWidget:
        """The rows, in a scrolling area where they are many."""
        rows = QWidget()
        rows.setLayout(self._rows)
        if self._rows.rowCount() <= _ROWS_SHOWN:
            return rows
        area = QScrollArea()
        area.setWidget(rows)
        area.setWidgetResizable(True)
        area.setFixedHeight(_ROWS_SHOWN * 36)
        return area

    def _check(self) -> None:
        for field in self.fields.values():
            field.setEnabled(not self.table.is_used)  # the table's rows are all of them
        try:
            self.shape_set()
            self.values()
        except TunewrightError as error:
            self.problem.setText(told(error.what))
            usable = False
        else:
            self.problem.setText("")
            usable = True
        self.buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(usable)
        self._make_room()

    def _make_room(self) -> None:
        """Grow to what is shown now: Qt does not count lines of labels that appear later."""
        own, inner = self.layout(), self.table.layout()
        if own is None or inner is None or not self.isVisible():
            return
        inner.activate()
        own.activate()
        self.resize(self.width(), max(self.height(), own.totalHeightForWidth(self.width())))

    def _accept(self) -> None:
        self.shapes_given.emit(self.shapes(), self.values())
        self.accept()


def _read(text: str) -> str:
    """A number as files have it; what is none as it was typed, to be refused by its name."""
    with suppress(UsageError):
        return _number(read_number(text))
    return text


def _number(value: float) -> str:
    """A value as a person writes it, no digit lost."""
    return str(int(value)) if value.is_integer() else str(value)


def _plain(text: str, role: str = "") -> QLabel:
    """A label that shows a stranger's text as it is."""
    label = text_label(text, wraps=False)
    if role:
        label.setProperty("role", role)
    return label
