"""Sends a project file, and later what changes of it, to who watches it. Runs on that machine.

Its text goes to a plain Python there, of version 3.6 or later: it uses nothing but the standard
library, and no newer words. It only reads: what SQLite's lock holds still is read whole, and of
that the pages are sent that the other side does not have. It ends with the connection.
"""

import base64
import fcntl
import hashlib
import json
import os
import select
import sqlite3
import stat
import struct
import sys
import time
import urllib.parse
import zlib

MAGIC = b"TUNEWRIGHT WATCH 1\n"
DIGEST_BYTES = 8
PAGES_AT_ONCE = 512
MOST_BYTES = 4 << 30
SHARE = 50  # of the time between two looks, a look may take one part in so many
BUSY_S = 5.0
HEADER_BYTES = 100  # of SQLite's: who made the file, how large its pages are, its change counter


class Unfit(Exception):
    """The file cannot be sent, for a reason in one word."""


def page_bytes(header: bytes, application: int) -> int:
    """The size of a project's pages; Unfit for any other file."""
    if len(header) < HEADER_BYTES or header[:16] != b"SQLite format 3\0":
        raise Unfit("foreign")
    size, journals, found = struct.unpack_from(">HH", header, 16) + struct.unpack_from(
        ">I", header, 68
    )
    if found != application or journals != 0x0101:  # a write-ahead log would be written to
        raise Unfit("foreign")
    return 65536 if size == 1 else size


def is_held(path: str) -> bool:
    """Whether a process that lives writes the project: it holds a lock on a file beside it."""
    folder, name = os.path.split(os.path.realpath(path))
    try:
        lock = os.open(os.path.join(folder, "." + name + ".lock"), os.O_RDONLY)  # noqa: PTH118
    except OSError:
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return False
    except OSError:
        return True
    finally:
        os.close(lock)


class File:
    """The file as it is read here. `known` are the digests of the pages that the other side has."""

    def __init__(self, path: str, application: int, known: bytes) -> None:
        self.path = path
        self.application = application
        self.known = [known[i : i + DIGEST_BYTES] for i in range(0, len(known), DIGEST_BYTES)]
        self.seen = None  # type: object

    def changed(self) -> "bytes | None":
        """The whole file, read while nobody changes it; None where it is as it was."""
        fd = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                raise Unfit("foreign")
            page_bytes(os.pread(fd, HEADER_BYTES, 0), self.application)
            if self._state(fd) == self.seen:
                return None
            return self._read(fd)
        finally:
            os.close(fd)  # after SQLite's end: closing it drops what locks there are

    def _state(self, fd: int) -> object:
        found = os.fstat(fd)
        return found.st_ino, found.st_size, found.st_mtime, os.pread(fd, 4, 24)

    def _read(self, fd: int) -> "bytes | None":
        uri = "file:" + urllib.parse.quote(os.fsencode(self.path)) + "?mode=ro"
        db = sqlite3.connect(uri, uri=True, timeout=BUSY_S, isolation_level=None)
        try:
            db.execute("BEGIN")
            db.execute("SELECT count(*) FROM sqlite_master").fetchone()  # takes the lock
            if not os.path.samestat(os.fstat(fd), os.stat(self.path)):  # noqa: PTH116
                return None  # another one took its place just now: the next look finds it
            state = self._state(fd)
            with open(fd, "rb", closefd=False) as file:
                data = file.read(MOST_BYTES + 1)
            self.seen = state
            return data
        finally:
            db.close()

    def new_pages(self, data: bytes, page: int) -> "list[int]":
        """Which pages the other side lacks; they count as sent."""
        if len(data) > MOST_BYTES:
            raise Unfit("large")
        digests = [
            hashlib.blake2b(data[at : at + page], digest_size=DIGEST_BYTES).digest()
            for at in range(0, len(data), page)
        ]
        known = self.known
        new = [i for i, one in enumerate(digests) if i >= len(known) or known[i] != one]
        self.known = digests
        return new


def look(file: File) -> None:
    """Send what is new, or that nothing is."""
    try:
        data = file.changed()
        if data is None:
            send({"kind": "same", "held": is_held(file.path)})
            return
        page = page_bytes(data, file.application)
        new = file.new_pages(data, page)
        for at in range(0, len(new), PAGES_AT_ONCE):
            numbers = new[at : at + PAGES_AT_ONCE]
            pages = b"".join(data[i * page : (i + 1) * page] for i in numbers)
            table = struct.pack(">{}I".format(len(numbers)), *numbers)  # noqa: UP032
            packed = zlib.compress(table + pages, 3)
            send({"kind": "pages", "page": page, "count": len(numbers), "bytes": len(packed)})
            sys.stdout.buffer.write(packed)
        send({"kind": "whole", "page": page, "size": len(data), "held": is_held(file.path)})
    except sqlite3.Error as error:
        if "locked" not in str(error):  # for longer than a change takes: the next look may do
            raise Unfit("unfinished" if "readonly" in str(error) else "unreadable") from error
        send({"kind": "same", "held": True})


def send(header: "dict[str, object]") -> None:
    sys.stdout.buffer.write(json.dumps(header).encode() + b"\n")


def follow(file: File, every_s: float) -> None:
    """Look again and again, until the connection ends; once where `every_s` is 0."""
    while True:
        began = time.process_time()
        look(file)
        sys.stdout.buffer.flush()
        pause_s = max(every_s, SHARE * (time.process_time() - began))
        if not every_s:
            return
        ready = select.select([0], [], [], pause_s)[0]
        if ready and not os.read(0, 64):
            return


def why_not(error: OSError) -> str:
    """A word for what the system says."""
    if isinstance(error, (FileNotFoundError, NotADirectoryError)):
        return "missing"
    return "forbidden" if isinstance(error, PermissionError) else "unreadable"


def main() -> None:
    """Do what a line of standard input asks for."""
    request = json.loads(sys.stdin.buffer.readline().decode())
    os.nice(19)
    sys.stdout.buffer.write(MAGIC)
    path = request["path"]
    path = os.path.expanduser(path) if path.startswith("~/") else path  # noqa: PTH111
    file = File(path, request["application"], base64.b64decode(request["known"]))
    try:
        follow(file, request["every_s"])
    except Unfit as error:
        send({"kind": "refused", "why": str(error)})
    except BrokenPipeError:  # nobody listens any more
        os._exit(0)
    except OSError as error:
        send({"kind": "refused", "why": why_not(error)})
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
