"""The buttons of notices: each stands for the action that is the next step."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from widgets.parts.notice import NEXT, Notice


class NextSteps(QObject):
    """Lets the buttons of all notices in a window follow their actions, and trigger them."""

    def __init__(self, window: QWidget, actions: Mapping[str, QAction]) -> None:
        super().__init__(window)
        self._actions = actions
        self._notices = window.findChildren(Notice)
        for notice in self._notices:
            notice.action_wanted.connect(lambda name: actions[name].trigger())
            notice.said.connect(partial(self._allow, notice))
            self._allow(notice)
        for name in NEXT:
            actions[name].changed.connect(self._follow)

    def _allow(self, notice: Notice) -> None:
        if notice.action:
            action = self._actions[notice.action]
            notice.button.setEnabled(action.isEnabled())
            notice.button.setToolTip(action.toolTip())

    def _follow(self) -> None:
        for notice in self._notices:
            self._allow(notice)
