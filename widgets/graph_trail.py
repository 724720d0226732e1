"""Where a node comes from, or what became of it: in one line, and as a tooltip."""

from __future__ import annotations

from engine.graph.file_nodes import Fate, FileNode
from engine.graph.shown import ShownNode
from engine.history import History
from widgets.graph_drawing import Drawing, Side
from widgets.graph_look import shape_text, short_name, table, tooltip
from widgets.graph_looks import Looks
from widgets.units import format_share

MOST = 4
WHY = {
    Fate.CONSTANT: "folded into a constant",
    Fate.VIEW: "another shape of the same memory: no work",
    Fate.SIMPLIFIED: "removed by simplification",
    Fate.UNKNOWN: "could not be followed to an operator",
}
ADDED = "no node of the file: added for the layout that the target wants"


def trail(drawing: Drawing, node: ShownNode) -> str:
    """A node and its other end, "Relu r1 → conv2d_add_relu"."""
    if node.folded:
        return f"{node.name}, {len(node.folded):,} nodes: double-click opens it"
    if drawing.side is Side.FILE:
        found = drawing.files[node.id]
        return f"{_file_words(found)} → {_outcome(drawing, found)}"
    if not drawing.files:
        return short_name(node.name)
    sources = [drawing.files[place] for place in drawing.back.get(node.id, ())]
    words = _some([_file_words(source) for source in sources]) if sources else ADDED
    return f"{short_name(node.name)} ← {words}"


def explain(drawing: Drawing, node: ShownNode, history: History, looks: Looks) -> str:
    """Exact values as rich text."""
    rows = [("output", str(node.output) if node.output else shape_text(node))]
    if node.folded:
        share = looks.share(node)
        rows.append(("nodes", f"{len(node.folded):,}"))
        if share is not None:
            rows.append(("share", format_share(share)))
        return table(node.name, rows)
    if drawing.side is Side.FILE:
        found = drawing.files[node.id]
        rows.append(("became", _outcome(drawing, found)))
        share = looks.share(node)
        if share is not None:
            rows.append(("share", f"{format_share(share)} for all of its operators"))
        return table(f"{found.op_type} {found.name}", rows)
    origin = trail(drawing, node).partition(" ← ")[2]
    return tooltip(history, drawing.operators[node.id], origin)


def _outcome(drawing: Drawing, node: FileNode) -> str:
    if not node.operators:
        return WHY[node.fate]
    names = _some([short_name(drawing.operators[op].name) for op in node.operators])
    return f"merged by simplification into {names}" if node.fate is Fate.MERGED else names


def _file_words(node: FileNode) -> str:
    return f"{node.op_type} {short_name(node.name)}".strip()


def _some(words: list[str]) -> str:
    more = f" and {len(words) - MOST:,} more" if len(words) > MOST else ""
    return ", ".join(words[:MOST]) + more
