"""Leads a person through a first run, on the real window, until they leave or have done it."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QToolBar, QWidget

from app.window.console import Console
from widgets.window.guide import Guide, Situation
from widgets.window.guide_bubble import GuideBubble
from widgets.window.welcome import Welcome

KEY = "guide"
NEW, RUNNING, LEFT, DONE = "new", "running", "left", "done"


class Guiding(QObject):
    """Joins the guide to a window: finds its controls, follows the document, remembers the end."""

    def __init__(self, console: Console, welcome: Welcome) -> None:
        super().__init__(console.window)
        self._console, self._welcome = console, welcome
        self.guide = Guide(self)
        self.bubble = GuideBubble(console.window)
        self.bubble.next_wanted.connect(lambda: self.guide.next(self._situation()))
        self.bubble.leave_wanted.connect(self.guide.leave)
        self.guide.changed.connect(self._show)
        self.guide.ended.connect(lambda whole: self._remember(DONE if whole else LEFT))
        for signal in (console.document.changed, console.document.closed):
            signal.connect(self._follow)

    def begin(self) -> None:
        self._remember(RUNNING)
        self.guide.begin(self._situation())

    def offer(self) -> None:
        """Begin by itself at the very first start, and where it was going on at the last end."""
        state = self._console.settings.get(KEY, NEW)
        if state == RUNNING or (state == NEW and not self._console.commands.recent()):
            self.begin()

    def refresh(self) -> None:
        """Point again at the step's control, which has moved."""
        if self.guide.step is not None:
            self._show()

    def _remember(self, state: str) -> None:
        self._console.settings.set(KEY, state)

    def _situation(self) -> Situation:
        document = self._console.document
        run = document.run
        return Situation(
            is_open=document.has_tasks,
            was_run=document.is_active or (run is not None and run.trials > 0),
            is_running=document.is_active,
            exports=len(document.head.exports),
        )

    def _follow(self) -> None:
        self.guide.follow(self._situation())

    def _show(self) -> None:
        step = self.guide.step
        if step is None:
            self.bubble.put_away()
            return
        if step.target in self._console.panels:
            panel = self._console.panels[step.target]
            panel.show()
            panel.raise_()
        self.bubble.show_step(step, self.guide.number, self._control(step.target))

    def _control(self, target: str) -> QWidget | None:
        console = self._console
        if target == "sample":
            button = self._welcome.button_of(console.samples[0])
            if button is not None:
                self._welcome.reveal(button)
            return button
        if target in console.panels:
            return console.panels[target].widget()
        if target not in console.actions:
            return None
        bars = console.window.findChildren(QToolBar)
        found = (bar.widgetForAction(console.actions[target]) for bar in bars)
        return next((widget for widget in found if widget is not None), None)
