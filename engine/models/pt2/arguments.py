"""The arguments of a PyTorch program's operators, taken over kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.models.pt2.archive import Json, only
from engine.records.errors import ModelError
from engine.records.sentences import Sentence, in_brackets


@dataclass(frozen=True, slots=True)
class Static:
    """What a name stands for: a tensor, or a number (None where only the data tell it)."""

    number: Any = None
    tensor: str = ""


# Text reaches only these; aten has operators that open the file that their text names.
_TAKE_TEXT = frozenset(
    {"gelu", "gelu_", "div", "div_", "divide", "einsum", "meshgrid", "quantile", "nanquantile"}
    | {"conv1d", "conv2d", "conv3d", "_convolution_mode", "pad", "pad_sequence", "stft"}
    | {"scatter", "scatter_", "scatter_reduce", "scatter_reduce_", "index_reduce", "searchsorted"}
    | {"linalg_norm", "linalg_matrix_norm"}
)

_INTEGERS = ("as_scalar_type", "as_memory_format", "as_layout")
_SPECIAL = ("Infinity", "-Infinity", "NaN")


def argument(node: Json, operator: str, item: Json, env: Mapping[str, Static]) -> Json:
    """One named argument, its sizes as numbers, its device the CPU."""
    kind, content = only(item["arg"])
    name, place = item["name"], item.get("kind")
    if type(name) is not str or (name and not name.isidentifier()) or place not in (None, 0, 1, 2):
        raise refusal(node, "it is not as PyTorch writes it")
    return {"name": name, "arg": _content(node, operator, kind, content, env), "kind": place}


def refusal(node: Json, why: str) -> ModelError:
    """The error that names the node and its operator."""
    target = str(node["target"]).removeprefix("torch.ops.")[:80]
    name = str(node.get("name") or "")[:80]
    return ModelError(
        Sentence(
            "Tunewright cannot read the operator {target}{where}: {why}.",
            target=target,
            where=in_brackets(name),
            why=why,
        ),
        "Replace it in the program, or export it again without it.",
    )


def _content(node: Json, operator: str, kind: str, content: Any, env: Mapping[str, Static]) -> Json:
    def tensor(value: Json) -> Json:
        name = env[value["name"]].tensor
        if not name:
            raise refusal(node, f"{value['name']} is no tensor")
        return {"name": name}

    def optional(value: Json) -> Json:
        return {"as_tensor": tensor(value["as_tensor"])} if "as_tensor" in value else _NONE

    def number(value: Json) -> Any:
        if "as_name" not in value:
            return only(value)[1]
        found = env[value["as_name"]].number
        if found is None:
            raise refusal(node, f"{value['as_name']} depends on the program's data")
        return found

    if kind == "as_none":
        return dict(_NONE)
    if kind == "as_device":
        return {"as_device": {"type": "cpu", "index": None}}
    if kind == "as_string":
        if operator.split(".", maxsplit=1)[0] not in _TAKE_TEXT or type(content) is not str:
            raise refusal(node, "it takes text")
        return {kind: content}
    makers: dict[str, Callable[[Any], Json]] = {
        "as_tensor": lambda value: {kind: tensor(value)},
        "as_tensors": lambda value: {kind: [tensor(one) for one in value]},
        "as_nested_tensors": lambda value: {kind: [[tensor(t) for t in row] for row in value]},
        "as_optional_tensor": lambda value: {kind: optional(value)},
        "as_optional_tensors": lambda value: {kind: [optional(one) for one in value]},
        "as_int": lambda value: {kind: _whole(value)},
        "as_ints": lambda value: {kind: [_whole(one) for one in value]},
        "as_int_lists": lambda value: {kind: [[_whole(one) for one in row] for row in value]},
        "as_float": lambda value: {kind: _real(value)},
        "as_floats": lambda value: {kind: [_real(one) for one in value]},
        "as_bool": lambda value: {kind: _truth(value)},
        "as_bools": lambda value: {kind: [_truth(one) for one in value]},
        "as_sym_int": lambda value: {"as_int": _whole(number(value))},
        "as_sym_ints": lambda value: {"as_ints": [_whole(number(one)) for one in value]},
        "as_sym_float": lambda value: {"as_float": float(_real(number(value)))},
        "as_sym_floats": lambda value: {"as_floats": [float(_real(number(o))) for o in value]},
        "as_sym_bool": lambda value: {"as_bool": bool(number(value))},
    }
    for integer in _INTEGERS:
        makers[integer] = lambda value: {kind: _whole(value)}
    if kind not in makers:
        raise refusal(node, f"an argument of its is of the kind {kind.removeprefix('as_')[:40]}")
    return makers[kind](content)


_NONE: Json = {"as_none": True}


def _whole(value: Any) -> int:
    if type(value) is not int:
        raise TypeError("not an integer")
    return value


def _real(value: Any) -> float | str:
    if type(value) not in (int, float) and value not in _SPECIAL:
        raise TypeError("not a number")
    return value  # type: ignore[no-any-return]


def _truth(value: Any) -> bool:
    if type(value) is not bool:
        raise TypeError("not a truth value")
    return value
