"""What is known here of a file elsewhere, as a project beside a lock that stands for its writer."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

from engine.storage.lock import ProjectLock
from engine.watching import there
from engine.watching.link import Pages, Whole


class Copy:
    """A project file in `folder`, which is gone with that; `path` is there once a look was whole.

    It is replaced as a whole, so that who reads it sees one state. Used from one thread.
    """

    def __init__(self, folder: Path, name: str) -> None:
        self.path = folder / name
        self._image = folder / "pages"
        self._digests: list[bytes] = []
        self._page = 0
        self._lock: ProjectLock | None = None

    @property
    def known(self) -> bytes:
        """The digests of the pages, by their number."""
        return b"".join(self._digests)

    @property
    def held(self) -> bool:
        """Whether the file has a writer, as far as is known."""
        return self._lock is not None

    def take(self, pages: Pages) -> None:
        """Keep pages; what is at `path` stays as it is until all have come."""
        if pages.size != self._page:
            self._page, self._digests = pages.size, []
        fd = os.open(self._image, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            for place, number in enumerate(pages.numbers):
                page = pages.data[place * pages.size : (place + 1) * pages.size]
                os.pwrite(fd, page, number * pages.size)
                self._note(number, page)
        finally:
            os.close(fd)

    def finish(self, whole: Whole) -> None:
        """Put the file in its place."""
        with self._image.open("ab") as file:
            file.truncate(whole.size)
        if self._page:
            del self._digests[-(-whole.size // self._page) :]
        draft = self.path.with_name("draft")
        shutil.copyfile(self._image, draft)
        draft.replace(self.path)
        self.hold(whole.held)

    def hold(self, held: bool) -> None:
        """Have the file a writer, or none: so a run in it goes on, or was interrupted."""
        if held and self._lock is None:
            self._lock = ProjectLock(self.path)
        elif not held and self._lock is not None:
            self._lock.release()
            self._lock = None

    def _note(self, number: int, page: bytes) -> None:
        missing = number + 1 - len(self._digests)
        self._digests += [bytes(there.DIGEST_BYTES)] * missing
        digest = hashlib.blake2b(page, digest_size=there.DIGEST_BYTES).digest()
        self._digests[number] = digest
