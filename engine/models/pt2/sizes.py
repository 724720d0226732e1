"""Which inputs a PyTorch program has, and which sizes its symbols get."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from engine.models.pt2.archive import DTYPES, Archive, Json, only, refusing, whole
from engine.models.pt2.expressions import Unknown, symbol_in, value_of
from engine.models.questions import InputQuestion
from engine.models.shapes import Dims, InputDims, fixed_dims
from engine.records.errors import ModelError, ShapeError
from engine.records.sentences import Sentence

_AS_EXPORTED = "as exported"


@dataclass(frozen=True, slots=True)
class UserInput:
    """One input. `sizes` are as the archive writes them, `example` those it was exported with."""

    name: str
    dtype: str
    sizes: tuple[Json, ...]
    dims: Dims
    example: tuple[int | None, ...]


def user_inputs(archive: Archive) -> tuple[UserInput, ...]:
    """The inputs in order. ModelError where one is no tensor."""
    with refusing(archive.name):
        module = archive.program["graph_module"]
        values = module["graph"]["tensor_values"]
        names = tuple(_user_names(module["signature"]["input_specs"]))
        return tuple(_input(name, values[name]) for name in names)


def _user_names(specs: list[Json]) -> Iterator[str]:
    for spec in specs:
        if "user_input" in spec:
            kind, value = only(spec["user_input"]["arg"])
            if kind == "as_tensor":
                yield value["name"]
            elif kind in ("as_sym_int", "as_sym_float"):
                raise ModelError(
                    Sentence("Input {name} is a number, not a tensor.", name=value.get("as_name")),
                    "Export the program with a fixed number there.",
                )


def _input(name: str, meta: Json) -> UserInput:
    dtype = DTYPES.get(meta["dtype"])
    if dtype is None:
        raise ModelError(
            Sentence("Input {name} is of a type that TVM lacks.", name=name),
            "Export the program with another.",
        )
    sizes = tuple(meta["sizes"])
    return UserInput(name, dtype, sizes, tuple(map(_dim, sizes)), tuple(map(_example, sizes)))


def _dim(size: Json) -> int | str | None:
    if "as_int" in size:
        return whole(size)
    return symbol_in(size["as_expr"]["expr_str"])


def _example(size: Json) -> int | None:
    if "as_int" in size:
        return whole(size)
    hint = size["as_expr"].get("hint") or {}
    return whole(hint) if "as_int" in hint else None


def program_questions(inputs: tuple[UserInput, ...]) -> tuple[InputQuestion, ...]:
    """What to ask of the inputs; the sizes that the program was exported with are proposed."""
    return tuple(
        InputQuestion(
            item.name,
            item.dims,
            item.dtype,
            item.example,
            "" if all(isinstance(dim, int) for dim in item.dims) else _AS_EXPORTED,
        )
        for item in inputs
    )


def symbol_values(
    archive: Archive, inputs: tuple[UserInput, ...], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, int]:
    """A size for each symbol of the inputs. ShapeError where one is missing or not allowed."""
    with refusing(archive.name):
        return _symbol_values(archive, inputs, shapes)


def _symbol_values(
    archive: Archive, inputs: tuple[UserInput, ...], shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, int]:
    fixed = fixed_dims(
        tuple(InputDims(item.name, item.dims) for item in inputs), shapes, batch_is_one=False
    )
    values: dict[str, int] = {}
    for item in inputs:
        for dim, size in zip(item.dims, fixed[item.name] or (), strict=True):
            if isinstance(dim, str) and isinstance(size, int):
                values[dim] = size
    for item in inputs:
        for written, wanted in zip(item.sizes, fixed[item.name] or (), strict=True):
            if "as_expr" in written and isinstance(wanted, int):
                _solve(item.name, written["as_expr"]["expr_str"], wanted, values)
    _refuse_out_of_range(archive, values)
    return values


def _solve(name: str, text: str, wanted: int, values: dict[str, int]) -> None:
    """Check the size against the expression, or find the symbol that makes it so."""
    try:
        found = value_of(text, values)
    except Unknown as unknown:
        symbol = unknown.args[0]
        at = [value_of(text, values | {symbol: probe}) for probe in (0, 1)]
        slope = at[1] - at[0]
        guess = (wanted - at[0]) / slope if slope else Fraction(-1)
        if guess.denominator == 1 and guess > 0:
            values[symbol] = int(guess)
        found = value_of(text, values | {symbol: int(guess)})
    if found != wanted:
        raise ShapeError(
            Sentence(
                "The program does not take {wanted} for a size of input {name}, which "
                "depends on another.",
                wanted=wanted,
                name=name,
            ),
            "Give the shapes that the program was made for.",
        )


def _refuse_out_of_range(archive: Archive, values: Mapping[str, int]) -> None:
    for symbol, size in values.items():
        allowed = archive.program["range_constraints"].get(symbol) or {}
        low, high = allowed.get("min_val"), allowed.get("max_val")
        if (low is not None and size < low) or (high is not None and size > high):
            raise ShapeError(
                Sentence(
                    "The program takes no {size} for its size {symbol}.", size=size, symbol=symbol
                ),
                Sentence(
                    "Give a size from {low} to {high}, or export the program again.",
                    low=low,
                    high=high,
                )
                if high is not None
                else Sentence(
                    "Give a size of {low} at least, or export the program again.", low=low
                ),
            )
