"""Decision trees in lists, walked down all at once, a level at a time.

Nodes lie in lists; a matrix (rows, trees) says at which node each tree is for each row. A leaf
leads to itself, so that every tree may take as many steps as the deepest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.models.rewriting.emit import Declined, Emitter

if TYPE_CHECKING:
    import numpy as np

_MAX_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Forest:
    """By node: which feature is compared with what, where that leads, what a leaf gives.

    `weights` is (nodes, targets), `roots` has a node for each tree.
    """

    features: np.ndarray
    splits: np.ndarray
    yes: np.ndarray
    no: np.ndarray
    missing_yes: np.ndarray
    weights: np.ndarray
    roots: np.ndarray
    comparison: str


def forest_total(emit: Emitter, forest: Forest, how: str) -> tuple[str, str]:
    """What the leaves of all trees give together, (rows, targets), and its type.

    The node's first input is (rows, features), compared in float32 unless it is float64.
    """
    import numpy as np

    if how in ("MIN", "MAX") and forest.weights.shape[1] > 1:
        raise Declined("it takes the least or the most for several targets")
    x = emit.input(0)
    rows = emit.shape(x)[0]
    dtype = emit.dtype(x).name
    if dtype not in ("float32", "float64"):
        dtype, x = "float32", emit.cast(x, "float32", part="features_float")
    place = emit.constant(np.tile(forest.roots, (rows, 1)), "int64", "roots")
    lists = _Lists(emit, forest, dtype)
    for _ in range(_depth(forest)):
        place = lists.step(x, place)
    given = emit("Gather", emit.constant(forest.weights, dtype, "weights"), place, part="given")
    if how in ("SUM", "AVERAGE"):
        total = emit.reduce("ReduceSum", given, 1, keep=False)
        if how == "SUM":
            return total, dtype
        count = emit.constant(len(forest.roots), dtype, "count")
        return emit("Div", total, count, part="average"), dtype
    return emit.reduce("ReduceMin" if how == "MIN" else "ReduceMax", given, 1, keep=False), dtype


def _depth(forest: Forest) -> int:
    """Steps until every tree is at a leaf, whatever the way."""
    import numpy as np

    places, depth = np.unique(forest.roots), 0
    while True:
        ends = (forest.yes[places] == places) & (forest.no[places] == places)
        if ends.all():
            return depth
        depth += 1
        if depth > _MAX_DEPTH:
            raise Declined(f"its trees are deeper than {_MAX_DEPTH}")
        places = np.unique(np.concatenate([forest.yes[places], forest.no[places]]))


class _Lists:
    """The forest's lists in the model, and a step down all of its trees."""

    def __init__(self, emit: Emitter, forest: Forest, dtype: str) -> None:
        self._emit, self._forest = emit, forest
        self._features = emit.constant(forest.features, "int64", "features")
        self._splits = emit.constant(forest.splits, dtype, "splits")
        self._yes = emit.constant(forest.yes, "int64", "yes")
        self._no = emit.constant(forest.no, "int64", "no")
        some = forest.missing_yes.any()
        self._missing = emit.constant(forest.missing_yes, "bool", "missing") if some else ""

    def step(self, x: str, place: str) -> str:
        """Where the trees are after one more comparison."""
        emit = self._emit
        feature = emit("Gather", self._features, place, part="feature")
        value = emit("GatherElements", x, feature, axis=1, part="value")
        split = emit("Gather", self._splits, place, part="split")
        passed = emit(self._forest.comparison, value, split, part="passed")
        if self._missing:
            tracks = emit("Gather", self._missing, place, part="tracks")
            unknown = emit("And", emit("IsNaN", value), tracks, part="unknown")
            passed = emit("Or", passed, unknown, part="passed")
        yes = emit("Gather", self._yes, place, part="yes")
        no = emit("Gather", self._no, place, part="no")
        return emit("Where", passed, yes, no, part="place")
