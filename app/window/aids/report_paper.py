"""A report on paper: the same page as a text document, its curves drawn as pictures."""

from __future__ import annotations

from xml.etree.ElementTree import Element, tostring

from PySide6.QtCore import QByteArray, QMarginsF, QRectF, QUrl
from PySide6.QtGui import QColor, QFont, QImage, QPageLayout, QPageSize, QPainter, QTextDocument
from PySide6.QtPrintSupport import QPrinter
from PySide6.QtSvg import QSvgRenderer

from engine.report.markup import node

SHARPNESS = 2.5
SIZE = 0.8  # of a drawing on paper, against that on a screen
_POINTS = 8
_MARGIN_MM = 12.0
_SVG = "svg"
# A text document knows little of style sheets: what its tables need.
_STYLE = """
h1 { font-size: 16pt; } h2 { font-size: 12pt; } h3 { font-size: 9pt; }
p.headline { font-size: 12pt; } .muted { color: #555555; }
th, td { padding: 1px 6px 1px 0; } th { text-align: left; font-weight: bold; }
.number { text-align: right; } code { font-family: monospace; }
"""


def paper_document(page: Element, sharpness: float = SHARPNESS) -> QTextDocument:
    """The page as Qt can lay it out and print it; its drawings have so many times more pixels than
    they take. `page` is used up."""
    document = QTextDocument()
    font = QFont(document.defaultFont())
    font.setPointSize(_POINTS)
    document.setDefaultFont(font)
    document.setDefaultStyleSheet(_STYLE)
    body = page.find("body")
    assert body is not None
    _unfold(body)
    for number, (parent, place, svg) in enumerate(list(_drawings(body))):
        name = f"drawing:{number}"
        width, height = float(svg.get("width", 0)), float(svg.get("height", 0))
        document.addResource(
            QTextDocument.ResourceType.ImageResource,
            QUrl(name),
            _picture(svg, width, height, SIZE * sharpness),
        )
        shown = node("img", src=name, width=SIZE * width, height=SIZE * height)
        shown.tail = svg.tail
        parent[place] = shown
    document.setHtml(tostring(body, encoding="unicode", method="html"))
    return document


def printer(landscape: bool = True) -> QPrinter:
    """A printer for such a page: tables of tasks are wide."""
    made = QPrinter(QPrinter.PrinterMode.HighResolution)
    made.setPageSize(QPageSize(QPageSize.PageSizeId.A4))
    orientation = QPageLayout.Orientation
    made.setPageOrientation(orientation.Landscape if landscape else orientation.Portrait)
    margins = QMarginsF(_MARGIN_MM, _MARGIN_MM, _MARGIN_MM, _MARGIN_MM)
    made.setPageMargins(margins, QPageLayout.Unit.Millimeter)
    return made


def _unfold(body: Element) -> None:
    """Paper cannot be unfolded: what is folded away on screen becomes a paragraph and its rows."""
    for folded in body.iter("details"):
        folded.tag = "div"
        for title in folded.iter("summary"):
            title.tag = "h3"


def _drawings(body: Element) -> list[tuple[Element, int, Element]]:
    return [
        (parent, place, child)
        for parent in body.iter()
        for place, child in enumerate(parent)
        if child.tag == _SVG
    ]


def _picture(svg: Element, width: float, height: float, scale: float) -> QImage:
    tail, svg.tail = svg.tail, None
    renderer = QSvgRenderer(QByteArray(tostring(svg, encoding="utf-8")))
    svg.tail = tail
    image = QImage(round(width * scale), round(height * scale), QImage.Format.Format_ARGB32)
    image.fill(QColor(0, 0, 0, 0))
    painter = QPainter(image)
    renderer.render(painter, QRectF(0, 0, image.width(), image.height()))
    painter.end()
    return image
