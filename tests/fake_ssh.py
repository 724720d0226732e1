"""A program called ssh that runs the command on this machine: a machine elsewhere, for tests."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest

from engine.measure.remote.given import VARIABLE, give_machine
from engine.watching.address import WatchedFile, parse_watched

_SSH = """#!/bin/sh
printf '%s\\n' "$@" > "{folder}/asked"
echo $$ >> "{folder}/started"
if test -f "{folder}/answer"; then . "{folder}/answer"; fi
while test "$1" != --; do shift; done
HOME="{folder}/home" exec sh -c "$3"
"""


class FakeSsh:
    """What is asked of it, and how it answers."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        (folder / "home").mkdir(parents=True)
        self.program("ssh", _SSH.format(folder=folder))
        self.program("python3", f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "config"))
        monkeypatch.delenv(VARIABLE, raising=False)

    def program(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(text)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)

    def answer(self, script: str) -> None:
        """Run these lines of sh first, from the next connection on; none, to answer as usual."""
        (self.folder / "answer").write_text(script)

    def asked(self) -> list[str]:
        """The arguments of the last start."""
        return (self.folder / "asked").read_text().splitlines()

    def started(self) -> list[int]:
        """The processes that were started."""
        path = self.folder / "started"
        return [int(line) for line in path.read_text().split()] if path.exists() else []


def given(path: Path) -> WatchedFile:
    """A file of this machine as one of another that a person named."""
    file = parse_watched(f"ssh://me@rack{path}")
    give_machine(file.place)
    return file
