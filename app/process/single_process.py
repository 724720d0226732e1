"""One process a person and screen: it takes what later starts hand over.

A socket of Python's own: Qt's would bring the library of Kerberos along, and cost its start.
"""

from __future__ import annotations

import fcntl
import os
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from PySide6.QtCore import QObject, QSocketNotifier, Signal

from app.process.handing_over import NO, YES, parse_request

_READ_S = 0.5
_MOST_BYTES = 64_000


class Inbox(QObject):
    """Takes requests of later starts, as long as it is open."""

    wanted = Signal(object)  # Request

    def __init__(self, place: Path | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._place = place
        self._server: socket.socket | None = None
        self._notifier: QSocketNotifier | None = None

    def open(self) -> bool:
        """Begin to listen; whether no other process does."""
        if self._place is None or self._server is not None:
            return False
        server = socket.socket(socket.AF_UNIX)
        try:
            with _alone(self._place):
                if not _bind(server, self._place):
                    server.close()
                    return False
        except OSError:
            server.close()
            return False
        server.setblocking(False)
        self._server = server
        self._notifier = QSocketNotifier(server.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._take)
        return True

    def close(self) -> None:
        """Listen no more; idempotent."""
        if self._server is None or self._place is None:
            return
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier.deleteLater()
            self._notifier = None
        with suppress(OSError):
            self._place.unlink()
        self._server.close()
        self._server = None

    def _take(self) -> None:
        assert self._server is not None
        with suppress(OSError):
            link, _ = self._server.accept()
            with link:
                link.settimeout(_READ_S)
                request = parse_request(_line(link)) if _is_ours(link) else None
                link.sendall(NO if request is None else YES)
                if request is not None:
                    self.wanted.emit(request)


def _bind(server: socket.socket, place: Path) -> bool:
    """Take the place; one that a dead process left is cleared. False where a living one has it."""
    try:
        server.bind(str(place))
    except OSError:
        with socket.socket(socket.AF_UNIX) as probe:
            probe.settimeout(_READ_S)
            if probe.connect_ex(str(place)) == 0:
                return False
        with suppress(FileNotFoundError):
            place.unlink()
        server.bind(str(place))
    server.listen(8)
    return True


@contextmanager
def _alone(place: Path) -> Iterator[None]:
    """Of two processes that start at once, the second waits until the first one listens."""
    fd = os.open(place.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def _line(link: socket.socket) -> bytes:
    """What came up to the end of a line, nothing where it does not end in time or at all."""
    text = b""
    while not text.endswith(b"\n"):
        part = link.recv(4096)
        text += part
        if not part or len(text) > _MOST_BYTES:
            return b""
    return text


def _is_ours(link: socket.socket) -> bool:
    """Whether the other end runs as the same person; where that cannot be asked, the folder's
    permissions say it."""
    if not hasattr(socket, "SO_PEERCRED"):
        return True
    found = link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    return bool(struct.unpack("3i", found)[1] == os.getuid())
