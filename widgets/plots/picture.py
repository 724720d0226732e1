"""A plot as a picture: pixels for documents and mails, SVG for papers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import QBuffer, QIODevice, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QGraphicsView

from engine.records.words import harmless

LEAST_SCALE = 2.0


def picture_of(view: QGraphicsView) -> QImage:
    """What is in sight, without what lies over it, at twice the pixels or more."""
    scale = max(view.devicePixelRatioF(), LEAST_SCALE)
    size = view.viewport().size()
    image = QImage(size * scale, QImage.Format.Format_RGB32)
    image.setDevicePixelRatio(scale)
    painter = QPainter(image)
    view.render(painter, QRectF(0, 0, size.width(), size.height()), view.viewport().rect())
    painter.end()
    return image


def png_of(view: QGraphicsView) -> bytes:
    """The picture as a PNG file."""
    return png_bytes(picture_of(view))


def png_bytes(image: QImage) -> bytes:
    """An image as a PNG file."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def svg_of(view: QGraphicsView, title: str) -> bytes:
    """What is in sight as an SVG file, marks and letters as shapes and text."""
    size = view.viewport().size()
    buffer = QBuffer()
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(view.viewport().rect())
    generator.setResolution(view.logicalDpiX())
    generator.setTitle(title)
    with _as_shapes(view):
        painter = QPainter(generator)
        view.render(painter, QRectF(0, 0, size.width(), size.height()), view.viewport().rect())
        painter.end()
    return svg_bytes(buffer)


def svg_bytes(buffer: QBuffer) -> bytes:
    """What Qt drew into a buffer as SVG, without control characters: Qt writes those of names as
    they are, and no reader of XML takes them."""
    return harmless(bytes(buffer.data().data()).decode()).encode()


@contextmanager
def _as_shapes(view: QGraphicsView) -> Iterator[None]:
    """Let pyqtgraph's marks be drawn one by one, not from pixels that it keeps."""
    items: list[Any] = [item for item in view.scene().items() if hasattr(item, "setExportMode")]
    for item in items:
        item.setExportMode(True, {"antialias": True, "resolutionScale": 1.0})
    try:
        yield
    finally:
        for item in items:
            item.setExportMode(False)
