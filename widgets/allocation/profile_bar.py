"""What the slots of a run spent their time on, as a bar of parts with a legend."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from engine.history.run_profile import RunProfile, SlotParts
from widgets.look.language import QT_TR_NOOP, tr
from widgets.look.theme import theme, theme_notifier
from widgets.look.units import clock, format_share
from widgets.parts.pieces import stacked, text_label

BAR_PIXELS = 8
TIP = QT_TR_NOOP(
    "The time of this run's slots, from the start of each to its last result; slots overlap.\n"
    "Stored are when each result came, and the seconds that its building and measuring took.\n"
    "The rest is worked out: a build is taken to end where its measuring begins; the search\n"
    "lasts until the first build, on this machine's CPU without what other slots measured\n"
    "meanwhile; waiting is what is left. Learning comes after the last result and is not in it."
)


def profile_texts(profile: RunProfile) -> list[str]:
    """A text for each part in the order of the bar, and one for the clock."""
    seconds, whole = _seconds(profile.parts), profile.parts.total_s
    times = [clock(part_s) for part_s in seconds]
    shares = [format_share(part_s / whole if whole else 0.0) for part_s in seconds]
    return [
        tr("search {time} ({share})", time=times[0], share=shares[0]),
        tr("build {time} ({share})", time=times[1], share=shares[1]),
        tr("waiting {time} ({share})", time=times[2], share=shares[2]),
        tr("measuring {time} ({share})", time=times[3], share=shares[3]),
        tr("something was measured {share} of the run", share=format_share(profile.measured_share)),
    ]


def _seconds(parts: SlotParts) -> tuple[float, float, float, float]:
    return parts.search_s, parts.build_s, parts.wait_s, parts.measure_s


class ProfileBar(QWidget):
    """Hidden while there is nothing to show."""

    def __init__(self) -> None:
        super().__init__()
        self.legend = text_label(role="muted")
        self.bar = _Bar()
        self.legend.setTextFormat(Qt.TextFormat.RichText)
        self._profile: RunProfile | None = None
        stacked(self.bar, self.legend, on=self, margins=(0, 4, 0, 0), spacing=2)
        self.hide()
        theme_notifier().changed.connect(self._write)

    def show_profile(self, profile: RunProfile | None) -> None:
        """Show these parts, or nothing."""
        self._profile = profile
        self.setVisible(profile is not None)
        self._write()

    def set_compact(self, compact: bool) -> None:
        """Leave the legend to the tip."""
        self.legend.setHidden(compact)

    def _write(self) -> None:
        if self._profile is None:
            return
        self.bar.show_parts(self._profile.parts)
        texts = profile_texts(self._profile)
        self.setAccessibleName(tr("What the slots took: {parts}", parts=", ".join(texts)))
        self.setToolTip("\n".join([*texts, "", tr(TIP)]))
        marked = [
            f'<span style="color: {theme().category(place).name()}">■</span>&nbsp;'
            + text.replace(" ", "&nbsp;")
            for place, text in enumerate(texts[:-1])
        ]
        self.legend.setText(" &nbsp; ".join([*marked, texts[-1]]))


class _Bar(QWidget):
    """The parts side by side, a gap between them."""

    def __init__(self) -> None:
        super().__init__()
        self._parts = SlotParts()
        self.setFixedHeight(BAR_PIXELS)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: SlotParts) -> None:
        self._parts = parts
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, colors = QPainter(self), theme()
        whole, left = self._parts.total_s, 0.0
        for place, part_s in enumerate(_seconds(self._parts)):
            wide = self.width() * part_s / whole if whole else 0.0
            painter.fillRect(
                QRectF(left, 0, max(0.0, wide - 1), self.height()), colors.category(place)
            )
            left += wide
