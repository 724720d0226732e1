"""The project at a glance: its inputs, its runs, its exports."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QVBoxLayout, QWidget

from engine.events import Event
from engine.project.snapshot import ExportInfo, RunInfo, Snapshot
from widgets.theme import theme, theme_notifier
from widgets.units import format_seconds
from widgets.view import View

EXPORT_ROLE = Qt.ItemDataRole.UserRole
_EMPTY = {
    "Inputs": "Open a model to begin",
    "Runs": "No run yet: press Start",
    "Exports": "No export yet",
}


def run_line(run: RunInfo) -> tuple[str, str]:
    """What a run's row says: its name, and its plan where it is not a search, and its outcome."""
    outcome = f"{run.state.value}, {run.trials:,} trials"
    kinds = [step.kind for step in run.settings.steps]
    if kinds != ["search"]:
        outcome = f"{', '.join(kinds)}: {outcome}"
    if run.tuned_latency_s is not None:
        outcome += f", {format_seconds(run.tuned_latency_s)}"
    return f"Run {run.id}", outcome


def export_line(export: ExportInfo) -> tuple[str, str]:
    """What an export's row says: when, and where."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(export.at))
    return when, export.dir


class ProjectTree(View):
    """A two-column tree; activating an export asks for its folder."""

    export_opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName("Project")
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(12)
        self.tree.setUniformRowHeights(True)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.itemActivated.connect(self._activated)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.tree)
        self._sections = {name: self._section(name) for name in _EMPTY}
        self.show_project(None, (), ())
        theme_notifier().changed.connect(self._retint)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the project as it was stored."""
        self.show_project(snapshot, snapshot.runs, snapshot.exports)

    def apply(self, events: Sequence[Event]) -> None:
        """Runs and exports come through `show_project`, from the document that joins them."""

    def select_task(self, task: int | None) -> None:
        """The tree shows no tasks."""

    def show_project(
        self, snapshot: Snapshot | None, runs: Sequence[RunInfo], exports: Sequence[ExportInfo]
    ) -> None:
        """Show the inputs of `snapshot`, and these runs and exports, newest first."""
        inputs: list[tuple[str, str]] = []
        if snapshot is not None:
            inputs = [
                ("Model", snapshot.model_name),
                ("From", snapshot.model_source),
                ("Target", snapshot.target),
                ("Operators", f"{len(snapshot.operators):,}"),
                ("Tasks", f"{len(snapshot.tasks):,}"),
                ("File", snapshot.path),
            ]
        self._fill("Inputs", inputs)
        self._fill("Runs", [run_line(run) for run in reversed(runs)])
        self._fill("Exports", [export_line(export) for export in reversed(exports)])
        for item, export in zip(self._children("Exports"), reversed(exports), strict=False):
            item.setData(0, EXPORT_ROLE, export.dir)
        self.tree.resizeColumnToContents(0)

    def rows(self, section: str) -> list[tuple[str, str]]:
        """The texts below a section."""
        return [(item.text(0), item.text(1)) for item in self._children(section)]

    def _children(self, section: str) -> list[QTreeWidgetItem]:
        parent = self._sections[section]
        items = (parent.child(i) for i in range(parent.childCount()))
        return [item for item in items if item is not None]

    def _section(self, name: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self.tree, [name])
        font = item.font(0)
        font.setBold(True)
        item.setFont(0, font)
        item.setExpanded(True)
        return item

    def _fill(self, section: str, lines: Sequence[tuple[str, str]]) -> None:
        parent = self._sections[section]
        known = self._children(section)
        if lines and len(known) == len(lines) and not known[0].isFirstColumnSpanned():
            for item, (name, value) in zip(known, lines, strict=True):
                item.setText(0, name)
                item.setText(1, value)
                item.setToolTip(1, value)
            return
        parent.takeChildren()
        for name, value in lines:
            item = QTreeWidgetItem(parent, [name, value])
            item.setToolTip(1, value)
            item.setForeground(0, theme().muted)
        if not lines:
            empty = QTreeWidgetItem(parent, [_EMPTY[section]])
            empty.setForeground(0, theme().muted)
            empty.setFirstColumnSpanned(True)

    def _retint(self) -> None:
        for section in self._sections:
            for item in self._children(section):
                item.setForeground(0, theme().muted)

    def _activated(self, item: QTreeWidgetItem) -> None:
        folder = item.data(0, EXPORT_ROLE)
        if folder:
            self.export_opened.emit(folder)
