"""How a record stands in a log: in a line of its own, without what a terminal would obey."""

from __future__ import annotations

import logging

from engine.records.words import harmless, one_line


class LogLines(logging.Formatter):
    """Time, level, place and message; a traceback follows in lines of its own."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:
        return one_line(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        return harmless(super().format(record))
