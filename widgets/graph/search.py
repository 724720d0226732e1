"""Search in the graph: what was typed, what was found, which of it is in the middle."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from widgets.graph.bar import GraphBar
from widgets.graph.drawing import Drawing
from widgets.look.language import tr


class GraphSearch(QObject):
    """Joins the search field to the drawing; `go` is called with the node to show."""

    def __init__(self, bar: GraphBar, drawing: Drawing, go: Callable[[int], None]) -> None:
        super().__init__(bar)
        self._bar, self._drawing, self._go = bar, drawing, go
        self._found: list[int] = []
        self._place = -1
        bar.searched.connect(self._search)
        bar.stepped.connect(self.step)

    @property
    def found(self) -> list[int]:
        """The nodes that have the text, in order."""
        return self._found

    def clear(self) -> None:
        """Another project: nothing was asked for."""
        self._bar.search.clear()

    def again(self) -> None:
        """Another side of the project: the same text."""
        self._search(self._bar.search.text())

    def step(self, by: int) -> None:
        """Go to the next one, or the one before; after the last comes the first."""
        if self._found:
            start = -1 if by > 0 else 0
            self._place = (max(self._place, start) + by) % len(self._found)
            self._go(self._found[self._place])
        self._tell()

    def _search(self, text: str) -> None:
        self._found = self._drawing.find(text) if text.strip() else []
        self._place = -1
        self._tell()

    def _tell(self) -> None:
        if not self._bar.search.text().strip():
            self._bar.show_count("")
        elif not self._found:
            self._bar.show_count(tr("none"))
        elif self._place < 0:
            self._bar.show_count(tr("{count} found", count=f"{len(self._found):,}"))
        else:
            self._bar.show_count(
                tr(
                    "{place} of {count}",
                    place=f"{self._place + 1:,}",
                    count=f"{len(self._found):,}",
                )
            )
