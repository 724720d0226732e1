"""The eighth version of a project file: what its untuned module was found to answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.records.errors import UsageError
from engine.records.network import Judged
from engine.storage.fields import Malformed, Row, dump

if TYPE_CHECKING:
    from sqlite_utils import Database


def add_judged(db: Database) -> None:
    """From version 7. Never change it; add a migration instead."""
    db.table("project").add_column("judged", str)  # JSON of Judged; NULL: not yet


def replace_judged(db: Database, judged: Judged) -> None:
    """Store a judgement over an earlier one."""
    db.execute("UPDATE project SET judged = ?", [dump(judged.as_dict())])


def read_judged(db: Database) -> Judged | None:
    """What was stored last; None where nothing was."""
    row = Row(next(db.query("SELECT judged FROM project")))
    if row.values["judged"] is None:
        return None
    try:
        return Judged.from_dict(row.mapping("judged"))
    except UsageError as error:
        raise Malformed("project.judged") from error
