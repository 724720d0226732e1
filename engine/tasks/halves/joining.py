"""Casts in the kernels that they are for, where TVM's fusion leaves them outside or doubles them.

TVM fuses an elementwise operator with what it follows, not with a reduction that it precedes. And
where operators of one kernel pass on a value that would be stored in 16 bits, it need not be.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from engine.models.relax.binding_names import bindings_of, leaves
from engine.models.relax.calls import operator_name, with_main
from engine.records.precision import HALVES
from engine.tasks.halves.ranges import SINGLE, is_float

Kernel = list[tuple[Any, Any]]
"""Calls of TIR functions with the variables that they are bound to; the last one is the result."""

_SIMPLE, _REDUCES = (0, 1), 4  # of TVM's OpPatternKind: elementwise, broadcast; what sums, and
# may be followed by simple operators
_PRODUCTS = ("conv", "matmul", "dense")
_CAST = re.compile(r"cast\d*")


def with_outer_views(fused: Any) -> Any:
    """The module, as FuseOps gives it, whose kernels neither begin nor end with a reshape, which
    by itself costs nothing."""
    found: dict[Any, list[Kernel]] = {}
    for binding in bindings_of(fused["main"]):
        kernel = _kernel(fused, binding)
        if len(kernel) > 1 and len(parts := _without_views(fused, kernel)) > 1:
            found[binding.var] = parts
    return _with_kernels(fused, found) if found else fused


def _without_views(module: Any, kernel: Kernel) -> list[Kernel]:
    """The parts of a kernel, of which all but one are reshapes."""
    inner = list(kernel)
    first: list[Kernel] = []
    last: list[Kernel] = []
    while len(inner) > 1 and _is_view(module, inner[-1]) and _read(inner[-1:]) == [inner[-2][0]]:
        last.insert(0, [inner.pop()])
    made = {var for var, _ in inner}
    for item in inner[:-1]:
        if _is_view(module, item) and made.isdisjoint(_read([item])):
            inner.remove(item)
            made.remove(item[0])
            first.append([item])
    return [*first, inner, *last]


def _is_view(module: Any, item: tuple[Any, Any]) -> bool:
    from tvm import relax

    return bool(relax.analysis.has_reshape_pattern(module[item[1].args[0]]))


def with_joined_casts(fused: Any) -> Any:
    """The module, as FuseOps gives it, in which simple kernels that one reduction alone reads,
    such as a layer normalisation, are part of its kernel. Products take none. Casts to float32 are
    part of what reads them, never the end of a kernel."""
    main = fused["main"]
    bindings = list(bindings_of(main))
    reads = Counter(leaf for binding in bindings for leaf in leaves(binding.value))
    reads.update(leaves(main.body.body))
    kernels = {one.var: kernel for one in bindings if (kernel := _kernel(fused, one))}
    changed: dict[Any, Kernel] = {}
    for var, kernel in kernels.items():
        if not all(_pattern(fused, call) <= _REDUCES for _, call in kernel):
            continue
        takes_more = _may_follow(fused, kernel)
        before: dict[Any, Kernel] = {}
        for leaf in dict.fromkeys(_read(kernel)):
            first = changed.get(leaf, kernels.get(leaf, []))
            if reads[leaf] != 1 or not first:
                continue
            if takes_more and _is_simple(fused, first):
                before[leaf] = first
                changed[leaf] = []
            elif (parts := _before_last_cast(first)) is not None:
                changed[leaf], before[leaf] = parts
        if before:
            changed[var] = _with_more(kernel, before)
    made = {var: [kernel] if kernel else [] for var, kernel in changed.items()}
    return _with_kernels(fused, made) if made else fused


def _with_more(kernel: Kernel, before: dict[Any, Kernel]) -> Kernel:
    """A kernel with others, by what they give, each ahead of the first call that reads that."""
    made: Kernel = []
    for item in kernel:
        for leaf in dict.fromkeys(_read([item])):
            made += before.pop(leaf, [])
        made.append(item)
    return made


def _before_last_cast(kernel: Kernel) -> tuple[Kernel, Kernel] | None:
    """A kernel that ends with a cast of a value of 16 bits, and the cast; None for others."""
    from tvm import relax

    if len(kernel) < 2:
        return None
    (inner, call), (var, cast) = kernel[-2:]
    if not (_CAST.fullmatch(_name(cast)) and _is_half(inner) and _read(kernel[-1:]) == [inner]):
        return None
    stored = relax.DataflowVar(str(var.name), inner.ty)
    return [*kernel[:-2], (stored, call)], [(var, _with_leaves(cast, lambda _: stored))]


def without_round_trips(fused: Any) -> Any:
    """The module whose kernels round nothing to 16 bits to read it in float32 at once."""
    found: dict[Any, list[Kernel]] = {}
    for binding in bindings_of(fused["main"]):
        kernel = _kernel(fused, binding)
        if kernel and len(shorter := _shortened(kernel)) < len(kernel):
            found[binding.var] = [shorter]
    return _with_kernels(fused, found) if found else fused


def _shortened(kernel: Kernel) -> Kernel:
    sources: dict[Any, Any] = {}  # of casts, what they read
    same: dict[Any, Any] = {}
    kept: Kernel = []
    for var, given in kernel:
        call = _with_leaves(given, lambda leaf: same.get(leaf, leaf))
        if _CAST.fullmatch(_name(call)):
            (source,) = _read([(var, call)]) or (None,)
            before = sources.get(source)
            if (
                before is not None
                and str(before.ty.dtype) == str(var.ty.dtype)
                and var is not kernel[-1][0]
            ):
                same[var] = before
                continue
            if is_float(source, SINGLE) and _is_half(var):
                sources[var] = source
        kept.append((var, call))
    used = {kernel[-1][0]}
    needed: Kernel = []
    for var, call in reversed(kept):
        if var in used:
            used.update(_read([(var, call)]))
            needed.insert(0, (var, call))
    return needed


def _kernel(module: Any, binding: Any) -> Kernel:
    """The calls of a binding of `main`, by its variables; none where it is no kernel."""
    from tvm import relax
    from tvm.ir import GlobalVar

    value = binding.value
    if operator_name(value) == "relax.call_tir":
        return [(binding.var, value)] if len(value.args) == 2 else []
    if not isinstance(value, relax.Call) or not isinstance(value.op, GlobalVar):
        return []
    function = module[value.op]
    if not isinstance(function, relax.Function):
        return []
    values = dict(zip(function.params, value.args, strict=True))
    kernel: Kernel = []
    for inner in bindings_of(function):
        call = _with_leaves(inner.value, lambda leaf: values.get(leaf, leaf))
        if operator_name(call) != "relax.call_tir" or len(call.args) != 2:
            return []
        values[inner.var] = relax.DataflowVar(str(inner.var.name), inner.var.ty)
        kernel.append((values[inner.var], call))
    result = values.get(function.body.body)
    if not kernel or result is not kernel[-1][0]:
        return []
    return [*kernel[:-1], (binding.var, kernel[-1][1])]


def _with_kernels(module: Any, kernels: dict[Any, list[Kernel]]) -> Any:
    """The module whose bindings of these variables are calls of functions of these kernels, each
    bound to the kernel's own last variable; none where there is no kernel any more."""
    from tvm import relax

    builder = relax.BlockBuilder(module)
    main = module["main"]
    blocks = []
    for block in main.body.blocks:
        bindings = []
        for binding in block.bindings:
            if binding.var not in kernels:
                bindings.append(binding)
            for kernel in kernels.get(binding.var, ()):
                bindings.append(relax.VarBinding(kernel[-1][0], _called(builder, kernel)))
        blocks.append(type(block)(bindings))
    body = relax.SeqExpr(blocks, main.body.body)
    made = relax.Function(main.params, body, main.ret_ty, main.is_pure, main.attrs)
    return relax.transform.DeadCodeElimination()(with_main(builder.get(), made))


def _called(builder: Any, kernel: Kernel) -> Any:
    """A call of a new function of a kernel, or of one like it that is there already."""
    from tvm import relax

    if len(kernel) == 1:
        return builder.normalize(kernel[0][1])
    inside = {var for var, _ in kernel}
    outside = [leaf for leaf in dict.fromkeys(_read(kernel)) if leaf not in inside]
    params = {leaf: relax.Var(f"p{place}", leaf.ty) for place, leaf in enumerate(outside)}
    values: dict[Any, Any] = dict(params)
    bindings: list[Any] = []
    for var, call in kernel:
        kind = relax.Var if var is kernel[-1][0] else relax.DataflowVar
        given = builder.normalize(_with_leaves(call, lambda leaf: values.get(leaf, leaf)))
        values[var] = kind(f"v{len(bindings)}", var.ty)
        bindings.append(relax.VarBinding(values[var], given))
    result = bindings[-1].var
    body = relax.SeqExpr([relax.DataflowBlock(bindings)], result)
    function = relax.Function(list(params.values()), body, result.ty).with_attr("Primitive", True)
    name = "_".join(["fused", *(_name(call) for _, call in kernel)])
    return builder.normalize(relax.Call(builder.add_func(function, name), outside))


def _may_follow(module: Any, kernel: Kernel) -> bool:
    """Whether a kernel begins with a reduction that takes more work before it."""
    call = kernel[0][1]
    return _pattern(module, call) == _REDUCES and not _name(call).startswith(_PRODUCTS)


def _is_simple(module: Any, kernel: Kernel) -> bool:
    return all(_pattern(module, call) in _SIMPLE for _, call in kernel)


def _is_half(var: Any) -> bool:
    return any(is_float(var, dtype) for dtype in HALVES)


def _pattern(module: Any, call: Any) -> int:
    return int(module[call.args[0]].attrs.get("op_pattern", -1))


def _name(call: Any) -> str:
    """The name of the function that a kernel calls."""
    return str(call.args[0].name_hint)


def _read(kernel: Kernel) -> list[Any]:
    """The variables and constants that a kernel's calls read."""
    return [leaf for _, call in kernel for leaf in leaves(call.args[1])]


def _with_leaves(value: Any, of: Callable[[Any], Any]) -> Any:
    """A call with other variables and constants in the places of its own."""
    from tvm import relax

    if isinstance(value, relax.Call):
        items = [value.args[0], *(_with_leaves(item, of) for item in value.args[1:])]
        return relax.Call(value.op, items, value.attrs, value.ty_args, value.span)
    if isinstance(value, relax.Tuple):
        return relax.Tuple([_with_leaves(item, of) for item in value.fields])
    return of(value)
