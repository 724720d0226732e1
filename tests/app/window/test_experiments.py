"""File > Open experiment, in a window."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog

from tests.app.conftest import Console
from tests.widgets.comparison.test_experiment_sheet import CELL, written


def test_the_action_asks_for_a_file_and_a_cell_is_opened(
    console: Console, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = list[Path]()
    monkeypatch.setattr(console.window.console.windows, "open", opened.append)
    console.do("open-experiment")
    dialog = console.window.findChild(QFileDialog)
    assert dialog is not None
    dialog.reject()
    sheet = console.window.aids.dialogs.experiment(written(tmp_path, CELL))
    assert sheet is not None
    sheet.table.setCurrentIndex(sheet.table.model().index(0, 0))
    sheet.open_button.click()
    assert opened == [tmp_path / "cells" / "a.tune"]
    sheet.close()


def test_what_is_no_result_is_said_in_the_window(console: Console, tmp_path: Path) -> None:
    assert console.window.aids.dialogs.experiment(tmp_path / "experiment.json") is None
    assert console.window.console.messages.rows()[0].what.startswith(
        "experiment.json cannot be read"
    )
