"""Refuses attributes that say yes or no and have another number than 1 or 0.

ONNX defines nothing for those, and programs differ: with `keepdims` of 3 ONNX Runtime drops the
axes, and others keep them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.models.operators import node_name
from engine.models.proto_walk import walk_nodes
from engine.records.errors import ModelError
from engine.records.sentences import Sentence

if TYPE_CHECKING:
    from onnx import ModelProto

FLAGS = frozenset(
    (
        *("align_corners", "allowzero", "antialias", "broadcast", "ceil_mode", "center_point_box"),
        *("count_include_pad", "detect_negative", "detect_positive", "exclude_outside"),
        *("exclusive", "fmod", "input_forget", "interleaved", "inverse", "is_case_sensitive"),
        *("is_causal", "is_test", "keepdims", "largest", "layout", "linear_before_reset"),
        *("new_axis", "noop_with_empty_axes", "onesided", "output_sequence", "periodic"),
        *("reverse", "saturate", "select_last_index", "sorted", "spatial", "storage_order"),
        *("training_mode", "transA", "transB", "upper"),
    )
)
"""The attributes of ONNX's operators that are such."""


def refuse_flags(proto: ModelProto) -> None:
    """ModelError names the first node, at any depth, that has such an attribute."""
    for node in walk_nodes(proto):
        if node.domain not in ("", "ai.onnx"):
            continue
        for attribute in node.attribute:
            if attribute.name in FLAGS and attribute.i not in (0, 1):
                raise ModelError(
                    Sentence(
                        "{operator} ({node}) has {flag} = {value}, which is neither 0 nor 1.",
                        operator=node.op_type,
                        node=node_name(node),
                        flag=attribute.name,
                        value=attribute.i,
                    ),
                    "Export the model again.",
                ).at(node_name(node))
