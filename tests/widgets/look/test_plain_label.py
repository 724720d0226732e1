"""A stranger's text in a label, a tip or a cell is text."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from widgets.look.elided import ElidedLabel
from widgets.look.plain_label import PlainLabel, plain_tip
from widgets.parts.pieces import text_label

NAMES = ("<b>net</b>", "<img src='file:///etc/passwd'>", "<h1>a</h1>\n<a href='x'>b</a>", "a & b")
ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("make", [PlainLabel, ElidedLabel, text_label])
def test_tags_in_a_label_are_shown(qtbot: QtBot, make: type[QLabel], name: str) -> None:
    label = make(name)
    qtbot.addWidget(label)
    assert label.textFormat() is Qt.TextFormat.PlainText
    assert label.text() == name


def test_a_label_turns_no_direction_of_writing(qtbot: QtBot) -> None:
    label = PlainLabel("a\u202egnp.exe")
    qtbot.addWidget(label)
    assert "\u202e" not in label.text()
    label.setText("b\u2066c")
    assert label.text() == "b\ufffdc"


@pytest.mark.parametrize("name", NAMES)
def test_tags_in_a_tip_are_shown(qtbot: QtBot, name: str) -> None:
    tip = plain_tip(name)
    if "<" in name:
        page = QTextDocument()
        page.setHtml(tip)
        assert page.toPlainText().split() == name.split()
    else:
        assert tip == name


def test_every_label_of_the_window_is_a_plain_one() -> None:
    made = [
        path.name
        for folder in ("app", "widgets")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if re.search(r"(?<![\w.])QLabel\(", path.read_text().replace("(QLabel)", ""))
    ]
    assert made == []
