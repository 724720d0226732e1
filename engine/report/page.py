"""The whole page: its parts in order, and the file that it is written to."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from xml.etree.ElementTree import Element

from engine.report.head import head
from engine.report.look import style
from engine.report.markup import node, page_text
from engine.report.runs import exports, runs, setup
from engine.report.stages import stages
from engine.report.subject import Subject
from engine.report.tasks import errors, sources, tasks
from engine.storage.whole_file import save_whole

PARTS = (head, tasks, sources, stages, errors, runs, exports, setup)
# The page needs nothing from anywhere; a browser shall not fetch or run anything in it either.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def report(subject: Subject) -> Element:
    """The page of a project as a tree; `page_text` makes it HTML."""
    title = f"{subject.snapshot.model_name} – Tunewright"
    return page(title, (item for part in PARTS for item in part(subject)))


def page(title: str, content: Iterable[Element]) -> Element:
    """A page that looks like a report."""
    policy = node("meta", content=_POLICY)
    policy.set("http-equiv", "Content-Security-Policy")
    top = node(
        "head",
        node("meta", charset="utf-8"),
        policy,
        node("meta", name_="viewport", content="width=device-width, initial-scale=1"),
        node("title", title),
        node("style", style()),
    )
    return node("html", top, node("body", *content), lang="en")


def write_report(subject: Subject, path: Path) -> None:
    """Write the page to `path`, over what is there: all of it or nothing. StorageError."""
    save_whole(path, page_text(report(subject)))
