"""What SQLite and the operating system refuse, in sentences a person can act on."""

from __future__ import annotations

import errno
import fcntl
import os
import re
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engine.records.errors import ProjectError, ProtectedFile, StorageError, TunewrightError
from engine.records.sentences import Sentence, in_brackets
from engine.records.words import one_line
from engine.storage.fields import Malformed

_LONGEST = 120
_PLACE = re.compile(r"[a-z_0-9]{1,30}(?:\.[a-z_0-9]{1,30})*")  # no text of a stranger's
_ELSEWHERE = Sentence("Free some space or save to another place; what was stored before is safe.")
_NAME_A_FILE = Sentence("Name a file.")
_NOT_A_PLACE = (errno.ENOENT, errno.ENOTDIR)
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
NO_LOCKS = (errno.ENOLCK, errno.EOPNOTSUPP, errno.ENOSYS)
_FORBIDDEN = (errno.EACCES, errno.EPERM, errno.EROFS)


@dataclass
class Wording:
    """How a kind of file is spoken of; "{path}" stands for the file's name.

    `other` is what to do about a stranger's file, or a folder, `repair` about a damaged one.
    """

    subject: Sentence
    stranger: Sentence
    other: Sentence
    repair: Sentence
    update: Sentence

    @contextmanager
    def storage(self, path: Path) -> Iterator[None]:
        """Turn failures of the file at `path` into ProjectError or StorageError.

        Misuse of the connection (closed, wrong thread) is a bug and passes through as it is.
        """
        try:
            yield
        except (TunewrightError, sqlite3.ProgrammingError, sqlite3.InterfaceError):
            raise
        except sqlite3.Error as error:
            raise self._from_sqlite(error, path) from error
        except (Malformed, UnicodeDecodeError) as error:  # SQLite's message may quote damaged bytes
            where = str(error) if isinstance(error, Malformed) else ""
            raise self.damaged(path, where) from error
        except OSError as error:
            raise from_os(error, path, self.other) from error

    def damaged(self, path: Path, where: str = "") -> ProjectError:
        """The file is ours, but what is in it makes no sense, `where`: "table.column"."""
        found = _PLACE.match(where)
        what = Sentence(
            "{file} is damaged, or was changed by another program{place}.",
            file=self.subject.filled(path=shown(path)),
            place=in_brackets(found.group() if found else ""),
        )
        return ProjectError(what, self.repair)

    def foreign(self, path: Path) -> ProjectError:
        """The file was never of this kind."""
        return ProjectError(self.stranger.filled(path=shown(path)), self.other)

    def newer(self, path: Path, version: int, known: int) -> ProjectError:
        """The file's tables are of a version that this program does not know."""
        return ProjectError(
            Sentence(
                "{file} was saved by a newer Tunewright (file version {version}, this "
                "one knows {known}).",
                file=self.subject.filled(path=shown(path)),
                version=version,
                known=known,
            ),
            self.update,
        )

    def _from_sqlite(self, error: sqlite3.Error, path: Path) -> TunewrightError:
        """By the primary result code; text that is not UTF-8 comes without a code."""
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)
        if code == sqlite3.SQLITE_READONLY_DBMOVED:
            return _moved(path)
        match code & 0xFF:
            case sqlite3.SQLITE_CANTOPEN:
                return _cannot_open(path, self.other)
            case sqlite3.SQLITE_NOTADB:
                return self.foreign(path)
            case primary:
                return _BY_RESULT.get(primary, self.damaged)(path)


def system_text(error: OSError) -> str:
    """What the system says of it, in its own words."""
    return error.strerror or f"errno {error.errno or 0}"


def shown(path: Path) -> str:
    """The file's name as text that any screen can print, the middle of a long one left out."""
    return one_line(os.fsencode(path.name or path).decode("utf-8", "replace"), _LONGEST)


def folder(path: Path, wanted: Sentence) -> ProjectError:
    """A folder is in a file's place; `wanted` says what to give."""
    return ProjectError(Sentence("{path} is a folder.", path=shown(path)), wanted)


def absent(path: Path) -> ProjectError:
    return ProjectError(
        Sentence("There is no file {path}.", path=shown(path)), "Check its name and folder."
    )


def own_folder(place: Path) -> Path:
    """A folder of the program's own, in the user's data folder, made where it is not there.

    StorageError where nothing can be written in it: no person has chosen that place.
    """
    try:
        place.mkdir(parents=True, exist_ok=True)
        if not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise StorageError(
            Sentence(
                "Tunewright keeps its own files in {place}, where nothing can be written "
                "({reason}).",
                place=one_line(str(place)),
                reason=system_text(error).lower(),
            ),
            "Make room or change the permissions there, or name another folder by the variable "
            "XDG_DATA_HOME.",
        ) from error
    return place


def _full(path: Path) -> StorageError:
    return StorageError(
        Sentence("The disk is full: {path} could not be written.", path=shown(path)), _ELSEWHERE
    )


def _forbidden(path: Path) -> StorageError:
    return ProtectedFile(
        Sentence(
            "{path} cannot be read or written: its file or folder is protected.", path=shown(path)
        ),
        "Change the permissions, or save to another folder.",
    )


def _moved(path: Path) -> StorageError:
    return StorageError(
        Sentence("{path} was moved or deleted while it was open.", path=shown(path)),
        "Put it back, or save the project under another name.",
    )


def without_locks(path: Path) -> StorageError:
    """The drive of a file refuses locks."""
    return ProtectedFile(
        Sentence(
            "The drive that {path} is on gives no locks, without which two programs "
            "could write it at once.",
            path=shown(path),
        ),
        "Use a folder on a drive of this machine, or mount that one with locks.",
    )


def _busy(path: Path) -> TunewrightError:
    """SQLite says this of a drive without locks, too."""
    try:
        with tempfile.NamedTemporaryFile(prefix=".tunewright-", dir=path.parent) as probe:
            fcntl.flock(probe, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in NO_LOCKS:
            return without_locks(path)
    return ProjectError(
        Sentence("Another program is using {path}.", path=shown(path)),
        "Close it there, then try again.",
    )


def _failing(path: Path) -> StorageError:
    return StorageError(
        Sentence("The disk failed while {path} was read or written.", path=shown(path)),
        "Check the drive and its free space, then open the project again.",
    )


def _cannot_open(path: Path, other: Sentence) -> TunewrightError:
    try:
        path.parent.stat()
        if path.is_dir():
            return folder(path, other)
        return _forbidden(path) if path.exists() else absent(path)
    except OSError as error:
        return from_os(error, path)


_BY_RESULT: dict[int, Callable[[Path], TunewrightError]] = {
    sqlite3.SQLITE_FULL: _full,
    sqlite3.SQLITE_READONLY: _forbidden,
    sqlite3.SQLITE_PERM: _forbidden,
    sqlite3.SQLITE_AUTH: _forbidden,
    sqlite3.SQLITE_BUSY: _busy,
    sqlite3.SQLITE_LOCKED: _busy,
    sqlite3.SQLITE_IOERR: _failing,
    sqlite3.SQLITE_NOLFS: _failing,
}


_BY_ERRNO: dict[int, Callable[[Path], TunewrightError]] = {
    errno.ENAMETOOLONG: lambda path: StorageError(
        Sentence("The name {path} is too long.", path=shown(path)), "Choose a shorter one."
    ),
    errno.ENOLCK: without_locks,
    **dict.fromkeys(_FULL, _full),
    **dict.fromkeys(_FORBIDDEN, _forbidden),
    errno.ENOENT: absent,
}


def from_os(error: OSError, path: Path, wanted: Sentence = _NAME_A_FILE) -> TunewrightError:
    """What the system refused of the file at `path`; `wanted` is what to give for a folder."""
    code = error.errno or 0
    if code == errno.EISDIR:
        return folder(path, wanted)
    if code in _NOT_A_PLACE and not path.parent.is_dir():
        return StorageError(
            Sentence("The folder of {path} does not exist.", path=shown(path)),
            "Make it, or choose another folder.",
        )
    if code in _BY_ERRNO:
        return _BY_ERRNO[code](path)
    return StorageError(
        Sentence(
            "{path} cannot be used here ({reason}).", path=shown(path), reason=system_text(error)
        ),
        "Choose another name or folder.",
    )
