"""Which project on which machine is to be watched, as a person writes it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from engine.records.addresses import port_number
from engine.records.errors import UsageError
from engine.records.formats import PROJECT_SUFFIX, is_project
from engine.records.sentences import Sentence

SCHEME = "ssh://"
HOME = "/~/"
_USER = r"[A-Za-z0-9_][A-Za-z0-9_.+-]{0,63}"  # what a shell would read has no place in either
_HOST = r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,252}|\[[0-9A-Fa-f:.]{2,45}(?:%[A-Za-z0-9_.-]{1,15})?\]"
_FORM = re.compile(rf"ssh://(?:({_USER})@)?({_HOST})(?::(\d{{1,5}}))?(/.*)", re.ASCII | re.DOTALL)
_LONGEST = 4096
_NAME = 200  # bytes of a file's name, which grows by those of its lock and its drafts
_FORM_TOLD = Sentence("Write ssh://USER@HOST/FOLDER/FILE.tune, or ssh://USER@HOST/~/FILE.tune.")


@dataclass(frozen=True, slots=True)
class WatchedFile:
    """A project file elsewhere. `path` is absolute, or begins with "~/": the user's home there.

    Without a user or a port, the settings of the person's ssh decide.
    """

    user: str
    host: str
    port: int | None
    path: str

    def __str__(self) -> str:
        path = self.path if self.path.startswith("/") else f"/{self.path}"
        return f"{self.place}{quote(path, safe='/~')}"

    @property
    def place(self) -> str:
        """The machine and the account alone, as an address."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        user = f"{self.user}@" if self.user else ""
        return f"{SCHEME}{user}{host}" + (f":{self.port}" if self.port else "")

    @property
    def name(self) -> str:
        """The file's own name."""
        return self.path.rpartition("/")[2]


def names_machine(text: str) -> bool:
    """Whether a text is meant as an address of a file elsewhere."""
    return text.strip().lower().startswith(SCHEME)


def parse_watched(text: str) -> WatchedFile:
    """The project that "ssh://[USER@]HOST[:PORT]/PATH.tune" names; UsageError where it names none.

    Spaces and the like in the path may be written as they are or as "%20".
    """
    found = _FORM.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    port = port_number(found[3]) if found and found[3] else None
    if found is None or (found[3] and not port):
        raise UsageError(
            Sentence("{text} names no file on another machine.", text=_shown(text)), _FORM_TOLD
        )
    path = unquote(found[4], errors="surrogateescape")
    if not path.isprintable():
        raise UsageError("The path has characters that no name of a file should have.", _FORM_TOLD)
    path = path[1:] if path.startswith(HOME) else path
    file = WatchedFile(found[1] or "", found[2].strip("[]"), port, path)
    if not is_project(file.name) or len(file.name.encode()) > _NAME:
        raise UsageError(
            Sentence("{name} is no project.", name=_shown(file.name)),
            Sentence("A project ends in {suffix}.", suffix=PROJECT_SUFFIX),
        )
    return file


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:80]}...")
