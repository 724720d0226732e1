"""Finds texts of widgets that have less room than they need."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QComboBox,
    QDockWidget,
    QHeaderView,
    QLabel,
    QLineEdit,
    QStyle,
    QStyleOptionComboBox,
    QTabBar,
    QToolBar,
    QToolButton,
    QWidget,
)

from widgets.look.elided import ElidedLabel

SLACK = 1  # pixels: widths of text are rounded
FRAME = 6  # of a spin box: its edge and its padding
HEAD_PADDING = 8  # of the style sheet
EXTENSION = "qt_toolbar_ext_button"


def clipped_texts(widget: QWidget) -> list[str]:
    """What of the texts in sight in `widget` is cut off, a line each: kind, text, what it lacks.

    A text that ends with an ellipsis by design counts unless its tooltip has all of it.
    """
    found: list[str] = []
    for part in parts_in_sight(widget):
        found += [f"{type(part).__name__} {what}" for what in _cut(part)]
    return found


def parts_in_sight(widget: QWidget) -> list[QWidget]:
    """A widget and all that is on show in it, without what is behind a tab."""
    docks = [dock for dock in widget.findChildren(QDockWidget) if dock.visibleRegion().isEmpty()]
    return [
        part
        for part in (widget, *widget.findChildren(QWidget))
        if part.isVisible()
        and part.window() is widget.window()
        and not any(dock is part or dock.isAncestorOf(part) for dock in docks)
    ]


def _cut(part: QWidget) -> Iterator[str]:
    for kind, check in _CHECKS.items():
        if isinstance(part, kind):
            yield from check(part)
            break
    if isinstance(part, QLabel | QAbstractButton | QLineEdit | QComboBox) and _text(part):
        yield from _outside(part)


def _label(label: QLabel) -> Iterator[str]:
    text = label.text()
    if isinstance(label, ElidedLabel):
        holder = label.parentWidget()
        tips = (label.toolTip(), holder.toolTip() if holder is not None else "")
        elided = label.sizeHint().width() > label.width() + SLACK
        if elided and not any(text in tip for tip in tips):
            yield f"{text!r} is elided and its tooltip lacks it"
    elif text and label.wordWrap():
        lacks = label.heightForWidth(label.width()) - label.height()
        if lacks > SLACK:
            yield f"{text!r} lacks {lacks} px below"
    elif text:
        yield from _lack(text, label.sizeHint(), label)


def _button(button: QAbstractButton) -> Iterator[str]:
    if isinstance(button, QToolButton) and button.objectName() == EXTENSION:
        yield "hides buttons of a bar"
    elif button.text():
        yield from _lack(button.text(), button.sizeHint(), button)


def _combo(box: QComboBox) -> Iterator[str]:
    if box.isEditable() or not box.currentText():
        return
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    control, field = QStyle.ComplexControl.CC_ComboBox, QStyle.SubControl.SC_ComboBoxEditField
    room = box.style().subControlRect(control, option, field, box).width()
    lacks = box.fontMetrics().horizontalAdvance(box.currentText()) - room
    if lacks > SLACK:
        yield f"{box.currentText()!r} lacks {lacks} px"


def _line(line: QLineEdit) -> Iterator[str]:
    hint = line.placeholderText()
    margins = line.textMargins()
    room = line.contentsRect().width() - margins.left() - margins.right() - 4
    lacks = line.fontMetrics().horizontalAdvance(hint) - room
    if hint and not line.text() and lacks > SLACK:
        yield f"{hint!r} lacks {lacks} px"


def _spin(box: QAbstractSpinBox) -> Iterator[str]:
    needed = QSize(box.minimumSizeHint().width(), box.fontMetrics().height() + FRAME)
    yield from _lack(box.text(), needed, box)


def _header(head: QHeaderView) -> Iterator[str]:
    model = head.model()
    if head.orientation() is not Qt.Orientation.Horizontal or model is None:
        return
    font = head.font()
    font.setBold(True)
    metrics = QFontMetrics(font)
    for section in range(head.count()):
        title = str(model.headerData(section, Qt.Orientation.Horizontal))
        lacks = metrics.horizontalAdvance(title) + HEAD_PADDING - head.sectionSize(section)
        if not head.isSectionHidden(section) and lacks > SLACK:
            yield f"{title!r} lacks {lacks} px"


def _tabs(bar: QTabBar) -> Iterator[str]:
    if bar.count() and bar.sizeHint().width() > bar.width() + SLACK:
        texts = ", ".join(bar.tabText(place) for place in range(bar.count()))
        yield f"{texts!r} lacks {bar.sizeHint().width() - bar.width()} px"


def _dock(dock: QDockWidget) -> Iterator[str]:
    if dock.titleBarWidget() is None and not dock.visibleRegion().isEmpty():
        lacks = dock.fontMetrics().horizontalAdvance(dock.windowTitle()) - (dock.width() - 48)
        if lacks > SLACK:
            yield f"{dock.windowTitle()!r} lacks {lacks} px"


def _outside(part: QWidget) -> Iterator[str]:
    """Whether a part reaches over the edge of what holds it, unless that can be scrolled."""
    place = part.rect()
    holder: QWidget = part
    while (parent := holder.parentWidget()) is not None and not holder.isWindow():
        if isinstance(parent.parentWidget(), QAbstractScrollArea) or isinstance(parent, QToolBar):
            return
        place = QRect(holder.mapTo(parent, place.topLeft()), place.size())
        over = place.united(parent.rect()).size() - parent.rect().size()
        if over.width() > SLACK or over.height() > SLACK:
            kind = type(parent).__name__
            yield f"{_text(part)!r} reaches {over.width()} x {over.height()} px out of {kind}"
            return
        holder = parent


def _lack(text: str, hint: QSize, part: QWidget) -> Iterator[str]:
    lacks = hint - part.size()
    if lacks.width() > SLACK or lacks.height() > SLACK:
        yield f"{text!r} lacks {max(0, lacks.width())} x {max(0, lacks.height())} px"


def _text(part: QWidget) -> str:
    text = part.currentText() if isinstance(part, QComboBox) else getattr(part, "text", str)()
    return str(text)


_CHECKS: dict[type[QWidget], Callable[..., Iterator[str]]] = {
    QLabel: _label,
    QAbstractButton: _button,
    QComboBox: _combo,
    QLineEdit: _line,
    QAbstractSpinBox: _spin,
    QHeaderView: _header,
    QTabBar: _tabs,
    QDockWidget: _dock,
}
