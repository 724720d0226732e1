"""The way into the documentation: its contents, or what a search finds."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from widgets.look.language import tr
from widgets.parts.pieces import stacked
from widgets.window.help_pages import help_pages, search

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
        self.nothing = QLabel(tr("No page has all these words. Try fewer, or other ones."))
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
