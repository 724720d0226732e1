"""`library`: the donors that a person keeps: add, list, remove.

The library holds schedule traces, their latencies and the shapes of their tasks. A model's weights
never enter it.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from app.cli.options import AsJson, ProjectFile
from app.cli.output import Reply, table
from engine.records.errors import ProjectError, UsageError

if TYPE_CHECKING:
    from engine.passes.library import LibraryEntry

HOLDS = "It holds schedule traces and latencies, no weights of any model."


library = typer.Typer(
    name="library",
    help="Your library of donors for transfer: traces and latencies, no weights of models.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@library.command()
def add(project: ProjectFile, as_json: AsJson = False) -> Reply:
    """Add a project's best records: traces and latencies, no weights of the model."""
    from engine.passes.donors import donors_of
    from engine.passes.library import Library

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


@library.command("list")
def list_(as_json: AsJson = False) -> Reply:
    """List what the library holds."""
    from engine.passes.library import Library

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


@library.command()
def remove(
    model: Annotated[str, typer.Argument(metavar="MODEL", help="As the list names it.")],
    as_json: AsJson = False,
) -> Reply:
    """Take a model's records out of the library."""
    from engine.passes.library import Library

    with Library.open(read_only=True) as library:
        known = {entry.model for entry in library.entries()}
    if model not in known:
        raise UsageError(
            f"The library has nothing of {model!r}.",
            f"It has {', '.join(sorted(known))}." if known else "It is empty.",
        )
    with Library.open() as library:
        count = library.remove(model)
        path = library.path
    data = {"library": str(path), "model": model, "target": None, "removed": count}
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
    """A moment as a local date."""
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")
