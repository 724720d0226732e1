"""The wheel over a plot zooms across: no curve leaves the view upwards."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QGraphicsSceneWheelEvent
from pytestqt.qtbot import QtBot

from engine.history.history import History
from tests.samples import squeezenet_like_snapshot
from widgets.convergence.plots import ConvergencePlots


def _wheel(delta: int) -> QGraphicsSceneWheelEvent:
    event = QGraphicsSceneWheelEvent(QGraphicsSceneWheelEvent.Type.GraphicsSceneWheel)
    event.setPos(QPointF(20.0, 5.0))
    event.setDelta(delta)
    event.setOrientation(Qt.Orientation.Vertical)
    return event


@pytest.mark.parametrize("panel", ["model", "tasks"])
@pytest.mark.parametrize("delta", [120, 1200, -240])
def test_the_wheel_zooms_across_and_over_the_upright_axis_alone_upwards(
    qtbot: QtBot, panel: str, delta: int
) -> None:
    plots = ConvergencePlots(History(squeezenet_like_snapshot(100)))
    qtbot.addWidget(plots)
    plots.resize(600, 400)
    plots.show()
    plots.draw((), None)
    plots.fit()
    box = getattr(plots, panel).plot.vb
    (left, right), upwards = box.viewRange()
    box.wheelEvent(_wheel(delta))
    across_now, upwards_now = box.viewRange()
    assert upwards_now == upwards
    assert (across_now[1] - across_now[0] < right - left) is (delta > 0)
    box.wheelEvent(_wheel(delta), axis=1)
    assert box.viewRange()[1] != upwards and box.viewRange()[0] == across_now
