"""Which layer each node of a DAG is in, and which edges are too long to be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from engine.graph.links import Digraph

Edge = tuple[int, int]
Neighbours = Mapping[int, tuple[int, ...]]

LONGEST_SPAN = 40
POINTS_PER_NODE = 2
ALWAYS_AFFORDABLE = 4000
SHORTCUT_WEIGHT = 0.001


@dataclass(slots=True)
class Grid:
    """Nodes and bend points in layers, numbered from 0; the first ones are the graph's nodes.

    `nodes` are the graph's own ids by number. `layers` lists numbers by layer, in drawing order.
    `up` and `down` are neighbours in the layers before and after. `chains` gives, for each drawn
    edge, the numbers it passes, ends included; `cut` are the edges that span too many layers.
    `weights` say how much each pulls its neighbours: a shortcut's bend points little, so that a
    skip connection bows round the path it skips, and not the path round it.
    """

    nodes: list[int]
    layer_of: list[int]
    layers: list[list[int]]
    up: list[list[int]]
    down: list[list[int]]
    chains: dict[Edge, list[int]]
    cut: list[Edge] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)

    def is_node(self, number: int) -> bool:
        """Whether `number` is a node, not a bend point of a long edge."""
        return number < len(self.nodes)


def make_grid(graph: Digraph) -> Grid:
    """Longest-path layers, with a bend point wherever an edge passes a layer.

    Edges longer than 40 layers are cut; so are shorter ones, the longest first, where the bend
    points would be over 4,000 and over two for each node. Raises ValueError where there is a cycle.
    """
    before = {node: tuple(graph.predecessors(node)) for node in graph}
    after = {node: tuple(graph.successors(node)) for node in graph}
    nodes = _depth_first_order(before, after)
    number = {node: place for place, node in enumerate(nodes)}
    layer_of = _ranks(before, after, number)
    edges = [
        (number[a], number[b]) for a in nodes for b in sorted(after[a], key=number.__getitem__)
    ]
    limit = _longest_drawn(len(nodes), [layer_of[b] - layer_of[a] for a, b in edges])
    layers: list[list[int]] = [[] for _ in range(max(layer_of, default=-1) + 1)]
    grid = Grid(nodes, layer_of, layers, [[] for _ in nodes], [[] for _ in nodes], {})
    grid.weights += [1.0] * len(nodes)
    for place, layer in enumerate(layer_of):
        layers[layer].append(place)
    for first, last in edges:
        if layer_of[last] - layer_of[first] > limit:
            grid.cut.append((nodes[first], nodes[last]))
        else:
            edge = nodes[first], nodes[last]
            shortcut = len(after[edge[0]]) > 1 and len(before[edge[1]]) > 1
            grid.chains[edge] = _chain(grid, first, last, SHORTCUT_WEIGHT if shortcut else 1.0)
    return grid


def _depth_first_order(before: Neighbours, after: Neighbours) -> list[int]:
    """A topological order that stays in a branch as long as it can: branches stay together."""
    waiting = {node: len(sources) for node, sources in before.items()}
    stack = sorted((node for node, degree in waiting.items() if not degree), reverse=True)
    order: list[int] = []
    while stack:
        node = stack.pop()
        order.append(node)
        for target in sorted(after[node], reverse=True):
            waiting[target] -= 1
            if not waiting[target]:
                stack.append(target)
    if len(order) != len(waiting):
        raise ValueError("a layered layout needs a graph without cycles")
    return order


def _ranks(before: Neighbours, after: Neighbours, number: dict[int, int]) -> list[int]:
    """Layers from the longest path; a source that feeds only later layers moves down to them."""
    ranks = [0] * len(number)
    for node, place in number.items():
        ranks[place] = max((ranks[number[source]] for source in before[node]), default=-1) + 1
    for node, place in number.items():
        if after[node] and not before[node]:
            ranks[place] = min(ranks[number[target]] for target in after[node]) - 1
    return ranks


def _longest_drawn(nodes: int, spans: Sequence[int]) -> int:
    """The longest span for which all bend points together are affordable."""
    allowed = max(POINTS_PER_NODE * nodes, ALWAYS_AFFORDABLE)
    for span in sorted(spans):
        allowed -= span - 1
        if allowed < 0:
            return max(1, span - 1)
    return LONGEST_SPAN


def _chain(grid: Grid, first: int, last: int, weight: float) -> list[int]:
    """Lead an edge through one new bend point a layer, and link its neighbours."""
    chain = [first]
    for layer in range(grid.layer_of[first] + 1, grid.layer_of[last]):
        point = len(grid.layer_of)
        grid.layer_of.append(layer)
        grid.layers[layer].append(point)
        grid.weights.append(weight)
        grid.up.append([])
        grid.down.append([])
        chain.append(point)
    chain.append(last)
    for above, below in pairwise(chain):
        grid.down[above].append(below)
        grid.up[below].append(above)
    return chain
