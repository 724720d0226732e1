"""What the operating system refused of a path that a person gave, where nobody said it before."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from engine.records.errors import TunewrightError, UsageError
from engine.records.sentences import Sentence
from engine.storage.failures import from_os

_OF_PLACES = frozenset(
    {
        *(errno.ENAMETOOLONG, errno.ENOTDIR, errno.ELOOP, errno.EISDIR, errno.EILSEQ),
        *(errno.EACCES, errno.EPERM, errno.EROFS, errno.ETXTBSY),
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.ESTALE, errno.ENODEV),
    }
)
_NULL = "null byte"  # what Python says of every path with one


def refusal(error: BaseException) -> TunewrightError | None:
    """The sentence for a path that cannot be used; None where the error is anything else.

    A file that is not there is no refusal: whoever reads one that a person named says so, and
    one that only the program names is a fault of it.
    """
    if isinstance(error, ValueError) and _NULL in str(error):
        return UsageError("A file's name cannot hold a null character.", "Give another one.")
    if not isinstance(error, OSError) or error.errno not in _OF_PLACES or error.filename is None:
        return None
    if not isinstance(error.filename, str | bytes):  # the number of an open file
        return None
    return from_os(error, Path(os.fsdecode(error.filename)))


def explained(error: Exception) -> TunewrightError:
    """The same, or that something unforeseen went wrong."""
    unforeseen = Sentence("Something unforeseen went wrong: {error}.", error=error)
    return refusal(error) or TunewrightError(unforeseen, "See the log.")
