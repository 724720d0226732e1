"""What is typed into a field for numbers is read as it is meant, or refused; never as another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import pytest
from msgspec import Meta
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from engine.records.errors import UsageError
from engine.records.settings import Budget, RunSettings
from engine.records.trial import Protocol
from widgets.look.language import translation, use
from widgets.parts import field_texts
from widgets.parts.field_form import FieldForm
from widgets.parts.number_box import DecimalBox, WholeBox, read_number, shown_number
from widgets.parts.run_dialog import RunDialog


@pytest.fixture(params=["en", "de"])
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    use((translation(request.param),) if request.param != "en" else ())
    yield request.param
    use(())


@pytest.mark.parametrize(
    ("text", "unit", "meant"),
    [
        ("62,5", "%", 62.5), ("62.5", "%", 62.5), ("62,5 %", "%", 62.5), ("0,5", "min", 0.5),
        (".5", "min", 0.5), (",5", "min", 0.5), ("7", "min", 7), ("90 s", "min", 1.5),
        ("40s", "min", 40 / 60), ("2 h", "min", 120), ("2 Std.", "min", 120),

        ("3 Minuten", "s", 180),
        ("1.5 ms", "s", 0.0015), ("1,5 ms", "ms", 1.5), ("20 µs", "ms", 0.02),

        ("0,125", "ms", 0.125),
        ("1,234.5", "", 1234.5), ("1.234,5", "", 1234.5), ("1 250", "", 1250), ("1'250", "", 1250),
        ("1.000.000", "", 1e6), ("1e3", "", 1000), ("−3", "", -3), ("10x", "x", 10),
    ],
)  # fmt: skip
def test_a_number_with_a_unit_is_read_as_it_is_meant(
    language: str, text: str, unit: str, meant: float
) -> None:
    assert read_number(text, unit) == pytest.approx(meant)


@pytest.mark.parametrize("text", ["1,250", "1.250", "1 250", "1250", "1.25e3", "1250 trials"])
def test_a_field_for_whole_numbers_knows_that_signs_group_thousands(
    language: str, text: str
) -> None:
    assert read_number(text, "trials", whole=True) == 1250


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize(
    "text",
    ["", "abc", "1,5,5", "12,345,67", "1 2", "1:30", "5 m", "5 kg", "1_000", "0x10", "nan", "inf",
     "٣", "1e", "1e999", "--1", "5 min", "1.5.", "9" * 400],
)  # fmt: skip
def test_what_is_no_number_or_has_another_unit_is_refused_in_words(
    language: str, text: str, whole: bool
) -> None:
    with pytest.raises(UsageError) as refused:
        read_number(text, "x", whole)
    assert refused.value.what and refused.value.todo


def test_thousands_or_decimals_are_refused_where_both_could_be_meant(language: str) -> None:
    with pytest.raises(UsageError):
        read_number("1,250", "ms")
    if language == "en":
        assert read_number("1.250", "ms") == 1.25
    else:
        with pytest.raises(UsageError):
            read_number("1.250", "ms")


@pytest.mark.parametrize("unit", ["ns", "us", "ms", "s", "min", "h", "x", "%", ""])
@pytest.mark.parametrize("value", [0.0, 1.0, 1.5, 40 / 60, 100 / 60, 4e-4, 1234.0, 1.234, 1e6, 0.1])
def test_what_a_box_shows_it_reads_as_the_same_number(
    qtbot: QtBot, language: str, unit: str, value: float
) -> None:
    box = DecimalBox(unit)
    qtbot.addWidget(box)
    box.setRange(0, 1e9)
    box.setValue(value)
    shown = box.value()
    assert box.read(box.text()) == pytest.approx(shown, rel=1e-7, abs=1e-9)
    assert shown == pytest.approx(value, abs=1e-9)


def test_a_time_of_many_decimals_is_shown_in_a_smaller_unit() -> None:
    assert [shown_number(v / 60, "min") for v in (40, 90, 100, 1200)] == [
        "40 s", "1.5 min", "100 s", "20 min"
    ]  # fmt: skip


@dataclass(frozen=True)
class Every:
    """One field of each kind."""

    whole: Annotated[int, Meta(ge=1, le=64)] = 16
    part: Annotated[float, Meta(ge=0, le=1)] = 0.5
    limit: Annotated[float, Meta(gt=0)] | None = 2.0


@pytest.mark.parametrize("name", ["whole", "part", "limit"])
@pytest.mark.parametrize("text", ["1e9 kg", "twelve", "-1", "1e300", "1,2,3"])
@pytest.mark.parametrize("end", [Qt.Key.Key_Tab, Qt.Key.Key_Return, None])
def test_a_field_keeps_what_it_cannot_read_says_why_and_gives_no_number(
    qtbot: QtBot, name: str, text: str, end: Qt.Key | None
) -> None:
    form = FieldForm(Every, {})
    qtbot.addWidget(form)
    form.show()
    control = form.controls[name]
    editor = control.editor
    assert isinstance(editor, WholeBox | DecimalBox)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, text)
    if end is not None:
        QTest.keyClick(editor, end)
    assert editor.text() == text
    assert not control.problem.isHidden() and control.problem.text()
    with pytest.raises(UsageError):
        form.value()
    editor.selectAll()
    QTest.keyClicks(editor, "1")
    assert control.problem.isHidden()
    assert getattr(form.value(), name) == 1


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("40 s", 40), ("90 s", 90), ("0,5", 30), ("2 h", 7200), ("10", 600), ("62,5", 3750)],
)
def test_a_budget_is_typed_with_any_unit_of_time(
    qtbot: QtBot, language: str, text: str, seconds: float
) -> None:
    form = FieldForm(Budget, field_texts.BUDGET)
    qtbot.addWidget(form)
    form.show()
    form.set_value(Budget(seconds=1200))
    editor = form.controls["seconds"].editor
    assert isinstance(editor, DecimalBox)
    editor.setFocus()
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Tab)
    assert form.value() == Budget(seconds=seconds)


def test_a_run_does_not_start_with_a_number_that_was_refused(qtbot: QtBot) -> None:
    dialog = RunDialog(RunSettings(budget=Budget(seconds=600), protocol=Protocol()))
    qtbot.addWidget(dialog)
    dialog.show()
    started: list[RunSettings] = []
    dialog.start_wanted.connect(started.append)
    editor = dialog.budget.controls["seconds"].editor
    assert isinstance(editor, DecimalBox)
    editor.selectAll()
    QTest.keyClicks(editor, "5 kg")
    dialog.start_button.click()
    assert started == [] and "kg" in dialog.problem.text()
    editor.selectAll()
    QTest.keyClicks(editor, "90 s")
    dialog.start_button.click()
    assert [settings.budget.seconds for settings in started] == [90]
