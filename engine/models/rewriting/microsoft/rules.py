"""The table of rules for ONNX Runtime's own operators, by name."""

from __future__ import annotations

from collections.abc import Callable

from engine.models.rewriting.emit import Emitter
from engine.models.rewriting.microsoft import activations, attention, blocks, fused, indexing, norms
from engine.models.rewriting.transformers.rotary import runtime_rotary

FUSED: dict[str, Callable[[Emitter], None]] = {
    "Attention": attention.attention,
    "BiasAdd": activations.bias_add,
    "BiasGelu": activations.bias_gelu,
    "BiasSoftmax": fused.bias_softmax,
    "BiasSplitGelu": activations.split_gelu,
    "CDist": indexing.distances,
    "ConvTransposeWithDynamicPads": fused.dynamic_pads,
    "EmbedLayerNormalization": norms.embed_layer,
    "ExpandDims": indexing.expand_dims,
    "FastGelu": activations.fast_gelu,
    "FusedConv": fused.conv,
    "FusedGemm": fused.gemm,
    "FusedMatMul": fused.matmul,
    "GatherBlockQuantized": blocks.gather,
    "GatherND": indexing.gather_nd,
    "Gelu": activations.plain_gelu,
    "GridSample": indexing.grid_sample,
    "GroupNorm": norms.group,
    "MatMulInteger16": fused.matmul_integer16,
    "MatMulNBits": blocks.matmul,
    "MultiHeadAttention": attention.multi_head,
    "NhwcConv": fused.nhwc_conv,
    "NhwcFusedConv": fused.nhwc_conv,
    "NhwcMaxPool": fused.nhwc_max_pool,
    "Pad": indexing.pad,
    "QAttention": attention.quantized_attention,
    "QLinearConv": fused.nhwc_qlinear_conv,
    "QuickGelu": activations.quick_gelu,
    "Range": indexing.span,
    "RotaryEmbedding": runtime_rotary,
    "SkipGroupNorm": norms.group,
    "SkipLayerNormalization": norms.skip_layer,
    "SkipSimplifiedLayerNormalization": norms.skip_simplified,
    "TransposeMatMul": fused.matmul,
    "Trilu": indexing.trilu,
    "UnfoldTensor": indexing.unfold,
    "Unique": indexing.unique,
}
