"""The sheet takes an address that names a project on a machine, and no other."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from widgets.window.watch_sheet import WatchSheet


@pytest.mark.parametrize("text", ["", "rack", "ssh://rack", "ssh://-x/a.tune", "ssh://rack/a.onnx"])
def test_nothing_that_names_no_project_can_be_watched(qtbot: QtBot, text: str) -> None:
    sheet = WatchSheet()
    qtbot.addWidget(sheet)
    sheet.address.setEditText(text)
    assert not sheet.watch_button.isEnabled()
    assert bool(sheet.problem.text()) == bool(text)


def test_an_address_is_given_as_it_was_written(qtbot: QtBot) -> None:
    sheet = WatchSheet(["ssh://old/a.tune"])
    qtbot.addWidget(sheet)
    assert sheet.address.currentText() == "ssh://old/a.tune"
    sheet.address.setEditText(" ssh://me@rack:22/~/my net.tune ")
    with qtbot.waitSignal(sheet.address_given) as given:
        sheet.watch_button.click()
    assert given.args == ["ssh://me@rack:22/~/my net.tune"]
