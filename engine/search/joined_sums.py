"""Short sums on a GPU, computed where they are used: the parts of a split one, a pooling's window.

TVM's rules leave such a sum to a kernel of its own, or to a warp of which most threads are idle,
and its lowering refuses the latter in an unrolled loop.
"""

from __future__ import annotations

import math
from typing import Any

from engine.search.own_rules import rule_of

_LONGEST = 15  # terms: more keep half a warp busy
_PARTIAL = ".rf"  # how the name of a buffer of partial sums ends, by TVM's primitive


def with_joined_sums(rules: list[Any]) -> list[Any]:
    """TVM's rules for a GPU with one that joins short sums with what follows, after inlining."""
    from tvm.s_tir.meta_schedule.schedule_rule import AutoInline

    inlined = next(at for at, rule in enumerate(rules, 1) if isinstance(rule, AutoInline))
    return [*rules[:inlined], rule_of(_joined), *rules[inlined:]]


def _joined(sch: Any, block: Any) -> list[Any]:
    """Have a thread sum up a result where the only block that reads it is computed."""
    node = sch.get(block)
    consumers = sch.get_consumers(block) if _is_between(sch, node) else []
    if len(consumers) == 1 and (_adds_parts(node) or _is_short(sch, block, consumers[0])):
        sch.compute_at(block, sch.fuse(*sch.get_loops(consumers[0])), True)
        sch.set_scope(block, 0, "local")
    return [sch]


def _is_between(sch: Any, node: Any) -> bool:
    """Whether a block reads one buffer and fills another that is nobody's argument."""
    inner = sch.mod["main"].body.block.alloc_buffers
    ends = [region.source for region in (*node.reads, *node.writes)]
    return len(ends) == 2 and any(ends[1].same_as(buffer) for buffer in inner)


def _adds_parts(node: Any) -> bool:
    return str(node.reads[0].source.name).endswith(_PARTIAL)


def _is_short(sch: Any, block: Any, consumer: Any) -> bool:
    """Whether each sum has few terms, and is used once."""
    results, terms = extents_by_kind(sch, block)
    uses, others = extents_by_kind(sch, consumer)
    if others or not results or 0 in results + terms + uses:
        return False
    return 1 < math.prod(terms) <= _LONGEST and math.prod(uses) == math.prod(results)


def extents_by_kind(sch: Any, block: Any) -> tuple[list[int], list[int]]:
    """The extents of an untouched block's axes, those over results and those over sums; 0 where
    one is not constant. Nothing where its loops are other ones or its sums do not come last."""
    from tvm import tirx

    kinds = [axis.iter_type for axis in sch.get(block).iter_vars]
    extents = [_extent(sch.get(loop)) for loop in sch.get_loops(block)]
    first = kinds.count(tirx.IterVar.DataPar)
    sums = kinds[first:]
    if len(extents) != len(kinds) or any(kind != tirx.IterVar.CommReduce for kind in sums):
        return [], []
    return extents[:first], extents[first:]


def _extent(loop: Any) -> int:
    extent = getattr(loop.extent, "value", None)
    return 0 if extent is None else int(extent)
