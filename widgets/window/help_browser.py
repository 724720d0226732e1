"""The documentation: its contents, what a search finds, and a page with pictures and links."""

from __future__ import annotations

from importlib import resources
from pathlib import PurePosixPath
from typing import Any

from PySide6.QtCore import Qt, QTimer, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextFrameFormat,
    QTextTable,
)
from PySide6.QtWidgets import (
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QTextBrowser,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from widgets.look.language import tr
from widgets.look.plain_label import PlainLabel
from widgets.look.theme import blend, theme, theme_notifier
from widgets.parts.pieces import stacked
from widgets.window.help_pages import help_pages, search, slug

SCHEME = "help"
_MARGIN = 12.0
_FIT_MS = 50


def page_url(page: str, anchor: str = "") -> QUrl:
    """The address of a page within the help."""
    url = QUrl(f"{SCHEME}:/{page}.md")
    url.setFragment(anchor)
    return url


class HelpBrowser(QTextBrowser):
    """A reader of the help. `external_wanted` carries the address of a link that leads outside:
    nothing is ever fetched here. `page_shown` carries a page's name and anchor."""

    external_wanted = Signal(QUrl)
    page_shown = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Help page"))
        self.setOpenLinks(False)
        self.anchorClicked.connect(self.follow)
        self.sourceChanged.connect(self._shown)
        self._fit_soon = QTimer(self)
        self._fit_soon.setSingleShot(True)
        self._fit_soon.setInterval(_FIT_MS)
        self._fit_soon.timeout.connect(self.fit)
        theme_notifier().changed.connect(self._again)

    @property
    def page(self) -> str:
        """The name of the page on show, empty where there is none."""
        return PurePosixPath(self.source().path()).stem

    def show_page(self, page: str, anchor: str = "") -> None:
        """Show a page, at a heading of it."""
        self.follow(page_url(page, anchor))

    def follow(self, url: QUrl) -> None:
        """Go where a link leads: within the help, or ask for the outside."""
        target = self.source().resolved(url) if url.isRelative() else url
        if target.scheme() != SCHEME:
            self.external_wanted.emit(target)
        elif PurePosixPath(target.path()).stem in help_pages():
            self.setSource(target, QTextDocument.ResourceType.MarkdownResource)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """A page or a picture of the help, and nothing else from anywhere."""
        target = QUrl(name)
        if not target.isRelative() and target.scheme() != SCHEME:
            return None
        path = PurePosixPath(target.path())
        if path.suffix == ".md":
            page = help_pages().get(path.stem)
            return page.text if page else None
        found = resources.files("resources") / "help" / "images" / path.name
        return QImage.fromData(found.read_bytes()) if found.is_file() else None

    def fit(self) -> None:
        """Make pictures as wide as there is room, and no wider than they are."""
        document = self.document()
        room = max(80.0, self.viewport().width() - 2 * document.documentMargin() - _MARGIN)
        cursor = QTextCursor(document)
        for start, end, picture in _pictures(document):
            image = QImage(self.loadResource(0, QUrl(picture.name())) or QImage())
            width = min(room, float(image.width()))
            if image.isNull() or abs(picture.width() - width) < 1:
                continue
            self._put_scaled(picture.name(), image, width)
            picture.setWidth(width)
            picture.setHeight(width * image.height() / image.width())
            cursor.setPosition(start)
            cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(picture)

    def _put_scaled(self, name: str, image: QImage, width: float) -> None:
        """Have the document draw a picture smoothly: by itself it would leave out pixels."""
        ratio = self.devicePixelRatioF()
        pixels = min(image.width(), round(width * ratio))
        smooth = Qt.TransformationMode.SmoothTransformation
        url = self.document().baseUrl().resolved(QUrl(name))
        kind = QTextDocument.ResourceType.ImageResource
        self.document().addResource(kind, url, image.scaledToWidth(pixels, smooth))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pictures once the size has settled."""
        super().resizeEvent(event)
        self._fit_soon.start()

    def _shown(self, url: QUrl) -> None:
        self._dress()
        self.fit()
        anchor = url.fragment()
        block = self._heading(anchor) if anchor else QTextBlock()
        if block.isValid():
            top = self.document().documentLayout().blockBoundingRect(block).top()
            self.verticalScrollBar().setValue(round(top))
        else:
            self.verticalScrollBar().setValue(0)
        self.page_shown.emit(
            PurePosixPath(url.path()).stem, anchor
        )  # the source is yet the old one

    def _heading(self, anchor: str) -> QTextBlock:
        block = self.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and slug(block.text()) == anchor:
                return block
            block = block.next()
        return QTextBlock()

    def _again(self) -> None:
        """Show the page in other colours, where it stands."""
        if self.source().isValid():
            place = self.verticalScrollBar().value()
            self.reload()
            self._dress()
            self.fit()
            self.verticalScrollBar().setValue(place)

    def _dress(self) -> None:
        """Air between paragraphs, a ground under code, lines round tables."""
        colors, document = theme(), self.document()
        block = document.begin()
        while block.isValid():
            cursor = QTextCursor(block)
            form = block.blockFormat()
            height = 118.0
            if _is_code(block):
                form.setBackground(blend(colors.surface, colors.text, 0.06))
                form.setLeftMargin(8)
                form.setTopMargin(0)
                form.setBottomMargin(0 if _is_code(block.next()) else 8)
                height = 100.0
            elif form.headingLevel():
                form.setTopMargin(6 if form.headingLevel() == 1 else 16)
                form.setBottomMargin(6)
            elif cursor.currentTable() is None and not block.textList():
                form.setBottomMargin(8)
            if "\ufffc" in block.text():  # a picture: its line is as high as it is
                height = 100.0
            form.setLineHeight(height, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
            cursor.setBlockFormat(form)
            block = block.next()
        for frame in document.rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                _dress_table(frame, colors.border)


def _is_code(block: QTextBlock) -> bool:
    """Whether a paragraph is program text: Qt calls that fixed pitch only within a sentence."""
    piece = block.begin()
    if not block.isValid() or piece.atEnd() or QTextCursor(block).currentTable() is not None:
        return False
    form = piece.fragment().charFormat()
    return bool(form.fontFamilies()) and not form.fontFixedPitch()


def _dress_table(table: QTextTable, border: QColor) -> None:
    form = table.format()
    form.setBorder(0)
    form.setCellPadding(4)
    form.setCellSpacing(0)
    form.setMargin(6)
    table.setFormat(form)
    for row in range(table.rows()):
        for column in range(table.columns()):
            cell = table.cellAt(row, column)
            look = cell.format().toTableCellFormat()
            look.setBottomBorder(1)
            look.setBottomBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
            look.setBottomBorderBrush(border)
            cell.setFormat(look)


def _pictures(document: QTextDocument) -> list[tuple[int, int, Any]]:
    """Begin, end and format of every picture."""
    found = []
    block = document.begin()
    while block.isValid():
        piece = block.begin()
        while not piece.atEnd():
            fragment = piece.fragment()
            form = fragment.charFormat()
            if form.isImageFormat():
                begin = fragment.position()
                found.append((begin, begin + fragment.length(), form.toImageFormat()))
            piece += 1
        block = block.next()
    return found


_ROLE = Qt.ItemDataRole.UserRole


class HelpContents(QWidget):
    """Pages with their headings, and a field for words; `wanted` is a page and a heading of it."""

    wanted = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.query = QLineEdit()
        self.query.setPlaceholderText(tr("Search the help"))
        self.query.setAccessibleName(tr("Search the help"))
        self.query.setClearButtonEnabled(True)
        self.query.textChanged.connect(self._search)
        self.query.returnPressed.connect(self._take_first)
        self.tree, self.hits = self._make_tree(), self._make_hits()
        self.nothing = PlainLabel(tr("No page has all these words. Try fewer, or other ones."))
        self.nothing.setProperty("role", "muted")
        self.nothing.setWordWrap(True)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._stack = QStackedWidget()
        for part in (self.tree, self.hits, self.nothing):
            self._stack.addWidget(part)
        stacked(self.query, (self._stack, 1), on=self, margins=0)

    def show_page(self, page: str, anchor: str) -> None:
        """Mark the page that is on show."""
        for row in range(self.tree.topLevelItemCount()):
            top = self.tree.topLevelItem(row)
            if top is None or top.data(0, _ROLE)[0] != page:
                continue
            item = top
            for place in range(top.childCount()):
                child = top.child(place)
                if child is not None and child.data(0, _ROLE)[1] == anchor:
                    item = child
            top.setExpanded(True)
            self.tree.setCurrentItem(item)
            self.tree.scrollToItem(item)

    def _make_tree(self) -> QTreeWidget:
        tree = QTreeWidget()
        tree.setAccessibleName(tr("Contents of the help"))
        tree.setHeaderHidden(True)
        for page in help_pages().values():
            top = QTreeWidgetItem(tree, [page.title])
            top.setData(0, _ROLE, (page.name, ""))
            top.setToolTip(0, page.title)
            for section in page.sections:
                if section.level == 2:
                    item = QTreeWidgetItem(top, [section.title])
                    item.setData(0, _ROLE, (page.name, section.anchor))
                    item.setToolTip(0, section.title)
        tree.itemClicked.connect(lambda item, _: self.wanted.emit(*item.data(0, _ROLE)))
        tree.itemActivated.connect(lambda item, _: self.wanted.emit(*item.data(0, _ROLE)))
        return tree

    def _make_hits(self) -> QListWidget:
        hits = QListWidget()
        hits.setAccessibleName(tr("What the search found"))
        hits.setWordWrap(True)
        hits.setSpacing(2)
        hits.itemClicked.connect(lambda item: self.wanted.emit(*item.data(_ROLE)))
        hits.itemActivated.connect(lambda item: self.wanted.emit(*item.data(_ROLE)))
        return hits

    def _search(self, text: str) -> None:
        self.hits.clear()
        for hit in search(text):
            item = QListWidgetItem(f"{hit.title}\n{hit.snippet}", self.hits)
            item.setData(_ROLE, (hit.page, hit.anchor))
        nothing = self.nothing if text.strip() else self.tree
        self._stack.setCurrentWidget(self.hits if self.hits.count() else nothing)

    def _take_first(self) -> None:
        item = self.hits.currentItem() or self.hits.item(0)
        if item is not None:
            self.wanted.emit(*item.data(_ROLE))
