"""The fifth version of a project file: names and notes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from engine.records.errors import UsageError
from engine.records.labels import NO_LABEL, PROJECT, Label, Subject, SubjectKind
from engine.storage.fields import Malformed, Row, clean, each

if TYPE_CHECKING:
    from sqlite_utils import Database

_COLUMNS = {"kind": str, "number": int, "name": str, "note": str}
_KEY = ("kind", "number")


def add_labels(db: Database) -> None:
    """From version 4. Never change it; add a migration instead."""
    db.table("labels").create(_COLUMNS, pk=_KEY, not_null=set(_COLUMNS), strict=True)


def label_row(subject: Subject, label: Label) -> dict[str, Any]:
    """A subject's name and note."""
    return {
        "kind": subject.kind.value,
        "number": subject.number,
        "name": clean(label.name),
        "note": clean(label.note),
    }


def read_label(row: Row) -> tuple[Subject, Label]:
    """A subject with its name and note."""
    subject = Subject(row.enum("kind", SubjectKind), row.integer("number"))
    try:
        label = Label(row.text("name"), row.text("note"))
    except UsageError as error:
        raise Malformed("labels") from error
    return subject, label


def read_labels(db: Database, tasks: int) -> Mapping[Subject, Label]:
    """All that a person named or noted, in a project of so many tasks."""
    labels = dict(each(db, "SELECT * FROM labels ORDER BY kind, number", read_label))
    runs = {int(row["id"]) for row in db.query("SELECT id FROM runs")}
    for subject in labels:
        of_task = subject.kind is SubjectKind.TASK and subject.number < tasks
        of_run = subject.kind is SubjectKind.RUN and subject.number in runs
        if not (of_task or of_run or subject == PROJECT):
            raise Malformed("labels")
    return labels


def replace_label(db: Database, subject: Subject, label: Label) -> None:
    """Store a name and a note over earlier ones; an empty label leaves nothing."""
    db.execute(
        "DELETE FROM labels WHERE kind = ? AND number = ?", [subject.kind.value, subject.number]
    )
    if label != NO_LABEL:
        db.table("labels").insert(label_row(subject, label))
        read_labels(db, db.table("tasks").count)
