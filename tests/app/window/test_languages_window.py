"""The whole window in other languages: everything is translated, and nothing is clipped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar

from app.process.languages import speak
from engine.models.samples import SAMPLES
from engine.targets.presets import PRESETS
from tests.app.window.whole_window import SIZE, Walk
from tests.clipping import clipped_texts
from tests.pseudo_locale import Pseudo, outside, pseudo, shown_texts, spoken, words
from widgets.look.language import ENGLISH, tr
from widgets.window.help_pages import help_pages

WIDE = (1440, 900)  # room for a language that is much longer than English
# What has no translation.
KEYS = re.compile(r"\(?\b(Ctrl|Alt|Shift)\+[^\s)]+\)?")
NAMES = re.compile(
    r"\b(Tunewright|ONNX Runtime|TensorIR|auto|cpu|cuda|min|float32|b?float16|[GMT]?FLOP)\b"
    r"|\S*conv2d\w*|\S+\.(tune|onnx)\b"
)
OF_THE_ENGINE = (
    *(sample.description for sample in SAMPLES),
    *(sample.title for sample in SAMPLES),
    *(page.title for page in help_pages().values()),
    *(f"{preset.title}, {preset.mcpu}" for preset in PRESETS),
    "nvidia/nvidia-a100",  # TVM's name
    "Nothing here runs net to compare with.",
    *("Input x has no value.", "A run was slow."),
)
OF_QT = ("Cancel", "Close", "Float", "Open", "Press shortcut", "Restore Defaults")


@dataclass(slots=True)
class Found:
    """What is wrong in the scenes."""

    scenes: int = 0
    clipped: list[str] = field(default_factory=list)
    bare: set[str] = field(default_factory=set)
    menus: dict[str, list[str]] = field(default_factory=dict)


def walk(size: tuple[int, int], texts: bool) -> Found:
    """One walk through everything, in the language that is spoken."""
    made, found = Walk(size), Found()
    for name, root in made.scenes():
        found.scenes += 1
        found.clipped += [f"{name}: {each}" for each in clipped_texts(root)]
        if texts:
            found.bare |= {f"{kind}: {text}" for kind, text in shown_texts(root)}
    found.menus = dict(menus(made.window.menuBar()))
    found.bare |= {
        f"QMenu: {text}" for entries in found.menus.values() for text in entries if texts
    }
    made.close()
    return found


def menus(menu: QMenuBar | QMenu, title: str = "") -> Iterator[tuple[str, list[str]]]:
    """A menu and those below it, each by its title, with their entries."""
    actions = [action for action in menu.actions() if not action.isSeparator()]
    yield title, [action.text() for action in actions]
    for action in actions:
        below = action.menu()
        if isinstance(below, QMenu):
            yield from menus(below, action.text())


@pytest.fixture(scope="module")
def strange(qapp: QApplication) -> Iterator[Found]:
    """In a language that nobody speaks."""
    with spoken(Pseudo()):
        yield walk(WIDE, texts=True)


@pytest.fixture(scope="module")
def german(qapp: QApplication) -> Iterator[Found]:
    """In German, Qt's own texts too, where there is little room."""
    speak(qapp, "de")
    yield walk(SIZE, texts=False)
    speak(qapp, ENGLISH)


def test_every_text_of_the_window_is_translated(strange: Found) -> None:
    assert strange.scenes > 30
    assert sorted(filter(untranslated, strange.bare)) == []


def test_no_text_is_clipped_where_texts_are_longer(strange: Found) -> None:
    assert strange.clipped == []


def test_no_german_text_is_clipped_at_1024_by_640(german: Found) -> None:
    assert german.scenes > 30
    assert german.clipped == []


def untranslated(shown: str) -> bool:
    """Whether a text has words in no brackets that are none of those above."""
    text = outside(shown.partition(": ")[2])
    for said in OF_THE_ENGINE:
        text = text.replace(said, "")
    return text not in OF_QT and bool(words(NAMES.sub("", KEYS.sub("", text))))


def test_a_letter_opens_one_entry_of_a_german_menu(german: Found) -> None:
    twice = {
        title: [letter for letter, count in Counter(letters(texts)).items() if count > 1]
        for title, texts in german.menus.items()
        if not texts or SAMPLES[0].title not in texts[0].replace("&", "")  # names, in any language
    }
    assert {title: letters for title, letters in twice.items() if letters} == {}


def letters(texts: list[str]) -> list[str]:
    return [match.group(1).lower() for text in texts if (match := re.search(r"&([^&])", text))]


def test_a_strange_text_keeps_its_fields_and_its_mnemonic() -> None:
    with spoken(Pseudo()):
        assert tr("{count:,} of {all}", count=1234, all="x") == "«1,234 öf xéé»"
        assert tr("%n trials", "", 5) == "«5 tríálsééé»"
    assert "&Ö" in pseudo("&Open") and words(outside(pseudo("in brackets"))) == []
    assert outside(f"{pseudo('in')} out {pseudo('x ' + pseudo('y'))}").strip() == "out"
