"""Cases of float16 in float64, as ONNX's own evaluator computes them.

The right outputs of ONNX's tests are themselves computed in float16, where each sum is rounded at
every step: a result that keeps its sums in float32 may be nearer to the exact one and yet outside
the tolerance.
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from tests.benchmarks.conformance.cases import Arrays, Case

if TYPE_CHECKING:
    from onnx import GraphProto, ModelProto, TensorProto


def exact_outputs(case: Case) -> Arrays | None:
    """The outputs in float64; None where the evaluator cannot give them."""
    import numpy as np
    import onnx
    from onnx.reference import ReferenceEvaluator

    proto = onnx.load_from_string(case.model)
    _widen(proto)
    feeds = {
        name: value.astype(np.float64) if value.dtype == np.float16 else value
        for name, value in case.inputs.items()
    }
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            outputs = ReferenceEvaluator(proto).run(None, feeds)
    except Exception:  # an operator of it may have no float64, in any of numpy's ways
        return None
    names = [value.name for value in proto.graph.output]
    return {name: np.asarray(value) for name, value in zip(names, outputs, strict=True)}


def nearer(case: Case, found: Arrays) -> bool:
    """Whether no value of any output lies further from the exact one than the expected value, but
    for the places where both are within the case's tolerance."""
    import numpy as np

    halves = [right.dtype == np.float16 for right in case.expected.values()]
    exact = exact_outputs(case) if halves and all(halves) else None
    if exact is None:
        return False
    for name, right in case.expected.items():
        if found[name].shape != right.shape or found[name].dtype != right.dtype:
            return False
        ours, theirs = found[name].astype(np.float64), right.astype(np.float64)
        tolerance = case.tolerance
        fine = np.isclose(ours, theirs, tolerance.relative, tolerance.absolute, equal_nan=True)
        with np.errstate(invalid="ignore"):
            better = np.abs(ours - exact[name]) < np.abs(theirs - exact[name])
        if not np.all(fine | better):
            return False
    return True


def _widen(proto: ModelProto) -> None:
    """Make every float16 of a model float64, in place."""
    for value in (*proto.graph.input, *proto.graph.output, *proto.graph.value_info):
        kind = value.type.tensor_type
        kind.elem_type = _wide(kind.elem_type)
    _widen_graph(proto.graph)


def _widen_graph(graph: GraphProto) -> None:
    import onnx

    for tensor in graph.initializer:
        _widen_tensor(tensor)
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.TENSOR:
                _widen_tensor(attribute.t)
            elif attribute.type == onnx.AttributeProto.GRAPH:
                _widen_graph(attribute.g)
            elif attribute.name in ("to", "dtype"):
                attribute.i = _wide(attribute.i)


def _widen_tensor(tensor: TensorProto) -> None:
    import numpy as np
    from onnx import TensorProto, numpy_helper

    if tensor.data_type == TensorProto.FLOAT16:
        array = numpy_helper.to_array(tensor).astype(np.float64)
        tensor.CopyFrom(numpy_helper.from_array(array, tensor.name))


def _wide(kind: int) -> int:
    from onnx import TensorProto

    return TensorProto.DOUBLE if kind == TensorProto.FLOAT16 else kind
