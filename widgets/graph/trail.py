"""Where a node comes from, or what became of it: in one line, and as a tooltip."""

from __future__ import annotations

from engine.graph.shown import ShownNode
from engine.history.history import History
from engine.records.network import Fate, FileNode
from widgets.graph.drawing import Drawing, Side
from widgets.graph.look import shape_text, short_name, table, tooltip
from widgets.graph.looks import Looks
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.units import format_share

MOST = 4
WHY = {
    Fate.CONSTANT: QT_TR_NOOP("folded into a constant"),
    Fate.VIEW: QT_TR_NOOP("another shape of the same memory: no work"),
    Fate.SIMPLIFIED: QT_TR_NOOP("removed by simplification"),
    Fate.UNKNOWN: QT_TR_NOOP("could not be followed to an operator"),
}
ADDED = QT_TR_NOOP("no node of the file: added for the layout that the target wants")


def trail(drawing: Drawing, node: ShownNode) -> str:
    """A node and its other end, "Relu r1 → conv2d_add_relu"."""
    if node.folded:
        return tr(
            "{name}, {count} nodes: double-click opens it",
            name=node.name,
            count=f"{len(node.folded):,}",
        )
    if drawing.side is Side.FILE:
        found = drawing.files[node.id]
        return f"{_file_words(found)} → {_outcome(drawing, found)}"
    origin = _origin(drawing, node)
    return f"{short_name(node.name)} ← {origin}" if origin else short_name(node.name)


def explain(drawing: Drawing, node: ShownNode, history: History, looks: Looks) -> str:
    """Exact values as rich text."""
    rows = [(tr("output"), str(node.output) if node.output else shape_text(node))]
    if node.folded:
        share = looks.share(node)
        rows.append((tr("nodes"), f"{len(node.folded):,}"))
        if share is not None:
            rows.append((tr("share"), format_share(share)))
        return table(node.name, rows)
    if drawing.side is Side.FILE:
        found = drawing.files[node.id]
        rows.append((tr("became"), _outcome(drawing, found)))
        share = looks.share(node)
        if share is not None:
            of_all = tr("{share} for all of its operators", share=format_share(share))
            rows.append((tr("share"), of_all))
        return table(f"{found.op_type} {found.name}", rows)
    return tooltip(history, drawing.operators[node.id], _origin(drawing, node))


def _origin(drawing: Drawing, node: ShownNode) -> str:
    """The nodes of the file that an operator stands for; nothing where the file is not known."""
    if not drawing.files:
        return ""
    sources = [drawing.files[place] for place in drawing.back.get(node.id, ())]
    return _some([_file_words(source) for source in sources]) if sources else tr(ADDED)


def _outcome(drawing: Drawing, node: FileNode) -> str:
    if not node.operators:
        return tr(WHY[node.fate])
    names = _some([short_name(drawing.operators[op].name) for op in node.operators])
    if node.fate is Fate.MERGED:
        return tr("merged by simplification into {names}", names=names)
    return names


def _file_words(node: FileNode) -> str:
    return f"{node.op_type} {short_name(node.name)}".strip()


def _some(words: list[str]) -> str:
    names = ", ".join(words[:MOST])
    if len(words) <= MOST:
        return names
    return tr("{names} and {count} more", names=names, count=f"{len(words) - MOST:,}")
