"""Names a node whose inputs do not fit together, as ONNX's own shape inference tells it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from engine.models.light_copy import light_copy
from engine.models.refusals.foreign_words import plain
from engine.records.errors import ModelError
from engine.records.sentences import Sentence, in_brackets

if TYPE_CHECKING:
    from onnx import ModelProto

_AT = re.compile(r"\(op_type: ?(?P<op>\w+), node name: ?(?P<node>[^)]+)\): (?P<why>.*)")
_TYPES = "elem type"  # what is computed in another type than ONNX says may be right all the same


def misfit(proto: ModelProto) -> ModelError | None:
    """The error that names the first such node of `proto`, whose inputs are static; None where
    there is none that has a name."""
    from onnx import shape_inference

    if proto.graph.sparse_initializer:  # which the inference takes for scalars
        return None
    try:
        shape_inference.infer_shapes(light_copy(proto), strict_mode=True, data_prop=True)
    except Exception as error:  # the inference's C++ raises several unrelated types
        found = _AT.search(str(error))
        if found is None or _TYPES in found["why"]:
            return None
        why = plain(re.sub(r"\[\w+\] ?", "", found["why"]))
        return ModelError(
            Sentence(
                "The inputs of {operator} (node {node}) do not fit together{why}.",
                operator=found["op"],
                node=found["node"],
                why=in_brackets(why),
            ),
            "Give other input shapes, or export the model again.",
        ).at(found["node"])
    return None
