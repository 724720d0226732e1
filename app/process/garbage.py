"""Cyclic garbage is collected in the window's thread."""

from __future__ import annotations

import gc

from PySide6.QtCore import QObject, QTimerEvent

from engine.workers.memory import collect_due

INTERVAL_MS = 200


class GarbageCollector(QObject):
    """Turns automatic collections off, and looks a few times a second whether one is due.

    Qt's objects end with the Python objects that own them. In the engine's thread, in the middle
    of an event of theirs, that is the end of the process.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        gc.disable()
        self.startTimer(INTERVAL_MS)

    def timerEvent(self, event: QTimerEvent) -> None:
        """Collect what is due."""
        collect_due()
