"""The table of rewrite rules, by domain and operator."""

from __future__ import annotations

from collections.abc import Callable

from engine.models.rewriting import quantized, signal, tensors, trees
from engine.models.rewriting.branches import branches
from engine.models.rewriting.emit import Emitter
from engine.models.rewriting.loops import loop, scan
from engine.models.rewriting.qdq import product, quantize_linear
from engine.models.rewriting.recurrent import recurrent
from engine.models.rewriting.sums import sums
from engine.models.rewriting.widths import dequantize_linear

Rule = Callable[[Emitter], None]
"""Adds the nodes that take a node's place; raises Declined where the node has to stay."""

LEARNING = "ai.onnx.ml"
MICROSOFT = "com.microsoft"

RULES: dict[tuple[str, str], Rule] = {
    ("", "BatchNormalization"): tensors.batch_normalization,
    ("", "Conv"): product,
    ("", "ConvTranspose"): tensors.output_shape,
    ("", "DFT"): signal.dft,
    ("", "DequantizeLinear"): dequantize_linear,
    ("", "Dropout"): tensors.dropout,
    ("", "GRU"): recurrent,
    ("", "Gemm"): product,
    ("", "If"): branches,
    ("", "LSTM"): recurrent,
    ("", "LayerNormalization"): tensors.layer_normalization,
    ("", "Loop"): loop,
    ("", "LpNormalization"): tensors.lp_normalization,
    ("", "MatMul"): product,
    ("", "NonMaxSuppression"): tensors.suppression,
    ("", "Pow"): tensors.integer_power,
    ("", "QuantizeLinear"): quantize_linear,
    ("", "RNN"): recurrent,
    ("", "ReduceMax"): tensors.bool_reduction,
    ("", "ReduceMin"): tensors.bool_reduction,
    ("", "Resize"): tensors.resize,
    ("", "ReverseSequence"): tensors.reverse_sequence,
    ("", "RoiAlign"): tensors.roi_align,
    ("", "STFT"): signal.stft,
    ("", "Scan"): scan,
    ("", "SpaceToDepth"): tensors.space_to_depth,
    ("", "Sum"): sums,
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
}

UNROLLED = {
    ("", "GRU"),
    ("", "LSTM"),
    ("", "Loop"),
    ("", "RNN"),
    ("", "Scan"),
    (MICROSOFT, "DynamicQuantizeLSTM"),
}
"""These become so many operators that the simplifier should have been there before."""
