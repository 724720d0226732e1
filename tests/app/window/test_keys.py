"""One table of actions, from which come keys, their page, and their dialog."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.process.settings import Settings
from app.window.actions.action_set import first_keys
from app.window.actions.actions import SPECS
from app.window.actions.key_page import PAGE, key_page
from app.window.actions.shortcuts import KEY, Shortcuts
from app.window.aids.recent_files import KEPT, RecentFiles
from app.window.dialogs import note_used, used
from tests.app.conftest import Console
from widgets.window.shortcut_dialog import ShortcutDialog
from widgets.window.shortcut_rules import problem_of


def keys(shortcuts: Shortcuts, id: str) -> str:
    """The keys of a command."""
    return next(each.keys for each in shortcuts.all() if each.id == id)


@pytest.fixture
def shortcuts(qapp: QApplication) -> Shortcuts:
    return Shortcuts(Settings(memory=True), first_keys())


def test_the_page_of_keys_is_that_of_the_table() -> None:
    assert PAGE.read_text("utf-8") == key_page(), "Run python -m app.window.actions.key_page"


def test_the_table_has_no_conflicts_and_no_keys_that_type(shortcuts: Shortcuts) -> None:
    table = shortcuts.all()
    assert [problem_of(item.keys, item.id, table) for item in table] == [None] * len(table)


def test_keys_of_a_person_hold_until_they_are_reset(shortcuts: Shortcuts) -> None:
    shortcuts.set("export", "Ctrl+Alt+E")
    shortcuts.set("start", "")
    assert (keys(shortcuts, "export"), keys(shortcuts, "start")) == ("Ctrl+Alt+E", "")
    assert [each.id for each in shortcuts.all() if each.is_changed] == ["export", "start"]
    shortcuts.reset("start")
    assert keys(shortcuts, "start") == "F5"
    shortcuts.reset("export", "start")
    assert keys(shortcuts, "export") == "Ctrl+E"


@pytest.mark.parametrize("stored", [{"export": 5}, {"export": "\0"}, {"export": None}, {"no": "X"}])
def test_nonsense_in_the_settings_changes_no_keys(
    qapp: QApplication, stored: dict[str, object]
) -> None:
    settings = Settings(memory=True)
    settings.set(KEY, stored)
    assert keys(Shortcuts(settings, first_keys()), "export") == "Ctrl+E"


def opened(shortcuts: Shortcuts, qtbot: QtBot) -> ShortcutDialog:
    """The dialog, joined as the window joins it."""
    dialog = ShortcutDialog(shortcuts.all())
    qtbot.addWidget(dialog)
    dialog.given.connect(shortcuts.set)
    dialog.reset.connect(lambda ids: shortcuts.reset(*ids))
    shortcuts.changed.connect(dialog.show_shortcuts)
    return dialog


def press(dialog: ShortcutDialog, keys: str) -> None:
    dialog.keys.setKeySequence(QKeySequence(keys))
    dialog.keys.editingFinished.emit()


def test_the_dialog_gives_free_keys_at_once(shortcuts: Shortcuts, qtbot: QtBot) -> None:
    dialog = opened(shortcuts, qtbot)
    dialog.choose("export")
    press(dialog, "Ctrl+Alt+E")
    assert keys(shortcuts, "export") == "Ctrl+Alt+E"
    assert dialog.say.text() == "“Export” has the keys Ctrl+Alt+E now."
    assert ("Export", "Ctrl+Alt+E  (was Ctrl+E)") in dialog.rows()
    dialog.clear_button.click()
    assert keys(shortcuts, "export") == ""
    dialog.reset_button.click()
    assert keys(shortcuts, "export") == "Ctrl+E"
    assert not dialog.reset_all_button.isEnabled()


def test_keys_of_another_command_are_taken_only_when_that_is_wanted(
    shortcuts: Shortcuts, qtbot: QtBot
) -> None:
    dialog = opened(shortcuts, qtbot)
    dialog.choose("export")
    press(dialog, "Ctrl+O")
    assert dialog.say.text() == "Ctrl+O is the key of “Open model”."
    assert keys(shortcuts, "open-model") == "Ctrl+O"
    dialog.take_button.click()
    assert keys(shortcuts, "export") == "Ctrl+O"
    assert keys(shortcuts, "open-model") == ""
    dialog.choose("open-model")
    dialog.reset_button.click()  # its first keys are another's by now
    assert "is the key of “Export”" in dialog.say.text()
    dialog.take_button.click()
    assert keys(shortcuts, "open-model") == "Ctrl+O"
    dialog.reset_all_button.click()
    assert keys(shortcuts, "export") == "Ctrl+E"


def test_keys_that_type_are_refused(shortcuts: Shortcuts, qtbot: QtBot) -> None:
    dialog = opened(shortcuts, qtbot)
    dialog.choose("export")
    press(dialog, "X")
    assert "Add Ctrl or Alt" in dialog.say.text() and dialog.take_button.isHidden()
    assert keys(shortcuts, "export") == "Ctrl+E"


def test_the_dialog_finds_by_name_and_by_key(shortcuts: Shortcuts, qtbot: QtBot) -> None:
    dialog = opened(shortcuts, qtbot)
    assert len(dialog.rows()) == len(SPECS)
    dialog.search.setText("ctrl+shift+n")
    assert [name for name, _ in dialog.rows()] == ["New window"]
    dialog.search.setText("follow tuner")
    assert dialog.rows()[0][0] == "Follow the tuner"
    dialog.search.setText("zzzz")
    assert dialog.rows() == [] and not dialog.keys.isEnabled()


def test_changed_keys_hold_in_the_window_and_are_said_there(console: Console) -> None:
    table = console.window.console.actions
    dialog = console.window.aids.dialogs.keys()
    dialog.choose("palette")
    press(dialog, "Ctrl+Alt+K")
    assert table["palette"].shortcut().toString() == "Ctrl+Alt+K"
    assert table["palette"].iconText() == "Ctrl+Alt+K"
    assert "(Ctrl+Alt+K)" in table["palette"].toolTip()
    dialog.close()


def test_what_was_taken_from_the_palette_is_remembered_once(qapp: QApplication) -> None:
    settings = Settings(memory=True)
    for key in ("a", "b", "a", *map(str, range(18))):
        note_used(settings, key)
    assert len(used(settings)) == 20
    assert used(settings)[:2] == ["17", "16"] and used(settings)[-2:] == ["a", "b"]


# Recent files


def test_pinned_files_come_first_in_their_order_and_stay(qapp: QApplication) -> None:
    files = RecentFiles(Settings(memory=True))
    for number in range(4):
        files.remember(f"/{number}")
    files.pin("/2", True)
    files.pin("/0", True)
    assert files.paths() == ["/2", "/0", "/3", "/1"]
    for number in range(10, 30):
        files.remember(f"/{number}")
    assert files.paths()[:3] == ["/2", "/0", "/29"] and len(files.paths()) == KEPT + 2
    files.clear()
    assert files.paths() == ["/2", "/0"]
    files.pin("/2", False)
    files.forget("/0")
    assert files.paths() == ["/2"]


def test_the_menu_of_recent_files_says_which_are_missing(console: Console, tmp_path: Path) -> None:
    here = tmp_path / "here.tune"
    here.touch()
    for path in (tmp_path / "gone.tune", here):
        console.commands.recent_files.remember(str(path))
    menu = console.window.menus.recent_menu
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()[:2]] == [
        "&1  here.tune",
        "&2  gone.tune  (missing)",
    ]
    menu.actions()[1].trigger()
    row = console.window.console.messages.rows()[0]
    assert "gone.tune is not there any more" in row.what and row.action_button is not None
    assert "open_project" not in console.engine.names()
    row.action_button.click()
    assert console.commands.recent() == [str(here)]
    menu.actions()[0].trigger()
    assert console.engine.calls[-1] == ("open_project", here)
