"""Relax to fused TensorIR: layout, legalisation, fusion, and what may be prepacked."""

from __future__ import annotations

import logging
from typing import Any

from engine.errors import ModelError
from engine.tasks.targets import TargetSpec, to_tvm

_log = logging.getLogger(__name__)


def lower(module: Any, target: TargetSpec) -> Any:
    """The module with one `call_tir` for each fused operator, ready for task extraction.

    On a CPU convolutions become NHWC, where vectorised kernels reach the machine's peak, and
    constant operands are marked free in their layout, so that a schedule may prepack them.
    Raises ModelError where TVM cannot lower an operator.
    """
    import tvm
    from tvm import relax

    tvm_target = to_tvm(target)
    if not target.is_gpu:
        module = _channels_last(module)
    passes = [
        relax.backend.DispatchSampling(),
        relax.backend.DispatchSortScan(),
        relax.transform.FoldConstant(),
        relax.transform.LegalizeOps(),
        relax.transform.RewriteDataflowReshape(),
        relax.transform.AnnotateTIROpPattern(),
        relax.transform.FoldConstant(),
        relax.transform.DeadCodeElimination(),
        relax.transform.FuseOps(),
        relax.transform.FuseTIR(),
    ]
    if not target.is_gpu:
        passes.append(relax.transform.AttachAttrLayoutFreeBuffers())
    try:
        with tvm_target:
            return tvm.transform.Sequential(passes)(module)
    except Exception as error:
        raise ModelError(
            f"TVM cannot lower the model for this target: {first_line(error)}.",
            "Run `tunewright doctor` and report the model with this sentence.",
        ) from error


def first_line(error: BaseException) -> str:
    """The last non-empty line of an error's text, where TVM puts its reason, cut to 200 signs."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return lines[-1][:200].rstrip(".") if lines else type(error).__name__


def _channels_last(module: Any) -> Any:
    from tvm import relax

    try:
        return relax.transform.ConvertLayout({"relax.nn.conv2d": ["NHWC", "OHWI"]})(module)
    except Exception as error:
        _log.warning("The model keeps its layout: %s", first_line(error))
        return module
