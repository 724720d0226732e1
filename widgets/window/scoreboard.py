"""The strip that answers: how fast was the model, how fast is it now, is it worth going on."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from engine.history.figure_words import word_of
from engine.records.events import Scores
from engine.records.snapshot import Figure
from engine.records.units import (
    UNKNOWN,
    format_duration,
    format_ratio,
    format_seconds,
    format_share,
)
from widgets.look.engine_words import notes_text
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.plain_label import PlainLabel, plain_tip
from widgets.look.theme import tabular, theme
from widgets.parts.pieces import text_label
from widgets.parts.precision_box import is_special, precision_name

VALUE_PIXELS = 18
WARNING = "▲"


@dataclass(frozen=True, slots=True)
class CellText:
    """One cell's texts: the large value, the note below it, the exact story on hover, another
    caption than the cell's own; `doubtful` where something disturbed the value."""

    value: str = UNKNOWN
    note: str = ""
    tip: str = ""
    caption: str = ""
    doubtful: bool = False


def scoreboard_texts(
    scores: Scores | None, running: bool, precision: str = ""
) -> dict[str, CellText]:
    """What each cell says. A precision that is not float32 is said beside what was measured in
    it."""
    if scores is None:
        return {name: CellText() for name in CELLS}
    figure = scores.figure
    untuned = figure.untuned is not None and figure.untuned.disturbed
    compared = figure.reference is not None and figure.reference.disturbed
    return {
        "untuned": CellText(
            format_seconds(figure.untuned_s),
            _doubted(untuned) or tr("end to end"),
            " ".join((tr("Before any tuning."), notes_text(figure) if untuned else "")).strip(),
            doubtful=untuned,
        ),
        "now": CellText(
            format_seconds(figure.latency_s),
            _kind_text(figure),
            notes_text(figure),
            _now_caption(precision),
            figure.disturbed,
        ),
        "speedup": CellText(
            format_ratio(figure.speedup),
            _doubted(figure.tuned and (figure.is_taken_disturbed or untuned)) or _gain_text(figure),
            tr("Untuned latency / latency now."),
            doubtful=figure.tuned and (figure.is_taken_disturbed or untuned),
        ),
        "reference": CellText(
            format_seconds(scores.reference_s),
            _doubted(compared) or _compared(figure.latency_s, scores.reference_s),
            tr(
                "{reference} on the same threads, and the model now beside it.",
                reference=scores.reference,
            ),
            scores.reference,
            compared,
        ),
        "share": CellText(
            format_share(scores.share),
            tr("of latency"),
            tr("Share of latency with a tuned schedule."),
        ),
        "left": CellText(
            format_duration(scores.time_left_s) if running else UNKNOWN,
            tr("{time} spent", time=format_duration(scores.elapsed_s)),
            tr("Estimate from the budget; tuning time so far below."),
        ),
    }


def _doubted(doubtful: bool) -> str:
    """The note of a value that something disturbed, which goes before any other."""
    return f"{WARNING} {tr('disturbed')}" if doubtful else ""


def _now_caption(precision: str) -> str:
    """Another caption than the cell's own where the precision is special."""
    if not is_special(precision):
        return ""
    return tr("Now, {precision}", precision=precision_name(precision))


def _kind_text(figure: Figure) -> str:
    if not figure.latency_s:
        return tr("not known yet")
    if figure.disturbed:
        return f"{WARNING} {tr(word_of(figure))}"
    spread_s = figure.basis.spread_s if figure.measured and figure.basis else None
    if not spread_s:
        return tr(word_of(figure))
    return f"{tr(word_of(figure))} ± {format_share(spread_s / figure.latency_s)}"


def _gain_text(figure: Figure) -> str:
    within = figure.tuned and figure.speedup is None and figure.untuned_s and figure.latency_s
    return tr("within the spread") if within else tr("than untuned")


def _compared(now_s: float | None, reference_s: float | None) -> str:
    if not now_s or not reference_s:
        return tr("same threads")
    if now_s > reference_s:
        return tr("now {ratio} its time", ratio=format_ratio(now_s / reference_s))
    return tr("now {ratio} as fast", ratio=format_ratio(reference_s / now_s))


def _widest_notes() -> tuple[str, ...]:
    """What a note says at most, so that none is cut and no cell grows under another's eyes."""
    return (
        tr("now {ratio} as fast", ratio="88.8x"),
        tr("now {ratio} its time", ratio="88.8x"),
        f"{tr('measured')} ± 8.8 %",
        tr("within the spread"),
        _doubted(True),
    )


# Caption, and the widest value that is expected: the cell keeps its width, nothing jumps.
CELLS = {
    "untuned": (QT_TR_NOOP("Untuned"), "888.8 ms"),
    "now": (QT_TR_NOOP("Now"), "888.8 ms"),
    "speedup": (QT_TR_NOOP("Faster"), "888.8x"),
    "reference": ("ONNX Runtime", "888.8 ms"),
    "share": (QT_TR_NOOP("Tuned"), "88.8 %"),
    "left": (QT_TR_NOOP("Time left"), "8:88:88"),
}


class ShareBar(QWidget):
    """A thin bar of a share in [0, 1]; the cell beside it has the figure in words."""

    def __init__(self) -> None:
        super().__init__()
        self.share = 0.0
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Four pixels high, as wide as its cell."""
        return QSize(64, 4)

    def set_share(self, share: float) -> None:
        self.share = share
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().grid)
        painter.fillRect(0, 0, round(self.width() * self.share), self.height(), theme().accent)


class Cell(QFrame):
    """A caption, a large figure, a note."""

    def __init__(self, caption: str, widest: str) -> None:
        super().__init__()
        self._caption = tr(caption)
        self.doubtful = False
        self.setProperty("role", "surface")
        title = self.title = PlainLabel(self._caption)
        title.setProperty("role", "muted")
        self.value = PlainLabel(UNKNOWN)
        self.value.setFont(tabular(self.value.font(), VALUE_PIXELS, bold=True))
        self.value.setMinimumWidth(self.value.fontMetrics().horizontalAdvance(widest) + 4)
        self.note = text_label(role="muted", wraps=False)
        self.note.setFont(tabular(self.note.font(), 11))
        width_of = self.note.fontMetrics().horizontalAdvance
        self.note.setMinimumWidth(max(map(width_of, _widest_notes())))
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(12, 0, 12, 0)
        self.body.setSpacing(0)
        for label in (title, self.value, self.note):
            label.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
            self.body.addWidget(label)
        self.body.addStretch()

    def show_text(self, text: CellText) -> None:
        """Put new texts in place."""
        caption = text.caption or self._caption
        self.title.setText(caption)
        self.value.setText(text.value)
        self.note.setText(text.note)
        if self.doubtful != text.doubtful:
            self.doubtful = text.doubtful
            self.note.setProperty("role", "warning" if text.doubtful else "muted")
            self.note.style().polish(self.note)
        self.setToolTip(plain_tip(text.tip))
        value = f"{text.value} {text.note}".strip()
        self.setAccessibleName(tr("{name}: {value}", name=caption, value=value))


class Scoreboard(QFrame):
    """Untuned, now, speed-up, reference, tuned share, time left, in one row."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "strip")
        self.setAccessibleName(tr("Scoreboard"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 4)
        layout.setSpacing(0)
        self.cells = {name: Cell(*texts) for name, texts in CELLS.items()}
        for name, cell in self.cells.items():
            layout.addWidget(cell)
            if name in ("speedup", "reference", "share"):
                layout.addWidget(self._rule())
        layout.addStretch()
        self.bar = ShareBar()
        self.cells["share"].body.insertWidget(2, self.bar)
        self.show_scores(None, running=False)

    def show_scores(self, scores: Scores | None, running: bool, precision: str = "") -> None:
        for name, text in scoreboard_texts(scores, running, precision).items():
            self.cells[name].show_text(text)
        self.bar.set_share(scores.share if scores else 0.0)

    @staticmethod
    def _rule() -> QFrame:
        rule = QFrame()
        rule.setProperty("role", "rule")
        rule.setFixedWidth(1)
        return rule
