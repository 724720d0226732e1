"""Design spaces, clusters and moves to and from rows."""

from __future__ import annotations

from math import isfinite
from typing import Any

from engine.records.clustering import Cluster, Clustering
from engine.records.space import DesignSpace, Knob, KnobKind, Move, Sketch
from engine.storage.fields import Malformed, Row, clean, dump, integers

Values = dict[str, Any]


def space_row(space: DesignSpace) -> Values:
    """A task's design space."""
    sketches = [
        [sketch.structure, [_knob(knob) for knob in sketch.knobs]] for sketch in space.sketches
    ]
    return {"task": space.task, "sketches": dump(sketches)}


def read_space(row: Row, op_class: str) -> DesignSpace:
    """The design space of a task of that class."""
    return DesignSpace(
        row.integer("task"), op_class, tuple(map(_read_sketch, _list(row.json("sketches"))))
    )


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
    data = Row(row.mapping("clustering"))
    edited = data.values.get("edited")
    clusters = [_read_cluster(item) for item in _list(data.values.get("clusters"))]
    named = sorted(task for cluster in clusters for task in cluster.members)
    if type(edited) is not bool or named != list(range(tasks)):
        raise Malformed("clustering")
    return Clustering(data.text("metric"), _share(data), tuple(clusters), edited)


def move_row(move: Move) -> Values:
    """A step of Droplet."""
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
    """A step of Droplet."""
    return Move(
        number=row.integer("number", 1),
        run=row.integer("run"),
        task=row.integer("task"),
        start=row.integer("start", 1),
        end=row.integer("end", 1),
        axis=row.text("axis"),
        gain=row.signed("gain"),
        p_value=row.real("p_value"),
        accepted=row.integer("accepted") != 0,
        elapsed_s=row.real("elapsed_s"),
    )


def _knob(knob: Knob) -> list[Any]:
    return [knob.name, knob.kind.value, knob.extent, knob.parts, knob.innermost, knob.choices]


def _read_sketch(value: Any) -> Sketch:
    parts = _list(value, 2)
    if type(parts[0]) is not str:
        raise Malformed("sketches")
    return Sketch(parts[0], tuple(map(_read_knob, _list(parts[1]))))


def _read_knob(value: Any) -> Knob:
    name, kind, extent, parts, innermost, choices = _list(value, 6)
    extent, parts, innermost = integers([extent, parts, innermost])
    numbers = _list(choices)
    if type(name) is not str or kind not in list(KnobKind):
        raise Malformed("sketches")
    if not all(type(number) in (int, float) and isfinite(number) for number in numbers):
        raise Malformed("sketches")
    return Knob(name, KnobKind(kind), extent, parts, innermost, tuple(numbers))


def _read_cluster(value: Any) -> Cluster:
    representative, members = _list(value, 2)
    known = integers(members)
    if representative not in known or list(known) != sorted(known):
        raise Malformed("clustering")
    return Cluster(representative, known)


def _share(row: Row) -> float:
    value: Any = row.values.get("threshold")
    if type(value) not in (int, float) or not 0 <= value <= 1:
        raise Malformed("threshold")
    return float(value)


def _list(value: Any, length: int | None = None) -> list[Any]:
    if type(value) is not list or (length is not None and len(value) != length):
        raise Malformed("a list")
    return value
