"""The library: the best records of many projects in one file, as donors for others.

It holds data only: schedule traces, their latencies, and the shapes of the tasks they are of. No
weights of a model and nothing that is executed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from engine.passes.donor import Donor
from engine.passes.library_file import LIBRARY_FILE, default_path, open_reader, open_writer
from engine.project.rows import read_specs, spec_data
from engine.records.errors import ProjectError
from engine.storage.failures import own_folder
from engine.storage.fields import Malformed, Row, clean, dump, read
from engine.storage.packing import pack_text, unpack_text
from engine.storage.sqlite_file import OpenFile, immediate, located

if TYPE_CHECKING:
    from sqlite_utils import Database


KEPT = 3  # records of one task, model and device

_GROUP = "fingerprint = ? AND model = ? AND target_title = ?"
_ENTRIES = """
SELECT model, target_title, tvm_version, count(DISTINCT fingerprint) AS tasks,
count(*) AS records, max(at) AS at
FROM donors GROUP BY model, target_title, tvm_version ORDER BY model, target_title, tvm_version
"""


@dataclass(frozen=True, slots=True)
class Added:
    """What adding did with the donors: `better` ones are faster than all that the library had
    of their task, `new` ones were stored beside them or are the first, `known` ones not stored."""

    new: int = 0
    better: int = 0
    known: int = 0


@dataclass(frozen=True, slots=True)
class LibraryEntry:
    """What the library has of one model on one target (its title) by one version of TVM.

    `at` is when the last record was measured, in seconds since the epoch.
    """

    model: str
    target: str
    tvm_version: str
    tasks: int
    records: int
    at: float


class Library(OpenFile):
    """The open library.

    Any number of processes may read and add at once: each change is one transaction. All methods
    raise ProjectError or StorageError.
    """

    def __init__(self, path: Path, db: Database, read_only: bool) -> None:
        """For `open`."""
        super().__init__(path, db)
        self._read_only = read_only

    @classmethod
    def open(cls, path: str | Path | None = None, read_only: bool = False) -> Self:
        """The library at `path`, by default in the user's data folder.

        One that is not there is made, or with `read_only` is empty.
        """
        place = located(path or default_path())
        if path is None and not read_only:
            own_folder(place.parent)
        with LIBRARY_FILE.storage(place):
            return cls(place, open_reader(place) if read_only else open_writer(place), read_only)

    def add(self, donors: Iterable[Donor]) -> Added:
        """Take in donors: of each task, model and device the best few stay.

        ValueError where one holds what could not be read again, a latency of zero for instance;
        then none is added.
        """
        self._require_writer()
        counts = {"new": 0, "better": 0, "known": 0}
        with LIBRARY_FILE.storage(self._path):
            rows = [_checked(donor) for donor in donors]
            with immediate(self._db):
                for donor in rows:
                    counts[self._put(donor)] += 1
        return Added(**counts)

    def donors(self) -> list[Donor]:
        """All donors, in the order in which they came."""
        with LIBRARY_FILE.storage(self._path):
            return list(map(read_donor, self._rows("SELECT * FROM donors ORDER BY id")))

    def entries(self) -> list[LibraryEntry]:
        """What is in the library, by model, target and version of TVM."""
        with LIBRARY_FILE.storage(self._path):
            return [
                LibraryEntry(
                    model=row.text("model"),
                    target=row.text("target_title"),
                    tvm_version=row.text("tvm_version"),
                    tasks=row.integer("tasks"),
                    records=row.integer("records"),
                    at=row.seconds("at"),
                )
                for row in self._rows(_ENTRIES)
            ]

    def remove(self, model: str, target: str | None = None) -> int:
        """Take out a model's records, of one target (its title) or of all; how many they were."""
        self._require_writer()
        where, values = "model = ?", [model]
        if target is not None:
            where, values = f"{where} AND target_title = ?", [model, target]
        with LIBRARY_FILE.storage(self._path), immediate(self._db):
            return self._db.conn.execute(f"DELETE FROM donors WHERE {where}", values).rowcount

    def _put(self, donor: Donor) -> str:
        """Store one donor where it belongs among those of its task; what it counts as."""
        group = [donor.fingerprint, donor.model, donor.target_title]
        sql = f"SELECT id, trace_key, latency_s, at FROM donors WHERE {_GROUP} ORDER BY latency_s"
        known = self._rows(sql, group)
        same = next((row for row in known if row.text("trace_key") == donor.trace_key), None)
        if same is not None:
            if donor.at > same.seconds("at"):  # measured again: that counts
                self._db.table("donors").update(same.integer("id"), donor_row(donor))
            return "known"
        if len(known) >= KEPT and known[KEPT - 1].seconds("latency_s") <= donor.latency_s:
            return "known"
        for row in known[KEPT - 1 :]:
            self._db.table("donors").delete(row.integer("id"))
        self._db.table("donors").insert(donor_row(donor))
        return "better" if known and donor.latency_s < known[0].seconds("latency_s") else "new"

    def _rows(self, sql: str, args: list[str] | None = None) -> list[Row]:
        return [Row(values) for values in self._db.query(sql, args or [])]

    def _require_writer(self) -> None:
        if self._read_only:
            raise ProjectError("The library is open for reading only.", "Open it to change it.")


def _checked(donor: Donor) -> Donor:
    """The donor as it will be read again."""
    try:
        return read_donor(Row(donor_row(donor)))
    except Malformed as error:
        raise ValueError(f"the library cannot store this value: {error}") from error


def donor_row(donor: Donor) -> dict[str, Any]:
    """A donor with its trace packed."""
    untuned_s = donor.untuned_latency_s
    return {
        "model": clean(donor.model),
        "task": clean(donor.task),
        "op_class": clean(donor.op_class),
        "args": dump([spec_data(arg) for arg in donor.args]),
        "flops": float(donor.flops),
        "latency_s": float(donor.latency_s),
        "untuned_latency_s": untuned_s if untuned_s is None else float(untuned_s),
        "trace": pack_text(donor.trace),
        "trace_key": donor.trace_key,
        "fingerprint": donor.fingerprint,
        "target": donor.target,
        "target_title": clean(donor.target_title),
        "tvm_version": donor.tvm_version,
        "place": clean(donor.place),
        "at": float(donor.at),
    }


def read_donor(row: Row) -> Donor:
    """A donor; raises Malformed."""
    trace = unpack_text(row.blob("trace"))
    return read({**row.values, "args": row.made("args", read_specs), "trace": trace}, Donor)
