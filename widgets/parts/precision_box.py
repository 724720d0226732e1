"""The choice of a precision, as the toolbar and the sheet of a job have it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QWidget

from engine.records.precision import DEFAULT_PRECISION, PRECISIONS
from widgets.look.language import QT_TR_NOOP, tr

_NAMES = {"tf32": "TF32"}
_WORDS = {
    "float32": QT_TR_NOOP("As in the file, on the cores for float32."),
    "tf32": QT_TR_NOOP(
        "float32 on tensor cores, which leave 10 of its 23 bits after the point: "
        "faster, with a larger difference."
    ),
    "float16": QT_TR_NOOP("Half the bytes, on tensor cores: 10 bits after the point, up to 65504."),
    "bfloat16": QT_TR_NOOP(
        "Half the bytes, on tensor cores: the range of float32 and 7 bits after the point, "
        "so the largest difference."
    ),
}


def precision_name(precision: str) -> str:
    """What a precision is called where there is little room; the same in all languages."""
    return _NAMES.get(precision, precision)


def is_special(precision: str) -> bool:
    """Whether a precision is worth a word: it is not that of most files."""
    return precision not in ("", DEFAULT_PRECISION)


class PrecisionBox(QComboBox):
    """All precisions; disabled, with the reason as its tip, where only float32 is there.

    What a person chose is kept while the target cannot, for one that can.
    """

    def __init__(self, wanted: str = DEFAULT_PRECISION, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.wanted = wanted if wanted in PRECISIONS else DEFAULT_PRECISION
        self._refused = False
        self.setAccessibleName(tr("Precision"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for row, precision in enumerate(PRECISIONS):
            self.addItem(precision_name(precision), precision)
            words = tr(_WORDS[precision]) if precision in _WORDS else ""
            self.setItemData(row, words, Qt.ItemDataRole.ToolTipRole)
        self.activated.connect(self._chosen)
        self.allow(None)

    @property
    def precision(self) -> str:
        return str(self.currentData())

    def want(self, precision: str) -> None:
        self.wanted = precision if precision in PRECISIONS else DEFAULT_PRECISION
        self._show()

    def allow(self, reason: str | None) -> None:
        """Offer all where there is no reason not to, none but float32 where there is one; None is
        that it is not known yet."""
        self._refused = bool(reason)
        self.setEnabled(reason == "")
        if reason is None:
            self.setToolTip(tr("It is not known yet what the target can."))
        else:
            self.setToolTip(
                reason or tr("What the convolutions and matrix products of a model are computed in")
            )
        self._show()

    def _show(self) -> None:
        shown = DEFAULT_PRECISION if self._refused else self.wanted
        self.setCurrentIndex(self.findData(shown))

    def _chosen(self, _row: int) -> None:
        self.wanted = self.precision
