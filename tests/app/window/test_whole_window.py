"""Every page, panel and dialog at 1024 x 640: nothing is clipped, nameless or out of reach."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QPushButton, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from tests.app.window.whole_window import SIZE, Walk
from tests.clipping import clipped_texts
from tests.reaching import controls, nameless, out_of_reach, unseen_focus
from widgets.look.elided import ElidedLabel


@dataclass(slots=True)
class Found:
    """What is wrong in the scenes, and how large the window must be at least."""

    scenes: list[str] = field(default_factory=list)
    least: dict[str, tuple[int, int]] = field(default_factory=dict)
    controls: int = 0
    clipped: list[str] = field(default_factory=list)
    nameless: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    out_of_reach: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def found(qapp: QApplication) -> Iterator[Found]:
    """One walk through everything."""
    walk, result, known = Walk(SIZE), Found(), set[int]()
    for name, root in walk.scenes():
        result.scenes.append(name)
        hint = walk.window.minimumSizeHint()
        result.least[name] = (hint.width(), hint.height())
        result.controls += len(controls(root))
        result.clipped += [f"{name}: {each}" for each in clipped_texts(root)]
        result.nameless += [f"{name}: {each}" for each in nameless(root)]
        result.out_of_reach += [f"{name}: {each}" for each in out_of_reach(root)]
        result.unseen += [f"{name}: {each}" for each in unseen_focus(root, known)]
    walk.close()
    yield result


def test_the_walk_comes_through_pages_panels_and_dialogs(found: Found) -> None:
    assert len(found.scenes) > 30
    assert {"welcome", "stages", "compare", "log", "preferences", "share"} <= set(found.scenes)
    assert found.controls > 400


def test_the_window_fits_1024_by_640_whatever_it_shows(found: Found) -> None:
    wide, high = SIZE
    assert {n: s for n, s in found.least.items() if s[0] > wide or s[1] > high} == {}


def test_no_text_is_clipped(found: Found) -> None:
    assert found.clipped == []


def test_every_control_has_a_name_for_assistive_technology(found: Found) -> None:
    assert found.nameless == []


def test_every_control_can_be_reached_by_tab(found: Found) -> None:
    assert found.out_of_reach == []


def test_every_control_looks_different_with_the_keyboard(found: Found) -> None:
    assert found.unseen == []


# What finds it would find


def squeezed(qtbot: QtBot, part: QWidget, width: int, height: int = 40) -> list[str]:
    holder = QWidget()
    qtbot.addWidget(holder)
    holder.resize(400, 100)
    part.setParent(holder)
    part.setGeometry(0, 0, width, height)
    holder.show()
    return clipped_texts(holder)


@pytest.mark.parametrize("kind", [QLabel, QPushButton, ElidedLabel])
def test_a_text_without_room_is_found_and_one_with_room_is_not(
    qtbot: QtBot, kind: type[QLabel | QPushButton | ElidedLabel]
) -> None:
    text = "A text that needs some room"
    assert len(squeezed(qtbot, kind(text), 40)) == 1
    assert squeezed(qtbot, kind(text), 380) == []


def test_wrapped_lines_that_are_cut_below_are_found(qtbot: QtBot) -> None:
    label = QLabel("Some words that need more than the one line that they have")
    label.setWordWrap(True)
    assert "px below" in squeezed(qtbot, label, 100, 14)[0]


def test_a_text_beyond_the_edge_of_its_holder_is_found(qtbot: QtBot) -> None:
    assert "out of QWidget" in squeezed(qtbot, QPushButton("Beyond"), 450)[0]


def test_hints_and_tabs_without_room_are_found(qtbot: QtBot) -> None:
    line, tabs = QLineEdit(), QTabBar()
    line.setPlaceholderText("Find nodes by name")
    for title in ("Graph", "Allocation", "Clusters"):
        tabs.addTab(title)
    assert len(squeezed(qtbot, line, 40)) == 1
    assert len(squeezed(qtbot, tabs, 80)) == 1


def test_a_control_without_name_or_look_of_focus_is_found(qtbot: QtBot) -> None:
    holder, bare = QWidget(), QWidget()
    qtbot.addWidget(holder)
    bare.setParent(holder)
    bare.setGeometry(0, 0, 50, 20)
    bare.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    holder.show()
    assert len(nameless(holder)) == len(out_of_reach(holder)) == 1
    assert len(list(unseen_focus(holder, set()))) == 1
