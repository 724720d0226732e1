"""Tree ensembles and scalers of ai.onnx.ml.

A forest is walked down all at once, a level at a time: its nodes lie in lists, and a matrix (rows,
trees) says at which node each tree is for each row. A leaf leads to itself, so that every tree may
take as many steps as the deepest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.models.rewriting.emit import Declined, Emitter

if TYPE_CHECKING:
    import numpy as np


_COMPARISONS = {
    "BRANCH_LEQ": "LessOrEqual",
    "BRANCH_LT": "Less",
    "BRANCH_GTE": "GreaterOrEqual",
    "BRANCH_GT": "Greater",
}
_MODES = ("BRANCH_LEQ", "BRANCH_LT", "BRANCH_GTE", "BRANCH_GT", "BRANCH_EQ", "BRANCH_NEQ", "MEMBER")
_TOTALS = ("AVERAGE", "SUM", "MIN", "MAX")
_LINKS = ("NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT")


def scaler(emit: Emitter) -> None:
    """(x - offset) * scale, in float."""
    x = emit.cast(emit.input(0), "float32", part="float")
    for op, name in (("Sub", "offset"), ("Mul", "scale")):
        values = emit.attribute(name, None)
        if values:
            x = emit(op, x, emit.constant(values, "float32", name), part=name)
    emit.identity(x, emit.output(0))


def tree_ensemble(emit: Emitter) -> None:
    """The operator of version 5, which keeps nodes and leaves apart."""
    import numpy as np

    modes, weights = _list(emit, "nodes_modes"), _list(emit, "leaf_weights")
    inner, leaves = modes.size, weights.size
    yes, no = (_children(emit, side, inner, leaves) for side in ("true", "false"))
    by_target = np.zeros((inner + leaves, emit.attribute("n_targets", 1)))
    by_target[inner + np.arange(leaves), _list(emit, "leaf_targetids").astype(int)] = weights
    forest = Forest(
        _padded(_list(emit, "nodes_featureids"), leaves),
        _padded(_list(emit, "nodes_splits"), leaves),
        yes,
        no,
        _padded(_missing(emit, inner), leaves),
        by_target,
        _list(emit, "tree_roots").astype(int),
        _comparison({_MODES[int(mode)] for mode in modes}),
    )
    total, _ = forest_total(emit, forest, _TOTALS[emit.attribute("aggregate_function", 1)])
    _finish(emit, total, _LINKS[emit.attribute("post_transform", 0)])


def tree_regressor(emit: Emitter) -> None:
    """The operator of versions 1 and 3, which names nodes by tree and number."""
    forest, silent = _classic_forest(emit, "target", emit.attribute("n_targets", 1))
    total, dtype = forest_total(emit, forest, emit.attribute("aggregate_function", "SUM"))
    base = _list(emit, "base_values")
    if base.size:
        # ONNX Runtime drops the base value of a target to which no tree gives anything
        if silent.any():
            raise Declined("a target may get nothing from its trees")
        total = emit("Add", total, emit.constant(base, dtype, "base"), part="with_base")
    total = emit.cast(total, "float32", part="result")
    _finish(emit, total, emit.attribute("post_transform", "NONE"))


def tree_classifier(emit: Emitter) -> None:
    """Labels and scores. Weights for one class of two tell how much it is the second one."""
    labels = _list(emit, "classlabels_int64s")
    if not labels.size:
        raise Declined("its labels are texts")
    if _list(emit, "base_values").size:
        raise Declined("it has base values")
    classes = set(_list(emit, "class_ids").tolist())
    single = len(labels) == 2 and len(classes) == 1
    if len(labels) == 2 and not single:
        raise Declined("it has weights for each of two classes")
    forest, silent = _classic_forest(emit, "class", 1 if single else len(labels))
    if silent.any() and not single:
        raise Declined("a class may get nothing from its trees")
    total, dtype = forest_total(emit, forest, "SUM")
    link = emit.attribute("post_transform", "NONE")
    if single:
        share = bool((_list(emit, "class_weights") >= 0).all())
        middle = emit.constant(0.5 if share else 0, dtype, "middle")
        second = emit("Greater", total, middle, part="second")
        place = emit.reshape(emit.cast(second, "int64"), -1, part="place")
        whole = emit.constant(1 if share and link == "NONE" else 0, dtype, "whole")
        total = _both(emit, total if 1 in classes else whole, total, link)
    else:
        place = emit("ArgMax", total, axis=1, keepdims=0, part="place")
    names = emit.constant(labels, "int64", "labels")
    emit("Gather", names, place, out=emit.output(0), part="label")
    if emit.output(1):
        total = emit.cast(total, "float32", part="scores")
        _finish(emit, total, link, 1)


def _both(emit: Emitter, whole: str, score: str, link: str) -> str:
    """The score of the second class beside what it leaves of the whole for the first."""
    if link not in ("NONE", "LOGISTIC"):
        raise Declined(f"its result passes through {link}")
    return emit.concat([emit("Sub", whole, score, part="first"), score], 1, part="both")


def _classic_forest(emit: Emitter, prefix: str, count: int) -> tuple[Forest, np.ndarray]:
    """The trees of the older operators, and for each target whether it may get nothing."""
    import numpy as np

    ids = list(zip(*(_list(emit, f"nodes_{name}") for name in ("treeids", "nodeids")), strict=True))
    places = {key: place for place, key in enumerate(ids)}
    modes = emit.attribute("nodes_modes", [])
    leaf = np.array([mode == "LEAF" for mode in modes])
    yes, no = (_classic_children(emit, side, ids, places, leaf) for side in ("true", "false"))
    targets = [_list(emit, f"{prefix}_{name}") for name in ("treeids", "nodeids", "ids")]
    weights = np.zeros((len(ids), count))
    silent = np.ones(weights.shape, "bool")
    for tree, node, target, weight in zip(*targets, _list(emit, f"{prefix}_weights"), strict=True):
        column = int(target) if count > 1 else 0
        weights[places[tree, node], column] += weight
        silent[places[tree, node], column] = False
    forest = Forest(
        _list(emit, "nodes_featureids"),
        _list(emit, "nodes_values"),
        yes,
        no,
        _missing(emit, len(ids)),
        weights,
        _roots(len(ids), (yes, no), leaf),
        _comparison(set(modes) - {"LEAF"}),
    )
    return forest, _silence(np.array([tree for tree, _ in ids]), silent & leaf[:, None])


def _list(emit: Emitter, name: str) -> np.ndarray:
    """An attribute's numbers, whether they are a list or a tensor; none where it is absent."""
    import numpy as np
    from onnx import TensorProto, numpy_helper

    for form in (name, f"{name}_as_tensor"):
        value: Any = emit.attribute(form, None)
        if isinstance(value, TensorProto):
            value = numpy_helper.to_array(value)
        if value is not None and len(value):
            return np.asarray(value)
    return np.zeros(0, "int64")


def _children(emit: Emitter, side: str, inner: int, leaves: int) -> np.ndarray:
    """Where each node leads on one side; leaves follow the nodes."""
    import numpy as np

    is_leaf = _list(emit, f"nodes_{side}leafs")
    ids = _list(emit, f"nodes_{side}nodeids") + is_leaf * inner
    return np.concatenate([ids, inner + np.arange(leaves)])


def _classic_children(
    emit: Emitter,
    side: str,
    ids: Sequence[tuple[Any, Any]],
    places: dict[tuple[Any, Any], int],
    leaf: np.ndarray,
) -> np.ndarray:
    import numpy as np

    numbers = _list(emit, f"nodes_{side}nodeids")
    leads = [
        place if leaf[place] else places[tree, number]
        for place, ((tree, _), number) in enumerate(zip(ids, numbers, strict=True))
    ]
    return np.array(leads)


def _roots(count: int, leads: Sequence[np.ndarray], leaf: np.ndarray) -> np.ndarray:
    """The node of each tree that no other leads to."""
    import numpy as np

    inner = np.flatnonzero(~leaf)
    reached = set(np.concatenate([lead[inner] for lead in leads]).tolist())
    return np.array([place for place in range(count) if place not in reached])


def _silence(trees: np.ndarray, silent: np.ndarray) -> np.ndarray:
    """Targets to which each tree has a leaf that gives nothing."""
    import numpy as np

    quiet = [silent[trees == tree].any(axis=0) for tree in np.unique(trees)]
    found: np.ndarray = np.all(quiet, axis=0)
    return found


def _padded(values: np.ndarray, leaves: int) -> np.ndarray:
    import numpy as np

    return np.concatenate([values, np.zeros(leaves, values.dtype)])


def _missing(emit: Emitter, count: int) -> np.ndarray:
    import numpy as np

    flags = _list(emit, "nodes_missing_value_tracks_true")
    return flags.astype("bool") if flags.size else np.zeros(count, "bool")


def _comparison(modes: set[str]) -> str:
    if len(modes) > 1 or not modes <= set(_COMPARISONS):
        raise Declined(f"it compares by {' and '.join(sorted(modes))}")
    return _COMPARISONS[modes.pop() if modes else "BRANCH_LEQ"]


def _finish(emit: Emitter, total: str, link: str, place: int = 0) -> None:
    """Give the total to an output."""
    out = emit.output(place)
    if link == "SOFTMAX":
        emit("Softmax", total, axis=-1, out=out)
    elif link == "LOGISTIC":
        emit("Sigmoid", total, out=out)
    elif link == "NONE":
        emit.identity(total, out)
    else:
        raise Declined(f"its result passes through {link}")


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
