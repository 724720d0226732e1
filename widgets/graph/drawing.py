"""What the graph view draws now: which side, which blocks are folded, what stands for what."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import StrEnum

from engine.graph.folding import (
    Block,
    Repeat,
    around,
    find_blocks,
    fold,
    row_to_open,
    stands_at,
    to_open,
)
from engine.graph.repeats import gathered
from engine.graph.shown import ShownNode, file_shown, operators_shown
from engine.records.network import FileNode, Operator, nodes_by_operator
from widgets.graph.look import shape_text

FOLD_FROM = 100


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
        self.repeats: tuple[Repeat, ...] = ()
        self.back: dict[int, tuple[int, ...]] = {}
        self._all: tuple[ShownNode, ...] = ()
        self._places: dict[int, int] = {}
        self._blocks: tuple[Block, ...] = ()
        self._opened: frozenset[int] = frozenset()
        self._kept: dict[Side, frozenset[int]] = {}  # what is open on each side
        self.is_look = False

    def set_project(self, operators: Sequence[Operator], files: Sequence[FileNode]) -> None:
        """Another project; its operators are shown."""
        self.is_look = False
        self.operators = {operator.id: operator for operator in operators}
        self.files = tuple(files)
        self.back = nodes_by_operator(files)
        self._kept.clear()
        self.show_side(Side.OPERATORS)

    def set_look(self, files: Sequence[FileNode]) -> None:
        """The nodes of a file that has no operators yet."""
        self.set_project((), files)
        self.is_look = True
        self.show_side(Side.FILE)

    def show_side(self, side: Side) -> None:
        """One of the two networks, as it was left; at first folded where it is large."""
        self.side = side
        on_file = side is Side.FILE
        operators = tuple(self.operators.values())
        self._all = gathered(file_shown(self.files) if on_file else operators_shown(operators))
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
        """Show each block that repeats once, or open everything."""
        everything = frozenset(block.id for block in self._blocks)
        self._open(frozenset() if folded else everything)

    def toggle(self, node: int) -> int | None:
        """Open what a node stands for, or fold the block round it; the node to look at then."""
        if node < 0:
            row = next((b for b in self._blocks if b.id == node and b.count > 1), None)
            return self._unfold(node) if row is None else self._toggle_row(row)
        outer = around(self._blocks, self._places[node], self._opened)
        if outer is None:
            return None
        self._close(outer)
        return self.shown_for(node)

    def _toggle_row(self, row: Block) -> int:
        if row.id in self._opened:
            self._close(row)
        else:
            self._open(self._opened | {row.id})
        return self.shown_for(self._all[row.start].id)

    def _close(self, block: Block) -> None:
        """Fold a block or a row, and all within it."""
        inside = {b.id for b in self._blocks if block.start <= b.start and b.stop <= block.stop}
        self._open(self._opened - inside)

    def _unfold(self, node: int) -> int:
        """Open a folded block, or the row that a node is shown once for."""
        place = stands_at(self._blocks, node)
        if place is None:
            block = next(block for block in self._blocks if block.id == node)
            place = block.start
        else:
            block = row_to_open(self._blocks, place, self._opened) or self._blocks[0]
        self._open(self._opened | {block.id})
        return self.shown_for(self._all[place].id)

    def shown_for(self, node: int) -> int:
        """What stands for a node of the network now: itself where it is not folded."""
        return next(
            (shown.id for shown in self.shown if node in (shown.folded or (shown.id,))), node
        )

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
        """Whether there is such a node or row now, folded or not."""
        rows = (repeat.row for repeat in self.repeats)
        return key in self._places or key in rows or any(node.id == key for node in self.shown)

    def node(self, key: int) -> ShownNode:
        """A node of the drawing, or one that is folded."""
        if key in self._places:
            return self._all[self._places[key]]
        return next(node for node in self.shown if node.id == key)

    def _open(self, blocks: frozenset[int]) -> None:
        self._opened = self._kept[self.side] = blocks
        folding = fold(self._all, self._blocks, blocks)
        self.shown = folding.nodes
        self.repeats = folding.repeats if self.is_folded else ()


def _searched(node: ShownNode) -> str:
    return f"{node.name} {node.kind} {shape_text(node)}".casefold()
