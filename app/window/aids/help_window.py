"""The help: contents and search on the left, the page on the right, back and forward above."""

from __future__ import annotations

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices, QGuiApplication, QHideEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QMessageBox,
    QSplitter,
    QToolButton,
    QWidget,
)

from app.process.settings import Settings
from app.window.aids.help_places import focused, help_of, place_of
from app.window.workspace import Workspace
from widgets.look.language import tr
from widgets.look.plain_label import PlainLabel
from widgets.parts.pieces import beside, stacked
from widgets.window.help_browser import HelpBrowser, HelpContents

SIZE = (980, 720)
_LEFT = 260
_SIZE_KEY, _SPLIT_KEY = "help/geometry", "help/split"


class HelpWindow(QDialog):
    """A window beside the console that stays open while one works."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self.setWindowTitle(tr("Help – Tunewright"))
        self.setWindowFlag(Qt.WindowType.WindowMinMaxButtonsHint)
        self.browser, self.contents = HelpBrowser(), HelpContents()
        self.contents.wanted.connect(self.browser.show_page)
        self.browser.page_shown.connect(self.contents.show_page)
        self.browser.external_wanted.connect(self.ask_external)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._split.addWidget(self.contents)
        self._split.addWidget(self._right())
        self._split.setStretchFactor(1, 1)
        self._split.setSizes([_LEFT, SIZE[0] - _LEFT])
        stacked(self._split, on=self, margins=8)
        self.resize(*SIZE)
        self.restoreGeometry(settings.get_bytes(_SIZE_KEY))
        self._split.restoreState(settings.get_bytes(_SPLIT_KEY))
        find = QAction(tr("Search the help"), self)
        find.setShortcut(QKeySequence.StandardKey.Find)
        find.triggered.connect(self.contents.query.setFocus)
        self.addAction(find)

    def open_at(self, page: str, anchor: str = "") -> None:
        """Come to the front with this page."""
        self.show()
        self.raise_()
        self.activateWindow()
        self.browser.show_page(page, anchor)
        self.browser.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def ask_external(self, url: QUrl) -> QMessageBox:
        """A link that leads outside is opened by the desktop, once a person says so."""
        address = url.toDisplayString()
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setWindowTitle(tr("A link to the outside"))
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(tr("Open {address} with your desktop's browser?", address=address))
        role = QMessageBox.ButtonRole
        opened = box.addButton(tr("Open"), role.AcceptRole)
        copied = box.addButton(tr("Copy address"), role.ActionRole)
        box.addButton(QMessageBox.StandardButton.Cancel)
        opened.clicked.connect(lambda: QDesktopServices.openUrl(url))
        copied.clicked.connect(lambda: QGuiApplication.clipboard().setText(address))
        box.setModal(False)
        box.show()
        return box

    def hideEvent(self, event: QHideEvent) -> None:
        self._settings.set_bytes(_SIZE_KEY, self.saveGeometry())
        self._settings.set_bytes(_SPLIT_KEY, self._split.saveState())
        super().hideEvent(event)

    def _right(self) -> QWidget:
        keys, browser = QKeySequence.StandardKey, self.browser
        self.back = self._button(tr("← Back"), keys.Back, browser.backward)
        self.forward = self._button(tr("Forward →"), keys.Forward, browser.forward)
        self.browser.backwardAvailable.connect(self.back.setEnabled)
        self.browser.forwardAvailable.connect(self.forward.setEnabled)
        self.back.setEnabled(False)
        self.forward.setEnabled(False)
        hint = PlainLabel(tr("F1 opens this at the part of the window that has the keyboard."))
        hint.setProperty("role", "muted")
        row = beside(self.back, self.forward, (hint, 1))
        right = QWidget()
        stacked(row, (self.browser, 1), on=right, margins=0)
        return right

    def _button(self, text: str, keys: QKeySequence.StandardKey, slot: object) -> QToolButton:
        made = QToolButton()
        made.setText(text)
        made.setAccessibleName(text.strip("←→ "))
        made.setShortcut(QKeySequence(keys))
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        made.clicked.connect(slot)
        return made


class Help:
    """The one help window of a console, made when it is first wanted."""

    def __init__(self, parent: QWidget, settings: Settings, workspace: Workspace) -> None:
        self._parent, self._settings, self._workspace = parent, settings, workspace
        self.window: HelpWindow | None = None

    def open_here(self) -> None:
        """Open the page of what has the keyboard."""
        names: dict[QWidget, str] = {page: name for name, page in self._workspace.pages.items()}
        self.open(*help_of(place_of(focused(), self._workspace, names)))

    def open(self, page: str, anchor: str = "") -> None:
        if self.window is None:
            self.window = HelpWindow(self._settings, self._parent)
        self.window.open_at(page, anchor)

    def close(self) -> None:
        """Put it away with the console."""
        if self.window is not None:
            self.window.close()
