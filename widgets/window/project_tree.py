"""The project at a glance: its inputs, its runs, its exports and what each gave."""

from __future__ import annotations

import time
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from engine.records.labels import NO_LABEL, PROJECT, Label, Subject, run_subject
from engine.records.precision import DEFAULT_PRECISION
from engine.records.snapshot import ExportInfo, RunInfo, Snapshot
from engine.records.units import format_seconds
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.plain_label import plain_tip
from widgets.look.theme import theme, theme_notifier
from widgets.parts.label_box import LabelBox
from widgets.parts.pieces import stacked
from widgets.parts.precision_box import is_special, precision_name

EXPORT_ROLE = Qt.ItemDataRole.UserRole
RUN_ROLE = Qt.ItemDataRole.UserRole + 1
PADDING = 12  # pixels round a text
_EMPTY = {
    QT_TR_NOOP("Inputs"): QT_TR_NOOP("Open a model to begin"),
    QT_TR_NOOP("Runs"): QT_TR_NOOP("No run yet: press Start"),
    QT_TR_NOOP("Exports"): QT_TR_NOOP("No export yet: press Export"),
}


def run_line(run: RunInfo, name: str = "") -> tuple[str, str]:
    """What a run's row says: its number, its own name, its plan where it is not a search, and its
    outcome."""
    state, trials = tr(run.state.value), tr("%n trials", "", run.trials)
    outcome = f"{state}, {trials}"
    kinds = [step.kind for step in run.settings.steps]
    if kinds != ["search"]:
        outcome = f"{', '.join(kinds)}: {outcome}"
    if run.tuned_latency_s is not None:
        outcome += f", {format_seconds(run.tuned_latency_s)}"
    return tr("Run {number}", number=run.id), f"{name}: {outcome}" if name else outcome


def export_line(export: ExportInfo) -> tuple[str, str]:
    """What an export's row says: when, and where."""
    when = time.strftime("%Y-%m-%d %H:%M", time.localtime(export.at))
    return when, export.dir


def _precision_row(precision: str) -> list[tuple[str, str]]:
    """Where it is not that of most files."""
    return [(tr("Precision"), precision_name(precision))] if is_special(precision) else []


class ProjectTree(QWidget):
    """A two-column tree; activating an export asks for its folder."""

    export_opened = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tree = QTreeWidget()
        self.tree.setAccessibleName(tr("Project"))
        self.tree.setColumnCount(2)
        self.tree.setHeaderHidden(True)
        self.tree.setIndentation(12)
        self.tree.setUniformRowHeights(True)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A hidden header is not told of another width: what it stretches ends beyond the edge, and
        # so does the ellipsis of its texts.
        self.tree.header().setStretchLastSection(False)
        self.tree.viewport().installEventFilter(self)
        self.tree.itemActivated.connect(self._activated)
        self.tree.currentItemChanged.connect(lambda *_: self._show_label())
        self.labels = LabelBox()
        self._shown: Snapshot | None = None
        stacked((self.tree, 1), self.labels, on=self, margins=0)
        self.labels.setContentsMargins(8, 0, 8, 8)
        self._sections = {name: self._section(name) for name in _EMPTY}
        self.show_project(None)
        theme_notifier().changed.connect(self._retint)

    def show_project(self, snapshot: Snapshot | None) -> None:
        """Show the inputs, the runs and the exports of a project, the newest first."""
        self._shown = snapshot
        runs, exports = (snapshot.runs, snapshot.exports) if snapshot else ((), ())
        inputs: list[tuple[str, str]] = []
        if snapshot is not None:
            title = self._label(PROJECT).name
            inputs = [
                *([(tr("Title"), title)] if title else []),
                (tr("Model"), snapshot.model_name),
                (tr("From"), snapshot.model_source),
                (tr("Target"), snapshot.target),
                *_precision_row(snapshot.precision),
                (tr("Operators"), f"{len(snapshot.operators):,}"),
                (tr("Tasks"), f"{len(snapshot.tasks):,}"),
                (tr("File"), snapshot.watched or snapshot.path),
            ]
        self._fill("Inputs", inputs)
        names = {run.id: self._label(run_subject(run.id)).name for run in runs}
        self._fill("Runs", [run_line(run, names[run.id]) for run in reversed(runs)])
        for item, run in zip(self._children("Runs"), reversed(runs), strict=False):
            item.setData(0, RUN_ROLE, run.id)
        self._fill("Exports", [export_line(export) for export in reversed(exports)])
        for item, export in zip(self._children("Exports"), reversed(exports), strict=False):
            item.setData(0, EXPORT_ROLE, export.dir)
            precision = snapshot.precision if snapshot else ""
            item.setToolTip(1, plain_tip(export_words(export, precision)))
        self._share_columns()
        self._show_label()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The rows have another width, also by a scroll bar that comes or goes."""
        if event.type() is QEvent.Type.Resize:
            self._share_columns()
        return super().eventFilter(watched, event)

    def _share_columns(self) -> None:
        """The names of inputs and runs get the width they want, but the values two fifths at least;
        the days of exports, which are long, take what there is."""
        metrics, room = self.tree.fontMetrics(), self.tree.viewport().width()
        texts = [name for section in ("Inputs", "Runs") for name, _ in self.rows(section)]
        wanted = max(map(metrics.horizontalAdvance, texts), default=0)
        names = min(wanted + 2 * self.tree.indentation() + PADDING, room * 3 // 5)
        self.tree.setColumnWidth(0, names)
        self.tree.setColumnWidth(1, room - names)

    def name_project(self) -> None:
        """Put the keyboard on the project's name."""
        self.tree.setCurrentItem(self._sections["Inputs"])
        self.labels.begin()

    def rows(self, section: str) -> list[tuple[str, str]]:
        """The texts below a section."""
        return [(item.text(0), item.text(1)) for item in self._children(section)]

    def _label(self, subject: Subject) -> Label:
        return self._shown.labels.get(subject, NO_LABEL) if self._shown else NO_LABEL

    def _show_label(self) -> None:
        """The label of the run whose row is marked, or else the project's."""
        item = self.tree.currentItem()
        run = item.data(0, RUN_ROLE) if item is not None else None
        subject = PROJECT if run is None else run_subject(run)
        what = tr("This project") if run is None else tr("Run {number}", number=run)
        shown = self._shown is not None and bool(self._shown.path)
        self.labels.show_label(subject if shown else None, self._label(subject), what)

    def _children(self, section: str) -> list[QTreeWidgetItem]:
        parent = self._sections[section]
        items = (parent.child(i) for i in range(parent.childCount()))
        return [item for item in items if item is not None]

    def _section(self, name: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(self.tree, [tr(name)])
        font = item.font(0)
        font.setBold(True)
        item.setFont(0, font)
        item.setExpanded(True)
        item.setFirstColumnSpanned(True)
        return item

    def _fill(self, section: str, lines: Sequence[tuple[str, str]]) -> None:
        parent = self._sections[section]
        known = self._children(section)
        if lines and len(known) == len(lines) and not known[0].isFirstColumnSpanned():
            for item, (name, value) in zip(known, lines, strict=True):
                item.setText(0, name)
                item.setText(1, value)
                item.setToolTip(0, plain_tip(name))
                item.setToolTip(1, plain_tip(value))
            return
        parent.takeChildren()
        for name, value in lines:
            item = QTreeWidgetItem(parent, [name, value])
            item.setToolTip(0, plain_tip(name))
            item.setToolTip(1, plain_tip(value))
            item.setForeground(0, theme().muted)
        if not lines:
            empty = QTreeWidgetItem(parent, [tr(_EMPTY[section])])
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


def export_words(export: ExportInfo, precision: str = "") -> str:
    """The folder, and the largest difference from the reference with the precision that it is of;
    a stranger's manifest may have anything, or nothing."""
    folder = tr("Exported to {folder}.", folder=export.dir)
    difference = export.manifest.get("max_abs_diff")
    if isinstance(difference, bool) or not isinstance(difference, int | float):
        return folder
    reference = export.manifest.get("reference")
    words = tr(
        "In {precision}, outputs differ from those of {reference} by {difference} at most.",
        precision=precision_name(precision or DEFAULT_PRECISION),
        reference=reference if isinstance(reference, str) and reference else tr("the reference"),
        difference=f"{difference:.2g}",
    )
    return f"{folder} {words}"
