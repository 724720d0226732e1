"""Latencies of the whole model to and from rows: one for each of their figures.

The table has a latency and a kind, such as "untuned". What else is known of it is a row of the
same kind with a part's name behind a slash: "untuned/spread", "untuned/load". "untuned/kernel/7"
is what the kernel of operator 7 took by itself; of the tuned model only the latest are kept. In a
project of several shapes a kind may end in the place of one: "untuned 2", "untuned 2/load".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.records.options import LARGEST, Share
from engine.records.snapshot import UNTUNED
from engine.records.trial import Measured
from engine.records.units import whole_number
from engine.storage.fields import Row, each, read

if TYPE_CHECKING:
    from sqlite_utils import Database

_KERNEL = "kernel/"
_THROTTLED = "throttled"  # is there where the board was
_PARTS = {"spread": "spread_s", "load": "load", "sum": "sum_s"}


def replace_latency(db: Database, kind: str, measured: Measured) -> None:
    """Store a latency over an earlier one of its kind."""
    figures = {kind: measured.latency_s}
    for part, name in _PARTS.items():
        value = getattr(measured, name)
        if value is not None:
            figures[f"{kind}/{part}"] = value
    if measured.throttled:
        figures[f"{kind}/{_THROTTLED}"] = 1.0
    for operator, seconds in measured.kernels:
        figures[f"{kind}/{_KERNEL}{operator}"] = seconds
    rows = [
        {"kind": name, "latency_s": float(value), "at": float(measured.at)}
        for name, value in figures.items()
    ]
    for row in rows:
        _figure(Row(row))
    known = [kind, *(f"{kind}/{part}" for part in (*_PARTS, _THROTTLED))]
    db.execute(f"DELETE FROM latencies WHERE kind IN ({', '.join('?' * len(known))})", known)
    db.execute("DELETE FROM latencies WHERE kind LIKE ?", [f"{kind}/{_KERNEL}%"])
    if measured.kernels and not kind.startswith(UNTUNED):
        of_shape = "".join(kind.partition(" ")[1:])
        others = [f"%{of_shape}/{_KERNEL}%", f"{UNTUNED}%"]
        db.execute("DELETE FROM latencies WHERE kind LIKE ? AND kind NOT LIKE ?", others)
    db.table("latencies").insert_all(rows)


def read_latencies(db: Database) -> dict[str, Measured]:
    """All of them by their kind; parts of a latency that is not there are left out."""
    found = {
        kind: (value, at)
        for kind, value, at in each(db, "SELECT kind, latency_s, at FROM latencies", _figure)
    }
    kernels = _kernels(found)
    latencies: dict[str, Measured] = {}
    for kind, (latency_s, at) in found.items():
        if "/" in kind:
            continue
        parts = {
            name: found[f"{kind}/{part}"][0]
            for part, name in _PARTS.items()
            if f"{kind}/{part}" in found
        }
        latencies[kind] = Measured(
            latency_s,
            at=at,
            kernels=kernels.get(kind, ()),
            throttled=f"{kind}/{_THROTTLED}" in found,
            **parts,
        )
    return latencies


def _kernels(found: dict[str, tuple[float, float]]) -> dict[str, tuple[tuple[int, float], ...]]:
    """What kernels took, by the kind of the latency that they are parts of."""
    kernels: dict[str, list[tuple[int, float]]] = {}
    for name, (seconds, _) in found.items():
        kind, slash, operator = name.partition(f"/{_KERNEL}")
        number = whole_number(operator, LARGEST) if slash else None
        if number is not None:
            kernels.setdefault(kind, []).append((number, seconds))
    return {kind: tuple(sorted(each)) for kind, each in kernels.items()}


def _figure(row: Row) -> tuple[str, float, float]:
    kind, value = row.text("kind"), row.seconds("latency_s")
    if kind.endswith("/load"):
        value = read(value, Share)
    return kind, value, row.seconds("at")
