"""Leads a person through a first run, on the real window, until they leave or have done it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QToolBar, QWidget

from widgets.window.guide import Guide, Situation
from widgets.window.guide_bubble import GuideBubble

if TYPE_CHECKING:
    from app.window.main_window import MainWindow

KEY = "guide"
NEW, RUNNING, LEFT, DONE = "new", "running", "left", "done"


class Guiding(QObject):
    """Joins the guide to a window: finds its controls, follows the document, remembers the end."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window = window
        self.guide = Guide(self)
        self.bubble = GuideBubble(window)
        self.bubble.next_wanted.connect(lambda: self.guide.next(self._situation()))
        self.bubble.leave_wanted.connect(self.guide.leave)
        self.guide.changed.connect(self._show)
        self.guide.ended.connect(lambda whole: self._remember(DONE if whole else LEFT))
        for signal in (window.document.changed, window.document.closed):
            signal.connect(self._follow)

    def begin(self) -> None:
        """Lead from here on."""
        self._remember(RUNNING)
        self.guide.begin(self._situation())

    def offer(self) -> None:
        """Begin by itself at the very first start, and where it was going on at the last end."""
        state = self._window.settings.get(KEY, NEW)
        if state == RUNNING or (state == NEW and not self._window.commands.recent()):
            self.begin()

    def refresh(self) -> None:
        """Point again at the step's control, which has moved."""
        if self.guide.step is not None:
            self._show()

    def _remember(self, state: str) -> None:
        self._window.settings.set(KEY, state)

    def _situation(self) -> Situation:
        document = self._window.document
        run = document.run
        return Situation(
            is_open=document.has_tasks,
            was_run=document.is_active or (run is not None and run.trials > 0),
            is_running=document.is_active,
            exports=len(document.exports),
        )

    def _follow(self) -> None:
        self.guide.follow(self._situation())

    def _show(self) -> None:
        step = self.guide.step
        if step is None:
            self.bubble.put_away()
            return
        if step.target in self._window.panels:
            panel = self._window.panels[step.target]
            panel.show()
            panel.raise_()
        self.bubble.show_step(step, self.guide.number, self._control(step.target))

    def _control(self, target: str) -> QWidget | None:
        window = self._window
        if target == "sample":
            button = window.welcome.button_of(window.menus.samples[0])
            if button is not None:
                window.welcome.reveal(button)
            return button
        if target in window.panels:
            return window.panels[target].widget()
        if target not in window.actions_table.by_id:
            return None
        action = window.actions_table[target]
        bars = window.findChildren(QToolBar)
        found = (bar.widgetForAction(action) for bar in bars)
        return next((widget for widget in found if widget is not None), None)
