"""What a model does with its inputs, as far as that limits what may be fed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from engine.models.light_copy import light_copy
from engine.models.proto_walk import constant_tensor, walk_nodes

if TYPE_CHECKING:
    import numpy as np
    from onnx import AttributeProto, ModelProto, NodeProto

Shape = tuple[int, ...]
_MOST_SHIFTS = 64  # by which one value is followed: a short file can describe any number


@dataclass(frozen=True, slots=True)
class InputUse:
    """What one input may be.

    Whole numbers from `low` to `high`, where it counts places of an axis, no two the same where it
    is `distinct`; never 0 as a `divisor`; `free` where whole numbers are only computed with.
    A float `mask` is added to what a softmax takes.
    """

    low: int | None = None
    high: int | None = None
    distinct: bool = False
    divisor: bool = False
    free: bool = False
    mask: bool = False


@dataclass(frozen=True, slots=True)
class InputUses:
    """The uses by input; `undefined` names an operator of no defined answer for NaN and
    infinities, empty where the model has none."""

    inputs: dict[str, InputUse] = field(default_factory=dict)
    undefined: str = ""


def input_uses(proto: ModelProto) -> InputUses:
    """The uses in a model whose inputs have fixed shapes, functions of its own inlined."""
    facts = _Facts(proto)
    kinds = {value.name: value.type.tensor_type.elem_type for value in proto.graph.input}
    uses = {name: _use(facts, name, kind) for name, kind in kinds.items()}
    return InputUses(uses, _undefined(facts))


def within(use: InputUse, x: np.ndarray) -> np.ndarray:
    """Whole numbers within what the model takes: nothing is divided by 0, no index is beyond."""
    import numpy as np

    if x.dtype.kind not in "iu":
        return x
    if use.low is not None and use.high is not None:
        if use.distinct:
            x = np.resize(np.arange(max(use.low, 0), use.high + 1), x.shape).astype(x.dtype)
        x = np.asarray(np.clip(x, use.low, use.high), x.dtype)  # of rank 0, too
    return np.where(x == 0, x.dtype.type(1), x) if use.divisor else x


# Operators whose first output has the numbers of these inputs, elsewhere or of another type.
_PASSING: dict[str, tuple[int, ...]] = {
    **dict.fromkeys(("Cast", "Identity", "Reshape", "Unsqueeze", "Squeeze", "Flatten"), (0,)),
    **dict.fromkeys(("Transpose", "Slice", "Expand", "Tile", "Split", "Gather"), (0,)),
    **dict.fromkeys(("GatherElements", "GatherND", "CastLike"), (0,)),
    "Where": (1, 2),
}
_COMPUTING = frozenset(
    {"Add", "Sub", "Mul", "Div", "Mod", "Neg", "Abs", "Min", "Max", "Sum", "Sign", "Relu", "Clip"}
    | {"MatMul", "Gemm", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceMean", "CumSum"}
)
_ASKING = frozenset(("Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual"))
_BYTES = frozenset(
    ("DequantizeLinear", "QLinearConv", "QLinearMatMul", "ConvInteger", "MatMulInteger")
)
_FLOATS = frozenset((1, 10, 11, 16))  # of TensorProto: float, float16, double, bfloat16
# The standard says nothing of NaN there, or a number has no place to be infinite in. ONNX Runtime's
# recurrent cells make numbers of NaN, as they compute tanh and sigmoid by bounded polynomials.
_UNORDERED = frozenset(
    {"ArgMax", "ArgMin", "TopK", "NonMaxSuppression", "Hardmax", "Unique", "QuantizeLinear"}
    | {"DynamicQuantizeLinear", "GridSample", "RoiAlign", "MaxRoiPool", "Resize", "AffineGrid"}
    | {"LSTM", "GRU", "RNN", "DynamicQuantizeLSTM", "Upsample"}
    | {"TreeEnsemble", "TreeEnsembleClassifier", "TreeEnsembleRegressor"}
)


class _Facts:
    """Shapes, constants and readers of a model's values."""

    def __init__(self, proto: ModelProto) -> None:
        from onnx import shape_inference

        light = light_copy(proto)
        try:
            light = shape_inference.infer_shapes(light, data_prop=True)
        except Exception:  # it raises several unrelated types; what it knows not limits nothing
            light = proto
        self.nodes = list(walk_nodes(proto))
        self.readers: dict[str, list[tuple[NodeProto, int]]] = {}
        for node in self.nodes:
            for place, name in enumerate(node.input):
                self.readers.setdefault(name, []).append((node, place))
        self.constants = {tensor.name: tensor for tensor in proto.graph.initializer}
        self.kinds: dict[str, int] = {}
        self.shapes: dict[str, Shape] = {name: tuple(t.dims) for name, t in self.constants.items()}
        for value in [*light.graph.input, *light.graph.value_info, *light.graph.output]:
            kind = value.type.tensor_type
            self.kinds[value.name] = kind.elem_type
            if kind.HasField("shape") and all(d.HasField("dim_value") for d in kind.shape.dim):
                self.shapes[value.name] = tuple(d.dim_value for d in kind.shape.dim)
        for node in self.nodes:
            if (tensor := constant_tensor(node)) is not None:
                self.constants[node.output[0]] = tensor
                self.shapes[node.output[0]] = tuple(tensor.dims)

    def shape(self, node: NodeProto, place: int) -> Shape | None:
        name = node.input[place] if place < len(node.input) else ""
        return self.shapes.get(name)

    def number(self, node: NodeProto, place: int) -> float | None:
        """The one number of a constant that a node takes."""
        from onnx import numpy_helper

        name = node.input[place] if place < len(node.input) else ""
        tensor = self.constants.get(name)
        if tensor is None or tuple(tensor.dims) not in ((), (1,)):
            return None
        return float(numpy_helper.to_array(tensor).reshape(-1)[0])


@dataclass(frozen=True, slots=True)
class _Range:
    """What a number may be where it is used as an index."""

    low: int
    high: int
    distinct: bool = False


def _use(facts: _Facts, name: str, kind: int) -> InputUse:
    found = _Found()
    _follow(facts, name, found)
    use = InputUse(
        divisor=found.divisor, mask=found.mask and kind in _FLOATS, free=not found.elsewhere
    )
    if not found.ranges:
        return use
    low, high = max(r.low for r in found.ranges), min(r.high for r in found.ranges)
    distinct = any(r.distinct for r in found.ranges)
    return replace(use, low=low, high=max(low, high), distinct=distinct, free=False)


@dataclass(frozen=True, slots=True)
class _Value:
    """A value that is an input plus `shift`, or something that was `computed` of it."""

    name: str
    shift: int = 0
    computed: bool = False


@dataclass(slots=True)
class _Found:
    """What was seen on the ways of one input."""

    ranges: list[_Range] = field(default_factory=list)
    divisor: bool = False
    mask: bool = False
    elsewhere: bool = False  # it is used in a way that is not known to take any number


def _follow(facts: _Facts, name: str, found: _Found) -> None:
    """Note the uses of an input, and of the values that are it plus a number or computed of it."""
    start = _Value(name)
    ways, seen, shifts = [start], {start}, Counter[str]()
    while ways:
        value = ways.pop()
        for node, place in facts.readers.get(value.name, ()):
            for way in _ways(facts, node, place, value, found):
                if way in seen:
                    continue
                shifts[way.name] += 1
                if shifts[way.name] > _MOST_SHIFTS:
                    found.elsewhere = True
                    continue
                seen.add(way)
                ways.append(way)


def _ways(
    facts: _Facts, node: NodeProto, place: int, value: _Value, found: _Found
) -> Iterator[_Value]:
    """Note how a node uses a value; what is to be followed then."""
    if (range_ := _indexed(facts, node, place)) is not None:
        if value.computed:  # it might be too large
            found.elsewhere = True
        else:
            low, high = range_.low - value.shift, range_.high - value.shift
            found.ranges.append(replace(range_, low=low, high=high))
        return
    _note(facts, node, place, found)
    if place in _PASSING.get(node.op_type, ()) or _passes_all(node):
        for output in node.output:
            yield replace(value, name=output)
    elif (moved_by := _shift(facts, node, place)) is not None:
        if not _wraps(facts, node, moved_by):
            shift = 0 if value.computed else value.shift + moved_by
            yield replace(value, name=node.output[0], shift=shift)
    elif node.op_type in _COMPUTING:
        yield _Value(node.output[0], computed=True)


def _note(facts: _Facts, node: NodeProto, place: int, found: _Found) -> None:
    operator = node.op_type
    if operator in ("Div", "Mod") and place == 1:
        found.divisor = True
    if (operator in ("Attention", "MultiHeadAttention") and place in _MASKS[operator]) or (
        operator == "Add" and _before_softmax(facts, node)
    ):
        found.mask = True
    known = (
        place in _PASSING.get(operator, ())
        or operator in _COMPUTING
        or operator in _ASKING
        or operator in _BYTES
        or (operator == "Where" and place == 0)
        or operator in ("Not", "And", "Or", "Xor", "Concat")
    )
    found.elsewhere |= not known


_MASKS = {"Attention": (3,), "MultiHeadAttention": (4, 5)}


def _passes_all(node: NodeProto) -> bool:
    return str(node.op_type) == "Concat"


def _before_softmax(facts: _Facts, node: NodeProto) -> bool:
    readers = facts.readers.get(node.output[0], ())
    return any(reader.op_type == "Softmax" for reader, _ in readers)


def _shift(facts: _Facts, node: NodeProto, place: int) -> int | None:
    """By how much a node moves whole numbers, None where it does something else."""
    if node.op_type not in ("Add", "Sub") or (node.op_type == "Sub" and place == 1):
        return None
    number = facts.number(node, 1 - place)
    if number is None or number != int(number):
        return None
    return int(number) if node.op_type == "Add" else -int(number)


def _wraps(facts: _Facts, node: NodeProto, moved_by: int) -> bool:
    """Whether it is the sum that exporters choose where an index counts from the end."""
    readers = facts.readers.get(node.output[0], ())
    return moved_by > 0 and any(reader.op_type == "Where" for reader, _ in readers)


def _attribute(node: NodeProto, name: str, default: int) -> int:
    found: Iterator[AttributeProto] = (one for one in node.attribute if one.name == name)
    return next((int(one.i) for one in found), default)


def _text_attribute(node: NodeProto, name: str) -> str:
    return next((str(one.s.decode()) for one in node.attribute if one.name == name), "")


def _indexed(facts: _Facts, node: NodeProto, place: int) -> _Range | None:
    rule = _INDICES.get((node.op_type, place))
    return rule(facts, node) if rule else None


def _axis(data: int, default: int, distinct: bool = False) -> Callable[[_Facts, Any], Any]:
    """Places of the axis that an attribute names, of the input `data`; negative ones, too."""

    def rule(facts: _Facts, node: NodeProto) -> _Range | None:
        shape = facts.shape(node, data)
        if not shape:
            return None
        size = shape[_attribute(node, "axis", default)]
        last = distinct and _text_attribute(node, "reduction") in ("", "none")
        return _Range(-size, size - 1, last)

    return rule


def _leading(distinct: bool = False) -> Callable[[_Facts, Any], Any]:
    """Places of the first axes, as GatherND and ScatterND count them."""

    def rule(facts: _Facts, node: NodeProto) -> _Range | None:
        shape, indices = facts.shape(node, 0), facts.shape(node, 1)
        if not shape or not indices:
            return None
        first = _attribute(node, "batch_dims", 0)
        size = min(shape[first : first + indices[-1]], default=1)
        last = distinct and _text_attribute(node, "reduction") in ("", "none")
        return _Range(-size, size - 1, last)

    return rule


def _rows(data: int, axis: int = 0, low: int = 0) -> Callable[[_Facts, Any], Any]:
    """Places of an axis of the input `data`, from the front alone."""

    def rule(facts: _Facts, node: NodeProto) -> _Range | None:
        shape = facts.shape(node, data)
        return _Range(low, max(low, shape[axis] - 1 + low)) if shape else None

    return rule


def _depth(facts: _Facts, node: NodeProto) -> _Range | None:
    depth = facts.number(node, 1)
    return _Range(-int(depth), int(depth) - 1) if depth else None


def _rotary(facts: _Facts, node: NodeProto) -> _Range | None:
    """A position of each token, or that of the first one alone."""
    table, positions = (2, 1) if node.domain else (1, 3)
    rows, given, x = facts.shape(node, table), facts.shape(node, positions), facts.shape(node, 0)
    if not rows or not x:
        return None
    length = x[1] if len(x) == 3 else x[2]
    size = rows[0] - (length - 1 if given in ((), (1,)) else 0)
    return _Range(0, max(0, size - 1))


_INDICES: dict[tuple[str, int], Callable[[_Facts, Any], _Range | None]] = {
    ("Gather", 1): _axis(0, 0),
    ("GatherElements", 1): _axis(0, 0),
    ("GatherND", 1): _leading(),
    ("ScatterElements", 1): _axis(0, 0, distinct=True),
    ("Scatter", 1): _axis(0, 0, distinct=True),
    ("ScatterND", 1): _leading(distinct=True),
    ("OneHot", 0): _depth,
    ("ArrayFeatureExtractor", 1): _rows(0, -1),
    ("GatherBlockQuantized", 1): _rows(0),
    ("NegativeLogLikelihoodLoss", 1): _rows(0, 1),
    ("SoftmaxCrossEntropyLoss", 1): _rows(0, 1),
    ("ReverseSequence", 1): lambda facts, node: _rows(0, _attribute(node, "time_axis", 0), 1)(
        facts, node
    ),
    **{(operator, 4): _rows(0, 0, 1) for operator in ("RNN", "GRU", "LSTM")},
    ("EmbedLayerNormalization", 0): _rows(2),
    ("EmbedLayerNormalization", 1): _rows(4),
    ("EmbedLayerNormalization", 8): _rows(3),
    ("RotaryEmbedding", 1): _rotary,
    ("RotaryEmbedding", 3): _rotary,
}


def _undefined(facts: _Facts) -> str:
    """The first operator of no defined answer for what is not finite."""
    return next((node.op_type for node in facts.nodes if _is_undefined(facts, node)), "")


def _is_undefined(facts: _Facts, node: NodeProto) -> bool:
    if node.op_type in _UNORDERED:
        return True
    if node.op_type != "Cast" or facts.kinds.get(node.input[0], 1) not in _FLOATS:
        return False
    return _attribute(node, "to", 1) not in _FLOATS | {9}  # bool
