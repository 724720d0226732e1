"""The eighth version of a project file: what its untuned module was found to answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.records.errors import UsageError
from engine.records.network import Judged
from engine.records.sentences import restored, stored
from engine.storage.fields import Malformed, Row, dump

if TYPE_CHECKING:
    from sqlite_utils import Database


def add_judged(db: Database) -> None:
    """From version 7. Never change it; add a migration instead."""
    db.table("project").add_column("judged", str)  # JSON of Judged; NULL: not yet


def replace_judged(db: Database, judged: Judged) -> None:
    """Store a judgement over an earlier one."""
    db.execute("UPDATE project SET judged = ?", [dump(_noted(judged, stored).as_dict())])


def read_judged(db: Database) -> Judged | None:
    """What was stored last; None where nothing was."""
    row = Row(next(db.query("SELECT judged FROM project")))
    if row.values["judged"] is None:
        return None
    try:
        return _noted(Judged.from_dict(row.mapping("judged")), restored)
    except UsageError as error:
        raise Malformed("project.judged") from error


def _noted(judged: Judged, form: Callable[[str], str]) -> Judged:
    """The judgement with its notes in another form."""
    verdicts = tuple(replace(one, note=form(one.note)) for one in judged.verdicts)
    return replace(judged, verdicts=verdicts)
