"""The row above the graph: side, colours, folding, search, places, and where a node comes from."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from engine.graph.shown import ShownNode
from engine.history.history import History
from engine.records.network import Fate, FileNode
from engine.records.units import format_share
from widgets.graph.drawing import Drawing, Side
from widgets.graph.look import ColorBy, shape_text, short_name, table, tooltip
from widgets.graph.looks import Looks
from widgets.graph.painter import title_of
from widgets.look.icons import icon
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.plain_label import plain_tip
from widgets.look.theme import tabular, theme_notifier
from widgets.parts.pieces import switch, text_label, tool_button

GAP = 4
NO_FILE = QT_TR_NOOP(
    "This project holds no nodes of its file: an older version made it, or the file is no ONNX "
    "model. An ONNX model's are there once a run was started and the project opened again."
)


class GraphBar(QWidget):
    """Switches, a search field and a line about the node that the keyboard is at."""

    side_changed = Signal(bool)  # whether it is the file's
    colors_changed = Signal(object)
    fold_changed = Signal(bool)
    searched = Signal(str)
    stepped = Signal(int)
    left = Signal()
    save_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.operators = switch(tr("Operators"), tr("The fused operators that run"))
        self.file = switch(tr("File"), tr("The nodes of the model's file"))
        self.operators.setChecked(True)
        pair = QButtonGroup(self)
        pair.addButton(self.operators)
        pair.addButton(self.file)
        self.colors = QComboBox()
        self.colors.setAccessibleName(tr("What colours tell"))
        self.colors.setToolTip(tr("What the colour of a node tells"))
        for choice in ColorBy:
            self.colors.addItem(tr(choice.value), choice.value)
        self.fold = switch(
            tr("Fold"), tr("Fold blocks that repeat; a double click opens or folds one")
        )
        self.back = tool_button("", tr("Back to where the last jump began (Alt+Left)"))
        self.forward = tool_button("", tr("Forward again (Alt+Right)"))
        self.back.setArrowType(Qt.ArrowType.LeftArrow)
        self.forward.setArrowType(Qt.ArrowType.RightArrow)
        self.save = tool_button("", tr("Save the whole graph as SVG or PNG"))
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Find"))
        self.search.setAccessibleName(tr("Find nodes by name, operator or shape"))
        self.search.setToolTip(
            tr("Name, operator or shape (Ctrl+F); Enter: the next, Shift+Enter: the last")
        )
        self.search.setClearButtonEnabled(True)
        self.search.setMinimumWidth(72)
        self.search.setMaximumWidth(220)
        self.search.installEventFilter(self)
        self.count = text_label(role="muted", wraps=False)
        self.count.setFont(tabular(self.font()))
        self.line = text_label(role="muted", wraps=False)
        self.line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._text = ""
        row = QHBoxLayout(self)
        row.setContentsMargins(GAP, GAP, GAP, GAP)
        row.setSpacing(GAP)
        for part in (self.operators, self.file, self.colors, self.fold):
            row.addWidget(part)
        for part in (self.back, self.forward, self.save):
            row.addWidget(part)
        row.addWidget(self.search, 1)
        row.addWidget(self.count)
        row.addWidget(self.line, 2)
        self.file.toggled.connect(self.side_changed)
        self.colors.currentIndexChanged.connect(
            lambda: self.colors_changed.emit(ColorBy(self.colors.currentData()))
        )
        self.fold.toggled.connect(self.fold_changed)
        self.search.textChanged.connect(self.searched)
        self.save.clicked.connect(self.save_wanted)
        theme_notifier().changed.connect(self._retint)
        self._retint()

    def allow(self, file: bool, fold: bool, look: bool = False) -> None:
        """Whether there are nodes of a file, and blocks that repeat; a first `look` at a file has
        no operators yet, and no colour but that of their types."""
        self.file.setEnabled(file)
        self.operators.setEnabled(not look)
        self.colors.setEnabled(not look)
        self.file.setToolTip(tr("The nodes of the model's file") if file else tr(NO_FILE))
        self.fold.setEnabled(fold)

    def show_places(self, back: bool, forward: bool) -> None:
        """Whether there is a place to go back to, and to go forward to."""
        self.back.setEnabled(back)
        self.forward.setEnabled(forward)

    def show_side(self, file: bool) -> None:
        """Press a side's switch without telling."""
        _quietly(self.file if file else self.operators)

    def show_fold(self, folded: bool) -> None:
        """Show whether blocks are folded without telling."""
        self.fold.blockSignals(True)
        self.fold.setChecked(folded)
        self.fold.blockSignals(False)

    def say(self, text: str) -> None:
        """A line about a node; what has no room is in the tooltip."""
        self._text = text
        self.line.setToolTip(plain_tip(text))
        self._elide()

    def show_count(self, text: str) -> None:
        """Which of how many were found."""
        self.count.setText(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter and Shift+Enter walk through what was found, Escape leaves the field."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                shifted = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
                self.stepped.emit(-1 if shifted else 1)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.search.clear()
                self.left.emit()
                return True
        return super().eventFilter(watched, event)

    def _elide(self) -> None:
        metrics = self.line.fontMetrics()
        width = max(0, self.line.width() - 2)
        self.line.setText(metrics.elidedText(self._text, Qt.TextElideMode.ElideRight, width))

    def _retint(self) -> None:
        self.save.setIcon(icon("save"))


def _quietly(button: QToolButton) -> None:
    parent = button.group()
    buttons = parent.buttons() if parent else [button]
    for each in buttons:
        each.blockSignals(True)
    button.setChecked(True)
    for each in buttons:
        each.blockSignals(False)


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
        name, count = title_of(node), f"{len(node.folded):,}"
        if node.part is None:
            return tr("{name}, {count} alike: double-click opens them", name=name, count=count)
        return tr("{name}, {count} nodes: double-click opens it", name=name, count=count)
    if drawing.side is Side.FILE:
        found = drawing.files[node.id]
        if drawing.is_look:
            return _file_words(found)
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
        return table(title_of(node), rows)
    if drawing.side is Side.FILE:
        found = drawing.files[node.id]
        if drawing.is_look:
            return table(f"{found.op_type} {found.name}", rows)
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
