"""Our few icons, drawn from SVG in the colours of the theme."""

from __future__ import annotations

from functools import cache
from importlib import resources

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from widgets.look.theme import blend, theme

_SIZES = (16, 32, 48)  # up to three device pixels for one


def icon(name: str, color: QColor | None = None) -> QIcon:
    """The icon `name` in `color` (the text colour by default), fainter where disabled."""
    colors = theme()
    normal = color or colors.text
    result = QIcon()
    for size in _SIZES:
        result.addPixmap(_pixmap(name, normal.name(), size), QIcon.Mode.Normal)
        faint = blend(colors.muted, colors.window, 0.5)
        result.addPixmap(_pixmap(name, faint.name(), size), QIcon.Mode.Disabled)
    return result


@cache
def _source(name: str) -> str:
    return (resources.files("resources") / "icons" / f"{name}.svg").read_text("utf-8")


@cache
def _pixmap(name: str, color: str, size: int) -> QPixmap:
    renderer = QSvgRenderer(QByteArray(_source(name).replace("currentColor", color).encode()))
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap
