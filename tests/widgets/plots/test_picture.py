"""A drawing that is saved is XML, whatever is named in it."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView
from pytestqt.qtbot import QtBot

from widgets.plots.picture import svg_of


@pytest.mark.parametrize("name", ["net\x1b[2J", "a\x00b\x07", "<script>&\u202e", "é\ufffe", "\t\n"])
def test_a_drawing_holds_a_name_as_text(name: str, qtbot: QtBot) -> None:
    scene = QGraphicsScene()
    view = QGraphicsView(scene)
    qtbot.addWidget(view)
    scene.addText(f"x{name}")
    drawing = svg_of(view, f"of {name}")
    ElementTree.fromstring(drawing)
    assert b"<script" not in drawing
    assert not {"\x1b", "\x00", "\x07", "\u202e"} & set(drawing.decode())
