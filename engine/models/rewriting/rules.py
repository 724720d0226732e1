"""The table of rewrite rules, by domain and operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from engine.models.rewriting import (
    caches,
    casts,
    normalisations,
    quantized,
    selection,
    sequences,
    signal,
    tensors,
)
from engine.models.rewriting.branching import trusting_node
from engine.models.rewriting.emit import Emitter, Refused
from engine.models.rewriting.inline import inline
from engine.models.rewriting.learning import features, linear, trees
from engine.models.rewriting.loops import loop, scan
from engine.models.rewriting.microsoft import norms
from engine.models.rewriting.microsoft.rules import FUSED
from engine.models.rewriting.qdq import product, quantize_linear
from engine.models.rewriting.recurrent import recurrent
from engine.models.rewriting.spatial import images
from engine.models.rewriting.spatial.deformed import deform_conv
from engine.models.rewriting.spatial.pooling import average_pool, lp_pool, max_pool
from engine.models.rewriting.spatial.resizing import resize
from engine.models.rewriting.texts.ngrams import tfidf
from engine.models.rewriting.transformers.attention import attention
from engine.models.rewriting.transformers.rotary import rotary
from engine.models.rewriting.widths import dequantize_linear

if TYPE_CHECKING:
    from onnx import GraphProto


def sums(emit: Emitter) -> None:
    """TVM stacks the inputs of Sum into a tensor of one more axis.

    That keeps the convolutions round it from being laid out and fused; the operator's definition
    is a chain of additions.
    """
    first, *others = emit.node.input
    if not others:
        emit.identity(first, emit.output(0))
        return
    for place, other in enumerate(others, start=1):
        last = place == len(others)
        first = emit("Add", first, other, out=emit.output(0) if last else "", part=f"sum{place}")


# Where these read is in their data: computed in vain, they could read outside a tensor.
_TRUSTING = {"Gather", "GatherElements", "GatherND", "Scatter", "ScatterElements", "ScatterND"}
_TRUSTING |= {"Compress", "ReverseSequence", "OneHot"}


def branches(emit: Emitter) -> None:
    """One branch where the condition is constant; else both, where their results have one shape."""
    condition = emit.facts.value(emit.input(0))
    if condition is None:
        _choose(emit)
        return
    side = "then" if condition.all() else "else"
    for inner, outer in zip(_inlined(emit, side), emit.node.output, strict=True):
        if outer:
            emit.identity(inner, outer)


def _choose(emit: Emitter) -> None:
    if any(emit.facts.shape(name) is None for name in emit.node.output if name):
        raise Refused("it branches on data, and its branches' results may differ in shape")
    for side in ("then", "else"):
        if trusting := trusting_node(emit.facts, _graph(emit, side)):
            raise Refused(f"it branches on data, and {trusting} in a branch relies on it")
    both = zip(_inlined(emit, "then"), _inlined(emit, "else"), emit.node.output, strict=True)
    for one, other, outer in both:
        if outer:
            emit("Where", emit.input(0), one, other, out=outer)


def _inlined(emit: Emitter, side: str) -> list[str]:
    return inline(emit, _graph(emit, side), {}, side)


def _graph(emit: Emitter, side: str) -> GraphProto:
    graph: GraphProto = emit.attribute(f"{side}_branch", None)
    return graph


Rule = Callable[[Emitter], None]
"""Adds the nodes that take a node's place; raises Declined where the node has to stay."""

LEARNING = "ai.onnx.ml"
MICROSOFT = "com.microsoft"

RULES: dict[tuple[str, str], Rule] = {
    ("", "AffineGrid"): images.affine_grid,
    ("", "Attention"): attention,
    ("", "AveragePool"): average_pool,
    ("", "BatchNormalization"): normalisations.batch,
    ("", "Cast"): casts.cast,
    ("", "CastLike"): casts.cast_like,
    ("", "CenterCropPad"): images.center_crop_pad,
    ("", "Col2Im"): images.col2im,
    ("", "Compress"): selection.compress,
    ("", "ConcatFromSequence"): sequences.concat_from_sequence,
    ("", "ConstantOfShape"): selection.with_constants,
    ("", "Conv"): product,
    ("", "ConvTranspose"): tensors.output_shape,
    ("", "CumProd"): caches.running_product,
    ("", "DFT"): signal.dft,
    ("", "DeformConv"): deform_conv,
    ("", "DequantizeLinear"): dequantize_linear,
    ("", "Det"): tensors.determinant,
    ("", "Div"): tensors.division,
    ("", "Dropout"): tensors.dropout,
    ("", "Einsum"): normalisations.in_single,
    ("", "Expand"): selection.with_constants,
    ("", "EyeLike"): selection.eye_like,
    ("", "GRU"): recurrent,
    ("", "Gemm"): product,
    ("", "GridSample"): tensors.grid_sample,
    ("", "GroupNormalization"): normalisations.group,
    ("", "Hardmax"): normalisations.hardmax,
    ("", "If"): branches,
    ("", "InstanceNormalization"): normalisations.in_single,
    ("", "LRN"): normalisations.local_response,
    ("", "LSTM"): recurrent,
    ("", "LayerNormalization"): normalisations.layer,
    ("", "Loop"): loop,
    ("", "LpNormalization"): tensors.lp_normalization,
    ("", "LpPool"): lp_pool,
    ("", "MatMul"): product,
    ("", "MaxPool"): max_pool,
    ("", "MaxUnpool"): images.max_unpool,
    ("", "MeanVarianceNormalization"): normalisations.mean_variance,
    ("", "Mod"): tensors.division,
    ("", "NonMaxSuppression"): tensors.suppression,
    ("", "OneHot"): selection.one_hot,
    ("", "OptionalGetElement"): sequences.optional_get_element,
    ("", "OptionalHasElement"): sequences.optional_has_element,
    ("", "Pad"): selection.pad,
    ("", "Pow"): tensors.power,
    ("", "QuantizeLinear"): quantize_linear,
    ("", "RMSNormalization"): normalisations.root_mean_square,
    ("", "RNN"): recurrent,
    ("", "Range"): selection.with_constants,
    ("", "ReduceMax"): tensors.bool_reduction,
    ("", "ReduceMin"): tensors.bool_reduction,
    ("", "Reshape"): selection.reshape,
    ("", "Resize"): resize,
    ("", "ReverseSequence"): tensors.reverse_sequence,
    ("", "RoiAlign"): tensors.roi_align,
    ("", "RotaryEmbedding"): rotary,
    ("", "STFT"): signal.stft,
    ("", "Scan"): scan,
    ("", "SequenceAt"): sequences.sequence_at,
    ("", "SequenceLength"): sequences.sequence_length,
    ("", "SimplifiedLayerNormalization"): norms.simplified,
    ("", "SpaceToDepth"): tensors.space_to_depth,
    ("", "Split"): selection.split,
    ("", "Squeeze"): selection.axes_list,
    ("", "Sub"): tensors.difference,
    ("", "Sum"): sums,
    ("", "TensorScatter"): caches.write_sequence,
    ("", "TfIdfVectorizer"): tfidf,
    ("", "Tile"): selection.tile,
    ("", "TopK"): casts.top_k,
    ("", "Unsqueeze"): selection.axes_list,
    ("", "Upsample"): resize,
    (LEARNING, "ArrayFeatureExtractor"): features.extractor,
    (LEARNING, "Binarizer"): features.binarizer,
    (LEARNING, "FeatureVectorizer"): features.vectorizer,
    (LEARNING, "Imputer"): features.imputer,
    (LEARNING, "LabelEncoder"): features.label_encoder,
    (LEARNING, "LinearClassifier"): linear.classifier,
    (LEARNING, "LinearRegressor"): linear.regressor,
    (LEARNING, "Normalizer"): features.normalizer,
    (LEARNING, "OneHotEncoder"): features.one_hot,
    (LEARNING, "SVMRegressor"): linear.support_vectors,
    (LEARNING, "Scaler"): trees.scaler,
    (LEARNING, "TreeEnsemble"): trees.tree_ensemble,
    (LEARNING, "TreeEnsembleClassifier"): trees.tree_classifier,
    (LEARNING, "TreeEnsembleRegressor"): trees.tree_regressor,
    (MICROSOFT, "DequantizeLinear"): quantized.same_name,
    (MICROSOFT, "DynamicQuantizeLSTM"): recurrent,
    (MICROSOFT, "DynamicQuantizeMatMul"): quantized.dynamic_matmul,
    (MICROSOFT, "MatMulIntegerToFloat"): quantized.matmul_to_float,
    (MICROSOFT, "QGemm"): quantized.gemm,
    (MICROSOFT, "QLinearAdd"): quantized.binary,
    (MICROSOFT, "QLinearAveragePool"): quantized.unary,
    (MICROSOFT, "QLinearConcat"): quantized.concat,
    (MICROSOFT, "QLinearGlobalAveragePool"): quantized.unary,
    (MICROSOFT, "QLinearLeakyRelu"): quantized.unary,
    (MICROSOFT, "QLinearMul"): quantized.binary,
    (MICROSOFT, "QLinearReduceMean"): quantized.unary,
    (MICROSOFT, "QLinearSigmoid"): quantized.unary,
    (MICROSOFT, "QLinearSoftmax"): quantized.unary,
    (MICROSOFT, "QLinearWhere"): quantized.where,
    (MICROSOFT, "QuantizeLinear"): quantized.same_name,
} | {(MICROSOFT, name): rule for name, rule in FUSED.items()}

UNROLLED = {
    ("", "GRU"),
    ("", "LSTM"),
    ("", "Loop"),
    ("", "RNN"),
    ("", "Scan"),
    (MICROSOFT, "DynamicQuantizeLSTM"),
}
"""These become so many operators that the simplifier should have been there before."""
