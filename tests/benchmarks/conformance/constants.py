"""Inputs of operators that exporters write as constants, by operator and place.

Shapes, axes, counts, sizes, limits and the scales and zero points of quantization decide what is
computed; no exporter leaves them to whoever feeds the model. Weights and data stay inputs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from onnx import ModelProto

_AXES = (1,)
_QUANTIZED = (1, 2, 3, 4, 5, 6, 7)

CONSTANT_PLACES: dict[str, tuple[int, ...]] = {
    "AffineGrid": (1,),
    "Attention": (3,),
    "BlackmanWindow": (0,),
    "CenterCropPad": (1,),
    "Clip": (1, 2),
    "Col2Im": (1, 2),
    "Compress": (1,),
    "ConstantOfShape": (0,),
    "ConvInteger": (1, 2, 3),
    "CumProd": (1,),
    "CumSum": (1,),
    "DFT": (1, 2),
    "DequantizeLinear": (1, 2),
    "Dropout": (1, 2),
    "Expand": (1,),
    "HammingWindow": (0,),
    "HannWindow": (0,),
    "Loop": (0, 1),
    "MatMulInteger": (1, 2, 3),
    "MaxUnpool": (2,),
    "MelWeightMatrix": (0, 1, 2, 3, 4),
    "NonMaxSuppression": (2, 3, 4),
    "OneHot": (1, 2),
    "Pad": (1, 2, 3),
    "QLinearConv": _QUANTIZED,
    "QLinearMatMul": _QUANTIZED,
    "QuantizeLinear": (1, 2),
    "Range": (0, 1, 2),
    "Reshape": (1,),
    "Resize": (1, 2, 3),
    "ReverseSequence": (1,),
    "RotaryEmbedding": (1, 2),
    "STFT": (1, 2, 3),
    "Slice": (1, 2, 3, 4),
    "Split": (1,),
    "SplitToSequence": (1,),
    "Squeeze": _AXES,
    "Tile": (1,),
    "TopK": (1,),
    "Trilu": (1,),
    "Unsqueeze": _AXES,
    "Upsample": (1,),
} | dict.fromkeys(
    (
        *("ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean"),
        *("ReduceMin", "ReduceProd", "ReduceSum", "ReduceSumSquare"),
    ),
    _AXES,
)

SHAPED_BY_DATA = frozenset({"NonMaxSuppression", "NonZero", "StringSplit", "Unique"})
"""Operators whose results have no fixed shape, whatever is constant."""


def constant_inputs(proto: ModelProto) -> frozenset[str]:
    """The model's inputs that stand at such a place of one of its nodes."""
    named = {
        node.input[place]
        for node in proto.graph.node
        for place in CONSTANT_PLACES.get(node.op_type, ())
        if place < len(node.input)
    }
    return frozenset(value.name for value in proto.graph.input if value.name in named)
