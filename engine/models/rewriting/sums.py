"""Sum as a chain of Add."""

from __future__ import annotations

from engine.models.rewriting.emit import Emitter


def sums(emit: Emitter) -> None:
    """TVM stacks the inputs of Sum into a tensor of one more axis.

    That keeps the convolutions round it from being laid out and fused; the operator's definition
    is a chain of additions.
    """
    first, *others = emit.node.input
    if not others:
        emit.identity(first, emit.output(0))
        return
    for place, other in enumerate(others, start=1):
        last = place == len(others)
        first = emit("Add", first, other, out=emit.output(0) if last else "", part=f"sum{place}")
