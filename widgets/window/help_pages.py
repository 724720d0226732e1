"""The pages of the documentation: their order, headings and words, from resources/help."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

FIRST = "getting-started"
_ORDER = (
    *("getting-started", "console", "graph", "tuning", "precision", "allocation", "passes", "ios"),
    *("real-models", "shapes", "export", "deploying", "command-line", "python", "experiments"),
    "watching",
    *("troubleshooting", "benchmarks"),
)
_FENCE = re.compile(r"^(```|~~~)")
_HEADING = re.compile(r"^(#{1,3}) +(.+?) *#*$")
_LINK = re.compile(r"!?\[([^\]]*)\]\([^)]*\)")
_MARKS = re.compile(r"[*`|#>]")
_AROUND = 60
_MOST_HITS = 60


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it; `anchor` is what links call it, empty for the page."""

    title: str
    level: int
    anchor: str
    words: str


@dataclass(frozen=True, slots=True)
class HelpPage:
    """One page: `name` without its suffix, its Markdown text."""

    name: str
    title: str
    text: str
    sections: tuple[Section, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A section that has all the words, and the place in it of the first."""

    page: str
    anchor: str
    title: str
    snippet: str


@cache
def help_pages() -> Mapping[str, HelpPage]:
    """All pages by name, in the order in which a person would read them."""
    folder = resources.files("resources") / "help"
    texts = {
        item.name.removesuffix(".md"): item.read_text("utf-8")
        for item in folder.iterdir()
        if item.name.endswith(".md")
    }
    ordered = [name for name in _ORDER if name in texts]
    ordered += sorted(set(texts) - set(ordered))
    return {name: make_page(name, texts[name]) for name in ordered}


def make_page(name: str, text: str) -> HelpPage:
    """A page of Markdown text."""
    sections = tuple(_sections(text))
    title = sections[0].title if sections else name
    return HelpPage(name, title, text, sections)


def slug(title: str) -> str:
    """What a link calls a heading: "Share, transfer" is share-transfer."""
    kept = re.sub(r"[^\w\- ]", "", plain(title).lower())
    return kept.strip().replace(" ", "-")


def plain(text: str) -> str:
    """Markdown as the words that a person reads."""
    return _MARKS.sub("", _LINK.sub(r"\1", text))


def search(query: str, pages: Mapping[str, HelpPage] | None = None) -> list[Hit]:
    """The sections that have all words of `query`; those that have them in the title first."""
    words = query.lower().split()
    if not words:
        return []
    found: list[tuple[int, Hit]] = []
    for page in (pages or help_pages()).values():
        for section in page.sections:
            title = section.title.lower()
            whole = f"{title} {section.words.lower()}"
            if all(word in whole for word in words):
                place = 0 if all(word in title for word in words) else 1
                named = section.title if section.level == 1 else f"{page.title}: {section.title}"
                hit = Hit(page.name, section.anchor, named, _snippet(section.words, words))
                found.append((place, hit))
    found.sort(key=lambda item: item[0])
    return [hit for _, hit in found[:_MOST_HITS]]


def _snippet(text: str, words: list[str]) -> str:
    places = [place for word in words if (place := text.lower().find(word)) >= 0]
    at = min(places, default=0)
    begin = max(0, at - _AROUND)
    begin = text.rfind(" ", 0, begin) + 1 if begin else 0
    cut = text[begin : at + 2 * _AROUND]
    return f"{'… ' if begin else ''}{cut}{' …' if begin + len(cut) < len(text) else ''}"


def _sections(text: str) -> Iterator[Section]:
    title, level, lines, fenced = "", 0, list[str](), False
    for line in text.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        heading = None if fenced else _HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        if level:
            yield _section(title, level, lines)
        title, level, lines = heading[2], len(heading[1]), []
    if level:
        yield _section(title, level, lines)


def _section(title: str, level: int, lines: list[str]) -> Section:
    words = " ".join(plain(" ".join(lines)).split())
    return Section(plain(title), level, slug(title) if level > 1 else "", words)
