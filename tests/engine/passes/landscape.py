"""A made-up task: traces without TVM, and latencies that depend on their decisions alone."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.passes.decisions import (
    Choice,
    Coordinate,
    Location,
    Tile,
    Value,
    changed,
    point_key,
    read_decisions,
)
from engine.passes.droplet import Droplet, Proposal, Verdict
from engine.search.trace_text import parse

UNROLLS = [0, 16, 64, 512]


def make_trace(
    tiles: Sequence[Sequence[int]] = ((1, 4, 2, 8), (3, 1)),
    unroll: int = 0,
    place: int | None = None,
    parallel: int | None = None,
    limit: int = 64,
) -> str:
    """A trace with a tile for each loop of a block, an unroll, a compute location if asked for,
    and a postprocessor."""
    loops = [f"l{index}" for index in range(len(tiles))]
    instructions: list[list[Any]] = [
        ["GetSBlock", [], ["dense", "main"], ["b0"]],
        ["GetLoops", ["b0"], [], loops],
    ]
    decisions: list[list[Any]] = []
    for index, factors in enumerate(tiles):
        names = [f"v{index}_{part}" for part in range(len(factors))]
        decisions.append([len(instructions), list(factors)])
        instructions.append(["SamplePerfectTile", [loops[index]], [len(factors), limit], names])
        parts = [f"l{index}_{part}" for part in range(len(factors))]
        instructions.append(["Split", [loops[index], *names], [True, False], parts])
    if parallel is not None:
        instructions.append(["Annotate", ["b0", parallel], ["meta_schedule.parallel"], []])
    decisions.append([len(instructions), unroll])
    instructions.append(["SampleCategorical", [], [UNROLLS, [0.25] * 4], ["v"]])
    instructions.append(["Annotate", ["b0", "v"], ["meta_schedule.unroll_explicit"], []])
    if place is not None:
        decisions.append([len(instructions), place])
        instructions.append(["SampleComputeLocation", ["b0"], [], ["l"]])
    instructions += [["EnterPostproc", [], [], []], ["Parallel", ["l0_0"], [], []]]
    return json.dumps([instructions, decisions])


def with_decision(trace: str, coordinate: Coordinate, value: Value) -> str:
    """The trace with another value."""
    return changed(parse(trace), coordinate, value).text


@dataclass
class Landscape:
    """Latency rises with the distance, in doublings, from the best factors of each tile.

    `coupling` makes the first tile's innermost level and the unroll depend on each other. Samples
    vary by `noise`, and one in ten is slower by up to `tail`.
    """

    best: Sequence[Sequence[int]] = ((4, 1, 1, 16), (1, 3))
    best_unroll: int = 2
    slope: float = 0.1
    coupling: float = 0.0
    noise: float = 0.01
    tail: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        self._dice = np.random.default_rng(self.seed)

    def latency(self, trace: str) -> float:
        """Seconds, without noise."""
        found = read_decisions(trace)
        tiles = [item.factors for item in found if isinstance(item, Tile)]
        unroll = next(
            item.chosen for item in found if isinstance(item, Choice) and not item.written
        )
        place = next((item.chosen for item in found if isinstance(item, Location)), 0)
        apart = sum(
            abs(math.log2(ours / best))
            for factors, target in zip(tiles, self.best, strict=True)
            for ours, best in zip(factors, target, strict=True)
        )
        apart += abs(unroll - self.best_unroll) + abs(place)
        apart += self.coupling * abs(math.log2(tiles[0][-1]) - 2 * unroll)
        return 1e-3 * (1 + self.slope * apart)

    def samples(self, trace: str, count: int) -> tuple[float, ...]:
        """Noisy samples in seconds."""
        factors = 1 + self.noise * self._dice.standard_normal(count)
        slow = self._dice.random(count) < 0.1
        factors *= np.where(slow, 1 + self.tail * self._dice.random(count), 1)
        return tuple(float(factor) * self.latency(trace) for factor in factors)


@dataclass
class Descent:
    """What a descent did: the traces that it tried, its verdicts, and where it ended."""

    droplet: Droplet
    tried: list[Proposal]
    verdicts: list[Verdict]

    @property
    def moves(self) -> list[Verdict]:
        """The accepted ones."""
        return [verdict for verdict in self.verdicts if verdict.accepted]


def descend(
    landscape: Landscape,
    trace: str,
    batch: int = 8,
    trials: int = 1000,
    samples: int = 12,
    known: Sequence[str] = (),
    **options: Any,
) -> Descent:
    """Run Droplet from a trace, as a run does it, until it is done or the trials are spent."""
    first = float(np.median(landscape.samples(trace, 4)))
    droplet = Droplet(1, trace, first, map(point_key, known), **options)
    done = Descent(droplet, [], [])
    while not droplet.done and len(done.tried) < trials:
        for proposal in droplet.propose(min(batch, trials - len(done.tried))):
            done.tried.append(proposal)
            latency = float(np.median(landscape.samples(proposal.trace, 4)))
            droplet.observe(proposal, latency, 1 + len(done.tried))
        rivals = droplet.contenders(4)
        if rivals:
            start = landscape.samples(droplet.point.trace, samples)
            results = [(rival, landscape.samples(rival.trace, samples)) for rival in rivals]
            done.verdicts += droplet.settle(start, results)
    return done
