"""Boxes for numbers that are read as they are meant, with units and in any language, or refused."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QValidator
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox

from engine.records.errors import UsageError
from widgets.look.language import is_english, refusal, tr

_SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "min": 60.0, "h": 3600.0, "d": 86400.0}
_NAMES = {
    "ns": "nanosecond nanoseconds nanosekunde nanosekunden",
    "us": "µs μs microsecond microseconds mikrosekunde mikrosekunden",
    "ms": "msec millisecond milliseconds millisekunde millisekunden",
    "s": "sec secs second seconds sek sekunde sekunden",
    "min": "mins minute minutes minuten",
    "h": "hr hrs hour hours std stunde stunden",
    "d": "day days tag tage",
    "%": "percent prozent",
    "x": "× times mal fach",
    "trials": "trial versuch versuche",
}
_UNITS = {name: unit for unit, names in _NAMES.items() for name in (unit, *names.split())}
_TEXT = re.compile(
    r"(?P<number>[+\-−]?[0-9.,'’\s]*[0-9](?:[.,](?=\s|$))?(?:[eE][+\-]?[0-9]+)?)\s*(?P<unit>\D*)"
)
_SPACE = re.compile(r"[\s'’]")
_GROUPED = re.compile(r"[1-9][0-9]{0,2}([.,\s'’])[0-9]{3}(?:\1[0-9]{3})*")
DECIMALS, SHOWN = 9, 3


def read_number(text: str, unit: str = "", whole: bool = False) -> float:
    """The number that a person means, counted in `unit`, the field's own in English; UsageError
    where that is not certain.

    "62,5" and "62.5" are one number. A number of another unit of time is converted. Signs that
    group thousands stand in threes; where one alone stands before three, a field for decimals
    cannot tell which is meant: refused, but for the point in English.
    """
    found = _TEXT.fullmatch(text.strip())
    number = _number(found["number"], whole) if found else None
    if found is None or number is None or not math.isfinite(number):
        raise UsageError(
            tr("“{text}” is no number that can be read in one way only.", text=text.strip()),
            tr("Write it as 62.5, 1250 or 1,250.5."),
        )
    value = number * _factor(found["unit"].strip(), unit)
    if whole and value != round(value):
        raise UsageError(
            tr("“{text}” is not a whole number.", text=text.strip()), tr("Write it as 1250.")
        )
    return value


def _number(text: str, whole: bool) -> float | None:
    text = text.strip().replace("−", "-")
    sign, digits = (text[0], text[1:].strip()) if text[0] in "+-" else ("", text)
    digits, mark, power = digits.lower().partition("e")
    plain = _plain(digits, whole)
    return None if plain is None else float(f"{sign}{plain}{mark}{power}")


def _plain(digits: str, whole: bool) -> str | None:
    """Digits with a point at most; None where they could be two numbers, or are none."""
    last = max(digits.rfind("."), digits.rfind(","))
    grouped = _GROUPED.fullmatch(digits)
    if last < 0 or (grouped and (whole or len(digits) > 7 or _SPACE.search(digits))):
        bare = re.sub(r"[.,\s'’]", "", digits)
        return bare if grouped or bare == digits else None
    before, sign, after = digits[:last], digits[last], digits[last + 1 :]
    if not re.fullmatch("[0-9]*", after) or not (before or after):
        return None
    if grouped and not (sign == "." and is_english()):
        return None
    if sign in before or not before.isdigit():
        if before and not (_GROUPED.fullmatch(before) and sign not in before):
            return None
        before = re.sub(r"[.,\s'’]", "", before)
    return f"{before or 0}.{after or 0}"


def _factor(written: str, unit: str) -> float:
    """How many of `unit` one of the unit that was written is."""
    name = written.rstrip(".")
    known = _UNITS.get(name) or _UNITS.get(name.lower(), name)
    if not name or known == unit or name == tr(unit):
        return 1.0
    if known in _SECONDS and unit in _SECONDS:
        return _SECONDS[known] / _SECONDS[unit]
    raise UsageError(
        tr("{unit} is no unit of this field.", unit=written),
        tr("Write the number in {unit}.", unit=tr(unit)) if unit else tr("Write the number alone."),
    )


def shown_number(value: float, unit: str) -> str:
    """A number as `read_number` reads it, without needless zeros; a time of many decimals in a
    smaller unit: "1.5 min", "40 s"."""
    number, name = value, unit
    if unit in _SECONDS and round(value, SHOWN) != round(value, DECIMALS):
        for smaller in reversed([u for u in _SECONDS if _SECONDS[u] < _SECONDS[unit]]):
            found = round(value * _SECONDS[unit] / _SECONDS[smaller], DECIMALS - SHOWN)
            if found == round(found, SHOWN) and found < 1e4:
                number, name = found, smaller
                break
    text = f"{number:.{DECIMALS}f}".rstrip("0").rstrip(".")
    return f"{text} {tr(name)}" if name else text


if TYPE_CHECKING:
    _SpinBox = QAbstractSpinBox
else:
    _SpinBox = object  # the binding takes one class of Qt only


class _Reading(_SpinBox):
    """What both boxes do with a text: tell whether it can be read, and keep one that cannot.

    Qt would put the last number back, and a person who presses Start would start with that.
    """

    unit = _said = ""

    def check(self) -> None:
        """UsageError, with the reason, where the text is no number that this box takes."""
        special = self.specialValueText()
        if self.isEnabled() and not (special and self.text() == special):
            self.read(self.text())

    def read(self, text: str) -> float:
        """The number of a text; UsageError where there is none, or none within the bounds."""
        raise NotImplementedError

    def problem(self) -> str:
        """Why the text is refused, in a sentence; empty where it is not."""
        try:
            self.check()
        except UsageError as error:
            return refusal(error)
        return ""

    def validate(self, text: str, place: int) -> tuple[QValidator.State, str, int]:
        """Everything may be typed: what it means is asked when it is whole."""
        state = QValidator.State.Acceptable
        try:
            if not (self.specialValueText() and text == self.specialValueText()):
                self.read(text)
        except UsageError:
            state = QValidator.State.Intermediate
        return state, text, place

    def focusOutEvent(self, event: QFocusEvent) -> None:
        typed = self.text() if self.problem() else ""
        super().focusOutEvent(event)
        self._keep(typed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        typed = self.text() if self.problem() else ""
        super().keyPressEvent(event)
        if event.text() in ("\r", "\n"):
            self._keep(typed)

    def _join(self) -> None:
        self.lineEdit().textChanged.connect(self._tell)

    def _keep(self, typed: str) -> None:
        if typed:
            self.lineEdit().setText(typed)

    def _tell(self) -> None:
        problem = self.problem()
        if problem == self._said:
            return
        self._said = problem
        role = "error" if problem else ""
        if (self.property("role") or "") != role:
            self.setProperty("role", role)
            self.style().unpolish(self)
            self.style().polish(self)
        self._say(problem)

    def _say(self, problem: str) -> None:
        raise NotImplementedError


N = TypeVar("N", int, float)


def _within(value: N, least: N, most: N) -> N:
    if not least <= value <= most:
        what = tr(
            "A number from {least} to {most} is wanted.", least=f"{least:g}", most=f"{most:g}"
        )
        raise UsageError(what, tr("Write one of these."))
    return value


class WholeBox(_Reading, QSpinBox):
    """A whole number with its unit; `checked` tells why its text is refused, or "" """

    checked = Signal(str)

    def __init__(self, unit: str = "") -> None:
        super().__init__()
        self.unit = unit
        self._join()

    def read(self, text: str) -> int:
        return _within(int(read_number(text, self.unit, True)), self.minimum(), self.maximum())

    def _say(self, problem: str) -> None:
        self.checked.emit(problem)

    def valueFromText(self, text: str) -> int:
        return self.read(text)

    def textFromValue(self, value: int) -> str:
        return f"{value:,} {tr(self.unit)}" if self.unit else f"{value:,}"


class DecimalBox(_Reading, QDoubleSpinBox):
    """A number with its unit; `checked` as above."""

    checked = Signal(str)

    def __init__(self, unit: str = "") -> None:
        super().__init__()
        self.unit = unit
        self.setDecimals(DECIMALS)
        self._join()

    def read(self, text: str) -> float:
        if text == self.textFromValue(self.value()):
            return self.value()
        value = round(read_number(text, self.unit), DECIMALS)
        return _within(value, self.minimum(), self.maximum())

    def _say(self, problem: str) -> None:
        self.checked.emit(problem)

    def valueFromText(self, text: str) -> float:
        return self.read(text)

    def textFromValue(self, value: float) -> str:
        return shown_number(value, self.unit)
