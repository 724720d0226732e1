"""A connection by the system's own ssh, and what comes through it, checked: it is a stranger's."""

from __future__ import annotations

import base64
import json
import os
import select
import struct
import subprocess
import threading
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple, Self

from msgspec import Meta

from engine.measure.remote.given import require_machine_given
from engine.project.migrations import PROJECT_FILE
from engine.records.errors import WatchError
from engine.records.sentences import Sentence, in_brackets
from engine.records.words import one_line
from engine.storage.fields import Malformed, read
from engine.watching import there
from engine.watching.address import WatchedFile

EVERY_S = 5.0
"""How often the other side looks at its file, at most."""
_OPTIONS = (
    "BatchMode=yes",  # asks nobody for anything
    "ConnectTimeout=10",
    "ServerAliveInterval=15",
    "ServerAliveCountMax=3",
    "ClearAllForwardings=yes",
    "ForwardAgent=no",
    "ForwardX11=no",
    "PermitLocalCommand=no",
    "ControlMaster=no",  # a master would outlive this; one that is there already is used
    "RequestTTY=no",
    "RemoteCommand=none",
)
_BEGIN = "import sys; f = sys.stdin.buffer; exec(f.read(int(f.readline())))"
_COMMAND = f"python3 -I -c '{_BEGIN}'"  # the same for every file: its name goes the way of data
_LINE_BYTES = 4096
_NOISE_BYTES = 1 << 16  # of greetings before the first word
_PATIENCE_S = 60.0  # beyond the pause between two looks
_STEP_S = 0.25
_KNOWN_BYTES = 1 << 20  # of digests that are told; a larger file comes whole again


@dataclass(frozen=True, slots=True)
class Pages:
    """Pages of the file by their numbers, each of `size` bytes."""

    size: int
    numbers: tuple[int, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class Whole:
    """All pages have come: the file has `size` bytes, and somebody writes it or not."""

    size: int
    held: bool


@dataclass(frozen=True, slots=True)
class Same:
    """Nothing has changed since."""

    held: bool


@dataclass(frozen=True, slots=True)
class _Header:
    """A line of the other side's; which of its fields count, `kind` says."""

    kind: str
    held: bool
    page: Annotated[int, Meta(ge=512, le=65536)]
    size: Annotated[int, Meta(ge=0, le=there.MOST_BYTES)]
    count: Annotated[int, Meta(ge=0, le=there.PAGES_AT_ONCE)]
    bytes: Annotated[int, Meta(ge=0, le=1 << 26)]
    why: str


class Link:
    """Owns the ssh process from enter to exit. `known` are digests of the pages that are here.

    `close` may be called from any thread. WatchError for whatever goes wrong.
    """

    def __init__(self, file: WatchedFile, every_s: float = EVERY_S, known: bytes = b"") -> None:
        require_machine_given(file.place)
        self._file, self._every_s, self._known = file, every_s, known
        self._closed = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._begun = False
        self._buffer = b""
        self.received_bytes = 0

    def __enter__(self) -> Self:
        try:
            self._process = subprocess.Popen(
                arguments(self._file),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl+C is heard here
            )
        except OSError as error:
            raise WatchError(
                Sentence("This machine has no ssh that runs ({reason}).", reason=error.strerror),
                "Install the client of OpenSSH.",
            ) from error
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        process = self._process
        if process is not None:
            process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                with suppress(OSError):  # what was not sent any more
                    if pipe is not None:
                        pipe.close()

    def close(self) -> None:
        """End the connection; idempotent."""
        self._closed.set()
        if self._process is not None:
            self._process.kill()

    def looks(self) -> Iterator[Pages | Whole | Same]:
        """What comes, until the other side has told all that it was asked for."""
        self._ask()
        self._find_beginning()
        while line := self._line(may_end=not self._every_s):
            yield self._taken(line)

    def _ask(self) -> None:
        script = Path(there.__file__).with_name("there.py").read_bytes()  # frozen: beside a .pyc
        request = {
            "path": self._file.path,
            "every_s": self._every_s,
            "application": PROJECT_FILE.application_id,
            "known": base64.b64encode(self._known[:_KNOWN_BYTES]).decode(),
        }
        pipe = self._running.stdin
        assert pipe is not None
        with suppress(OSError):  # why it has ended is asked when nothing comes
            pipe.write(b"%d\n%b%b\n" % (len(script), script, json.dumps(request).encode()))
            pipe.flush()

    def _find_beginning(self) -> None:
        """Skip what the account's files for its shell may say."""
        while there.MAGIC not in self._buffer:
            if len(self._buffer) > _NOISE_BYTES:
                raise self._odd()
            self._more()
        self._buffer = self._buffer.partition(there.MAGIC)[2]
        self._begun = True

    def _taken(self, line: bytes) -> Pages | Whole | Same:
        blank = {"held": False, "page": 512, "size": 0, "count": 0, "bytes": 0, "why": ""}
        try:
            found = json.loads(line)
            header = read({**blank, **found} if isinstance(found, dict) else found, _Header)
        except (ValueError, RecursionError, Malformed) as error:
            raise self._odd() from error
        match header.kind:
            case "same":
                return Same(header.held)
            case "whole":
                return Whole(header.size, header.held)
            case "pages":
                return self._pages(header)
            case "refused":
                raise refused(self._file, header.why)
        raise self._odd()

    def _pages(self, header: _Header) -> Pages:
        size = header.count * (4 + header.page)
        unpacking = zlib.decompressobj()
        try:
            data = unpacking.decompress(self._exactly(header.bytes), size + 1)
        except zlib.error as error:
            raise self._odd() from error
        if len(data) != size or not unpacking.eof:
            raise self._odd()
        numbers = struct.unpack_from(f">{header.count}I", data)
        if any((number + 1) * header.page > there.MOST_BYTES for number in numbers):
            raise self._odd()
        return Pages(header.page, numbers, data[4 * header.count :])

    # Bytes

    def _line(self, may_end: bool) -> bytes:
        while b"\n" not in self._buffer:
            if len(self._buffer) > _LINE_BYTES:
                raise self._odd()
            if not self._more(may_end and not self._buffer):
                return b""
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _exactly(self, count: int) -> bytes:
        parts, left = [self._buffer], count - len(self._buffer)
        while left > 0:
            self._buffer = b""
            self._more()
            parts.append(self._buffer)
            left -= len(self._buffer)
        data = b"".join(parts)
        self._buffer = data[count:]
        return data[:count]

    def _more(self, may_end: bool = False) -> bool:
        """Read on; False where the other side has ended, as it may. WatchError otherwise."""
        pipe = self._running.stdout
        assert pipe is not None
        if self._closed.is_set():
            raise WatchError(_CLOSED)
        until = time.monotonic() + _PATIENCE_S + self._every_s
        while not select.select([pipe], [], [], _STEP_S)[0]:
            if self._closed.is_set():
                raise WatchError(_CLOSED)
            if time.monotonic() > until:
                raise WatchError(
                    Sentence("Nothing comes from {host} any more.", host=self._where), _LATER
                )
        data = os.read(pipe.fileno(), 1 << 16)
        self.received_bytes += len(data)
        self._buffer += data
        if not data and not may_end:
            raise self._why_ended()
        return bool(data)

    @property
    def _running(self) -> subprocess.Popen[bytes]:
        assert self._process is not None
        return self._process

    @property
    def _where(self) -> str:
        return one_line(self._file.host, 80)

    def _odd(self) -> WatchError:
        return WatchError(
            Sentence("{host} answers with something else than a project.", host=self._where),
            "Look by a terminal what a login there says.",
        )

    def _why_ended(self) -> WatchError:
        """What ssh, or the shell there, says about its end."""
        process = self._running
        assert process.stderr is not None
        said = b""
        while select.select([process.stderr], [], [], 1.0)[0] and len(said) < _NOISE_BYTES:
            if not (part := os.read(process.stderr.fileno(), 4096)):
                break
            said += part
        with suppress(subprocess.TimeoutExpired):
            process.wait(1.0)
        if self._closed.is_set():
            return WatchError(_CLOSED)
        return ended(self._where, said.decode("utf-8", "replace"), process.returncode, self._begun)


_CLOSED = Sentence("The connection was closed here.")
_LATER = Sentence("It goes on by itself once the machine can be reached again.")


def arguments(file: WatchedFile) -> list[str]:
    """The command line of ssh; what a person wrote stands in places where it can be no option."""
    made = ["ssh", "-T"]
    for option in _OPTIONS:
        made += ["-o", option]
    made += ["-p", str(file.port)] if file.port else []
    made += ["-l", file.user] if file.user else []
    return [*made, "--", file.host, _COMMAND]


def ended(host: str, said: str, code: int | None, begun: bool) -> WatchError:
    """Why a connection ended, by what ssh `said` and its exit `code`."""
    for sign, known in _SIGNS.items():
        if sign in said.lower():
            return WatchError(known.what.filled(host=host), known.todo)
    if begun:
        return WatchError(Sentence("The connection to {host} was cut.", host=host), _LATER)
    lines = [line for line in said.splitlines() if line.strip()]
    last = one_line(lines[-1].strip().rstrip("."), 160) if lines else ""
    if code == 127:
        return WatchError(
            Sentence("There is no python3 on {host}.", host=host), "Install Python there."
        )
    if code == 255:
        return WatchError(
            Sentence("{host} cannot be reached{why}.", host=host, why=in_brackets(last)),
            "Try a login by ssh in a terminal.",
        )
    return WatchError(
        Sentence(
            "{host} does not run what reads the project{why}.", host=host, why=in_brackets(last)
        ),
        "The account needs a shell and Python 3.6 or later.",
    )


class _Said(NamedTuple):
    what: Sentence
    todo: Sentence


_SIGNS = {
    "host key verification failed": _Said(
        Sentence("Nobody here has said yes to the key of {host}, or it has changed."),
        Sentence("Log in by ssh in a terminal once, and look at the key."),
    ),
    "permission denied (": _Said(
        Sentence("{host} lets nobody in without a password."),
        Sentence(
            "Set up a key for that account (ssh-copy-id), or add the key to your agent (ssh-add), "
            "until a login by ssh in a terminal asks for nothing."
        ),
    ),
    "could not resolve hostname": _Said(
        Sentence("No machine is called {host}."),
        Sentence("Check its name, or give it one in the settings of your ssh."),
    ),
    "no module named": _Said(
        Sentence("The python3 of {host} lacks a part of its standard library."),
        Sentence("Install the whole of Python there."),
    ),
}


def refused(file: WatchedFile, why: str) -> WatchError:
    """What the other side says of the file."""
    name, host = one_line(file.name, 80), one_line(file.host, 80)
    said = _REFUSALS.get(why, _REFUSALS["unreadable"])
    return WatchError(said.what.filled(name=name, host=host), said.todo)


_THERE = Sentence("Look at it on that machine.")
_REFUSALS = {
    "missing": _Said(
        Sentence("There is no file {name} in that folder of {host}."),
        Sentence(
            "Check the path; one that is not the machine's begins with /~/, the home of the "
            "account."
        ),
    ),
    "forbidden": _Said(
        Sentence("The account on {host} may not read {name}."),
        Sentence("Change the permissions there."),
    ),
    "foreign": _Said(
        Sentence("{name} on {host} is no project of Tunewright's."),
        Sentence("Give the path of a .tune file."),
    ),
    "large": _Said(Sentence("{name} on {host} is too large to be watched."), _THERE),
    "unfinished": _Said(
        Sentence("A process that was killed on {host} left a change of {name} unfinished."),
        Sentence("Show the project on that machine once, which mends it."),
    ),
    "unreadable": _Said(Sentence("{name} cannot be read on {host}."), _THERE),
}
