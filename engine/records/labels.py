"""Names and notes that a person gives to a project, its tasks and its runs."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from engine.records.errors import UsageError
from engine.records.sentences import Sentence

LONGEST_NAME = 120
LONGEST_NOTE = 20_000


class SubjectKind(StrEnum):
    """What can have a name and a note."""

    PROJECT = "project"
    TASK = "task"
    RUN = "run"


@dataclass(frozen=True, slots=True)
class Subject:
    """One of them: `number` is a task's index or a run's id, 0 for the project."""

    kind: SubjectKind
    number: int = 0


PROJECT = Subject(SubjectKind.PROJECT)


@dataclass(frozen=True, slots=True)
class Label:
    """A name of one line and a note; UsageError where one is longer than a project keeps."""

    name: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if len(self.name) > LONGEST_NAME or not self.name.isprintable():
            raise UsageError(
                Sentence(
                    "A name is one line of at most {longest_name} characters.",
                    longest_name=LONGEST_NAME,
                ),
                "Give a shorter one.",
            )
        if len(self.note) > LONGEST_NOTE:
            raise UsageError(
                Sentence(
                    "A note has at most {longest_note:,} characters.", longest_note=LONGEST_NOTE
                ),
                "Keep longer texts in a file, and note its name.",
            )


NO_LABEL = Label()


def task_subject(task: int) -> Subject:
    """The task of that index."""
    return Subject(SubjectKind.TASK, task)


def run_subject(run: int) -> Subject:
    """The run of that id."""
    return Subject(SubjectKind.RUN, run)
