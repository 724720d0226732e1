"""What the graph view draws now: which side, which blocks are folded, what stands for what."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from engine.graph.folding import Block, around, find_blocks, fold, to_open
from engine.graph.shown import ShownNode, file_shown, operators_shown
from engine.records.network import FileNode, Operator, nodes_by_operator
from widgets.graph.look import shape_text

FOLD_FROM = 300


class Side(StrEnum):
    """The two networks of a model."""

    OPERATORS = "operators"
    FILE = "file"


class Drawing:
    """One side of a project's network, folded as a person wants it; plain data, no pixels."""

    def __init__(self) -> None:
        self.side = Side.OPERATORS
        self.operators: dict[int, Operator] = {}
        self.files: tuple[FileNode, ...] = ()
        self.shown: tuple[ShownNode, ...] = ()
        self.back: dict[int, tuple[int, ...]] = {}
        self._all: tuple[ShownNode, ...] = ()
        self._places: dict[int, int] = {}
        self._blocks: tuple[Block, ...] = ()
        self._opened: frozenset[int] = frozenset()
        self._kept: dict[Side, frozenset[int]] = {}  # what is open on each side

    def set_project(self, operators: Sequence[Operator], files: Sequence[FileNode]) -> None:
        """Another project; its operators are shown."""
        self.operators = {operator.id: operator for operator in operators}
        self.files = tuple(files)
        self.back = nodes_by_operator(files)
        self._kept.clear()
        self.show_side(Side.OPERATORS)

    def show_side(self, side: Side) -> None:
        """One of the two networks, as it was left; at first folded where it is large."""
        self.side = side
        on_file = side is Side.FILE
        self._all = (
            file_shown(self.files) if on_file else operators_shown(tuple(self.operators.values()))
        )
        self._places = {node.id: place for place, node in enumerate(self._all)}
        self._blocks = find_blocks(self._all)
        if side in self._kept:
            self._open(self._kept[side])
        else:
            self.fold_all(len(self._all) >= FOLD_FROM)

    @property
    def has_blocks(self) -> bool:
        return bool(self._blocks)

    @property
    def is_folded(self) -> bool:
        """Whether any block is folded."""
        return len(self._opened) < len(self._blocks)

    def fold_all(self, folded: bool) -> None:
        """Fold every row of blocks, or open everything."""
        everything = frozenset(block.id for block in self._blocks)
        self._open(frozenset() if folded else everything)

    def toggle(self, node: int) -> int | None:
        """Open a folded block, or fold the one round a node; the node to look at then."""
        if node < 0:
            block = next(block for block in self._blocks if block.id == node)
            self._open(self._opened | {node})
            inner = [b for b in self._blocks if b.parent == node]
            return inner[0].id if inner else self._all[block.start].id
        outer = around(self._blocks, self._places[node], self._opened)
        if outer is None:
            return None
        within = {block.id for block in self._blocks if block.parent == outer.id}
        self._open(self._opened - within - {outer.id})
        return outer.id

    def reveal(self, node: int) -> bool:
        """Open what a node is folded into; whether that was needed."""
        wanted = to_open(self._blocks, [self._places[node]])
        needed = not wanted <= self._opened
        if needed:
            self._open(self._opened | wanted)
        return needed

    def standing_for(self, operators: Collection[int]) -> list[int]:
        """The nodes of the drawing that stand for any of these operators."""
        wanted = frozenset(operators)
        return [node.id for node in self.shown if wanted.intersection(node.operators)]

    def find(self, text: str) -> list[int]:
        """The nodes, folded ones too, that have a text in their name, operator or shape."""
        wanted = text.casefold().split()
        return [node.id for node in self._all if all(w in _searched(node) for w in wanted)]

    def knows(self, key: int) -> bool:
        """Whether there is such a node now, folded or not."""
        return key in self._places or any(node.id == key for node in self.shown)

    def node(self, key: int) -> ShownNode:
        """A node of the drawing, or one that is folded."""
        if key in self._places:
            return self._all[self._places[key]]
        return next(node for node in self.shown if node.id == key)

    def _open(self, blocks: frozenset[int]) -> None:
        self._opened = self._kept[self.side] = blocks
        self.shown = fold(self._all, self._blocks, blocks) if self._blocks else self._all


def _searched(node: ShownNode) -> str:
    return f"{node.name} {node.kind} {shape_text(node)}".casefold()
