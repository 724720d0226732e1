"""The commands of the library: add, list, remove.

The library holds schedule traces, their latencies and the shapes of their tasks. A model's weights
never enter it.
"""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from app.cli.output import Reply, table
from engine.passes.donors import donors_of
from engine.passes.library import Library, LibraryEntry
from engine.records.errors import ProjectError, UsageError

HOLDS = "It holds schedule traces and latencies, no weights of any model."


def add(project: Path) -> Reply:
    """Put a project's best records, their traces and latencies, into the library."""
    donors = donors_of(project)
    if not donors:
        raise ProjectError(
            f"{project.name} has no record that is faster than its untuned kernel.",
            "Tune it first.",
        )
    with Library.open() as library:
        added = library.add(donors)
        path = library.path
    model, target = donors[0].model, donors[0].target_title
    data = {
        "project": str(project),
        "library": str(path),
        "model": model,
        "target": target,
        "new": added.new,
        "better": added.better,
        "known": added.known,
    }
    rows = [
        ("added to", str(path)),
        ("model", f"{model} for {target}"),
        ("new records", str(added.new)),
        ("better records", str(added.better)),
        ("known already", str(added.known)),
    ]
    return Reply(data, f"{table(rows)}\n{HOLDS}")


def list_() -> Reply:
    """What the library holds: schedule traces and latencies, by model and target."""
    with Library.open(read_only=True) as library:
        entries, path = library.entries(), library.path
    data = {
        "library": str(path),
        "entries": [
            {
                "model": entry.model,
                "target": entry.target,
                "tvm_version": entry.tvm_version,
                "tasks": entry.tasks,
                "records": entry.records,
                "at": entry.at,
            }
            for entry in entries
        ],
    }
    if not entries:
        return Reply(data, "The library is empty. Fill it: tunewright library add FILE.tune.")
    head = ("model", "target", "TVM", "tasks", "records", "last measured")
    text = table([head, *map(_row, entries)], right=frozenset((3, 4)))
    return Reply(data, f"{text}\n{path}\n{HOLDS}")


def remove(model: str, target: str | None = None) -> Reply:
    """Take a model's records, for one target or for all, out of the library."""
    with Library.open(read_only=True) as library:
        known = {entry.model for entry in library.entries() if target in (None, entry.target)}
    if model not in known:
        where = f" for {target}" if target else ""
        raise UsageError(
            f"The library has nothing of {model!r}{where}.",
            f"It has {', '.join(sorted(known))}." if known else "It is empty.",
        )
    with Library.open() as library:
        count = library.remove(model, target)
        path = library.path
    data = {"library": str(path), "model": model, "target": target, "removed": count}
    return Reply(data, f"Removed {count} record{'' if count == 1 else 's'} of {model}.")


def _row(entry: LibraryEntry) -> tuple[str, ...]:
    return (
        entry.model,
        entry.target,
        entry.tvm_version,
        f"{entry.tasks:,}",
        f"{entry.records:,}",
        _date(entry.at),
    )


def _date(at: float) -> str:
    """A moment as a local date; a stranger's file may name one that no calendar has."""
    try:
        return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "?"
