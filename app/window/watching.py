"""The notices of a project on another machine: that it is only shown, and that no more comes."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QObject

from app.document.document import Document
from app.window.console import Console
from engine.records.words import one_line
from engine.watching.address import parse_watched
from widgets.look.language import tr

KIND = "watch"
_LONGEST = 40  # of a host's name: the line has other things to say


class WatchNotice(QObject):
    """Says once that a connection is lost, until there is one again."""

    def __init__(self, console: Console) -> None:
        super().__init__(console.window)
        self._console = console
        self._lost = ""
        console.document.opened.connect(self._opened)
        console.document.status_changed.connect(self._follow)

    def _opened(self) -> None:
        document, messages = self._console.document, self._console.messages
        if document.is_refresh or not document.watched:
            return
        self._lost = ""
        messages.show_message(
            "info",
            tr("{name} is on {host}, and is only shown.", **names(document)),
            tr("A copy that is saved here can be tuned here."),
            action=(tr("Save as…"), self._console.actions["save-as"].trigger),
            kind="read-only",
        )

    def _follow(self) -> None:
        watch = self._console.document.watch
        lost = watch.lost if watch else ""
        if bool(lost) == bool(self._lost):
            return
        self._lost = lost
        if watch is None or not lost:
            for row in self._console.messages.rows():
                if row.kind == KIND:
                    row.dismiss()
            return
        text = tr("As of {moment}, connection lost.", moment=moment_text(watch.seen_at))
        again = tr("It goes on by itself once there is one again.")
        self._console.messages.show_message("warning", f"{text} {lost}", again, kind=KIND)


def names(document: Document) -> dict[str, str]:
    """The file of a watched project and its machine, for sentences."""
    host = one_line(parse_watched(document.watched).host, _LONGEST)
    return {"name": Path(document.path).name, "host": host}


def moment_text(at: float) -> str:
    """A moment of seconds since the epoch, as a clock shows it."""
    return time.strftime("%H:%M:%S", time.localtime(at))


def watched_text(document: Document) -> str:
    """That another machine's project is shown, and as of when; empty for one of this machine."""
    watch = document.watch
    if watch is None or not document.watched:
        return ""
    values = {"host": names(document)["host"], "moment": moment_text(watch.seen_at)}
    if watch.lost:
        return tr("▲ {host}: as of {moment}, connection lost", **values)
    return tr("Watching {host}, read-only: {moment}", **values)
