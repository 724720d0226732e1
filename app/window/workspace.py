"""The pages in the middle of the window, empty until their views are made."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QTabWidget, QVBoxLayout, QWidget

from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts.pieces import text_label

TABS = {
    "graph": QT_TR_NOOP("Graph"),
    "allocation": QT_TR_NOOP("Allocation"),
    "layers": QT_TR_NOOP("Layers"),
    "timeline": QT_TR_NOOP("Timeline"),
    "knobs": QT_TR_NOOP("Knobs"),
    "code": QT_TR_NOOP("Code"),
    "clusters": QT_TR_NOOP("Clusters"),
    "transfer": QT_TR_NOOP("Transfer"),
    "droplet": QT_TR_NOOP("Droplet"),
    "stages": QT_TR_NOOP("Stages"),
    "jobs": QT_TR_NOOP("Jobs"),
}
COMPARE = QT_TR_NOOP("Compare")
AROUND = 17  # pixels of the style sheet beside the text of a tab, and of rounding


class Page(QWidget):
    """The place of a view that is made after the first paint; it says so until then."""

    def __init__(self) -> None:
        super().__init__()
        self._first: Callable[[], QWidget] | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._label = text_label(tr("Loading …"), "muted", wraps=False)
        self._column.addWidget(self._label, alignment=Qt.AlignmentFlag.AlignCenter)

    def put(self, view: QWidget, first: Callable[[], QWidget] | None = None) -> None:
        """Show the view; `first` tells which part of it takes the keyboard."""
        self._column.removeWidget(self._label)
        self._label.deleteLater()
        self._column.addWidget(view)
        self._first = first

    def focus(self) -> None:
        """Put the keyboard on the view."""
        if self._first is not None:
            self._first().setFocus(Qt.FocusReason.ShortcutFocusReason)


class Workspace(QTabWidget):
    """A tab for each page; the comparison has one from when it is first gone to."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Workspace"))
        self.pages = {name: Page() for name in (*TABS, "compare")}
        for name, title in TABS.items():
            self.addTab(self.pages[name], tr(title))
        self.pages["compare"].setParent(self)
        self.pages["compare"].hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_tabs()

    @property
    def shown(self) -> str:
        """The name of the page in front."""
        current = self.currentWidget()
        return next(name for name, page in self.pages.items() if page is current)

    def bring(self, name: str) -> None:
        """Bring a page to the front."""
        page = self.pages[name]
        if self.indexOf(page) < 0:
            self.addTab(page, tr(COMPARE))
            self._fit_tabs()
        self.setCurrentWidget(page)

    def go_to(self, name: str) -> None:
        """Bring a page to the front, and the keyboard to it."""
        self.bring(name)
        self.pages[name].focus()

    def _fit_tabs(self) -> None:
        """Tabs stand closer where all would have no room."""
        bar = self.tabBar()
        texts = (bar.tabText(place) for place in range(bar.count()))
        wide = sum(bar.fontMetrics().horizontalAdvance(text) + AROUND for text in texts)
        if bar.property("tight") != (tight := wide > self.width()):
            bar.setProperty("tight", tight)
            bar.style().unpolish(bar)
            bar.style().polish(bar)
            QApplication.sendEvent(bar, QEvent(QEvent.Type.StyleChange))  # or it keeps its sizes
