"""Lays out large graphs in a thread, so that the window goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from threading import Event, Thread

from PySide6.QtCore import QObject, Signal

from engine.graph.layout import layered_layout
from engine.graph.links import Links
from engine.graph.shown import ShownNode

AT_ONCE = 150

Sizes = Mapping[int, tuple[float, float]]


class LayoutJob(QObject):
    """One layout at a time; `done` carries the last one asked for, in the GUI's thread."""

    done = Signal(object)
    _finished = Signal(object, object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._stop = Event()
        self._thread: Thread | None = None
        self._finished.connect(self._hand_over)

    def start(self, nodes: Sequence[ShownNode], sizes: Sizes) -> None:
        """Begin; a hundred nodes take milliseconds and are done before this returns."""
        self.cancel()
        if len(nodes) <= AT_ONCE:
            self.done.emit(layered_layout(Links(nodes), sizes))
            return
        self._thread = Thread(target=self._work, args=(nodes, sizes, self._stop), daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Drop a layout under way: it ends soon and is not handed over."""
        self._stop.set()
        self._stop = Event()

    def close(self) -> None:
        """Cancel and wait for the thread."""
        self.cancel()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _work(self, nodes: Sequence[ShownNode], sizes: Sizes, stop: Event) -> None:
        layout = layered_layout(Links(nodes), sizes, cancelled=stop.is_set)
        if not stop.is_set():
            self._finished.emit(layout, stop)

    def _hand_over(self, layout: object, stop: Event) -> None:
        if not stop.is_set():
            self.done.emit(layout)
