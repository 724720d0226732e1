"""The library's kind of file: its tables, and how it is opened."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engine.records.sentences import Sentence
from engine.storage.sqlite_file import FileKind, refuse_folder

if TYPE_CHECKING:
    from sqlite_utils import Database

_COLUMNS: dict[str, type] = {
    "id": int,
    "model": str,
    "task": str,
    "op_class": str,
    "args": str,  # JSON: [[shape, dtype], ...]
    "flops": float,
    "latency_s": float,
    "untuned_latency_s": float,
    "trace": bytes,  # packed text
    "trace_key": str,
    "fingerprint": str,
    "target": str,  # TVM's JSON
    "target_title": str,
    "tvm_version": str,
    "place": str,
    "at": float,
}


def default_path() -> Path:
    """The library in the user's data folder."""
    from platformdirs import user_data_path

    return user_data_path("tunewright") / "library.db"


def create_tables(db: Database) -> None:
    """The first version. Never change it; add a step instead."""
    table = db.table("donors")
    optional = {"id", "untuned_latency_s"}
    table.create(_COLUMNS, pk="id", not_null=set(_COLUMNS) - optional, strict=True)
    table.create_index(["fingerprint", "model", "target_title", "trace_key"], unique=True)
    table.create_index(["op_class"])


LIBRARY_FILE = FileKind(
    Sentence("The library {path}"),
    Sentence("{path} is not a library of Tunewright."),
    Sentence("Move it away, or name another file."),
    Sentence("Move it away; projects that are added again make a new one."),
    Sentence("Update Tunewright to use it."),
    int.from_bytes(b"TWLB"),
    (create_tables,),
)


def open_writer(path: Path) -> Database:
    """The library for writing: made where there is none, migrated where it is older."""
    return LIBRARY_FILE.make(path, "journal_mode = delete")  # a stranger's file may have another


def open_reader(path: Path) -> Database:
    """The library for reading: empty where there is none, migrated in memory where it is older."""
    refuse_folder(path)
    there = path.exists() and path.stat().st_size > 0
    return LIBRARY_FILE.open_reader(path) if there else LIBRARY_FILE.empty()
