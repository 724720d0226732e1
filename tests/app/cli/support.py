"""Command lines as a person or a program gives them: in this process, or in their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import run
from tests.processor import running

# Starts the command line where Qt cannot be imported.
NO_QT = "import sys, tests; sys.modules['PySide6'] = None; from app.cli.main import main; main()"


@dataclass(frozen=True, slots=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """The one object on stdout; an assertion fails where there is anything else."""
        lines = self.out.splitlines()
        assert len(lines) == 1, self.out
        found: dict[str, Any] = json.loads(lines[0])
        return found


class Here:
    """Runs commands in this process."""

    def __init__(self, capfd: pytest.CaptureFixture[str]) -> None:
        self._capfd = capfd

    def __call__(self, *arguments: str | Path) -> Done:
        self._capfd.readouterr()
        code = run([str(argument) for argument in arguments])
        return Done(code, *self._capfd.readouterr())


def start(home: Path, *arguments: str | Path, qt: bool = True) -> subprocess.Popen[str]:
    """A command in a process of its own, whose files of the user's are under `home`."""
    python = [sys.executable, *(running("app") if qt else ("-c", NO_QT))]
    return subprocess.Popen(
        [*python, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(home),
    )


def finish(process: subprocess.Popen[str], timeout_s: float = 120.0) -> Done:
    """Wait for a started command."""
    out, err = process.communicate(timeout=timeout_s)
    return Done(process.returncode, out, err)


def environment(home: Path) -> dict[str, str]:
    """This process's, without a display and with folders of the user's under `home`."""
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    kept = {name: value for name, value in os.environ.items() if name not in hidden}
    folders = ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")
    return kept | dict.fromkeys(folders, str(home))
