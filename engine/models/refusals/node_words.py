"""A node of an ONNX model in a person's words: what of it an importer may stumble over."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.models.operators import node_name
from engine.models.shapes import tensor_spec
from engine.records.sentences import Sentence, counting, together
from engine.records.task import TensorSpec

if TYPE_CHECKING:
    from onnx import AttributeProto, ModelProto, NodeProto

_SHOWN = 4  # inputs, attributes
_LONG = 60  # characters of a name or an attribute's value

# What TVM's importer complains of, by words that it is known to use, the most telling first.
_REASONS = (
    (
        r"datatype|dtype|data type|int type|Expected `\w+` but got",
        Sentence("it does not take these types"),
    ),
    (r"[Cc]onstant|static|must be known", Sentence("it wants a constant for one of its inputs")),
    (r"outputs? during conversion", Sentence("it gives fewer outputs than the node has")),
    (
        r"ndim|dimension|\bdims?\b|[Ss]hape|\brank\b|axis|axes",
        Sentence("it does not take these shapes"),
    ),
    (
        r"[Uu]nsupported|support|implement|[Oo]nly|must be|[Uu]nknown",
        Sentence("it does not know this setting"),
    ),
)
_ELSE = Sentence("it does not take this use of the operator")


def reason_of(error: Exception) -> Sentence:
    """Why TVM refuses a node, as far as the kind of its complaint tells."""
    text = str(error)
    return next((words for pattern, words in _REASONS if re.search(pattern, text)), _ELSE)


def node_title(node: NodeProto, origins: Mapping[str, str]) -> str:
    """ "Elu (node act_3)"; `origins` are those of `PreparedModel`."""
    return f"{node.op_type} (node {_cut(file_name(node, origins))})"


def file_name(node: NodeProto, origins: Mapping[str, str]) -> str:
    """The name of the file's node that a node of the prepared model came of."""
    name = node_name(node)
    return origins.get(name, name)


def node_uses(proto: ModelProto, node: NodeProto) -> Sentence:
    """ "inputs 2x3 float32 and 3 int32 (constant), axis=1": what a node reads and how it is set."""
    parts = []
    known = _specs(proto)
    stored = {tensor.name for tensor in proto.graph.initializer}
    inputs = [_input(name, known, stored) for name in node.input if name]
    if inputs:
        parts.append(
            counting(
                len(inputs),
                "input {inputs}",
                "inputs {inputs}",
                inputs=_listed(inputs),
            )
        )
    settings = [f"{one.name}={text}" for one in node.attribute if (text := _setting(one))]
    if settings:
        parts.append(Sentence("{settings}", settings=_listed(settings)))
    return together(*parts, by=", ")


def _input(name: str, known: Mapping[str, TensorSpec], stored: set[str]) -> str:
    spec = known.get(name)
    text = str(spec) if spec else "of unknown shape"
    return f"{text} (constant)" if name in stored else text


def _specs(proto: ModelProto) -> dict[str, TensorSpec]:
    from onnx import helper

    graph = proto.graph
    found = {value.name: tensor_spec(value) for value in (*graph.value_info, *graph.input)}
    specs = {name: spec for name, spec in found.items() if spec}
    for tensor in graph.initializer:
        dtype = helper.tensor_dtype_to_np_dtype(tensor.data_type).name
        specs[tensor.name] = TensorSpec(tuple(tensor.dims), dtype)
    return specs


def _setting(attribute: AttributeProto) -> str:
    """An attribute's value; "" for one that is no number and no text."""
    from onnx import AttributeProto, helper

    if attribute.type == AttributeProto.STRING:
        return _cut(attribute.s.decode(errors="replace"))
    value = helper.get_attribute_value(attribute)
    if attribute.type in (AttributeProto.INT, AttributeProto.FLOAT):
        return _number(value)
    if attribute.type in (AttributeProto.INTS, AttributeProto.FLOATS):
        listed = ", ".join(map(_number, value[:_LONG]))
        return f"[{listed}]" if len(listed) < _LONG else f"[{listed[:_LONG]}...]"
    return ""


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else f"{value:g}"


def _listed(words: list[str]) -> str:
    shown = words[:_SHOWN]
    if len(words) > _SHOWN:
        return f"{', '.join(shown)} and {len(words) - _SHOWN} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)


def _cut(text: str) -> str:
    plain = "".join(sign if sign.isprintable() else "?" for sign in text)
    return plain if len(plain) <= _LONG else f"...{plain[3 - _LONG :]}"
