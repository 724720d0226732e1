"""What a person is asked about a model's inputs, with a proposal for each open dimension."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from engine.models.shapes import Dims, InputDims, declared_inputs, known_dims
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    from onnx import ModelProto

Shapes = Mapping[str, tuple[int, ...]]

AS_LAST_TIME = Sentence("as last time")
_FROM_FILE = Sentence("from the file")
_IMAGE, _LINE, _SOUND, _SEQUENCE = (
    Sentence("usual for images"),
    Sentence("usual for lines of text"),
    Sentence("a second of sound at 16 kHz"),
    Sentence("usual for sequences"),
)

_SIDE, _LINE_WIDTH, _SAMPLES, _LENGTH = 224, 320, 16_000, 128
_LINE_HEIGHT = 64  # an image of a fixed height up to this is a line of text
_CHANNELS = (1, 3, 4)

_AUDIO = re.compile(r"(?i)wav|audio|sound|speech|signal|pcm|samples")
_ORDERED = re.compile(r"(?i)seq|len|time|frame|token|word|char|text|step|(^|\W)[tls]$")


@dataclass(frozen=True, slots=True)
class InputQuestion:
    """One input. `dims` is as the file declares it, None where it has not even a rank there.

    `proposal` has the dimensions that are known or proposed; None stands for those that a person
    must know. `why` says where the proposed ones come from. Where the input `may_be_constant`,
    `value` is the number that it was filled with the last time.
    """

    name: str
    dims: Dims | None
    dtype: str
    proposal: tuple[int | None, ...]
    why: str = ""
    may_be_constant: bool = False
    value: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether the file leaves a dimension open."""
        return self.dims is None or not all(isinstance(dim, int) for dim in self.dims)

    @property
    def form(self) -> str:
        """The proposal as a person writes it: "1x3x?x?"."""
        sizes = ("?" if size is None else str(size) for size in self.proposal)
        return "x".join(sizes) or "?"

    @property
    def declared(self) -> str:
        """What the file says: "batch x 3 x height x ? float32"."""
        if self.dims is None:
            return f"of unknown shape {self.dtype}"
        text = " x ".join("?" if dim is None else str(dim) for dim in self.dims)
        return f"{text or 'scalar'} {self.dtype}"


def questions(proto: ModelProto, given: Shapes) -> tuple[InputQuestion, ...]:
    """All inputs of `proto`, in order; what a person has `given` already is proposed again.

    A name of a dimension gets one size everywhere.
    """
    dtypes, sides, known = _dtypes(proto), _sides(proto), known_dims(proto, given)
    guesses = {
        item.name: _guess(item, known[item.name], dtypes.get(item.name, ""), sides)
        for item in declared_inputs(proto)
    }
    symbols: dict[str, int] = {}
    for name, (sizes, _) in guesses.items():
        for dim, size in zip(known[name] or (), sizes, strict=True):
            if isinstance(dim, str) and size is not None:
                symbols.setdefault(dim, size)
    asked = []
    for item in declared_inputs(proto):
        sizes, why = guesses[item.name]
        proposal = tuple(
            symbols.get(dim, size) if isinstance(dim, str) else size
            for dim, size in zip(known[item.name] or (), sizes, strict=True)
        )
        dtype = dtypes.get(item.name, "")
        single = _is_single_number(item.dims, dtype)
        asked.append(InputQuestion(item.name, item.dims, dtype, proposal, why, single))
    return tuple(asked)


def questions_again(proto: ModelProto, refused: Shapes) -> tuple[InputQuestion, ...]:
    """The questions after shapes were `refused`: what fits the file stays proposed, but never all
    of it once more."""
    asked = questions(proto, refused)
    if _proposes(asked, refused):
        asked = questions(proto, {})
    if _proposes(asked, refused):  # the usual sizes, which this model does not take
        asked = tuple(_without_proposal(item) if item.is_open else item for item in asked)
    return asked


def _proposes(asked: tuple[InputQuestion, ...], shapes: Shapes) -> bool:
    """Whether all these shapes are proposed, and nothing is left open."""
    whole = all(None not in item.proposal for item in asked)
    return (
        bool(shapes)
        and whole
        and all(item.proposal == shapes[item.name] for item in asked if item.name in shapes)
    )


def _without_proposal(item: InputQuestion) -> InputQuestion:
    known = tuple(dim if isinstance(dim, int) else None for dim in item.dims or ())
    return replace(item, proposal=known, why="")


def with_answers(asked: tuple[InputQuestion, ...], answers: Shapes) -> tuple[InputQuestion, ...]:
    """The questions with earlier `answers` as proposals, where they still fit."""
    return tuple(
        replace(item, proposal=answers[item.name], why=AS_LAST_TIME)
        if item.name in answers and _fits(item.dims, answers[item.name])
        else item
        for item in asked
    )


def with_values(
    asked: tuple[InputQuestion, ...], values: Mapping[str, float]
) -> tuple[InputQuestion, ...]:
    """The questions with earlier `values`, for the inputs that may be constants."""
    return tuple(
        replace(item, value=values[item.name], why=AS_LAST_TIME)
        if item.may_be_constant and item.name in values
        else item
        for item in asked
    )


def _is_single_number(dims: Dims | None, dtype: str) -> bool:
    known = dims is not None and all(dim == 1 for dim in dims)
    return known and dtype.startswith(("int", "uint", "float", "bool"))


def _fits(dims: Dims | None, shape: tuple[int, ...]) -> bool:
    if dims is None:
        return True
    return len(dims) == len(shape) and all(
        not isinstance(dim, int) or dim == size for dim, size in zip(dims, shape, strict=True)
    )


def _dtypes(proto: ModelProto) -> dict[str, str]:
    from onnx import helper

    found = {}
    for value in proto.graph.input:
        try:
            dtype = helper.tensor_dtype_to_np_dtype(value.type.tensor_type.elem_type)
        except (KeyError, ValueError):
            continue
        found[value.name] = str(dtype.name)
    return found


def _guess(
    item: InputDims, dims: Dims | None, dtype: str, sides: tuple[int, int] | None
) -> tuple[list[int | None], str]:
    """A size for each dimension, None where there is no telling, and why these."""
    sizes = [dim if isinstance(dim, int) else None for dim in dims or ()]
    unknown = [axis for axis, size in enumerate(sizes) if size is None]
    if dims is None or not unknown:
        return sizes, ""
    spatial = _spatial(item.dims or dims)
    if spatial and set(unknown) <= set(spatial):
        return _image(sizes, spatial, sides)
    if _AUDIO.search(item.name) and unknown == [len(sizes) - 1]:
        sizes[-1] = _SAMPLES
        return sizes, _SOUND
    names = [dims[axis] for axis in unknown]
    ordered = all(isinstance(name, str) and _ORDERED.search(name) for name in names)
    if ordered or ("int" in dtype and unknown == [len(sizes) - 1]):
        return [_LENGTH if size is None else size for size in sizes], _SEQUENCE
    return sizes, ""


def _spatial(dims: Dims) -> tuple[int, int] | None:
    """The axes of an image's height and width."""
    if len(dims) == 4 and dims[1] in _CHANNELS:
        return 2, 3
    if len(dims) == 4 and dims[3] in _CHANNELS:
        return 1, 2
    return None


def _image(
    sizes: list[int | None], spatial: tuple[int, int], sides: tuple[int, int] | None
) -> tuple[list[int | None], str]:
    why = _FROM_FILE if sides else _IMAGE
    fixed = next((size for axis in spatial if (size := sizes[axis]) is not None), None)
    if fixed is not None and not sides:
        why = _LINE if fixed <= _LINE_HEIGHT else _IMAGE
        side = _LINE_WIDTH if fixed <= _LINE_HEIGHT else fixed
        sides = (side, side)
    for axis, side in zip(spatial, sides or (_SIDE, _SIDE), strict=True):
        if sizes[axis] is None:
            sizes[axis] = side
    return sizes, why


def _sides(proto: ModelProto) -> tuple[int, int] | None:
    """Height and width that the file's metadata give (Ultralytics' exporter: "[320, 320]")."""
    for entry in proto.metadata_props:
        if entry.key.lower() in ("imgsz", "image_size", "input_size"):
            numbers = [int(text) for text in re.findall(r"\d{1,5}", entry.value)]
            if numbers and all(numbers) and len(numbers) <= 2:
                return numbers[0], numbers[-1]
    return None
