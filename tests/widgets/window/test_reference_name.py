"""The scoreboard says what the reference is: not every model's is ONNX Runtime."""

from __future__ import annotations

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from engine.records.events import Scores
from tests.figures import figure
from widgets.look.language import translation, use
from widgets.window.scoreboard import Scoreboard

SCORES = Scores(
    elapsed_s=1.0,
    figure=figure(0.2, 0.1),
    reference_s=0.05,
    share=0.5,
    trials=3,
    trials_per_s=1.0,
    time_left_s=None,
)


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_note_of_a_slower_or_a_faster_model_has_the_room_it_needs(
    qtbot: QtBot, language: str
) -> None:
    use([translation(language)])
    board = Scoreboard()
    qtbot.addWidget(board)
    note = board.cells["reference"].note
    for reference_s in (0.0763, 0.131):  # shown in a window that is not laid out anew
        board.show_scores(replace(SCORES, reference_s=reference_s), running=True)
        assert note.fontMetrics().horizontalAdvance(note.text()) <= note.minimumWidth()
    use([])


def test_the_caption_is_the_references_name(qtbot: QtBot) -> None:
    board = Scoreboard()
    qtbot.addWidget(board)
    cell = board.cells["reference"]
    assert cell.title.text() == "ONNX Runtime"
    board.show_scores(replace(SCORES, reference="PyTorch"), running=True)
    assert cell.title.text() == "PyTorch"
    assert cell.accessibleName().startswith("PyTorch: 50.0 ms")
    assert "PyTorch" in cell.toolTip()
    board.show_scores(None, running=False)
    assert cell.title.text() == "ONNX Runtime"
