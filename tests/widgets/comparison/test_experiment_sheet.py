"""The results of an experiment in the console: shown, opened, refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from engine.experiments.reading import read_results
from engine.records.errors import UsageError
from widgets.comparison.experiment_sheet import ExperimentSheet

CELL = {
    "project": "cells/a.tune", "model": "tiny", "target": "cpu", "policy": "dynatune",
    "plan": "search", "budget": "5 trials", "seed": 3, "state": "finished", "message": "",
    "untuned_latency_s": 2e-3, "tuned_latency_s": 1e-3, "trials": 5,
}  # fmt: skip
FAILED = {
    **CELL, "project": "cells/b.tune", "state": "failed", "message": "It <b>broke</b>.",
    "untuned_latency_s": None, "tuned_latency_s": None, "trials": 0,
}  # fmt: skip


def written(folder: Path, *cells: dict[str, Any], **changes: Any) -> Path:
    """The file of an experiment with one project that is there."""
    (folder / "cells").mkdir(exist_ok=True)
    (folder / "cells" / "a.tune").write_bytes(b"x")
    data = {"tunewright_experiment": 1, "name": "Two", "groups": [], "cells": list(cells)}
    file = folder / "experiment.json"
    file.write_text(json.dumps({**data, **changes}))
    return file


def test_a_cell_opens_its_project_and_a_failed_one_says_why(qtbot: QtBot, tmp_path: Path) -> None:
    sheet = ExperimentSheet(read_results(written(tmp_path, CELL, FAILED)))
    qtbot.addWidget(sheet)
    sheet.show()
    assert sheet.message.text() == "1 of 2 cells are done."
    opened: list[Path] = []
    sheet.open_wanted.connect(opened.append)
    sheet.table.setFocus()
    model = sheet.table.model()
    sheet.table.setCurrentIndex(model.index(1, 0))
    assert sheet.message.text() == "It <b>broke</b>."
    assert sheet.message.textFormat() == Qt.TextFormat.PlainText
    assert not sheet.open_button.isEnabled()
    sheet.table.setCurrentIndex(model.index(0, 0))
    assert [model.index(0, column).data() for column in (0, 5, 8, 9)] == [
        "tiny", "3", "1.00 ms", "2.00x",
    ]  # fmt: skip
    sheet.open_button.click()
    sheet.table.activated.emit(model.index(0, 0))
    assert opened == [tmp_path / "cells" / "a.tune"] * 2


def test_a_folder_is_read_by_its_result_file(tmp_path: Path) -> None:
    written(tmp_path, CELL)
    cell = read_results(tmp_path).cells[0]
    assert cell.project == tmp_path / "cells" / "a.tune" and cell.further == ""


def test_further_axes_stand_in_a_column_of_their_own(qtbot: QtBot, tmp_path: Path) -> None:
    axes = {"search": "wide", "devices": "none", "scheduling": "", "concurrency": "3", "cores": ""}
    sheet = ExperimentSheet(read_results(written(tmp_path, CELL | axes)))
    qtbot.addWidget(sheet)
    assert sheet.table.model().index(0, 11).data() == "wide, concurrency 3"


@pytest.mark.parametrize(
    "changes",
    [
        {"tunewright_experiment": 2},
        {"cells": {}},
        {"cells": [3]},
        {"cells": [{**CELL, "project": "/etc/passwd"}]},
        {"cells": [{**CELL, "project": "../a.tune"}]},
        {"cells": [{**CELL, "seed": -1}]},
        {"cells": [{**CELL, "tuned_latency_s": "fast"}]},
        {"cells": [{**CELL, "model": None}]},
        {"name": 3},
    ],
)
def test_a_strangers_file_is_refused_with_a_sentence(
    changes: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(UsageError):
        read_results(written(tmp_path, CELL, **changes))


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b"[" * 100_000, None])
def test_a_file_that_is_no_json_or_not_there_is_refused(
    content: bytes | None, tmp_path: Path
) -> None:
    file = tmp_path / "experiment.json"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(UsageError):
        read_results(file)
