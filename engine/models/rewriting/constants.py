"""Computes what depends on constants and on fixed shapes alone."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping
from typing import TYPE_CHECKING

from engine.models.proto_walk import walk_nodes
from engine.models.weights.mapped import is_mapped

if TYPE_CHECKING:
    import numpy as np
    from onnx import ModelProto, NodeProto, TensorProto

    from engine.models.rewriting.facts import Facts

# Small values steer operators (shapes, axes, conditions); weights are folded by the simplifier.
_MAX_ELEMENTS = 2**16
_MAX_INPUT_BYTES = 2**22

_STANDARD = ("", "ai.onnx")
_RANDOM = {"Bernoulli", "Multinomial", "RandomNormal", "RandomNormalLike", "RandomUniform"}
_RANDOM |= {"RandomUniformLike"}

# Folded, their pairs would no longer tell which arithmetic was quantized.
_KEPT = {"Constant", "QuantizeLinear", "DequantizeLinear", *_RANDOM}

# These give no more than they take.
_CUTTING = {"Gather", "Reshape", "Slice", "Squeeze", "Transpose", "Unsqueeze"}

# A short input makes a long output of these; their shape has to be known before they run.
_GROWING = {"ConstantOfShape", "Expand", "Pad", "Range", "Resize", "Tile", "Upsample"}
_GROWING |= {"AffineGrid", "BlackmanWindow", "CenterCropPad", "Col2Im", "ConvTranspose", "DFT"}
_GROWING |= {"Einsum", "HammingWindow", "HannWindow", "MaxUnpool", "MelWeightMatrix", "OneHot"}


def fold(proto: ModelProto, facts: Facts, ours: Container[str]) -> bool:
    """Make constants, in place, of what the outermost graph's small constants and shapes imply.

    Nodes named in `ours` were put in by a rewriting and only cut constants up: those may be large.
    """
    found = _candidates(proto, facts, ours)
    values = _evaluate([node for node in proto.graph.node if node.output[0] in found], facts)
    if not values:
        return False
    nodes = [node for node in proto.graph.node if node.output[0] not in values]
    kept = [type(node).FromString(node.SerializeToString()) for node in nodes]
    del proto.graph.node[:]
    proto.graph.node.extend(kept)
    _store(proto, values)
    return True


def _store(proto: ModelProto, values: Mapping[str, np.ndarray]) -> None:
    """Keep those values that are still read; an output of the model needs a node that gives it."""
    from onnx import helper, numpy_helper

    read = {name for node in walk_nodes(proto) for name in node.input}
    results = {value.name for value in proto.graph.output}
    for name, value in values.items():
        stored = name
        if name in results:
            while stored in read | results | set(values):
                stored += "/value"
            proto.graph.node.append(helper.make_node("Identity", [stored], [name], name=stored))
        if name in read | results:
            proto.graph.initializer.append(numpy_helper.from_array(value, stored))


def _candidates(proto: ModelProto, facts: Facts, ours: Container[str]) -> set[str]:
    """First outputs of the nodes that can be computed, in order."""
    results = {value.name for value in proto.graph.output}
    inner = {name for node in _holders(proto) for name in _inner_outputs(node)}
    known = set(facts.stored)
    small = {name for name, t in facts.stored.items() if _is_small(t)}
    found: set[str] = set()
    for node in proto.graph.node:
        usable = known if node.name in ours else small
        given = results if node.op_type == "Identity" else set[str]()
        if (inner | given).isdisjoint(node.output) and _computable(node, usable, facts, ours):
            found.add(node.output[0])
            known.update(node.output)
            small.update(node.output)
    return found


def _is_small(tensor: TensorProto) -> bool:
    return not is_mapped(tensor) and tensor.ByteSize() <= _MAX_INPUT_BYTES


def _computable(node: NodeProto, known: set[str], facts: Facts, ours: Container[str]) -> bool:
    if not _is_plain(node):
        return False
    if node.op_type in ("Shape", "Size"):
        return node.input[0] in known or facts.shape(node.input[0]) is not None
    if not all(name in known for name in node.input if name):
        return False
    shapes = [facts.shape(name) for name in node.output]
    if None in shapes:
        return node.op_type not in _GROWING
    if node.name in ours and node.op_type in _CUTTING:
        return True
    return all(math.prod(shape) <= _MAX_ELEMENTS for shape in shapes if shape is not None)


def _is_plain(node: NodeProto) -> bool:
    """Whether a node's outputs follow from its inputs alone, and may be stored instead of it."""
    if node.domain not in _STANDARD or node.op_type in _KEPT or not all(node.output):
        return False
    return not any(attribute.HasField("g") or attribute.graphs for attribute in node.attribute)


def _evaluate(nodes: list[NodeProto], facts: Facts) -> dict[str, np.ndarray]:
    """Values of all outputs of those nodes that ONNX Runtime can run, by name."""
    values: dict[str, np.ndarray] = {}
    for node in nodes:
        computed = _shape_value(node, facts) or _run(node, values, facts)
        if computed is not None:
            values.update(computed)
    return values


def _shape_value(node: NodeProto, facts: Facts) -> dict[str, np.ndarray] | None:
    import numpy as np

    shape = facts.shape(node.input[0]) if node.input else None
    if node.op_type == "Size" and shape is not None:
        return {node.output[0]: np.asarray(math.prod(shape), "int64")}
    if node.op_type == "Shape" and shape is not None:
        bounds = {attribute.name: attribute.i for attribute in node.attribute}
        part = shape[bounds.get("start", 0) : bounds.get("end", len(shape))]
        return {node.output[0]: np.asarray(part, "int64")}
    return None


def _run(
    node: NodeProto, values: dict[str, np.ndarray], facts: Facts
) -> dict[str, np.ndarray] | None:
    """One node's outputs from known inputs, None where it fails."""
    import numpy as np
    import onnx
    import onnxruntime
    from onnx import helper, numpy_helper

    inputs = []
    for name in {name for name in node.input if name}:
        array = values[name] if name in values else facts.value(name)
        if array is None:
            return None
        inputs.append(numpy_helper.from_array(array, name))
    outputs = [onnx.ValueInfoProto(name=name) for name in node.output]
    graph = helper.make_graph([node], "constants", [], outputs, inputs)
    proto = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", facts.opset)], ir_version=8
    )
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.intra_op_num_threads = 1
    level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.graph_optimization_level = level
    try:
        session = onnxruntime.InferenceSession(
            proto.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        results = session.run(None, {})
    except Exception:  # ONNX Runtime raises a type of its own for every status
        return None
    if not all(isinstance(result, np.ndarray) for result in results):  # a sequence
        return None
    return dict(zip(node.output, results, strict=True))


def _holders(proto: ModelProto) -> list[NodeProto]:
    return [n for n in walk_nodes(proto) if any(a.HasField("g") or a.graphs for a in n.attribute)]


def _inner_outputs(node: NodeProto) -> list[str]:
    graphs = [a.g for a in node.attribute if a.HasField("g")]
    return [value.name for graph in graphs for value in graph.output]
