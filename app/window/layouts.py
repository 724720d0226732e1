"""The arrangements of a window's panels: the first, the last, and those that a person named."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QByteArray, QEvent, QObject, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QInputDialog, QLineEdit, QMainWindow

from app.process.rescue import rescue
from app.process.settings import Settings
from app.window.actions.cycling import SIDES, has_keys, side_of
from app.window.panels import Panel, TabBarNames, is_cramped, place, proportion, stack
from widgets.look.language import tr

VERSION = 2
FIRST_SIZE = QSize(1440, 900)
# By then the bars of a narrower window have wrapped, and are higher; a busy machine takes longer.
_WRAPPED_MS = (0, 100, 500)
GEOMETRY, STATE, NAMED = "window/geometry", "window/state", "layouts"
SHARED = "window/in-proportion"


class Layouts(QObject):
    """Puts panels where they were, keeps where they are, and brings back what is out of sight."""

    def __init__(
        self, window: QMainWindow, panels: Mapping[str, Panel], settings: Settings
    ) -> None:
        super().__init__(window)
        self._window, self._panels, self._settings = window, panels, settings
        self._first, self._begun = QByteArray(), QSize()
        self._shared = True  # nobody has given the docks sizes of their own
        for panel in panels.values():
            panel.installEventFilter(self)
        self._names = TabBarNames(window)
        screens = QGuiApplication.instance()
        if isinstance(screens, QGuiApplication):
            screens.screenRemoved.connect(self.rescue)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """After another size or screen, docks that had left room leave some again, and those that
        no hand has moved have their shares again."""
        if isinstance(watched, Panel) and event.type() is QEvent.Type.Resize:
            held = QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton
            self._shared = self._shared and not held
        elif watched is self._window and isinstance(event, QResizeEvent):
            if self._shared and self._window.isVisible():
                QTimer.singleShot(0, self, self._share)
            had_room = not is_cramped(self._window, event.oldSize().height())
            if had_room and self._window.isVisible():
                for wait_ms in _WRAPPED_MS:
                    QTimer.singleShot(wait_ms, self, self.make_room)
        return super().eventFilter(watched, event)

    def settle(self) -> None:
        """The window is on screen, where its frame is known: all of it has to be in sight."""
        window = self._window
        begun = self._begun.expandedTo(window.minimumSizeHint())
        if window.size() == begun and not window.isMaximized():
            free = window.screen().availableGeometry()
            frame = window.frameGeometry().size() - window.size()
            window.resize(window.size().boundedTo(free.size() - frame))
            place = window.frameGeometry()
            place.moveRight(min(place.right(), free.right()))
            place.moveBottom(min(place.bottom(), free.bottom()))
            place.moveLeft(max(place.left(), free.left()))
            place.moveTop(max(place.top(), free.top()))
            if place.topLeft() != window.frameGeometry().topLeft():
                window.move(place.topLeft())
        self._share()
        QTimer.singleShot(0, self, self.make_room)

    def make_room(self) -> None:
        """Give the docks their shares anew where they leave the workspace too little."""
        if is_cramped(self._window):
            proportion(self._window, self._panels)

    def _share(self) -> None:
        if self._shared:
            proportion(self._window, self._panels)

    def begin(self) -> None:
        """Arrange a window that has all its bars as it was when it was last closed."""
        window = self._window
        window.resize(FIRST_SIZE.boundedTo(window.screen().availableSize()))
        place(window, self._panels)
        stack(window, self._panels)
        self._first = window.saveState(VERSION)
        window.restoreGeometry(self._settings.get_bytes(GEOMETRY))
        self._arrange(self._settings.get_bytes(STATE))
        self._shared = self._settings.get(SHARED, self._settings.get_bytes(STATE).isEmpty())
        self.rescue()
        self._begun = window.size()
        window.installEventFilter(self)

    def keep(self) -> None:
        """Remember the window as it is, for the next start."""
        self._settings.set_bytes(GEOMETRY, self._window.saveGeometry())
        self._settings.set_bytes(STATE, self._window.saveState(VERSION))
        self._settings.set(SHARED, self._shared)

    # By name

    def names(self) -> list[str]:
        """The names that a person gave, in the order of the alphabet."""
        return sorted(self._stored(), key=str.casefold)

    def save(self, name: str) -> None:
        """Keep the arrangement under a name; one of the same name is gone."""
        name = name.strip()
        if name:
            state = self._window.saveState(VERSION).toBase64().data()
            self._settings.set(NAMED, self._stored() | {name: bytes(state).decode("ascii")})

    def ask_name(self) -> QInputDialog:
        """Ask what the arrangement on show is called."""
        dialog = QInputDialog(self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(tr("Save layout"))
        dialog.setLabelText(tr("Name of the layout; one of the same name is replaced:"))
        for line in dialog.findChildren(QLineEdit):
            line.setAccessibleName(tr("Name of the layout"))
        dialog.textValueSelected.connect(self.save)
        dialog.open()
        return dialog

    def load(self, name: str) -> bool:
        """Arrange the panels so; False where the layout is unknown or of another version."""
        state = QByteArray.fromBase64(self._stored().get(name, "").encode("ascii", "ignore"))
        done = self._arrange(state)
        self._shared = self._shared and not done
        self.rescue()
        return done

    def delete(self, name: str) -> None:
        kept = {each: state for each, state in self._stored().items() if each != name}
        self._settings.set(NAMED, kept)

    def _arrange(self, state: QByteArray) -> bool:
        """Arrange the panels as a state says; as they were, and False, where it says nothing."""
        if state.isEmpty():
            return False
        before = self._window.saveState(VERSION)
        for panel in self._panels.values():
            self._window.removeDockWidget(panel)
        layout = self._window.layout()
        if layout is not None:
            layout.activate()  # or else Qt leaves the bars of tabbed docks behind
        done = self._window.restoreState(state, VERSION)
        if not done:
            self._window.restoreState(before, VERSION)
        return done

    def _stored(self) -> dict[str, str]:
        stored: dict[str, str] = self._settings.get(NAMED, {})
        return {name: state for name, state in stored.items() if isinstance(state, str)}

    # Back to where one can find them

    def reset(self) -> None:
        """Put every panel where it was at first."""
        self._arrange(self._first)
        self._shared = True
        self._share()

    def bring_back(self) -> None:
        """Show every panel that was closed, and move into sight what is off the screens."""
        for panel in self._panels.values():
            panel.show()
        self.rescue()

    def float_current(self) -> None:
        """Tear off the panel that has the keyboard, or put it back."""
        panel = self._current()
        if panel is not None:
            panel.setFloating(not panel.isFloating())
            self.rescue()
            panel.show_here()

    def move_current(self) -> None:
        """Take the panel that has the keyboard to the next side of the window."""
        panel = self._current()
        if panel is None:
            return
        self._shared = False
        panel.setFloating(False)
        side = self._window.dockWidgetArea(panel)
        place = SIDES.index(side) if side in SIDES else -1
        goal = SIDES[(place + 1) % len(SIDES)]
        others = [other for other in self._panels.values() if other is not panel]
        there = [other for other in others if side_of(self._window, other) == goal]
        self._window.addDockWidget(goal, panel)
        if there:
            self._window.tabifyDockWidget(there[-1], panel)
        panel.show_here()

    def _current(self) -> Panel | None:
        return next((panel for panel in self._panels.values() if has_keys(panel)), None)

    def rescue(self) -> None:
        """Move the window and its floating panels into sight where they are not."""
        rescue(self._window)
        for panel in self._panels.values():
            if panel.isFloating():
                rescue(panel)
