"""Which shape of a set the views are about: all together, or one of them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox

from engine.records.snapshot import ShapeInfo
from widgets.look.language import tr


class ShapeBox(QComboBox):
    """`chosen` carries the place of a shape, or None for all of them."""

    chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Shape"))
        self.setToolTip(
            tr(
                "Show one shape of the project alone: its latencies, tasks and operators. "
                "All together, latencies are their mean by frequency."
            )
        )
        self.setMinimumContentsLength(12)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.activated.connect(self._choose)

    def show_shapes(self, shapes: Sequence[ShapeInfo], place: int | None) -> None:
        """List a project's shapes, with the one on show chosen."""
        self.clear()
        if not shapes:
            return
        self.addItem(tr("All shapes"), None)
        for number, shape in enumerate(shapes):
            often = f" (x{shape.frequency:,})" if shape.frequency > 1 else ""
            self.addItem(f"{shape.label}{often}", number)
        self.setCurrentIndex(0 if place is None else place + 1)

    def _choose(self, row: int) -> None:
        self.chosen.emit(self.itemData(row))
