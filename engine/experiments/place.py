"""Where an experiment keeps what it has: one folder beside its file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.records.errors import StorageError
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    from engine.experiments.matrix import Cell

RESULT_FILE = "experiment.json"


@dataclass(frozen=True, slots=True)
class Place:
    """The folder: a project file for each cell, the queue that runs them, the results."""

    folder: Path

    @staticmethod
    def beside(file: Path) -> Place:
        """That of an experiment's file."""
        return Place(file.absolute().with_name(f"{file.stem}-results"))

    def make(self) -> None:
        """Make the folders; StorageError."""
        try:
            (self.folder / "cells").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StorageError(
                Sentence(
                    "The folder {folder} cannot be made: {strerror}.",
                    folder=self.folder,
                    strerror=error.strerror,
                ),
                "Move the experiment's file to a folder that can be written to.",
            ) from error

    @property
    def queue(self) -> Path:
        """The file of the queue of cells without conditions."""
        return self.folder / "queue.db"

    def queue_of(self, cell: Cell) -> Path:
        """The file of the queue that a cell's round has."""
        if cell.round is None:
            return self.queue
        digest = hashlib.sha256(repr(cell.round).encode()).hexdigest()[:8]
        return self.folder / f"queue-{digest}.db"

    def project(self, cell: Cell) -> Path:
        return self.folder / "cells" / f"{cell.name}.tune"

    @property
    def result(self) -> Path:
        return self.folder / RESULT_FILE
