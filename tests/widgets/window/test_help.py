"""The help: its pages, its search, its links, and that it fetches nothing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot

from tests.app.window.aids.test_pictures import PICTURE
from widgets.look.theme import theme_notifier
from widgets.window.help_browser import HelpBrowser, HelpContents, page_url
from widgets.window.help_pages import FIRST, help_pages, make_page, plain, search, slug

FOLDER = Path(__file__).parents[3] / "resources" / "help"
LINK = re.compile(r"(?<!!)\[[^\]]+\]\(([^)]+)\)")
PAGE = make_page("made-up", """# Made up

First words of `code_here`.

## Share, transfer

A [link](other.md#x) and **strong** words.

```
# no heading
```

### Deep

Last.
""")  # fmt: skip


def test_a_page_is_cut_at_its_headings_and_not_within_code() -> None:
    found = [(item.title, item.level, item.anchor) for item in PAGE.sections]
    assert found == [
        ("Made up", 1, ""),
        ("Share, transfer", 2, "share-transfer"),
        ("Deep", 3, "deep"),
    ]
    assert "A link and strong words." in PAGE.sections[1].words
    assert "no heading" in PAGE.sections[1].words


def test_all_words_must_be_in_a_section_and_titles_come_first() -> None:
    pages = {"made-up": PAGE}
    assert [hit.anchor for hit in search("STRONG link", pages)] == ["share-transfer"]
    assert [hit.anchor for hit in search("words", pages)] == ["", "share-transfer"]
    assert search("words deep", pages) == []
    assert search("  ", pages) == []
    assert search("code_here", pages)[0].snippet.startswith("First words")


def test_the_pages_begin_with_the_first_steps_and_are_all_there() -> None:
    names = list(help_pages())
    assert names[0] == FIRST
    assert set(names) == {path.stem for path in FOLDER.glob("*.md")}
    assert all(page.title and page.sections for page in help_pages().values())


@pytest.mark.parametrize("name", list(help_pages()))
def test_every_link_of_the_help_leads_somewhere(name: str) -> None:
    for target in LINK.findall(help_pages()[name].text):
        if "://" in target:
            continue
        page, _, anchor = target.partition("#")
        found = help_pages().get(page.removesuffix(".md") or name)
        assert found is not None, target
        assert anchor in ("", *(section.anchor for section in found.sections)), target


def test_a_slug_is_what_pages_write() -> None:
    assert slug("Stopping, killing, resuming") == "stopping-killing-resuming"
    assert slug("`tune` and *more*") == "tune-and-more"
    assert plain("a `latency_s` | b") == "a latency_s  b"


@pytest.fixture
def browser(qtbot: QtBot) -> HelpBrowser:
    made = HelpBrowser()
    qtbot.addWidget(made)
    made.resize(600, 400)
    return made


def test_a_link_leads_to_its_page_and_heading_and_back_again(browser: HelpBrowser) -> None:
    browser.show()
    browser.show_page("passes")
    browser.follow(QUrl("tuning.md#budgets"))
    assert browser.page == "tuning"
    assert browser.verticalScrollBar().value() > 0
    browser.backward()
    assert browser.page == "passes"
    browser.forward()
    assert browser.page == "tuning"
    browser.follow(QUrl("#states"))
    assert browser.source() == page_url("tuning", "states")


def test_pages_that_do_not_exist_change_nothing(browser: HelpBrowser) -> None:
    browser.show_page(FIRST)
    browser.follow(QUrl("nowhere.md"))
    assert browser.page == FIRST


@pytest.mark.parametrize("url", ["https://example.org/x", "file:///etc/passwd", "mailto:a@b"])
def test_links_to_the_outside_are_only_asked_for(browser: HelpBrowser, url: str) -> None:
    browser.show_page(FIRST)
    asked: list[QUrl] = []
    browser.external_wanted.connect(asked.append)
    browser.follow(QUrl(url))
    assert asked == [QUrl(url)]
    assert browser.page == FIRST
    assert browser.loadResource(0, QUrl(url)) is None
    assert browser.loadResource(0, page_url("../../themes/light")) is None


def test_pictures_are_shown_as_wide_as_there_is_room(browser: HelpBrowser) -> None:
    name = next(page.name for page in help_pages().values() if PICTURE.search(page.text))
    browser.show()
    browser.show_page(name)
    browser.fit()
    assert browser.horizontalScrollBar().maximum() == 0
    assert not browser.loadResource(0, QUrl("help:/images/console.png")).isNull()


def test_other_colours_leave_the_page_where_it_is(browser: HelpBrowser) -> None:
    browser.show()
    browser.show_page("tuning", "budgets")
    place = browser.verticalScrollBar().value()
    theme_notifier().changed.emit()
    assert browser.page == "tuning"
    assert browser.verticalScrollBar().value() == place


def test_the_contents_lead_to_pages_and_the_search_to_sections(qtbot: QtBot) -> None:
    contents = HelpContents()
    qtbot.addWidget(contents)
    wanted: list[tuple[str, str]] = []
    contents.wanted.connect(lambda page, anchor: wanted.append((page, anchor)))
    top = contents.tree.topLevelItem(0)
    assert top is not None
    contents.tree.itemClicked.emit(top, 0)
    contents.query.setText("repeatable seed")
    contents.query.returnPressed.emit()
    assert wanted[0] == (FIRST, "")
    assert ("tuning", "budgets") in {(hit.page, hit.anchor) for hit in search("repeatable seed")}
    assert len(wanted) == 2
    contents.query.setText("qqqq")
    assert not contents.nothing.isHidden()
    contents.show_page("tuning", "budgets")
    item = contents.tree.currentItem()
    assert item is not None
    assert item.text(0) == "Budgets"


def test_the_contents_mark_the_page_that_is_shown_from_the_first_on(qtbot: QtBot) -> None:
    browser, contents = HelpBrowser(), HelpContents()
    qtbot.addWidget(browser)
    qtbot.addWidget(contents)
    browser.page_shown.connect(contents.show_page)
    for page, anchor, title in ((FIRST, "", "Getting started"), ("tuning", "states", "States")):
        browser.show_page(page, anchor)
        item = contents.tree.currentItem()
        assert item is not None
        assert item.text(0) == title
