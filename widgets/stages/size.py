"""How large a search for stages would be, from the model's graph alone."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from engine.ios.blocks import cut
from engine.ios.counting import relaxed_bound
from engine.ios.keys import graph_of
from engine.records.network import Operator
from widgets.look.language import tr
from widgets.look.units import UNKNOWN
from widgets.parts.facts import Fact
from widgets.stages.words import big_count


@dataclass(frozen=True, slots=True)
class ProgramSize:
    """Operators; blocks that are searched by themselves; the largest one with its width; the bound
    (n/d + 1)^(2d) on pairs of sets, summed over the blocks."""

    operators: int
    blocks: int
    largest: int
    width: int
    bound: float


def size_of(operators: Sequence[Operator]) -> ProgramSize:
    """The size of the search; takes SciPy, which takes a while to load."""
    graph = graph_of(operators)
    blocks = [block.graph for block in cut(graph) if block.graph.n > 1]
    widths = [block.width() for block in blocks]
    largest = max(range(len(blocks)), key=lambda place: blocks[place].n, default=None)
    return ProgramSize(
        operators=graph.n,
        blocks=len(blocks),
        largest=0 if largest is None else blocks[largest].n,
        width=0 if largest is None else widths[largest],
        bound=math.fsum(
            relaxed_bound(block.n, width) for block, width in zip(blocks, widths, strict=True)
        ),
    )


def size_facts(size: ProgramSize | None, gain: str) -> list[Fact]:
    """A size as names and values; None while it is worked out."""
    operators = blocks = pairs = UNKNOWN
    if size is not None:
        operators, blocks = f"{size.operators:,}", _blocks_text(size)
        pairs = tr("at most {count} without limits", count=big_count(size.bound))
    return [
        (tr("Operators"), operators),
        (tr("Blocks"), blocks),
        (tr("Pairs"), pairs),
        (tr("Gain"), gain),
    ]


def _blocks_text(size: ProgramSize) -> str:
    if not size.blocks:
        return tr("none: all operators wait for each other")
    return tr(
        "{count} to search; the largest has {largest} operators, at most {width} of them side by "
        "side",
        count=f"{size.blocks:,}",
        largest=f"{size.largest:,}",
        width=f"{size.width:,}",
    )
