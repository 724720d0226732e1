"""Find stages clicked in the real window over the real engine, on a tiny model of four branches."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from engine.records.source import ModelSource
from tests.app.window.test_passes_live import Person, person, read
from tests.engine.models.build import branches_model, save

__all__ = ["person"]
pytestmark = pytest.mark.slow

LEFT = Qt.MouseButton.LeftButton


@pytest.mark.long
def test_find_stages_is_clicked_and_shows_a_schedule_that_is_stored(person: Person) -> None:
    document, window = person.document, person.window
    model = save(branches_model((1, 1, 3, 3), channels=8, size=4), person.folder / "branches.onnx")
    person.session.commands.set_target("cpu")
    person.session.commands.open_model(ModelSource("file", str(model)))
    path = person.folder / "branches.tune"
    person.until(lambda: document.path == str(path) and document.idle)
    window.console.actions["stages"].trigger()
    person.until(lambda: window.aids.stages.sheet is not None)
    sheet = window.aids.stages.sheet
    assert sheet is not None
    sheet.form.controls["strategies"].set_value("parallel")
    sheet.form.controls["r"].set_value(1)
    sheet.form.controls["s"].set_value(2)
    sheet.form.controls["seconds"].set_value(10.0)
    QTest.mouseClick(sheet.start_button, LEFT)
    assert document.searching
    person.until(lambda: document.head.schedule is not None and document.idle)
    view = window.aids.late.stages
    assert view.timeline.isVisible()
    operators = range(len(document.head.operators))
    for operator in operators:
        assert not view.timeline.rect_of(operator).isEmpty()
    assert view.model.rowCount() >= 3
    assert read(path).schedule == document.head.schedule
