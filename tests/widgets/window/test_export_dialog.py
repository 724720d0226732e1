"""The question where an export goes: a folder, new or of an earlier export, and a wheel."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from engine.deploy.executor_template import MANIFEST
from engine.deploy.packing.wheel import WheelName
from widgets.window.export_dialog import ExportDialog

Ask = Callable[..., ExportDialog]


@pytest.fixture
def ask(qtbot: QtBot, tmp_path: Path) -> Ask:
    """Asks, for a model of this name."""
    parent = QWidget()
    qtbot.addWidget(parent)

    def asked(model: str, several: bool = False) -> ExportDialog:
        dialog = ExportDialog(parent, model, several)
        dialog.setAcceptMode(ExportDialog.AcceptMode.AcceptSave)
        dialog.setDirectory(str(tmp_path))
        dialog.show()
        return dialog

    return asked


def choose(dialog: ExportDialog, name: str) -> list[str]:
    """Type a folder's name and press Enter; what was chosen."""
    chosen: list[str] = []
    dialog.fileSelected.connect(chosen.append)
    line = dialog.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(line, QLineEdit)
    line.setText(name)
    QTest.keyClick(line, Qt.Key.Key_Return)
    return chosen


def test_a_folder_alone_is_no_wheel(ask: Ask, tmp_path: Path) -> None:
    dialog = ask("net")
    assert choose(dialog, "out") == [str(tmp_path / "out")]
    assert dialog.wheel() is None
    assert not dialog.isVisible()


@pytest.mark.parametrize(
    ("model", "name"), [("net", "net"), ("My-Net", "My-Net"), ("a b", ""), ("json", "")]
)
def test_a_wheel_is_called_as_the_model_where_it_can_be(ask: Ask, model: str, name: str) -> None:
    dialog = ask(model)
    assert (dialog.name.text(), dialog.name.isEnabled()) == (name, False)
    dialog.tick.click()
    assert (dialog.name.isEnabled(), dialog.version.isEnabled()) == (True, True)
    if name:
        assert dialog.wheel() == WheelName(name, "1.0")


@pytest.mark.parametrize(
    ("name", "version"), [("a b", "1.0"), ("net", "one"), ("", ""), ("os", "1")]
)
def test_a_wheel_that_cannot_be_called_so_is_told_and_nothing_is_chosen(
    ask: Ask, tmp_path: Path, name: str, version: str
) -> None:
    dialog = ask("net")
    dialog.tick.click()
    dialog.name.setText(name)
    dialog.version.setText(version)
    assert choose(dialog, "out") == []
    assert dialog.isVisible()
    assert dialog.problem.isVisible()
    assert dialog.problem.text().endswith(".")
    dialog.name.setText("net")
    dialog.version.setText("1.2")
    assert not dialog.problem.isVisible()
    dialog.accept()
    assert dialog.wheel() == WheelName("net", "1.2")
    assert not dialog.isVisible()


def test_an_earlier_export_may_be_chosen_again(ask: Ask, tmp_path: Path) -> None:
    for name in ("old", "folder"):
        (tmp_path / name).mkdir()
    (tmp_path / "old" / MANIFEST).write_text("{}")
    dialog = ask("net")
    assert choose(dialog, "folder") == []  # which Qt looks into
    assert choose(dialog, str(tmp_path / "old")) == [str(tmp_path / "old")]
    assert not dialog.isVisible()


def test_several_shapes_have_padding_in_the_place_of_a_wheel(ask: Ask, tmp_path: Path) -> None:
    dialog = ask("net", several=True)
    assert dialog.tick.isHidden() and dialog.padding.isVisible()
    assert dialog.pads() is None
    dialog.padding.setText(" ids=0  mask=-1.5")
    assert dialog.pads() == {"ids": 0.0, "mask": -1.5}
    assert choose(dialog, "out") == [str(tmp_path / "out")]


@pytest.mark.parametrize("text", ["ids", "ids=", "=0", "ids=zero", "ids=0 ids=1"])
def test_padding_that_is_none_is_told_and_nothing_is_chosen(ask: Ask, text: str) -> None:
    dialog = ask("net", several=True)
    dialog.padding.setText(text)
    assert choose(dialog, "out") == []
    assert dialog.problem.isVisible() and dialog.problem.text()
    dialog.padding.setText("ids=0")
    assert not dialog.problem.isVisible()


def test_one_shape_has_nothing_to_pad(ask: Ask) -> None:
    assert not ask("net").padding.isVisible()
