"""The graph as a picture: what is in sight to the clipboard, all of it into a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QBuffer, QObject, QRectF, QSize
from PySide6.QtGui import QGuiApplication, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QFileDialog

from widgets.graph.bar import GraphBar
from widgets.graph.canvas import GraphCanvas
from widgets.graph.canvas_scene import MARGIN
from widgets.graph.drawing import Drawing
from widgets.graph.scene import GraphScene
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme
from widgets.parts.exporting import ask_path, save_bytes
from widgets.plots.picture import picture_of, png_bytes, svg_bytes

KINDS = (
    (QT_TR_NOOP("Drawing of the whole graph"), ".svg"),
    (QT_TR_NOOP("Picture of the whole graph"), ".png"),
)
SHARPEST, MOST_PIXELS, LONGEST = 2.0, 60_000_000, 30_000


class GraphTools(QObject):
    """Copies and saves a graph."""

    def __init__(self, canvas: GraphCanvas, scene: GraphScene) -> None:
        super().__init__(canvas)
        self.name = "graph"
        self._canvas, self._scene = canvas, scene

    def copy(self) -> None:
        """Put what is in sight on the clipboard."""
        QGuiApplication.clipboard().setImage(picture_of(self._canvas))

    def ask(self) -> QFileDialog:
        kinds = [(tr(words), suffix) for words, suffix in KINDS]
        return ask_path(self._canvas, self.name, kinds, self.save)

    def save(self, path: Path) -> None:
        """Save all of the graph as what the suffix says, a picture where it says nothing."""
        data = self.svg() if path.suffix.lower() == ".svg" else self.png()
        save_bytes(path, data)

    def svg(self) -> bytes:
        """All of the graph as shapes and text."""
        area = self._area()
        buffer, generator = QBuffer(), QSvgGenerator()
        generator.setOutputDevice(buffer)
        generator.setSize(area.size().toSize())
        generator.setViewBox(QRectF(0, 0, area.width(), area.height()))
        generator.setResolution(self._canvas.logicalDpiX())
        generator.setTitle(self.name)
        painter = QPainter(generator)
        painter.fillRect(QRectF(0, 0, area.width(), area.height()), theme().surface)
        self._scene.render(painter, QRectF(0, 0, area.width(), area.height()), area)
        painter.end()
        return svg_bytes(buffer)

    def png(self) -> bytes:
        """All of the graph in pixels: twice as large as life, less where that would be huge."""
        area = self._area()
        scale = min(
            SHARPEST,
            (MOST_PIXELS / max(1.0, area.width() * area.height())) ** 0.5,
            LONGEST / max(1.0, area.width(), area.height()),
        )
        size = QSize(max(1, round(area.width() * scale)), max(1, round(area.height() * scale)))
        image = QImage(size, QImage.Format.Format_RGB32)
        image.fill(theme().surface)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._scene.render(painter, QRectF(0, 0, size.width(), size.height()), area)
        painter.end()
        return png_bytes(image)

    def _area(self) -> QRectF:
        return self._scene.content.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN)


class GraphSearch(QObject):
    """Joins the search field to the drawing; `go` is called with the node to show."""

    def __init__(self, bar: GraphBar, drawing: Drawing, go: Callable[[int], None]) -> None:
        super().__init__(bar)
        self._bar, self._drawing, self._go = bar, drawing, go
        self._found: list[int] = []
        self._place = -1
        bar.searched.connect(self._search)
        bar.stepped.connect(self.step)

    @property
    def found(self) -> list[int]:
        """The nodes that have the text, in order."""
        return self._found

    def clear(self) -> None:
        """Another project: nothing was asked for."""
        self._bar.search.clear()

    def again(self) -> None:
        """Another side of the project: the same text."""
        self._search(self._bar.search.text())

    def step(self, by: int) -> None:
        """Go to the next one, or the one before; after the last comes the first."""
        if self._found:
            start = -1 if by > 0 else 0
            self._place = (max(self._place, start) + by) % len(self._found)
            self._go(self._found[self._place])
        self._tell()

    def _search(self, text: str) -> None:
        self._found = self._drawing.find(text) if text.strip() else []
        self._place = -1
        self._tell()

    def _tell(self) -> None:
        if not self._bar.search.text().strip():
            self._bar.show_count("")
        elif not self._found:
            self._bar.show_count(tr("none"))
        elif self._place < 0:
            self._bar.show_count(tr("{count} found", count=f"{len(self._found):,}"))
        else:
            self._bar.show_count(
                tr(
                    "{place} of {count}",
                    place=f"{self._place + 1:,}",
                    count=f"{len(self._found):,}",
                )
            )
