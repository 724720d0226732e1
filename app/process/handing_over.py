"""How a second start asks the process that runs already to show a file, and ends. Without Qt."""

from __future__ import annotations

import hashlib
import json
import os
import socket
import stat
import sys
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import platformdirs

from engine.models.samples import SAMPLES
from engine.records.errors import UsageError
from engine.records.formats import is_model, is_project
from engine.watching.address import parse_watched

PATIENCE_S = 5.0  # a window that has just been painted loads its libraries
YES, NO = b"ok\n", b"no\n"


@dataclass(frozen=True, slots=True)
class Request:
    """What a second start wants shown: a file's absolute path, a sample's name, the address of a
    project on another machine, which a person named, or just a window.

    `token` is the desktop's leave to bring a window to the front.
    """

    path: str = ""
    sample: str = ""
    token: str = ""
    watched: str = ""


def socket_place(environment: Mapping[str, str] = os.environ) -> Path | None:
    """Where the process of this person, screen and installation listens, in a folder that nobody
    else can look into; None where there is no such folder."""
    base = environment.get("XDG_RUNTIME_DIR")
    folder = Path(base) / "tunewright" if base else platformdirs.user_state_path("tunewright")
    folder = folder / "windows"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        known = folder.lstat()
    except OSError:
        return None
    private = stat.S_ISDIR(known.st_mode) and not stat.S_IMODE(known.st_mode) & 0o077
    if known.st_uid != os.getuid() or not private:
        return None
    screen = [environment.get(name, "") for name in ("WAYLAND_DISPLAY", "DISPLAY")]
    name = hashlib.sha256("\n".join([*screen, sys.prefix]).encode()).hexdigest()[:12]
    return folder / f"{name}.sock"


def hand_over(request: Request, place: Path | None, patience_s: float = PATIENCE_S) -> bool:
    """Whether a process that runs already has taken the request."""
    if place is None:
        return False
    with suppress(OSError), socket.socket(socket.AF_UNIX) as link:
        link.settimeout(patience_s)
        link.connect(str(place))
        link.sendall(json.dumps(asdict(request)).encode() + b"\n")
        return link.recv(len(YES)) == YES
    return False


def parse_request(text: bytes) -> Request | None:
    """The request that a message holds; None where it is no request for something that is there."""
    try:
        row = json.loads(text)
        request = Request(**row)
    except (ValueError, TypeError, RecursionError):
        return None
    if not all(type(value) is str for value in row.values()):
        return None
    if request.sample and request.sample not in {sample.name for sample in SAMPLES}:
        return None
    try:
        watched = parse_watched(request.watched) if request.watched else None
    except UsageError:
        return None
    if watched is not None and str(watched) != request.watched:
        return None
    return request if not request.path or is_openable(Path(request.path)) else None


def is_ours(path: Path) -> bool:
    """Whether a file's name is that of a model or a project."""
    return is_project(path) or is_model(path)


def is_openable(path: Path) -> bool:
    """Whether an absolute path names a model or project file that is there."""
    try:
        return is_ours(path) and path.is_absolute() and path.is_file()
    except (OSError, ValueError):
        return False
