"""The scene of the graph: builds the items once, then changes only what an event changed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import pairwise

from PySide6.QtCore import QObject, QPointF, QRectF, Signal
from PySide6.QtGui import QFont

from engine.graph.folding import Repeat
from engine.graph.layering import Edge
from engine.graph.layout import Layout, Point
from engine.graph.shown import ShownNode
from widgets.graph.canvas_scene import MARGIN, CanvasNode, CanvasScene
from widgets.graph.frames import FrameItem, areas_of
from widgets.graph.items import EdgesItem, NodesItem, RingsItem, StubsItem
from widgets.graph.look import short_name
from widgets.graph.looks import Looks
from widgets.graph.painter import Node, NodeFonts, title_of


class GraphScene(CanvasScene):
    """Nodes and edges of one drawing; `tints_changed` follows a change of colours."""

    tints_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._layout: Layout | None = None
        self._nodes: dict[int, Node] = {}
        self._tiles = Tiles(())
        self._items: dict[tuple[int, int], NodesItem] = {}
        self._accented: EdgesItem | None = None
        self._rings: RingsItem | None = None
        self.frames: list[FrameItem] = []
        self._alike: dict[Hashable, list[Node]] = {}

    @property
    def nodes(self) -> dict[int, Node]:
        return self._nodes

    def forget(self) -> None:
        super().forget()
        self._nodes, self._alike, self._items = {}, {}, {}
        self._tiles = Tiles(())
        self.frames = []
        self._layout = self._accented = self._rings = None

    def build(
        self,
        nodes: Sequence[ShownNode],
        layout: Layout,
        sizes: dict[int, Point],
        font: QFont,
        repeats: Sequence[Repeat] = (),
    ) -> None:
        """Make the items of a laid out graph, `repeats` of which are shown once for many."""
        self.forget()
        self._layout = layout
        fonts = NodeFonts(font)
        for shown in nodes:
            (x, y), (width, height) = layout.positions[shown.id], sizes[shown.id]
            body = QRectF(x - width / 2, y - height / 2, width, height)
            self._nodes[shown.id] = Node(shown, body)
        self._tiles = Tiles(self._nodes.values())
        for place, members in self._tiles.nodes.items():
            self._items[place] = NodesItem(members, fonts)
            self.addItem(self._items[place])
        for polylines in edges_by_tile(layout):
            self.addItem(EdgesItem(polylines))
        self._add_stubs(layout, fonts)
        self.content = QRectF(0, 0, layout.width, layout.height)
        for repeat in reversed(repeats):  # those inside come first, and go beneath
            self._add_frame(repeat, areas_of(repeat.members, self._nodes, layout.layers), font)
        self.setSceneRect(self.content.adjusted(-MARGIN, -MARGIN, MARGIN, MARGIN))

    def show_looks(self, looks: Looks, anew: bool = False) -> int:
        """Bring nodes up to date; how many changed. `anew`: the colours tell something else."""
        if anew or not self._alike:
            self._alike = self._by_look(looks)
        make = looks.make()
        changed = 0
        for members in self._alike.values():
            look = make(members[0].shown)
            if look == members[0].look:
                continue
            changed += len(members)
            for node in members:
                node.look = look
                self._items[self._tiles.place(node)].forget(node.area)
        for frame in self.frames:
            shares = (looks.share(self._nodes[key].shown) for key in frame.members)
            known = [share for share in shares if share is not None]
            frame.show_share(sum(known) if known else None)
        if changed:
            self.tints_changed.emit()
        return changed

    def retint(self) -> None:
        """The theme's colours are other ones."""
        for item in self._items.values():
            item.forget()
        self.update()

    def neighbour(self, node: int, down: int, right: int) -> int | None:
        """The node next to one: along an edge (down is 1 or -1), or in its layer."""
        if self._layout is None:
            return None
        if right:
            layer = next(layer for layer in self._layout.layers if node in layer)
            place = layer.index(node) + right
            return layer[place] if 0 <= place < len(layer) else None
        here, there = (0, 1) if down > 0 else (1, 0)
        stubs = ((stub.source, stub.target) for stub in self._layout.stubs)
        ends = [edge[there] for edge in (*self._layout.edges, *stubs) if edge[here] == node]
        x, y = self._layout.positions[node]
        places = self._layout.positions
        return min(
            ends,
            key=lambda end: (abs(places[end][1] - y), abs(places[end][0] - x), end),
            default=None,
        )

    def node_at(self, point: QPointF) -> Node | None:
        """The node under a point."""
        return self._tiles.at(point)

    def frame_at(self, point: QPointF) -> int | None:
        """The row in whose frame a point is; those inside come first."""
        return next((frame.row for frame in self.frames if frame.holds(point)), None)

    def other_end(self, point: QPointF, reach: float, of_any: bool) -> int | None:
        """Where the label of a long edge leads, or the edge at a point: to its farther end."""
        stubs = (item for item in self.items(point) if isinstance(item, StubsItem))
        end = next((stub.other for stub in stubs), None)
        if end is None and of_any and self._layout is not None:
            edge = edge_at(self._layout, point, reach)
            if edge is not None:
                end = max(edge, key=lambda key: (self._nodes[key].middle - point).manhattanLength())
        return end

    def redraw(self, nodes: Sequence[CanvasNode]) -> None:
        """Rings are an item of their own, so that tiles need not be painted for them."""
        if self._rings is not None:
            self.removeItem(self._rings)
            self._rings = None
        marked = {node.key for node in self._ringed}
        if self._current is not None:
            marked.add(self._current)
        if marked:
            self._rings = RingsItem([self._nodes[key] for key in marked])
            self.addItem(self._rings)

    def accent_edges(self, ends: set[int]) -> None:
        """Colour the edges that meet these nodes."""
        if self._accented is not None:
            self.removeItem(self._accented)
            self._accented = None
        if self._layout is None or not ends:
            return
        met = [points for edge, points in self._layout.edges.items() if not ends.isdisjoint(edge)]
        if met:
            self._accented = EdgesItem(met, accented=True)
            self.addItem(self._accented)

    def _by_look(self, looks: Looks) -> dict[Hashable, list[Node]]:
        groups: defaultdict[Hashable, list[Node]] = defaultdict(list)
        for node in self._nodes.values():
            groups[looks.alike(node.shown)].append(node)
        return groups

    def _add_frame(self, repeat: Repeat, areas: list[QRectF], font: QFont) -> None:
        if areas:
            frame = FrameItem(repeat, areas, font)
            self.frames.append(frame)
            self.addItem(frame)
            self.content = self.content.united(frame.boundingRect())

    def _add_stubs(self, layout: Layout, fonts: NodeFonts) -> None:
        taken = defaultdict[Point, float](float)  # by the names of other edges at the same end
        for stub in layout.stubs:
            for ends, other, leaves in (
                (stub.leaves, stub.target, True),
                (stub.enters, stub.source, False),
            ):
                name = short_name(title_of(self._nodes[other].shown))
                item = StubsItem(ends, other, name, fonts.detail, leaves, taken[ends[0]])
                taken[ends[0]] += item.label.width()
                self.addItem(item)


ACROSS, DOWN = 2400.0, 1200.0

Place = tuple[int, int]


class Tiles:
    """Nodes by tile, and what is at a point."""

    def __init__(self, nodes: Iterable[Node]) -> None:
        self.nodes: defaultdict[Place, list[Node]] = defaultdict(list)
        for node in nodes:
            self.nodes[self.place(node)].append(node)

    def place(self, node: Node) -> Place:
        """The tile that a node belongs to."""
        centre = node.body.center()
        return tile_at(centre.x(), centre.y())

    def at(self, point: QPointF) -> Node | None:
        """The node under a point; its tile may be the next one."""
        across, down = tile_at(point.x(), point.y())
        near = ((across + x, down + y) for y in (0, -1, 1) for x in (0, -1, 1))
        nodes = (node for place in near for node in self.nodes.get(place, ()))
        return next((node for node in nodes if node.body.contains(point)), None)


def tile_at(x: float, y: float) -> Place:
    """The tile that a point lies in."""
    return int(x // ACROSS), int(y // DOWN)


def edges_by_tile(layout: Layout) -> Iterator[list[Sequence[Point]]]:
    """The polylines that begin in each tile."""
    tiles: defaultdict[Place, list[Sequence[Point]]] = defaultdict(list)
    for points in layout.edges.values():
        tiles[tile_at(*points[0])].append(points)
    yield from tiles.values()


def edge_at(layout: Layout, point: QPointF, reach: float) -> Edge | None:
    """The edge whose line passes a point nearest, within `reach`."""
    best, found = reach, None
    x, y = point.x(), point.y()
    for edge, points in layout.edges.items():
        if points[0][1] - reach <= y <= points[-1][1] + reach:
            distance = min(_distance(x, y, *start, *end) for start, end in pairwise(points))
            if distance <= best:
                best, found = distance, edge
    return found


def _distance(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> float:
    """From a point to a line between two others."""
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    along = 0.0 if not length else max(0.0, min(1.0, ((x - ax) * dx + (y - ay) * dy) / length))
    return float(((x - ax - along * dx) ** 2 + (y - ay - along * dy) ** 2) ** 0.5)
