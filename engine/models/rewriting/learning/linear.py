"""Linear models and support vectors of ai.onnx.ml."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.models.rewriting.emit import Declined, Emitter

if TYPE_CHECKING:
    import numpy as np


def regressor(emit: Emitter) -> None:
    """LinearRegressor: a product and what is added to it."""
    targets = emit.attribute("targets", 1)
    if targets == 1 and emit.attribute("post_transform", "NONE") != "NONE":
        raise Declined("ONNX Runtime does not link the result of one target")
    _linked(emit, _product(emit, targets), 0)


def classifier(emit: Emitter) -> None:
    """LinearClassifier of several classes, with a row of weights for each."""
    labels = emit.attribute("classlabels_ints", [])
    if not labels:
        raise Declined("its labels are texts")
    rows = len(emit.attribute("coefficients", [])) // emit.shape(emit.input(0))[-1]
    if rows != len(labels) or rows < 2:
        raise Declined("its two classes have one row of weights")
    scores = _product(emit, rows)
    place = emit("ArgMax", scores, axis=1, keepdims=0, part="place")
    emit("Gather", emit.constant(labels, "int64", "labels"), place, out=emit.output(0))
    if emit.output(1):
        _linked(emit, scores, 1)


def support_vectors(emit: Emitter) -> None:
    """SVMRegressor: how close the data are to each vector, weighted and added."""
    import numpy as np

    x = _floats(emit)
    count = emit.attribute("n_supports", 0)
    weights = np.asarray(emit.attribute("coefficients", []), "float32")
    if count:
        vectors = np.asarray(emit.attribute("support_vectors", []), "float32")
        x = _closeness(emit, x, vectors.reshape(count, -1))
    elif emit.attribute("kernel_type", "LINEAR") != "LINEAR":
        raise Declined("it has no support vectors")
    column = emit.constant(weights.reshape(-1, 1), "float32", "weights")
    rho = emit.constant(emit.attribute("rho", [0.0])[:1], "float32", "rho")
    total = emit("Add", emit("MatMul", x, column, part="product"), rho, part="total")
    if emit.attribute("one_class", 0):
        zero, one, other = (emit.constant(n, "float32", "number") for n in (0, 1, -1))
        inside = emit("Greater", total, zero, part="inside")
        emit("Where", inside, one, other, out=emit.output(0))
        return
    _linked(emit, total, 0)


def _closeness(emit: Emitter, x: str, vectors: np.ndarray) -> str:
    """The kernel's value for each row of x and each vector."""
    kind = emit.attribute("kernel_type", "LINEAR")
    gamma, start, degree = emit.attribute("kernel_params", None) or (0.0, 0.0, 0.0)
    slope = emit.constant(gamma, "float32", "gamma")
    if kind == "RBF":
        rows = emit.unsqueeze(x, 1, part="rows")
        apart = emit("Sub", rows, emit.constant(vectors, "float32", "vectors"), part="apart")
        far = emit.reduce("ReduceSum", emit("Mul", apart, apart, part="squares"), 2, keep=False)
        return emit("Exp", emit("Neg", emit("Mul", far, slope, part="scaled")), part="close")
    product = emit("MatMul", x, emit.constant(vectors.T, "float32", "vectors"), part="products")
    if kind == "LINEAR":
        return product
    scaled = emit("Mul", product, slope, part="scaled")
    line = emit("Add", scaled, emit.constant(start, "float32", "start"), part="line")
    if kind == "SIGMOID":
        return emit("Tanh", line, part="close")
    if kind != "POLY":
        raise Declined(f"its kernel is {kind}")
    return emit("Pow", line, emit.constant(degree, "float32", "degree"), part="close")


def _product(emit: Emitter, rows: int) -> str:
    import numpy as np

    weights = np.asarray(emit.attribute("coefficients", []), "float32").reshape(rows, -1).T
    product = emit("MatMul", _floats(emit), emit.constant(weights, "float32", "weights"))
    added = emit.attribute("intercepts", [])
    if not added:
        return product
    return emit("Add", product, emit.constant(added, "float32", "intercepts"), part="scores")


def _floats(emit: Emitter) -> str:
    x = emit.cast(emit.input(0), "float32", part="float")
    return x if len(emit.shape(emit.input(0))) > 1 else emit.unsqueeze(x, 0)


def _linked(emit: Emitter, x: str, place: int) -> None:
    """Give x to an output by way of the node's link."""
    link = emit.attribute("post_transform", "NONE")
    if link == "SOFTMAX":
        emit("Softmax", x, axis=-1, out=emit.output(place))
    elif link == "LOGISTIC":
        emit("Sigmoid", x, out=emit.output(place))
    elif link == "NONE":
        emit.identity(x, emit.output(place))
    else:
        raise Declined(f"its result passes through {link}")
