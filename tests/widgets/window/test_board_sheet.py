"""The sheet that asks for a device of another machine."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QPushButton
from pytestqt.qtbot import QtBot

from engine.targets.presets import PRESETS, Preset
from widgets.window.board_sheet import BoardSheet

ORIN = '{"kind": "cuda", "arch": "sm_87"}'


def shown(qtbot: QtBot, target: str = "auto") -> BoardSheet:
    sheet = BoardSheet(target)
    qtbot.addWidget(sheet)
    return sheet


def ok(sheet: BoardSheet) -> QPushButton:
    return sheet.buttons.button(QDialogButtonBox.StandardButton.Ok)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_preset_is_chosen_with_the_address_of_its_tracker(preset: Preset, qtbot: QtBot) -> None:
    sheet = shown(qtbot)
    sheet.device.setCurrentIndex(PRESETS.index(preset))
    sheet.tracker.setText(" 10.0.0.5:9190 ")
    sheet.key.setText("pi")
    assert sheet.cores.value() == preset.cores
    with qtbot.waitSignal(sheet.target_given) as given:
        ok(sheet).click()
    assert given.args == [f"rpc://10.0.0.5:9190/pi {preset.name}"]


def test_a_board_of_fewer_cores_says_so_in_its_target(qtbot: QtBot) -> None:
    sheet = shown(qtbot)
    sheet.cores.setValue(2)
    assert sheet.target() == "rpc://127.0.0.1:9190/board raspberry-pi-4 -num-cores=2"


@pytest.mark.parametrize(
    "target",
    [
        *(f"rpc://10.0.0.5:9190/pi {preset.name}" for preset in PRESETS),
        "rpc://127.0.0.1:9190/b jetson-orin -num-cores=6",
        "rpc://127.0.0.1:9190/b jetson-orin -mattr=+sve",
        f"rpc://[::1]:9190/b {ORIN}",
        "rpc://h:1/b cpu",
    ],
)
def test_the_sheet_begins_with_the_target_that_holds(target: str, qtbot: QtBot) -> None:
    assert shown(qtbot, target).target() == target


@pytest.mark.parametrize("target", ["auto", "cuda:1", "dask://10.0.0.5:8786", "rpc://nonsense", ""])
def test_any_other_target_is_no_beginning(target: str, qtbot: QtBot) -> None:
    assert shown(qtbot, target).target() == "rpc://127.0.0.1:9190/board raspberry-pi-4"


@pytest.mark.parametrize(
    ("tracker", "key", "device"),
    [("", "b", ORIN), ("host", "b", ORIN), ("h:99999", "b", ORIN), ("h:1", "", ORIN),
     ("h:1", "a b", ORIN), ("h:1", "b", ""), ("h:1", "b", "  ")],
)  # fmt: skip
def test_what_names_no_device_is_told_and_cannot_be_taken(
    tracker: str, key: str, device: str, qtbot: QtBot
) -> None:
    sheet = shown(qtbot)
    assert ok(sheet).isEnabled()
    sheet.device.setCurrentIndex(len(PRESETS))
    assert sheet.fields.isEnabled() and not sheet.cores.isEnabled()
    sheet.tracker.setText(tracker)
    sheet.key.setText(key)
    sheet.fields.setText(device)
    assert sheet.problem.text()
    assert not ok(sheet).isEnabled()
