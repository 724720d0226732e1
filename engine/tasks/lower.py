"""Relax to fused TensorIR: layout, legalisation, fusion, and what may be prepacked."""

from __future__ import annotations

import logging
import math
from threading import Lock
from typing import Any

from engine.kernels.ready import serve_all
from engine.models.refusals.foreign_words import plain
from engine.models.relax.binding_names import bindings_of, is_named, name_added, name_bindings
from engine.models.relax.calls import operator_name, with_main
from engine.models.relax.wide_sums import with_wide_products
from engine.records.errors import ModelError
from engine.records.precision import DEFAULT_PRECISION, HALVES
from engine.targets.targets import TargetSpec, to_tvm
from engine.tasks.attention.rewriting import with_attention, with_merged_products
from engine.tasks.culprit import not_lowered
from engine.tasks.dataflow import read_dataflow
from engine.tasks.halves.biases import with_half_biases
from engine.tasks.halves.joining import with_joined_casts, with_outer_views, without_round_trips
from engine.tasks.halves.mixing import in_half
from engine.tasks.halves.reshapes import with_late_reshapes
from engine.tasks.halves.transposes import with_late_transposes
from engine.tasks.integer_dot import with_dot_products
from engine.tasks.origins import note_origins
from engine.tasks.powers import with_plain_powers
from engine.tasks.tf32 import with_tf32
from engine.tasks.turned_constants import with_turned_constants
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
    Raises NotLowered where TVM cannot lower an operator.
    """
    try:
        made = with_turned_constants(module)
        if precision != DEFAULT_PRECISION:
            made = _with_attention(made, precision)
        if not target.is_gpu:
            made = with_wide_products(made)
        as_it_is = target.is_gpu and precision == DEFAULT_PRECISION
        lowered = None if as_it_is else _turned(made, target, precision)
        if lowered is None:
            lowered = _lowered(made, target, precision)
        return with_tf32(lowered) if precision == "tf32" else lowered
    except ModelError:
        raise
    except Exception as error:
        _log.warning("TVM cannot lower the model: %s", error)
        raise not_lowered(module, lambda part: _lowered(part, target, precision)) from error


def _with_attention(module: Any, precision: str) -> Any:
    """The module with attention as kernels where there are ready ones, which no schedule reaches,
    as there are in 16 bits; with its products merged in TF32. As it is where that fails."""
    try:
        if precision not in HALVES:
            return with_merged_products(module)
        return with_attention(module, precision, serve_all)
    except Exception as error:  # its operators can be lowered one by one
        _log.warning("Attention stays in parts: %s", first_line(error), exc_info=error)
        return module


def _turned(module: Any, target: TargetSpec, precision: str) -> Any:
    """The module lowered in NHWC, None where TVM cannot."""
    try:
        if target.is_gpu:
            made = _channels_last(with_full_ranks(module))
        else:
            made = _for_cpu(module, target)
        lowered = _lowered(made, target, precision)
        read_dataflow(lowered)
    except Exception as error:  # TVM raises whatever the rule of an operator does
        _log.warning("The model keeps its layout: %s", first_line(error))
        return None
    return lowered


def _lowered(module: Any, target: TargetSpec, precision: str = DEFAULT_PRECISION) -> Any:
    import tvm
    from tvm import relax

    half, fewer = precision in HALVES, precision != DEFAULT_PRECISION
    if fewer:  # kernels than those that projects in float32 have their records of
        module = with_late_reshapes(with_late_transposes(module))
    if half:
        module = in_half(module, precision)

    unfused = [
        relax.backend.DispatchSampling(),
        relax.backend.DispatchSortScan(),
        relax.transform.FoldConstant(),
        relax.transform.LegalizeOps(),
        # A reshape may be a part of a kernel; alone it is a view either way.
        *([] if fewer else [relax.transform.RewriteDataflowReshape()]),
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
        if fewer:
            fused = with_outer_views(with_joined_casts(with_outer_views(fused)))
        joined = without_round_trips(fused) if half else fused
        lowered = with_safe_layouts(tvm.transform.Sequential(kernels)(joined))
        if half:
            lowered = with_half_biases(lowered, precision)
    return _with_origins(before, fused, lowered)


def _with_origins(before: Any, fused: Any, lowered: Any) -> Any:
    """`lowered`, which tells where it comes from if that can be followed."""
    try:
        return note_origins(before, fused, lowered) if is_named(before) else lowered
    except Exception as error:  # a model is worth more than the way back to its file
        _log.warning("Operators cannot be followed: %s", first_line(error), exc_info=error)
        return lowered


def first_line(error: BaseException) -> str:
    """The last line of an error's text that says something, cut to 200 signs; where nobody could
    read it, the error's kind.

    TVM puts its reason last; NVRTC's log ends in a zero byte on a line of its own.
    """
    text = "".join(sign if sign.isprintable() else "\n" for sign in str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return plain(lines[-1][:200] if lines else "") or type(error).__name__


def _for_cpu(module: Any, target: TargetSpec) -> Any:
    spelt = with_plain_powers(with_full_ranks(module))
    turned = _channels_last(name_bindings(spelt) if is_named(module) else spelt)
    return with_winograd(with_dot_products(turned, target))


def _channels_last(module: Any) -> Any:
    from tvm import relax

    # Without an entry of its own an operator follows its input, and this one has no such kernel.
    layouts = {"relax.nn.conv2d": ["NHWC", "OHWI"], "relax.nn.conv2d_transpose": ["NCHW", "IOHW"]}
    if not any(operator_name(one.value) in layouts for one in bindings_of(module["main"])):
        return module  # TVM would take time that grows with the square of the bindings
    changed = relax.transform.ConvertLayout(layouts)(module)
    named = name_added(module, changed) if is_named(module) else changed
    return with_turned_constants(named)  # else a kernel is compiled for each weight to turn it


_BINARY = frozenset(
    f"relax.{name}"
    for name in (
        *("add", "subtract", "multiply", "divide", "floor_divide", "power", "mod", "floor_mod"),
        *("maximum", "minimum", "equal", "not_equal"),
        *("less", "less_equal", "greater", "greater_equal"),
    )
)

_COMMUTATIVE = frozenset(f"relax.{name}" for name in ("add", "multiply", "maximum", "minimum"))


def with_full_ranks(module: Any) -> Any:
    """The module whose elementwise operators of a tensor and a constant have both of one rank,
    the tensor first; a constant of one element has none.

    TVM turns the tensor round before and after an operator whose constant, (c, 1, 1) say, leaves
    axes out or comes first, whereas (1, c, 1, 1) it turns itself, once and for all.
    """
    from tvm.ir import GenericConst
    from tvm.relax import Call, PyExprMutator
    from tvm.relax.expr_functor import mutator

    @mutator
    class Ranks(PyExprMutator):  # type: ignore[misc]  # TVM has no types
        """Changes the calls of elementwise operators."""

        def visit_call_(self, call: Any) -> Any:
            call = super().visit_call_(call)
            if operator_name(call) not in _BINARY:
                return call
            ranks = [_rank(item) for item in call.args if not isinstance(item, GenericConst)]
            made = [
                _of_rank(item, max(ranks, default=0)) if isinstance(item, GenericConst) else item
                for item in call.args
            ]
            if isinstance(made[0], GenericConst) and call.op.name in _COMMUTATIVE:
                made.reverse()
            return Call(call.op, made, call.attrs, call.ty_args, call.span)

    return with_main(module, Ranks(module).visit_expr(module["main"]))


def _of_rank(constant: Any, rank: int) -> Any:
    from tvm import relax

    value = constant.value
    shape = tuple(int(size) for size in value.shape)
    if not 0 < len(shape) <= rank:
        return constant  # which may give the result its rank
    full = () if math.prod(shape) == 1 else (1,) * (rank - len(shape)) + shape
    return relax.const(value._create_view(full, str(value.dtype)))


def _rank(argument: Any) -> int:
    return int(getattr(argument.ty, "ndim", -1))


_FREE = "layout_free_buffers"
_ROOT = "root"


def with_safe_layouts(module: Any) -> Any:
    """The lowered module, in which no weight is free that a kernel rearranges before its sums, nor
    one of a kernel that is not made of blocks.

    A transposed convolution turns its weights round in a block of its own. Of the layout that the
    sums want, TVM then works out one for the weights that may lack an axis, and mixes them up.
    """
    import tvm

    functions = {var: _safe(function) for var, function in module.functions.items()}
    return tvm.IRModule(functions, attrs=module.attrs)


def _safe(function: Any) -> Any:
    if function.attrs is None or _FREE not in function.attrs:
        return function
    free = [int(place) for place in function.attrs[_FREE]]
    if not free:
        return function
    blocks = _blocks(function)
    if blocks is None:
        return function.with_attr(_FREE, [])
    rearranged = _rearranged(blocks)
    kept = [place for place in free if str(function.params[place].name) not in rearranged]
    return function if kept == free else function.with_attr(_FREE, kept)


def _rearranged(blocks: list[Any]) -> frozenset[str]:
    """The buffers that blocks without sums copy for blocks with sums."""
    summed = {name for block in blocks if _sums(block) for name in _names(block.reads)}
    copied = (
        _names(block.reads)
        for block in blocks
        if not _sums(block) and summed.intersection(_names(block.writes))
    )
    return frozenset(name for names in copied for name in names)


def _blocks(function: Any) -> list[Any] | None:
    """Those of a kernel that is not scheduled yet; none where it is not made of blocks.

    None where it is all one block, which TVM wrote by hand and cannot schedule, such as a scatter.
    """
    from tvm.s_tir import SBlockRealize, Schedule

    if not isinstance(function.body, SBlockRealize):
        return []
    if function.body.block.name_hint != _ROOT:
        return None
    schedule = Schedule(function)
    return [schedule.get(child) for child in schedule.get_child_blocks(schedule.get_sblock(_ROOT))]


def _sums(block: Any) -> bool:
    from tvm.tirx import IterVar

    return any(axis.iter_type == IterVar.CommReduce for axis in block.iter_vars)


def _names(regions: Any) -> list[str]:
    return [str(region.source.name) for region in regions]
