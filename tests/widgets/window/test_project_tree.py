"""The tree of a project: names beside their values, of which neither takes all the room."""

from __future__ import annotations

from dataclasses import replace

import pytest
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
