"""The scoreboard says what the reference is: not every model's is ONNX Runtime."""

from __future__ import annotations

from dataclasses import replace

from pytestqt.qtbot import QtBot

from engine.events import Scores
from widgets.scoreboard import Scoreboard

SCORES = Scores(
    elapsed_s=1.0,
    untuned_s=0.2,
    now_s=0.1,
    measured_s=None,
    reference_s=0.05,
    share=0.5,
    trials=3,
    trials_per_s=1.0,
    time_left_s=None,
)


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
