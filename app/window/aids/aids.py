"""What goes with a console: its work, notices, reports, help, the guide, recent files."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.window.aids.guiding import Guiding
from app.window.aids.help_window import Help
from app.window.aids.notify import Notifier
from app.window.aids.preferences import PreferencesDialog
from app.window.aids.recents import Recents
from app.window.aids.reporting import Reports
from app.window.aids.work import OwnWork, Works
from widgets.look.language import QT_TR_NOOP
from widgets.parts.notice import NEXT, Notice

if TYPE_CHECKING:
    from app.process.bridge import Bridge
    from app.window.main_window import MainWindow

PERCENT = 100
STARTERS = ("open-model", "tour", "open-project", "help-contents")


class Aids(QObject):
    """Made after the window's parts and before its first refresh; closed with the window."""

    works: Works
    notifier: Notifier
    reports: Reports
    help: Help
    guiding: Guiding
    recents: Recents

    def __init__(self, window: MainWindow, bridge: Bridge) -> None:
        super().__init__(window)
        self._window = window
        self._works_of: dict[object, OwnWork] = {}
        self.works = Works(window.document, window.settings, parent=self)
        bridge.events.connect(self.works.apply)
        self.works.changed.connect(self._show_work)
        window.status.action_wanted.connect(self._trigger)
        self.notifier = Notifier(window, self.works)
        self.reports = Reports(window)
        self.help = Help(window)
        self.guiding = Guiding(window)
        self.recents = Recents(window.settings, self)
        self.recents.changed.connect(window.welcome.show_recents)
        self.recents.changed.connect(
            lambda _: QTimer.singleShot(0, self.guiding, self.guiding.refresh)
        )
        window.welcome.recent_wanted.connect(lambda path: window.commands.open_path(Path(path)))
        window.welcome.recent_forgotten.connect(window.commands.forget_recent)
        for signal in (window.commands.recent_changed, window.document.closed):
            signal.connect(self.show_recents)

    def begin(self, lead: bool) -> None:
        """The window is on screen: read recent files; `lead` a new person through a first run."""
        self.show_recents()
        if lead:
            self.guiding.offer()

    def complete(self) -> None:
        """Follow the work of views that were made late."""
        for notice in self._window.findChildren(Notice):
            notice.action_wanted.connect(self._trigger)
            notice.said.connect(partial(self._allow, notice))
            self._allow(notice)
        for name in NEXT:
            self._window.actions_table[name].changed.connect(self._follow_actions)
        replays = self._window.views.replays
        title = QT_TR_NOOP("Replaying policies")
        replays.began.connect(lambda: self._own(replays, title, replays.cancel))
        replays.told.connect(self._tell_replay)
        replays.ended.connect(lambda: self._end(replays))

    def preferences(self) -> PreferencesDialog:
        """Ask what a person prefers."""
        dialog = PreferencesDialog(self._window)
        dialog.show()
        return dialog

    def show_recents(self) -> None:
        """Show what is known of the recent projects, where they can be seen."""
        if not self._window.document.is_open:
            self.recents.show(self._window.commands.recent())

    def close(self) -> None:
        """Leave no thread, timer or window behind."""
        self.works.close()
        self.reports.close()
        self.recents.close()
        self.help.close()

    def _trigger(self, action: str) -> None:
        self._window.actions_table[action].trigger()

    def _allow(self, notice: Notice) -> None:
        """Let its button follow the action that it stands for."""
        if notice.action:
            action = self._window.actions_table[notice.action]
            notice.button.setEnabled(action.isEnabled())
            notice.button.setToolTip(action.toolTip())

    def _follow_actions(self) -> None:
        for notice in self._window.findChildren(Notice):
            self._allow(notice)

    def _own(self, who: object, title: str, cancel: Callable[[], object]) -> None:
        self._works_of[who] = self.works.begin(title, cancel)

    def _tell_replay(self, share: float, text: str) -> None:
        work = self._works_of.get(self._window.views.replays)
        if work is not None:
            work.tell(text, round(PERCENT * share), PERCENT)

    def _end(self, who: object) -> None:
        work = self._works_of.pop(who, None)
        if work is not None:
            work.end()

    def _show_work(self) -> None:
        window = self._window
        window.status.show_document(window.document)
        window.status.show_work(self.works.all(), self.works.alarm())
