"""Who calls TVM's server: a caller that is slow, or is none of TVM's, holds no other one up.

TVM's server reads the greeting of one caller after another, and waits for each without end; one
whose greeting is no text ends it. So a greeting is looked at here first, until it is complete.
"""

from __future__ import annotations

import select
import socket
import struct
import time
from contextlib import suppress
from enum import Enum, auto
from typing import Any

LIMIT_S = 5.0  # a busy machine may take one, and a network another
LONGEST_SESSION_S = 3600.0  # ours take eleven minutes at most
_LOOK_S = 0.01
_WAITING = 16  # callers that the system keeps meanwhile
_MAGIC = 0xFF271
_LONGEST = 1024  # bytes of a key with its options


class Greeting(Enum):
    """How far a caller has come."""

    OPEN = auto()
    COMPLETE = auto()
    WRONG = auto()


class Callers:
    """Stands for a listening socket in the server's loop."""

    def __init__(self, listener: socket.socket, limit_s: float = LIMIT_S) -> None:
        self._listener, self._limit_s = listener, limit_s
        listener.listen(_WAITING)

    def fileno(self) -> int:
        """Of the listening socket."""
        return self._listener.fileno()

    def accept(self) -> tuple[socket.socket, Any]:
        """The first caller whose greeting is complete; all others are turned away.

        Where none is, each within the limit, one that the server turns away by itself: it has to
        look after its tracker, too, so whoever comes later than the limit waits for the next turn.
        """
        callers: dict[socket.socket, tuple[Any, float]] = {}
        began = time.monotonic()
        self._take(callers)
        try:
            while callers:
                for caller, (address, since) in list(callers.items()):
                    state = greeting(caller)
                    late = time.monotonic() - since > self._limit_s
                    if state is not Greeting.OPEN or late:
                        del callers[caller]
                    if state is Greeting.COMPLETE:
                        return caller, address
                    if caller not in callers:
                        caller.close()
                ready = select.select([self._listener], [], [], _LOOK_S)[0]
                if ready and time.monotonic() - began < self._limit_s:
                    self._take(callers)
        finally:
            for caller in callers:
                caller.close()
        return _nobody(), "nobody"

    def _take(self, callers: dict[socket.socket, tuple[Any, float]]) -> None:
        caller, address = self._listener.accept()
        callers[caller] = address, time.monotonic()


def greeting(caller: socket.socket) -> Greeting:
    """How far a caller's is, which stays to be read."""
    try:
        said = caller.recv(8 + _LONGEST, socket.MSG_PEEK | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return Greeting.OPEN
    except OSError:
        return Greeting.WRONG
    return _judged(said) if said else Greeting.WRONG


def _judged(said: bytes) -> Greeting:
    """By TVM's magic number, the length of the key, and the key."""
    if len(said) >= 4 and struct.unpack_from("<i", said)[0] != _MAGIC:
        return Greeting.WRONG
    length = struct.unpack_from("<i", said, 4)[0] if len(said) >= 8 else 1
    if not 0 < length <= _LONGEST:
        return Greeting.WRONG
    if len(said) < 8 + length:
        return Greeting.OPEN
    return Greeting.COMPLETE if _is_key(said[8 : 8 + length]) else Greeting.WRONG


def session_s(wanted: Any) -> float:
    """How long a session may last (s) whose client wants so much, or says nothing."""
    given = wanted if isinstance(wanted, float) else LONGEST_SESSION_S
    return given if 0 < given < LONGEST_SESSION_S else LONGEST_SESSION_S


def _is_key(key: bytes) -> bool:
    """Whether it is what TVM reads: words, whose time limit is a number."""
    with suppress(ValueError):
        words = key.decode("utf-8").split()
        for word in words:
            if word.startswith("-timeout="):
                float(word[9:])
        return bool(words)
    return False


def _nobody() -> socket.socket:
    """A connection on which something else than a greeting has been said."""
    ours, theirs = socket.socketpair()
    with ours:
        ours.sendall(bytes(4))
    return theirs
