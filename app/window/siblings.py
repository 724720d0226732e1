"""What a window knows of the other windows of its process."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from app.process.job_desk import JobDesk


class Siblings(Protocol):
    """The windows of the process, and the queue of jobs that all of them show."""

    reachable: bool  # a later start of the program finds the process

    @property
    def desk(self) -> JobDesk:
        """The queue; one that is never open where there is none."""

    @property
    def many(self) -> bool:
        """Whether there can be other windows."""

    @property
    def is_last(self) -> bool:
        """Whether no other window is open."""

    def new(self, path: Path | None = None) -> object:
        """Show one more window."""

    def open(self, path: Path) -> object:
        """Show a file where it is open already, or else in a window that has none."""

    def close_all(self) -> None:
        """Ask each window to close."""

    def stay(self) -> None:
        """Let the process go on without a window."""


class Alone:
    """For a window that is the only one there can be: a picture's."""

    many, is_last, reachable = False, True, False

    def __init__(self, desk: JobDesk | None = None) -> None:
        self.desk = desk or JobDesk()

    def new(self, path: Path | None = None) -> None:
        """There is no other window."""

    open = close_all = stay = new
