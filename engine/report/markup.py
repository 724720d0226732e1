"""HTML as a tree, so that no text of a stranger's project can be anything but text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias
from xml.etree.ElementTree import Element, tostring

from engine.records.words import harmless

_LONGEST = 10_000  # characters of a text
Content: TypeAlias = Element | str | None


def node(name: str, *content: Content, **attributes: str | float) -> Element:
    """An element; `class_` stands for class, an underscore in a name for a hyphen."""
    named = {key.strip("_").replace("_", "-"): _text(item) for key, item in attributes.items()}
    made = Element(name, named)
    add(made, content)
    return made


def add(parent: Element, content: Iterable[Content]) -> None:
    """Put texts and elements at the end of an element; None is nothing."""
    for given in content:
        item = f"{given[:_LONGEST]}…" if isinstance(given, str) and len(given) > _LONGEST else given
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
