"""The row over the clusters: metric, threshold, and what the clusters add up to."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSlider,
    QWidget,
)

from engine.passes.similarity import Metric
from widgets.look.language import tr
from widgets.look.plain_label import PlainLabel
from widgets.look.theme import tabular
from widgets.parts.pieces import stacked, text_label

STEPS = 100


class ClusterBar(QWidget):
    """Asks for a metric and a threshold. `chosen` comes at once, `settled` when the hand rests.

    `undo_wanted` asks for the clusters without a person's edits, `share_wanted` for the pass.
    """

    metric_changed = Signal(str)
    chosen = Signal(float)
    settled = Signal()
    undo_wanted = Signal()
    share_wanted = Signal()

    def __init__(self, metrics: Iterable[Metric]) -> None:
        super().__init__()
        self.metrics, self.slider = QComboBox(), QSlider(Qt.Orientation.Horizontal)
        self.metrics.setAccessibleName(tr("Similarity"))
        self.metrics.setToolTip(tr("How alike two design spaces are taken to be"))
        for place, metric in enumerate(metrics):
            self.metrics.addItem(tr(metric.title), metric.name)
            self.metrics.setItemData(place, tr(metric.description), Qt.ItemDataRole.ToolTipRole)
        adjust = QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        self.metrics.setSizeAdjustPolicy(adjust)
        titles = [self.metrics.itemText(place) for place in range(self.metrics.count())]
        self.metrics.setMinimumContentsLength(max(14, 11 * max(map(len, titles), default=0) // 20))
        self.slider.setRange(0, STEPS)
        self.slider.setPageStep(10)
        self.slider.setAccessibleName(tr("Threshold of similarity"))
        self.slider.setToolTip(tr("Tasks that are more alike than this may use one schedule"))
        self.slider.setMinimumWidth(80)
        self.value = PlainLabel()
        self.value.setFont(tabular(self.font()))
        self.value.setFixedWidth(self.value.fontMetrics().horizontalAdvance("0.00") + 4)
        self.undo_button = QPushButton(tr("Undo edits"))
        self.undo_button.setToolTip(tr("Back to the clusters that this threshold makes"))
        self.share_button = QPushButton(tr("Share…"))
        self.share_button.setToolTip(tr("Tune the representatives and share their schedules"))
        self.summary = text_label(name=tr("What the clusters add up to"))
        self.summary.setFont(tabular(self.font()))
        self._arrange()
        self._join()

    @property
    def threshold(self) -> float:
        """The threshold in [0, 1]."""
        return self.slider.value() / STEPS

    def show_choice(self, metric: str, threshold: float, edited: bool) -> None:
        """Show what holds, without saying that a person chose it."""
        for part in (self.metrics, self.slider):
            part.blockSignals(True)
        self.metrics.setCurrentIndex(max(0, self.metrics.findData(metric)))
        self.slider.setValue(round(threshold * STEPS))
        for part in (self.metrics, self.slider):
            part.blockSignals(False)
        self.value.setText(f"{threshold:.2f}")
        self.undo_button.setVisible(edited)

    def _choose(self, value: int) -> None:
        self.value.setText(f"{value / STEPS:.2f}")
        self.chosen.emit(value / STEPS)
        if not self.slider.isSliderDown():
            self.settled.emit()

    def _join(self) -> None:
        self.metrics.currentIndexChanged.connect(
            lambda _: self.metric_changed.emit(self.metrics.currentData())
        )
        self.slider.valueChanged.connect(self._choose)
        self.slider.sliderReleased.connect(self.settled)
        self.undo_button.clicked.connect(self.undo_wanted)
        self.share_button.clicked.connect(self.share_wanted)

    def _arrange(self) -> None:
        name = text_label(tr("Threshold"), "muted", wraps=False)
        row = QHBoxLayout()
        row.setSpacing(8)
        parts = (self.metrics, name, self.slider, self.value, self.undo_button, self.share_button)
        for part, stretch in zip(parts, (1, 0, 2, 0, 0, 0), strict=True):
            row.addWidget(part, stretch)
        stacked(row, self.summary, on=self, margins=(12, 8, 12, 4), spacing=4)
