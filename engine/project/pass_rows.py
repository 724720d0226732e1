"""Design spaces, clusters and moves to and from rows."""

from __future__ import annotations

from typing import Any

from engine.records.clustering import Cluster, Clustering
from engine.records.options import Finite, Index
from engine.records.space import DesignSpace, Knob, KnobKind, Move, Sketch
from engine.storage.fields import Malformed, Row, clean, dump, read

Values = dict[str, Any]

_Knob: Any = tuple[str, KnobKind, Index, Index, Index, tuple[int | Finite, ...]]


def space_row(space: DesignSpace) -> Values:
    sketches = [
        [sketch.structure, [_knob(knob) for knob in sketch.knobs]] for sketch in space.sketches
    ]
    return {"task": space.task, "sketches": dump(sketches)}


def read_space(row: Row, op_class: str) -> DesignSpace:
    """The design space of a task of that class."""
    return DesignSpace(row.integer("task"), op_class, row.made("sketches", _sketches))


def _sketches(value: Any) -> tuple[Sketch, ...]:
    pairs = read(value, tuple[tuple[str, list[Any]], ...])
    return tuple(Sketch(name, tuple(map(_read_knob, knobs))) for name, knobs in pairs)


def clustering_row(clustering: Clustering) -> Values:
    """The clusters of a project."""
    data = {
        "metric": clustering.metric,
        "threshold": clustering.threshold,
        "edited": clustering.edited,
        "clusters": [[item.representative, item.members] for item in clustering.clusters],
    }
    return {"id": 1, "clustering": dump(data)}


def read_clustering(row: Row, tasks: int) -> Clustering:
    """The clusters of a project of that many tasks: a partition, each with its representative."""
    return row.made("clustering", lambda data: _clustering(data, tasks))


def _clustering(data: Any, tasks: int) -> Clustering:
    if not isinstance(data, dict):
        raise Malformed("clustering")
    pairs = read(data.get("clusters"), list[tuple[Any, Any]])
    clusters = [{"representative": one, "members": members} for one, members in pairs]
    made = read({**data, "clusters": clusters}, Clustering)
    named = sorted(task for cluster in made.clusters for task in cluster.members)
    if named != list(range(tasks)) or not all(map(_in_order, made.clusters)):
        raise Malformed("clustering")
    return made


def move_row(move: Move) -> Values:
    return {
        "number": move.number,
        "run": move.run,
        "task": move.task,
        "start": move.start,
        "end": move.end,
        "axis": clean(move.axis),
        "gain": float(move.gain),
        "p_value": float(move.p_value),
        "accepted": int(move.accepted),
        "elapsed_s": float(move.elapsed_s),
    }


def read_move(row: Row) -> Move:
    return read({**row.values, "accepted": row.integer("accepted") != 0}, Move)


def _knob(knob: Knob) -> list[Any]:
    return [knob.name, knob.kind.value, knob.extent, knob.parts, knob.innermost, knob.choices]


def _read_knob(value: Any) -> Knob:
    return Knob(*read(value, _Knob))


def _in_order(cluster: Cluster) -> bool:
    members = cluster.members
    return cluster.representative in members and list(members) == sorted(members)
