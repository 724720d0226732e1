"""The tree of a project: names beside their values, of which neither takes all the room."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from engine.records.snapshot import ExportInfo
from tests.samples import squeezenet_like_snapshot
from widgets.window.project_tree import ProjectTree


@pytest.mark.parametrize("width", [180, 240, 400])
@pytest.mark.parametrize("exports", [0, 3])
def test_the_values_have_two_fifths_of_the_tree_at_least(
    qtbot: QtBot, width: int, exports: int
) -> None:
    tree = ProjectTree()
    qtbot.addWidget(tree)
    tree.resize(width, 400)
    tree.show()
    made = tuple(ExportInfo(n, "/exports/a-long-folder", 1.7e9, {}) for n in range(exports))
    tree.show_project(replace(squeezenet_like_snapshot(20), exports=made))
    assert tree.tree.columnWidth(0) <= tree.tree.viewport().width() * 3 // 5
    tree.resize(width + 100, 400)
    assert tree.tree.columnWidth(0) <= tree.tree.viewport().width() * 3 // 5


@pytest.mark.parametrize("high", [400, 60])  # without a scroll bar and with one
def test_the_values_end_where_the_tree_does_whatever_its_width_becomes(
    qtbot: QtBot, high: int
) -> None:
    tree = ProjectTree()
    qtbot.addWidget(tree)
    tree.tree.setMinimumHeight(high)
    tree.show()
    tree.show_project(squeezenet_like_snapshot(20))
    for width in (150, 300, 160, 177, 500, 210):
        for height in (high + 200, high + 100):
            tree.resize(width, height)
            QApplication.processEvents()
            columns = [tree.tree.columnWidth(column) for column in (0, 1)]
            assert sum(columns) == tree.tree.viewport().width(), (width, height)
