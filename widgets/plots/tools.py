"""What every plot offers: a menu to copy and save it, and to let it follow or stay."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QMenu, QToolButton

from engine.storage.sheet import csv_text
from widgets.look.icons import icon
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme_notifier
from widgets.parts.exporting import Sheet, ask_path, copy_csv, save_bytes
from widgets.plots.keys import PlotKeys
from widgets.plots.picture import picture_of, png_of, svg_of

KINDS = (
    (QT_TR_NOOP("Picture"), ".png"),
    (QT_TR_NOOP("Drawing"), ".svg"),
    (QT_TR_NOOP("Values"), ".csv"),
)
BUTTON = 20


class PlotTools(QObject):
    """Gives a plot its menu: by the button in its corner, the right mouse button, or the keyboard.

    `name` becomes the name of files, `sheet` makes the exact values; `first` are the plot's own
    actions, or make them when the menu opens.
    """

    def __init__(
        self,
        view: pg.GraphicsLayoutWidget,
        name: str,
        sheet: Callable[[], Sheet],
        first: Callable[[], list[QAction]],
    ) -> None:
        super().__init__(view)
        self._view, self._name, self._sheet, self._first = view, name, sheet, first
        self.button = QToolButton(view)
        self.button.setToolTip(tr("Copy, save, follow (menu key)"))
        self.button.setAccessibleName(tr("Menu of the plot {name}", name=tr(name)))
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.button.setFixedSize(BUTTON, BUTTON)
        self.button.setProperty("role", "corner")
        self.button.clicked.connect(self._open_at_button)
        self._retint()
        view.installEventFilter(self)
        PlotKeys(view, view)
        view.scene().sigMouseClicked.connect(self._clicked)
        theme_notifier().changed.connect(self._retint)

    # What can be done

    def copy(self) -> None:
        """Put the picture on the clipboard."""
        QGuiApplication.clipboard().setImage(picture_of(self._view))

    def copy_values(self) -> None:
        """Put the exact values on the clipboard."""
        copy_csv(self._sheet())

    def ask(self, suffix: str = "") -> QFileDialog:
        """Ask where to save; without a suffix, also as what."""
        kinds = [(tr(words), kind) for words, kind in KINDS if suffix in ("", kind)]
        return ask_path(self._view, self._name, kinds, self.save)

    def save(self, path: Path) -> None:
        """Save as what the suffix says, a picture where it says nothing."""
        match path.suffix.lower():
            case ".svg":
                data = svg_of(self._view, self._name)
            case ".csv":
                sheet = self._sheet()
                data = csv_text(sheet.header, sheet.rows).encode()
            case _:
                data = png_of(self._view)
        save_bytes(path, data)

    # The menu

    def menu(self) -> QMenu:
        """A menu that deletes itself once it is closed."""
        menu = QMenu(self._view)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.addActions(self._first())
        menu.addSeparator()
        menu.addAction(tr("&Copy picture"), self.copy)
        menu.addAction(tr("Copy &values"), self.copy_values)
        menu.addSeparator()
        for words, suffix in KINDS:
            text = tr("Save as {kind}…", kind=suffix[1:].upper())
            action = menu.addAction(text, partial(self.ask, suffix))
            action.setToolTip(tr(words))
        return menu

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep the button in its corner, and open the menu by the keyboard."""
        if event.type() == QEvent.Type.Resize:
            self.button.move(2, self._view.height() - BUTTON - 2)
        elif (
            event.type() == QEvent.Type.ContextMenu
            and isinstance(event, QContextMenuEvent)
            and event.reason() == QContextMenuEvent.Reason.Keyboard
        ):
            self._open_at_button()
            return True
        return super().eventFilter(watched, event)

    def _open_at_button(self) -> None:
        menu = self.menu()
        menu.popup(self.button.mapToGlobal(QPoint(0, -menu.sizeHint().height())))

    def _clicked(self, event: Any) -> None:
        if event.button() is Qt.MouseButton.RightButton:
            self.menu().popup(event.screenPos().toPoint())

    def _retint(self) -> None:
        self.button.setIcon(icon("menu"))


def follow_action(view: pg.GraphicsLayoutWidget, fit: Callable[[], None]) -> QAction:
    """A tick: all in sight from now on, or the range stays as a person chose it."""
    action = QAction(tr("&Follow"), view)
    action.setCheckable(True)
    action.setChecked(True)
    action.setToolTip(tr("Keep all of it in sight; a pan or zoom ends that"))
    action.toggled.connect(lambda on: fit() if on else None)
    return action


def fit_action(view: pg.GraphicsLayoutWidget, fit: Callable[[], None]) -> QAction:
    action = QAction(tr("Show &all"), view)
    action.triggered.connect(fit)
    return action


def log_action(view: pg.GraphicsLayoutWidget, on: bool, choose: Callable[[bool], None]) -> QAction:
    """A tick: latencies by their logarithms."""
    action = QAction(tr("&Logarithmic latency"), view)
    action.setCheckable(True)
    action.setChecked(on)
    action.toggled.connect(choose)
    return action


def mirrored(button: QToolButton, text: str, parent: QObject) -> QAction:
    """An action that is a button elsewhere: it shows its state and presses it."""
    action = QAction(text, parent)
    action.setCheckable(button.isCheckable())
    action.setChecked(button.isChecked())
    action.setEnabled(button.isEnabled())
    action.triggered.connect(button.click)
    return action
