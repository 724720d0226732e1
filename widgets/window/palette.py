"""The command palette: everything that can be done or gone to, found by a few letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from widgets.look.language import plain, tr
from widgets.look.theme import theme
from widgets.parts.fuzzy import match_rank
from widgets.parts.pieces import stacked

MOST = 200
HINT_EDGES = 24  # of a line, its hint apart
_OFFER = Qt.ItemDataRole.UserRole
_STEPS = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: 10, Qt.Key.Key_PageUp: -10}


@dataclass(frozen=True, slots=True)
class Offer:
    """One line of the palette. `key` is what it is remembered by; `hint` stands at its end. It is
    found by what is in `also`, too.

    A `quiet` one shows only where something is typed.
    """

    key: str
    text: str
    run: Callable[[], object]
    hint: str = ""
    tip: str = ""
    enabled: bool = True
    quiet: bool = False
    also: str = ""


def action_offer(key: str, action: QAction, also: str = "") -> Offer:
    """An action as an offer, as it is now."""
    hint = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
    return Offer(
        key,
        plain(action.text()),
        action.trigger,
        hint,
        action.toolTip(),
        action.isEnabled(),
        also=also,
    )


class CommandPalette(QDialog):
    """A line to type in and the offers that match, those used last first; Enter takes one, Escape
    leaves. `taken` carries the key of what was taken."""

    taken = Signal(str)

    def __init__(
        self, offers: Sequence[Offer], used: Sequence[str] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._offers = list(offers)
        self._used = {key: place for place, key in enumerate(used)}
        self.setAccessibleName(tr("Command palette"))
        self.setMinimumSize(480, 320)
        self.query = QLineEdit()
        self.query.setPlaceholderText(tr("Type a command, a task, a view or a recent file"))
        hint = self.query.fontMetrics().horizontalAdvance(self.query.placeholderText())
        self.query.setMinimumWidth(hint + HINT_EDGES)
        self.query.setAccessibleName(tr("What to look for"))
        self.query.textChanged.connect(self._fill)
        self.query.returnPressed.connect(self.run_chosen)
        self.query.installEventFilter(self)
        self.list = self._make_list()
        stacked(self.query, self.list, on=self, margins=4)
        self._fill("")
        self.query.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Up and Down move in the list while the person types."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step, count = _STEPS.get(Qt.Key(event.key()), 0), self.list.topLevelItemCount()
            if step and count:
                row = self.list.currentIndex().row() + step
                self._mark(row % count if abs(step) == 1 else min(max(row, 0), count - 1))
                return True
        return super().eventFilter(watched, event)

    def offered(self) -> list[str]:
        items = (self.list.topLevelItem(row) for row in range(self.list.topLevelItemCount()))
        return [item.data(0, _OFFER).text for item in items if item is not None]

    def run_chosen(self) -> None:
        """Take what is marked, if that can be done now."""
        item = self.list.currentItem()
        offer = item.data(0, _OFFER) if item is not None else None
        if isinstance(offer, Offer) and offer.enabled:
            self.accept()
            self.taken.emit(offer.key)
            offer.run()

    def _make_list(self) -> QTreeWidget:
        found = QTreeWidget()
        found.setAccessibleName(tr("What matches"))
        found.setColumnCount(2)
        found.setHeaderHidden(True)
        found.setRootIsDecorated(False)
        found.setUniformRowHeights(True)
        found.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        found.header().setStretchLastSection(False)
        found.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        found.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        found.itemClicked.connect(lambda *_: self.run_chosen())
        return found

    def _fill(self, query: str) -> None:
        self.list.clear()
        self.list.addTopLevelItems([_item(offer) for offer in self._found(query)[:MOST]])
        self._mark(0)

    def _found(self, query: str) -> list[Offer]:
        never = len(self._used)
        found: list[tuple[tuple[int, bool, int, int], Offer]] = []
        for offer in self._offers:
            texts = filter(None, (offer.text, offer.also))
            ranks = [rank for text in texts if (rank := match_rank(query, text)) is not None]
            rank = min(ranks, default=None)
            recent = self._used.get(offer.key, never)
            shown = bool(query.strip()) or not offer.quiet or recent < never
            if rank is not None and shown:
                found.append(((rank[0], not offer.enabled, recent, rank[1]), offer))
        return [offer for _, offer in sorted(found, key=lambda pair: pair[0])]

    def _mark(self, row: int) -> None:
        item = self.list.topLevelItem(row)
        if item is not None:
            self.list.setCurrentItem(item)


def _item(offer: Offer) -> QTreeWidgetItem:
    text = offer.text if offer.enabled else tr("{command}  (not now)", command=offer.text)
    item = QTreeWidgetItem([text, offer.hint])
    item.setData(0, _OFFER, offer)
    item.setToolTip(0, offer.tip)
    item.setForeground(1, theme().muted)
    if not offer.enabled:
        item.setForeground(0, theme().muted)
    return item
