"""Gives every input of an ONNX model one fixed shape."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.records.errors import Hint, ModelError, ShapeError
from engine.records.sentences import Sentence, counting, listed, together
from engine.records.task import TensorSpec

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, ValueInfoProto

MAX_ELEMENTS = 2**31 - 1  # TVM's kernels index with 32 bits

# Until IR version 3 a weight had to be listed among the graph's inputs.
FIRST_IR_WITHOUT_LISTED_WEIGHTS = 4

_SIZES = re.compile(r"\s*[0-9]{1,19}(\s*[xX]\s*[0-9]{1,19})*\s*")
_EXAMPLE = Sentence("Write it like NAME=1x3x224x224.")
_BATCH = re.compile(r"(?i)bs|.*batch.*")
_SHORT_BATCH = re.compile(r"(?i)n|b")
_LENGTH = re.compile(r"(?i).*(seq|len|time|frame|token).*|(num|n)_.*")


Dims = tuple[int | str | None, ...]


@dataclass(frozen=True, slots=True)
class InputDims:
    """One input as the file declares it: each dimension a size, a symbol's name or None.

    `dims` is None where the file does not even say how many dimensions there are.
    """

    name: str
    dims: Dims | None


def parse_shape(text: str) -> tuple[str, tuple[int, ...]]:
    """Name and shape out of "NAME=1x3x224x224"; ShapeError where the text is not of that form."""
    name, equals, sizes = text.strip().rpartition("=")
    if not equals or not name.strip() or not _SIZES.fullmatch(sizes):
        raise ShapeError(Sentence("'{text}' is not a shape.", text=text), _EXAMPLE, Hint.SHAPE)
    shape = tuple(int(size) for size in re.split("[xX]", sizes))
    _refuse_sizes(name.strip(), shape)
    return name.strip(), shape


def parse_shapes(texts: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Shapes by input name; ShapeError where one text is wrong or a name comes twice."""
    shapes: dict[str, tuple[int, ...]] = {}
    for name, shape in map(parse_shape, texts):
        if shapes.setdefault(name, shape) != shape:
            raise ShapeError(
                Sentence("Input {name} is given two shapes.", name=name),
                "Give each input one shape.",
            )
    return shapes


def declared_inputs(proto: ModelProto) -> tuple[InputDims, ...]:
    """The model's inputs, without initializers that old files list among them."""
    return tuple(InputDims(value.name, _dims(value)) for value in _true_inputs(proto.graph))


def tensor_spec(value: ValueInfoProto) -> TensorSpec | None:
    """Shape and dtype of a value, None unless all dimensions are known numbers."""
    from onnx import helper

    if value.type.WhichOneof("value") != "tensor_type":
        return None
    tensor = value.type.tensor_type
    dims = tensor.shape.dim
    if not tensor.HasField("shape") or not all(dim.HasField("dim_value") for dim in dims):
        return None
    if any(dim.dim_value < 0 for dim in dims):
        return None
    try:
        dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    except (KeyError, ValueError):
        return None
    return TensorSpec(tuple(int(dim.dim_value) for dim in dims), dtype.name)


def apply_shapes(proto: ModelProto, shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Make all inputs of `proto` static, in place, and drop what the file said of other shapes.

    A batch dimension without a value becomes 1, and a symbol has one value everywhere.
    ShapeError names inputs that are unknown, contradicted or still dynamic.
    """
    _refuse_other_types(proto.graph)
    _write(proto.graph, fixed_dims(declared_inputs(proto), shapes))
    proto.ir_version = max(proto.ir_version, FIRST_IR_WITHOUT_LISTED_WEIGHTS)


def fixed_dims(
    inputs: tuple[InputDims, ...],
    shapes: Mapping[str, tuple[int, ...]],
    *,
    batch_is_one: bool = True,
) -> dict[str, Dims | None]:
    """Each input's shape. ShapeError as `apply_shapes`."""
    _refuse_unknown(shapes, inputs)
    symbols = _symbols(inputs, shapes)
    others = inputs if batch_is_one else None
    fixed = {item.name: _fixed(item, shapes.get(item.name), symbols, others) for item in inputs}
    _refuse_dynamic(fixed, inputs)
    return fixed


def known_dims(proto: ModelProto, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, Dims | None]:
    """Each input's dimensions as far as the file, `shapes` and the rule for batches tell.

    Shapes that contradict the file are left out.
    """
    inputs = declared_inputs(proto)
    fitting = {name: shape for name, shape in shapes.items() if _agrees(name, shape, inputs)}
    symbols = _symbols(inputs, fitting)
    return {item.name: _fixed(item, fitting.get(item.name), symbols, inputs) for item in inputs}


def _agrees(name: str, shape: tuple[int, ...], inputs: tuple[InputDims, ...]) -> bool:
    try:
        _refuse_unknown({name: shape}, inputs)
        _symbols(inputs, {name: shape})
    except ShapeError:
        return False
    return True


def _true_inputs(graph: GraphProto) -> list[ValueInfoProto]:
    stored = {tensor.name for tensor in graph.initializer}
    stored |= {tensor.values.name for tensor in graph.sparse_initializer}
    return [value for value in graph.input if value.name not in stored]


def _dims(value: ValueInfoProto) -> Dims | None:
    if not value.type.tensor_type.HasField("shape"):
        return None
    return tuple(map(_dim, value.type.tensor_type.shape.dim))


def _all_known(dims: Dims | None) -> bool:
    return dims is not None and all(isinstance(dim, int) for dim in dims)


def _dim(dim: Any) -> int | str | None:
    # Exporters also write 0, -1 or "?" where a size is not known; "?" is no symbol.
    if dim.dim_value > 0:
        return int(dim.dim_value)
    return dim.dim_param if re.search(r"\w", dim.dim_param) else None


def _refuse_other_types(graph: GraphProto) -> None:
    from onnx import TensorProto

    for value in _true_inputs(graph):
        kind = value.type.WhichOneof("value")
        element = value.type.tensor_type.elem_type if kind == "tensor_type" else 0
        if element in (TensorProto.UNDEFINED, TensorProto.STRING):
            raise ModelError(
                Sentence("Input {value} is not a tensor of numbers.", value=value.name),
                "Export the model with tensors of numbers as its inputs.",
            )


def _refuse_sizes(name: str, shape: tuple[int, ...]) -> None:
    # A cache has no places yet in its first step; a batch of none would leave nothing to tune.
    if any(size < (axis == 0) for axis, size in enumerate(shape)):
        raise ShapeError(
            Sentence("The shape given for {name} has a size below 1.", name=name),
            _EXAMPLE,
            Hint.SHAPE,
        )
    if math.prod(shape) > MAX_ELEMENTS:
        raise ShapeError(
            Sentence(
                "The shape given for {name} has more than {max_elements} elements.",
                name=name,
                max_elements=MAX_ELEMENTS,
            ),
            "Give a smaller shape.",
        )


def no_input(name: str, known: Sequence[str]) -> ShapeError:
    """The model has other inputs, or none."""
    return ShapeError(
        Sentence("The model has no input {name}.", name=name),
        Sentence("Its inputs are: {names}.", names=", ".join(known)) if known else "It has none.",
    )


def _refuse_unknown(shapes: Mapping[str, tuple[int, ...]], inputs: tuple[InputDims, ...]) -> None:
    known = [item.name for item in inputs]
    for name, shape in shapes.items():
        if name not in known:
            raise no_input(name, known)
        _refuse_sizes(name, shape)


def _symbols(
    inputs: tuple[InputDims, ...], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, int]:
    """The symbols' values as the given shapes imply them; ShapeError where two disagree."""
    values: dict[str, int] = {}
    for item in inputs:
        given = shapes.get(item.name)
        if given is None or item.dims is None:
            continue
        if len(given) != len(item.dims):
            raise ShapeError(
                Sentence(
                    "Input {item} has {count} dimensions, and {given} has {own}.",
                    item=item.name,
                    count=len(item.dims),
                    given=_text(given),
                    own=len(given),
                ),
                Sentence(
                    "Give its shape like {item}={dims}.", item=item.name, dims=_form(item.dims)
                ),
            )
        for axis, (dim, size) in enumerate(zip(item.dims, given, strict=True)):
            wanted = values.setdefault(dim, size) if isinstance(dim, str) else dim
            if wanted is not None and wanted != size:
                told: dict[str, str | int] = {
                    "item": item.name,
                    "size": size,
                    "axis": axis,
                    "wanted": wanted,
                }
                raise ShapeError(
                    Sentence(
                        "Input {item} is given {size} on axis {axis}, where '{dim}' is {wanted} "
                        "elsewhere.",
                        dim=dim,
                        **told,
                    )
                    if isinstance(dim, str)
                    else Sentence(
                        "Input {item} is given {size} on axis {axis}, where the dimension is "
                        "{wanted} in the model.",
                        **told,
                    ),
                    Sentence("Give {wanted} there.", wanted=wanted),
                )
    return values


def _fixed(
    item: InputDims,
    given: tuple[int, ...] | None,
    symbols: Mapping[str, int],
    inputs: tuple[InputDims, ...] | None,
) -> Dims | None:
    """The input's dimensions as far as they are known now; without `inputs` none is a batch."""
    if given is not None or item.dims is None:
        return given
    dims = [symbols.get(dim, dim) if isinstance(dim, str) else dim for dim in item.dims]
    if inputs is None:
        return tuple(dims)
    return tuple(1 if _is_batch(axis, dim, inputs) else dim for axis, dim in enumerate(dims))


def _is_batch(axis: int, dim: int | str | None, inputs: tuple[InputDims, ...]) -> bool:
    """Whether a dimension without a value counts samples: by its name, or by coming first."""
    if isinstance(dim, int):
        return False
    if isinstance(dim, str) and _names_batch(dim, inputs):
        return True
    # A symbol that also stands on a later axis is a length ("tokens"), whatever comes first here.
    later = {d for item in inputs for d in (item.dims or ())[1:] if isinstance(d, str)}
    length = isinstance(dim, str) and (dim in later or _LENGTH.fullmatch(dim))
    return axis == 0 and not length


def _names_batch(dim: str, inputs: tuple[InputDims, ...]) -> bool:
    """Whether it is "batch" and the like; "N" only where no input has a plainer word for it."""
    if _BATCH.fullmatch(dim):
        return True
    names = [d for item in inputs for d in item.dims or () if isinstance(d, str)]
    return bool(_SHORT_BATCH.fullmatch(dim)) and not any(map(_BATCH.fullmatch, names))


def _refuse_dynamic(fixed: Mapping[str, Dims | None], inputs: tuple[InputDims, ...]) -> None:
    problems, forms = [], []
    for item in inputs:
        dims = fixed[item.name]
        if dims is None:
            problems.append(Sentence("Input {name} has no shape in the file.", name=item.name))
            forms.append(f"{item.name}=?x?")
            continue
        open_dims = [_label(axis, dim) for axis, dim in enumerate(dims) if not isinstance(dim, int)]
        if open_dims:
            problems.append(
                counting(
                    len(open_dims),
                    "Input {name} has no value for its dynamic dimension {dims}.",
                    "Input {name} has no value for its dynamic dimensions {dims}.",
                    name=item.name,
                    dims=listed(open_dims),
                )
            )
            forms.append(f"{item.name}={_form(dims)}")
    if problems:
        raise ShapeError(
            together(*problems),
            Sentence("Put numbers for the question marks: {forms}.", forms=" ".join(forms)),
        )


def _label(axis: int, dim: str | int | None) -> Sentence:
    if dim:
        return Sentence("'{dim}' (axis {axis})", dim=dim, axis=axis)
    return Sentence("axis {axis}", axis=axis)


def _form(dims: Dims) -> str:
    return "x".join(str(dim) if isinstance(dim, int) else "?" for dim in dims)


def _text(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape))


def _write(graph: GraphProto, shapes: Mapping[str, Dims | None]) -> None:
    inputs = _true_inputs(graph)
    changed = any(_dims(value) != shapes[value.name] for value in inputs)
    for value in inputs:
        tensor = value.type.tensor_type
        del tensor.shape.dim[:]
        tensor.shape.SetInParent()
        for size in shapes[value.name] or ():
            tensor.shape.dim.add().dim_value = size
    kept = [type(value).FromString(value.SerializeToString()) for value in inputs]
    del graph.input[:]
    graph.input.extend(kept)
    # What was inferred or declared for other shapes would contradict the new ones.
    del graph.value_info[:]
    for value in graph.output:
        is_tensor = value.type.WhichOneof("value") == "tensor_type"
        if is_tensor and (changed or not _all_known(_dims(value))):
            value.type.tensor_type.ClearField("shape")
