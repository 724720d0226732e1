"""A toolbar of one row: what a narrow window has no room for gets shorter, or goes into a menu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QAction, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QMenu,
    QSizePolicy,
    QToolBar,
    QToolButton,
    QWidget,
)

from widgets.look.language import plain
from widgets.parts.pieces import text_label

ICON = QSize(16, 16)
WITH_TEXT = Qt.ToolButtonStyle.ToolButtonTextBesideIcon
ICON_ONLY = Qt.ToolButtonStyle.ToolButtonIconOnly
# What stands down, one after another: names of choices, texts of buttons whose icon says enough,
# buttons that a menu has then, texts of those at the end.
NAMES, TEXTS, FOLDED, ENDS = 1, 2, 3, 4


class FittingBar(QToolBar):
    """Buttons of actions and choices with names, in as much of their words as the width allows."""

    def __init__(self, title: str, actions: Mapping[str, QAction]) -> None:
        super().__init__(title)
        self.setMovable(False)
        self.setIconSize(ICON)
        self.setToolButtonStyle(WITH_TEXT)
        self._actions = actions
        self._names: list[tuple[QAction, QShortcut]] = []
        self._boxes: list[QComboBox] = []
        self._brief: dict[int, list[QToolButton]] = {TEXTS: [], ENDS: []}
        self._folding: dict[str, tuple[QAction, QToolButton]] = {}
        self._more, self.menu = QToolButton(), QMenu(self)
        self._more_action: QAction | None = None
        self._form = -1  # none yet
        self._needs: list[int] = []  # the width of each form
        self._measured: tuple[object, ...] = ()
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.fit)
        for action in actions.values():
            action.changed.connect(self._soon.start)

    # Making

    def add_buttons(self, *names: str, brief: int = 0) -> None:
        """Add a button for each action; `brief` is the form from which on it has no text."""
        for name in names:
            self.addAction(self._actions[name])
            button = self.button(name)
            _reachable(button, self._actions[name])
            if brief:
                self._brief[brief].append(button)

    def add_choice(self, text: str, box: QComboBox) -> None:
        """Add a box with its name, whose letter takes the keyboard there even where it hides."""
        label = text_label(text, "muted", wraps=False, margins=(4, 0, 4, 0))
        label.setBuddy(box)
        keys = QShortcut(QKeySequence.mnemonic(text), self, box.setFocus)
        self._names.append((self.addWidget(label), keys))
        self._boxes.append(box)
        self.addWidget(box)

    def add_folding(self, title: str, names: Sequence[str]) -> None:
        """Add buttons that go together, in whose place a narrow window has a menu."""
        for name in names:
            button = QToolButton()
            button.setDefaultAction(self._actions[name])
            button.setIconSize(ICON)
            button.setToolButtonStyle(WITH_TEXT)
            _reachable(button, self._actions[name])
            self._folding[name] = self.addWidget(button), button
            self.menu.addAction(self._actions[name])
        self._more.setText(f"{title} ▾")
        self._more.setAccessibleName(title)
        self._more.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._more.clicked.connect(self._open_menu)
        self._more_action = self.addWidget(self._more)

    def add_space(self) -> None:
        """What comes next stands at the other end."""
        spacer = QWidget()
        spacer.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(spacer)

    def button(self, name: str) -> QToolButton:
        """What a person presses for an action: its button, or that of the menu which has it now."""
        if self.folds(name):
            return self._more
        if name in self._folding:
            return self._folding[name][1]
        found = self.widgetForAction(self._actions[name])
        assert isinstance(found, QToolButton)
        return found

    def folds(self, name: str) -> bool:
        """Whether an action is in the menu now."""
        return name in self._folding and not self._folding[name][0].isVisible()

    # Fitting

    def fit(self) -> None:
        """Show as much as the width allows."""
        if not self.isVisible():
            return
        shown = self._shown()
        if shown != self._measured:
            self._measured = shown
            self._needs = [self._need(form) for form in range(ENDS + 1)]
        fitting = (form for form, need in enumerate(self._needs) if need <= self.width())
        self._wear(next(fitting, ENDS))
        layout = self.layout()
        if layout is not None:
            layout.activate()  # or what has room now is in sight a while later

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._measured = ()
        self.fit()

    def changeEvent(self, event: QEvent) -> None:
        """Another style or font has other widths."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.StyleChange, QEvent.Type.FontChange):
            self._measured = ()
            self._soon.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def _open_menu(self) -> None:
        """Not as the button's own menu, which would hold up whoever presses it."""
        self.menu.popup(self._more.mapToGlobal(self._more.rect().bottomLeft()))

    def _shown(self) -> tuple[object, ...]:
        """What the widths depend on."""
        texts = (action.iconText() for action in self._actions.values())
        return (*texts, *(box.sizeHint().width() for box in self._boxes))

    def _need(self, form: int) -> int:
        self._wear(form)
        return self.sizeHint().width()

    def _wear(self, form: int) -> None:
        if form == self._form:
            return
        self._form = form
        for label, keys in self._names:
            label.setVisible(form < NAMES)
            keys.setEnabled(form >= NAMES)  # those of a label in sight are its own
        for first, buttons in self._brief.items():
            for button in buttons:
                button.setToolButtonStyle(ICON_ONLY if form >= first else WITH_TEXT)
        for action, _ in self._folding.values():
            action.setVisible(form < FOLDED)
        if self._more_action is not None:
            self._more_action.setVisible(form >= FOLDED)
        layout = self.layout()
        if layout is not None:
            layout.invalidate()


def _reachable(button: QToolButton, action: QAction) -> None:
    """Let the keyboard reach a button, and give it a name for assistive technology."""
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    button.setAccessibleName(plain(action.text()))
