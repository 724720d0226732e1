"""Which weights a schedule may put into an order of its own, once and for all."""

from __future__ import annotations

from typing import Any

_FREE = "layout_free_buffers"


def with_safe_layouts(module: Any) -> Any:
    """The lowered module, in which no weight is free that a kernel rearranges before its sums.

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
    rearranged = _rearranged(function)
    kept = [place for place in free if str(function.params[place].name) not in rearranged]
    return function if kept == free else function.with_attr(_FREE, kept)


def _rearranged(function: Any) -> frozenset[str]:
    """The buffers that blocks without sums copy for blocks with sums."""
    blocks = _blocks(function)
    summed = {name for block in blocks if _sums(block) for name in _names(block.reads)}
    copied = (
        _names(block.reads)
        for block in blocks
        if not _sums(block) and summed.intersection(_names(block.writes))
    )
    return frozenset(name for names in copied for name in names)


def _blocks(function: Any) -> list[Any]:
    """Those of a kernel that is not scheduled yet; none where it is not made of blocks."""
    from tvm.s_tir import SBlockRealize, Schedule

    if not isinstance(function.body, SBlockRealize):
        return []
    schedule = Schedule(function)
    return [schedule.get(child) for child in schedule.get_child_blocks(schedule.get_sblock("root"))]


def _sums(block: Any) -> bool:
    from tvm.tirx import IterVar

    return any(axis.iter_type == IterVar.CommReduce for axis in block.iter_vars)


def _names(regions: Any) -> list[str]:
    return [str(region.source.name) for region in regions]
