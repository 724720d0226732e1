"""HTML as a tree, so that no text of a stranger's project can be anything but text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias
from xml.etree.ElementTree import Element, tostring

Content: TypeAlias = Element | str | None

# What no page may hold: control characters but tab and line feed, halves of characters, and marks
# that turn the direction of writing, with which a name could pretend to be another.
_HARMFUL = {
    code: "\ufffd"
    for codes in (
        range(9),
        range(11, 32),
        range(127, 160),
        range(0x202A, 0x202F),
        range(0x2066, 0x206A),
        range(0xD800, 0xE000),
        (0xFFFE, 0xFFFF),
    )
    for code in codes
}


def harmless(text: str) -> str:
    """The text without characters that a page cannot show."""
    return text.translate(_HARMFUL)


def node(name: str, *content: Content, **attributes: str | float) -> Element:
    """An element; `class_` stands for class, an underscore in a name for a hyphen."""
    named = {key.strip("_").replace("_", "-"): _text(item) for key, item in attributes.items()}
    made = Element(name, named)
    add(made, content)
    return made


def add(parent: Element, content: Iterable[Content]) -> None:
    """Put texts and elements at the end of an element; None is nothing."""
    for item in content:
        if isinstance(item, Element):
            parent.append(item)
        elif item is not None and len(parent):
            parent[-1].tail = f"{parent[-1].tail or ''}{harmless(item)}"
        elif item is not None:
            parent.text = f"{parent.text or ''}{harmless(item)}"


def table(
    heads: Sequence[str], rows: Iterable[Sequence[Content]], numbers: Iterable[int] = ()
) -> Element:
    """A table; the columns in `numbers` are flush right."""
    right = frozenset(numbers)

    def cells(kind: str, row: Sequence[Content]) -> Element:
        made = node("tr")
        for place, item in enumerate(row):
            cell = node(kind, item, **({"class_": "number"} if place in right else {}))
            if kind == "th":
                cell.set("scope", "col")
            made.append(cell)
        return made

    body = node("tbody", *(cells("td", row) for row in rows))
    return node("table", node("thead", cells("th", heads)), body)


def facts(rows: Iterable[tuple[str, Content]]) -> Element:
    """A table of names and values."""
    made = (
        node("tr", node("th", name, scope="row"), node("td", value))
        for name, value in rows
        if value not in ("", None)
    )
    return node("table", node("tbody", *made), class_="facts")


def page_text(root: Element) -> str:
    """The whole page as HTML."""
    return f"<!DOCTYPE html>\n{tostring(root, encoding='unicode', method='html')}\n"


def _text(value: str | float) -> str:
    return harmless(value) if isinstance(value, str) else f"{value:.6g}"
