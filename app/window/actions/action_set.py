"""The QActions of a window, made from the table of actions and kept up with the state of things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QColor
from PySide6.QtWidgets import QWidget

from app.document.commands import Commands
from app.window.actions.actions import SPECS, ActionSpec
from app.window.actions.shortcuts import Shortcuts
from app.window.aids.aids import Aids
from engine.models.samples import SAMPLES
from engine.records.settings import RunState
from widgets.look.icons import icon
from widgets.look.language import QT_TR_NOOP, plain, tr
from widgets.look.theme import text_on, theme, theme_notifier
from widgets.parts.notice import NEXT, Notice
from widgets.window.shortcut_rules import Shortcut, native, sequence

READ_ONLY = QT_TR_NOOP("Off: the project cannot be written here.")


def first_keys() -> list[Shortcut]:
    """All commands of the table with the keys that they have at first."""
    return [
        Shortcut(spec.id, plain(tr(spec.text)), tr(spec.menu), spec.shortcut, spec.shortcut)
        for spec in SPECS
    ]


def new_actions(window: QWidget, shortcuts: Shortcuts) -> dict[str, QAction]:
    """A QAction for each row of the table, by its name, with the keys that hold now; its data is
    its name in English. An `ActionSet` has them do something."""
    actions = {spec.id: _new_action(window, spec) for spec in SPECS}
    window.addActions(list(actions.values()))

    def give_keys(all_keys: Sequence[Shortcut]) -> None:
        for spec, shortcut in zip(SPECS, all_keys, strict=True):
            _give_keys(actions[spec.id], spec, shortcut.keys)

    give_keys(shortcuts.all())
    shortcuts.changed.connect(give_keys)
    return actions


def new_samples(window: QWidget, commands: Commands) -> list[QAction]:
    """The actions that open sample models."""
    actions = []
    for sample in SAMPLES:
        action = QAction(tr("Open sample: &{title}", title=sample.title), window)
        action.setIconText(sample.title)
        action.setToolTip(sample.description)
        action.triggered.connect(lambda _=False, name=sample.name: commands.open_sample(name))
        actions.append(action)
    return actions


class ActionSet(QObject):
    """Has the actions of a window carried out by its aids; `refresh` follows the document."""

    def __init__(self, actions: Mapping[str, QAction], aids: Aids) -> None:
        super().__init__(aids.console.window)
        self._actions, self._aids = actions, aids
        for spec in SPECS:
            actions[spec.id].triggered.connect(lambda _=False, spec=spec: self._run(spec))
        console = aids.console
        console.commands.edits.undo.changed.connect(self.refresh)
        console.document.selection_changed.connect(self.refresh)
        console.settings.told.changed.connect(self.refresh)
        aids.jobs.changed.connect(self.refresh)
        theme_notifier().changed.connect(self.retint)

    def refresh(self) -> None:
        """Enable, tick and name by the state of things."""
        aids, document = self._aids, self._aids.console.document
        for spec in SPECS:
            action = self._actions[spec.id]
            able = spec.enabled(document) and (spec.ready is None or spec.ready(aids))
            action.setEnabled(able and not (spec.writes and document.read_only))
            if spec.writes:
                action.setToolTip(_tip(action, spec, document.read_only))
            if spec.checked is not None:
                action.setChecked(spec.checked(aids))
            if spec.title is not None:
                action.setText(spec.title(aids))
        paused = document.state is RunState.PAUSED
        self._actions["pause"].setIcon(icon("start" if paused else "pause"))
        for sample in aids.console.samples:
            sample.setEnabled(document.idle)

    def retint(self) -> None:
        """Draw the icons in the colours in force."""
        for spec in SPECS:
            if spec.icon:
                self._actions[spec.id].setIcon(icon(spec.icon, _color(spec)))
        self.refresh()

    def _run(self, spec: ActionSpec) -> None:
        spec.run(self._aids)
        self.refresh()


class NextSteps(QObject):
    """Lets the buttons of all notices in a window trigger their actions, and follow them."""

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


def _new_action(window: QWidget, spec: ActionSpec) -> QAction:
    action = QAction(tr(spec.text), window)
    action.setData(plain(spec.text))
    action.setCheckable(spec.checked is not None)
    if spec.icon:
        action.setIcon(icon(spec.icon, _color(spec)))
    return action


def _give_keys(action: QAction, spec: ActionSpec, keys: str) -> None:
    """Let it have these keys, and say them."""
    action.setShortcut(sequence(keys))
    action.setToolTip(_tip(action, spec))
    if spec.shows_keys:
        action.setIconText(native(keys) or plain(tr(spec.text)))


def _tip(action: QAction, spec: ActionSpec, read_only: bool = False) -> str:
    """What it does, its keys, and why it is off where the project can only be looked at."""
    tip, keys = tr(spec.tip), action.shortcut().toString()
    told = f"{tip} ({native(keys)})" if keys else tip
    return f"{told}. {tr(READ_ONLY)}" if read_only else told


def _color(spec: ActionSpec) -> QColor | None:
    return text_on(theme().accent) if spec.id == "start" else None
