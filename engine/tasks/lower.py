"""Relax to fused TensorIR: layout, legalisation, fusion, and what may be prepacked."""

from __future__ import annotations

import logging
from threading import Lock
from typing import Any

from engine.models.relax.binding_names import is_named, name_added, name_bindings
from engine.records.errors import ModelError
from engine.records.precision import DEFAULT_PRECISION
from engine.targets.targets import TargetSpec, to_tvm
from engine.tasks.dataflow import read_dataflow
from engine.tasks.full_rank import with_full_ranks
from engine.tasks.half import in_half
from engine.tasks.integer_dot import with_dot_products
from engine.tasks.origins import note_origins
from engine.tasks.powers import with_plain_powers
from engine.tasks.prepacking import with_safe_layouts
from engine.tasks.tf32 import with_tf32
from engine.tasks.winograd import with_winograd

ONE_AT_A_TIME = Lock()
"""To be held round imports and `lower`: TVM tags the operators it lowers in a scope that all
threads share. A stopped run's lowering goes on in its thread while the next one begins."""

_log = logging.getLogger(__name__)


def lower(module: Any, target: TargetSpec, precision: str = DEFAULT_PRECISION) -> Any:
    """The module with one `call_tir` for each fused operator, ready for task extraction.

    On a CPU convolutions become NHWC, where vectorised kernels reach the machine's peak, and
    constant operands are marked free in their layout, so that a schedule may prepack them. A
    model that TVM cannot take to NHWC keeps its layout. So it is for tensor cores, which a
    `precision` other than the default asks for on a GPU.
    Raises ModelError where TVM cannot lower an operator.
    """
    try:
        made = in_half(module) if precision == "float16" else module
        as_it_is = target.is_gpu and precision == DEFAULT_PRECISION
        lowered = None if as_it_is else _turned(made, target)
        if lowered is None:
            lowered = _lowered(made, target)
        return with_tf32(lowered) if precision == "tf32" else lowered
    except Exception as error:
        raise ModelError(
            f"TVM cannot lower the model for this target: {first_line(error)}.",
            "Run `tunewright doctor` and report the model with this sentence.",
        ) from error


def _turned(module: Any, target: TargetSpec) -> Any:
    """The module lowered in NHWC, None where TVM cannot."""
    try:
        if target.is_gpu:
            lowered = _lowered(_channels_last(with_full_ranks(module)), target)
        else:
            lowered = _lowered(_for_cpu(module, target), target)
        read_dataflow(lowered)
    except Exception as error:  # TVM raises whatever the rule of an operator does
        _log.warning("The model keeps its layout: %s", first_line(error))
        return None
    return lowered


def _lowered(module: Any, target: TargetSpec) -> Any:
    import tvm
    from tvm import relax

    unfused = [
        relax.backend.DispatchSampling(),
        relax.backend.DispatchSortScan(),
        relax.transform.FoldConstant(),
        relax.transform.LegalizeOps(),
        relax.transform.RewriteDataflowReshape(),
        relax.transform.AnnotateTIROpPattern(),
        relax.transform.FoldConstant(),
        relax.transform.DeadCodeElimination(),
    ]
    kernels = [relax.transform.FuseTIR()]
    if not target.is_gpu:
        kernels.append(relax.transform.AttachAttrLayoutFreeBuffers())
    with to_tvm(target):
        before = tvm.transform.Sequential(unfused)(module)
        fused = relax.transform.FuseOps()(before)
        lowered = with_safe_layouts(tvm.transform.Sequential(kernels)(fused))
    return _with_origins(before, fused, lowered)


def _with_origins(before: Any, fused: Any, lowered: Any) -> Any:
    """`lowered`, which tells where it comes from if that can be followed."""
    try:
        return note_origins(before, fused, lowered) if is_named(before) else lowered
    except Exception as error:  # a model is worth more than the way back to its file
        _log.warning("Operators cannot be followed: %s", first_line(error), exc_info=error)
        return lowered


def first_line(error: BaseException) -> str:
    """The last line of an error's text that says something, cut to 200 signs.

    TVM puts its reason last; NVRTC's log ends in a zero byte on a line of its own.
    """
    text = "".join(sign if sign.isprintable() else "\n" for sign in str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:200].rstrip(".") if lines else type(error).__name__


def _for_cpu(module: Any, target: TargetSpec) -> Any:
    spelt = with_plain_powers(with_full_ranks(module))
    turned = _channels_last(name_bindings(spelt) if is_named(module) else spelt)
    return with_winograd(with_dot_products(turned, target))


def _channels_last(module: Any) -> Any:
    from tvm import relax

    # Without an entry of its own an operator follows its input, and this one has no such kernel.
    layouts = {"relax.nn.conv2d": ["NHWC", "OHWI"], "relax.nn.conv2d_transpose": ["NCHW", "IOHW"]}
    changed = relax.transform.ConvertLayout(layouts)(module)
    return name_added(module, changed) if is_named(module) else changed
