"""Shows what differs between two texts, by sign and colour: side by side, or in one column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import zip_longest

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.plain_label import PlainLabel
from widgets.look.theme import blend, theme, theme_notifier
from widgets.parts.background import Background
from widgets.parts.pieces import MonoPage, stacked

CONTEXT = 3


class Mark(StrEnum):
    """What a line is; the value is its sign."""

    SAME = " "
    REMOVED = "-"
    ADDED = "+"
    NOTHING = ""
    FOLD = "…"


@dataclass(frozen=True, slots=True)
class Line:
    """A line of one text; `number` counts from 1, 0 for what is no line of it."""

    mark: Mark
    number: int = 0
    text: str = ""

    @property
    def changed(self) -> bool:
        """Whether the other text lacks it."""
        return self.mark in (Mark.REMOVED, Mark.ADDED)


@dataclass(frozen=True, slots=True)
class Pair:
    """A line of each text beside each other; NOTHING where one has none there."""

    left: Line
    right: Line

    @property
    def changed(self) -> bool:
        """Whether the texts differ here."""
        return not {self.left.mark, self.right.mark} <= {Mark.SAME, Mark.FOLD}


NO_LINE = Line(Mark.NOTHING)


def pairs_of(left: Sequence[str], right: Sequence[str]) -> list[Pair]:
    """The lines of both in order, equal ones beside each other."""
    found: list[Pair] = []
    for kind, a, b, c, d in SequenceMatcher(None, left, right).get_opcodes():
        same = kind == "equal"
        ours = [Line(Mark.SAME if same else Mark.REMOVED, i + 1, left[i]) for i in range(a, b)]
        theirs = [Line(Mark.SAME if same else Mark.ADDED, j + 1, right[j]) for j in range(c, d)]
        found += [Pair(*both) for both in zip_longest(ours, theirs, fillvalue=NO_LINE)]
    return found


def folded(pairs: Sequence[Pair], context: int = CONTEXT) -> list[Pair]:
    """Only what differs and `context` lines round it; of the rest how many lines there are."""
    kept = bytearray(len(pairs))
    for place, pair in enumerate(pairs):
        if pair.changed:
            first, last = max(0, place - context), min(len(pairs), place + context + 1)
            kept[first:last] = b"\1" * (last - first)
    found: list[Pair] = []
    start = 0
    while start < len(pairs):
        end = start
        while end < len(pairs) and kept[end] == kept[start]:
            end += 1
        fold = _fold(end - start)
        found += pairs[start:end] if kept[start] or end - start == 1 else [Pair(fold, fold)]
        start = end
    return found


def unified(pairs: Iterable[Pair]) -> Iterator[Line]:
    """All in one column: of lines that differ in a row, first those of the left text."""
    left: list[Line] = []
    right: list[Line] = []
    for pair in pairs:
        if pair.left.mark in (Mark.SAME, Mark.FOLD):
            yield from (*left, *right, pair.left)
            left, right = [], []
            continue
        left += [pair.left] if pair.left.changed else []
        right += [pair.right] if pair.right.changed else []
    yield from (*left, *right)


def summary(pairs: Sequence[Pair]) -> str:
    """How much differs, in words."""
    removed = sum(pair.left.mark is Mark.REMOVED for pair in pairs)
    added = sum(pair.right.mark is Mark.ADDED for pair in pairs)
    if not removed and not added:
        return tr("No difference.")
    return tr(
        "−{removed} +{added} lines of {count}",
        removed=f"{removed:,}",
        added=f"{added:,}",
        count=f"{len(pairs):,}",
    )


def _fold(count: int) -> Line:
    return Line(Mark.FOLD, 0, tr("%n equal lines", "", count))


TINT = 0.16
WORKING = QT_TR_NOOP("Comparing …")


class DiffView(QWidget):
    """Two texts; the comparison is made in a thread. `compared` tells that it is there.

    Next and previous go from one place that differs to the other.
    """

    compared = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._texts: tuple[str, str] | None = None
        self._pairs: list[Pair] = []
        self._shown: list[Pair] = []
        self.side_by_side, self.only_changes = True, True
        self.left = MonoPage(tr("{name}, first", name=name))
        self.right = MonoPage(tr("{name}, second", name=name))
        self.both = MonoPage(tr("{name}, what differs", name=name))
        self.notice = PlainLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.notice.setProperty("role", "muted")
        self.notice.setWordWrap(True)
        self._split = QSplitter(Qt.Orientation.Horizontal)
        self._pages = QStackedWidget()
        self._job = Background(self)
        self._job.done.connect(self._take)
        self._arrange()
        theme_notifier().changed.connect(self._draw)

    def show_notice(self, text: str) -> None:
        """There is nothing to compare, or not yet."""
        self._job.cancel()
        self._texts, self._pairs = None, []
        self.notice.setText(text)
        self._pages.setCurrentWidget(self.notice)

    def show_texts(self, left: str, right: str) -> None:
        if self._texts == (left, right):
            return
        self.show_notice(tr(WORKING))
        self._texts = (left, right)
        self._job.start(lambda _: pairs_of(left.splitlines(), right.splitlines()))

    def arrange_as(self, side_by_side: bool, only_changes: bool) -> None:
        """Side by side or in one column; with equal lines or without."""
        self.side_by_side, self.only_changes = side_by_side, only_changes
        self._draw()

    @property
    def summary(self) -> str:
        """How much differs, in words; nothing while that is not known."""
        return summary(self._pairs) if self._pairs else ""

    def step(self, by: int) -> None:
        """To the next (1) or the previous (-1) place that differs."""
        page = self.left if self.side_by_side else self.both
        starts = self._starts()
        here = page.textCursor().blockNumber()
        ahead = [row for row in starts if row > here] if by > 0 else [r for r in starts if r < here]
        if not ahead:
            return
        row = ahead[0] if by > 0 else ahead[-1]
        for each in (self.left, self.right) if self.side_by_side else (self.both,):
            each.setTextCursor(QTextCursor(each.document().findBlockByNumber(row)))
            each.centerCursor()

    def close_job(self) -> None:
        """Leave no thread behind."""
        self._job.close()

    def _take(self, pairs: list[Pair]) -> None:
        self._pairs = pairs
        self._draw()
        self.compared.emit()

    def _starts(self) -> list[int]:
        """The rows where something that differs begins."""
        if self.side_by_side:
            differs = [pair.changed for pair in self._shown]
        else:
            differs = [line.changed for line in unified(self._shown)]
        return [row for row, now in enumerate(differs) if now and not (row and differs[row - 1])]

    def _draw(self) -> None:
        if not self._pairs:
            return
        self._shown = folded(self._pairs) if self.only_changes else self._pairs
        if self.side_by_side:
            _fill(self.left, [pair.left for pair in self._shown])
            _fill(self.right, [pair.right for pair in self._shown])
            self._pages.setCurrentWidget(self._split)
        else:
            _fill(self.both, list(unified(self._shown)))
            self._pages.setCurrentWidget(self.both)

    def _arrange(self) -> None:
        for page, other in ((self.left, self.right), (self.right, self.left)):
            for name in ("verticalScrollBar", "horizontalScrollBar"):
                bar, follower = getattr(page, name)(), getattr(other, name)()
                bar.valueChanged.connect(follower.setValue)
            self._split.addWidget(page)
        self._split.setChildrenCollapsible(False)
        for widget in (self.notice, self._split, self.both):
            self._pages.addWidget(widget)
        stacked(self._pages, on=self, margins=0)


def _fill(page: MonoPage, lines: Sequence[Line]) -> None:
    """Write all lines at once, then colour those that differ."""
    width = len(str(max((line.number for line in lines), default=0)))
    page.setPlainText("\n".join(_written(line, width) for line in lines))
    cursor = QTextCursor(page.document())
    cursor.beginEditBlock()
    for row, line in enumerate(lines):
        ground, letters = _colors(line)
        if ground is None and letters is None:
            continue
        cursor.setPosition(page.document().findBlockByNumber(row).position())
        if ground is not None:
            block = QTextBlockFormat()
            block.setBackground(ground)
            cursor.setBlockFormat(block)
        if letters is not None:
            form = QTextCharFormat()
            form.setForeground(letters)
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            cursor.mergeCharFormat(form)
    cursor.endEditBlock()
    page.moveCursor(QTextCursor.MoveOperation.Start)


def _written(line: Line, width: int) -> str:
    if line.mark is Mark.NOTHING:
        return ""
    number = str(line.number) if line.number else ""
    return f"{line.mark.value} {number:>{width}}  {line.text}"


def _colors(line: Line) -> tuple[QColor | None, QColor | None]:
    """Ground and letters, None for the page's own."""
    colors = theme()
    match line.mark:
        case Mark.REMOVED:
            return blend(colors.surface, colors.error, TINT), None
        case Mark.ADDED:
            return blend(colors.surface, colors.good, TINT), None
        case Mark.NOTHING:
            return colors.window, None
        case Mark.FOLD:
            return colors.raised, colors.muted
    return None, None
