"""The size of the interface: chosen, handed to Qt at the next start, and nothing is clipped."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.process.scale import KEY, SCALES, VARIABLE, choose, chosen, prepare, text_of
from app.process.settings import Settings
from tests.app.conftest import Console
from tests.app.window.whole_window import SIZE

# Large enough for the window at 300 %.
SCREEN = {
    **{"name": "large", "x": 0, "y": 0, "width": 3200, "height": 2100},
    **{"logicalDpi": 96, "logicalBaseDpi": 96, "dpr": 1},
}
ROOT = Path(__file__).parents[3]


def test_a_choice_is_handed_to_qt_at_the_next_start() -> None:
    settings, environment = Settings(memory=True), dict[str, str]()
    prepare(settings, environment)
    assert environment == {}
    choose(settings, 1.5)
    prepare(settings, environment)
    assert environment == {VARIABLE: "1.5"}


def test_what_the_environment_says_goes_before_the_choice() -> None:
    settings, environment = Settings(memory=True), {VARIABLE: "2"}
    choose(settings, 3.0)
    prepare(settings, environment)
    assert environment == {VARIABLE: "2"}


@pytest.mark.parametrize("stored", [0.0, -1.0, 99.0, "large", None, float("nan")])
def test_a_size_that_is_not_offered_is_none(stored: object) -> None:
    settings = Settings(memory=True)
    settings.set(KEY, stored)
    assert chosen(settings) == 1.0


def test_sizes_from_100_to_300_per_cent_are_offered_in_the_menu(console: Console) -> None:
    menu = console.window.menus.layouts.scales
    assert [action.text() for action in menu.actions()] == list(map(text_of, SCALES))
    assert {1.0, 1.5, 2.0, 3.0} <= set(SCALES)
    menu.actions()[-1].trigger()
    assert chosen(console.settings) == 3.0
    assert "300 %" in console.window.console.messages.rows()[-1].what
    menu.aboutToShow.emit()
    assert [a.text() for a in menu.actions() if a.isChecked()] == ["300 %"]


@pytest.mark.long
def test_nothing_is_clipped_at_150_200_and_300_per_cent(tmp_path: Path) -> None:
    """At 100 % see test_whole_window.py. A scale is that of a process."""
    screens = tmp_path / "screens.json"
    screens.write_text(json.dumps({"screens": [SCREEN]}))
    platform = f"offscreen:configfile={screens}"
    # A process that dies says where.
    walk = ["-X", "faulthandler", "-m", "tests.app.window.whole_window", *map(str, SIZE)]

    def walked(scale: float) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "QT_QPA_PLATFORM": platform, VARIABLE: str(scale)}
        return subprocess.run(
            [sys.executable, *walk], cwd=ROOT, env=environment, capture_output=True, text=True,
            timeout=300, check=False,
        )  # fmt: skip

    scales = (1.5, 2.0, 3.0)
    with ThreadPoolExecutor(len(scales)) as pool:
        done = list(pool.map(walked, scales))
    for scale, process in zip(scales, done, strict=True):
        assert process.returncode == 0, process.stderr
        answer = json.loads(process.stdout)
        assert answer == {"ratio": scale, "scenes": answer["scenes"], "clipped": []}
        assert answer["scenes"] > 30
