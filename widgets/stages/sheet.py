"""The sheet of the search for stages: how large it is, its limits, then Start."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from engine.records.schedule import IosOptions
from engine.records.snapshot import Snapshot
from widgets.look.language import QT_TR_NOOP, tr
from widgets.parts import field_texts
from widgets.parts.background import Background
from widgets.parts.facts import FactList
from widgets.parts.field_form import FieldForm
from widgets.stages.size import ProgramSize, size_facts, size_of

TITLE = QT_TR_NOOP("Find stages")
WHAT = QT_TR_NOOP(
    "Puts operators that do not wait for each other side by side, or merges them into one, and "
    "keeps the schedule of stages that is measured as the fastest."
)
HINT = QT_TR_NOOP(
    "It ends when nothing can be faster, or when the time is over; the best so far is kept. What "
    "was measured is stored: another search goes on from there."
)
GAIN = QT_TR_NOOP(
    "most on models with parallel branches of small operators on a large device; none on a chain. "
    "It is never slower than one after another"
)
UNTUNED = QT_TR_NOOP(
    "No task is tuned yet. Stages are found for the kernels of now: tune first, then search."
)


class StageSheet(QDialog):
    """Asks for IosOptions; not modal. `started` carries them."""

    started = Signal(object)

    def __init__(self, snapshot: Snapshot, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._allowed = True
        self.setWindowTitle(tr(TITLE))
        self.setMinimumWidth(560)
        self.costs, self.note = FactList(), QLabel()
        self.form: FieldForm[IosOptions] = FieldForm(IosOptions, field_texts.IOS)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        role = QDialogButtonBox.ButtonRole
        self.start_button = self.buttons.addButton(tr("&Find stages"), role.ActionRole)
        self._job = Background(self)
        self._job.done.connect(self._show_size)
        self._arrange()
        self.show_snapshot(snapshot)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Stand over this project; the limits of its last search are offered again."""
        if snapshot.schedule is not None:
            self.form.set_value(snapshot.schedule.options)
        self.note.setText("" if snapshot.trials else tr(UNTUNED))
        self.note.setVisible(not snapshot.trials)
        self.costs.show_facts(size_facts(None, tr(GAIN)))
        operators = snapshot.operators
        self._job.start(lambda job: size_of(operators))

    def options(self) -> IosOptions:
        """The limits as they stand."""
        return self.form.value()

    def allow_start(self, allowed: bool) -> None:
        """Say whether a search can start now."""
        self.start_button.setEnabled(allowed)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Leave no thread behind."""
        self._job.close()
        super().closeEvent(event)

    def _show_size(self, size: ProgramSize) -> None:
        self.costs.show_facts(size_facts(size, tr(GAIN)))
        layout = self.layout()
        if layout is not None:
            layout.activate()
            self.resize(self.width(), max(self.height(), layout.totalHeightForWidth(self.width())))

    def _start(self) -> None:
        self.started.emit(self.options())
        self.close()

    def _arrange(self) -> None:
        title, what, hint = QLabel(tr(TITLE)), QLabel(tr(WHAT)), QLabel(tr(HINT))
        title.setProperty("role", "title")
        hint.setProperty("role", "muted")
        self.note.setProperty("role", "warning")
        for label in (what, hint, self.note):
            label.setWordWrap(True)
        self.start_button.setDefault(True)
        self.start_button.clicked.connect(self._start)
        self.buttons.rejected.connect(self.close)
        self.finished.connect(self._job.close)
        layout = QVBoxLayout(self)
        layout.setSpacing(8)
        for widget in (title, what, self.costs, self.note, self.form, hint):
            layout.addWidget(widget)
        layout.addStretch()
        layout.addWidget(self.buttons)
