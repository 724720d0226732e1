"""The notice that the untuned module answers wrongly, with the node of the file where it begins."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from app.window.console import Console
from engine.records.events import Event, ModuleJudged
from engine.records.network import FirstDifference, Judged, Verdict
from widgets.look.language import told, tr

KIND = "judged"
FIGURES = 6

ShowNode = Callable[[int], object]


class JudgedNotice(QObject):
    """Says it once for each judgement; `show_node` selects a node of the file in the graph."""

    def __init__(self, console: Console, show_node: ShowNode) -> None:
        super().__init__(console.window)
        self._console, self._show_node = console, show_node
        console.document.opened.connect(self._opened)
        console.document.batch.connect(self._apply)
        console.document.failed.connect(self._failed)

    def _opened(self) -> None:
        judged = self._judged
        told = self._console.document.is_refresh and judged is not None and judged.wrong
        if not told:
            self._tell()

    def _apply(self, events: Sequence[Event]) -> None:
        if any(isinstance(event, ModuleJudged) for event in events):
            self._tell()

    def _failed(self, what: str, todo: str) -> None:
        """The run that it ended says the same in the engine's words: once is enough."""
        from engine.jobs.verifying.judging import wrong_answer

        judged = self._judged
        if judged is None or (wrong := judged.wrong) is None:
            return
        if wrong_answer(wrong, judged.first).what == what:
            self._console.messages.dismiss(what)
            self._tell(select=False)

    @property
    def _judged(self) -> Judged | None:
        document = self._console.document
        return document.head.judged if document.is_open else None

    def _tell(self, select: bool = True) -> None:
        judged = self._judged
        if judged is None or (wrong := judged.wrong) is None:
            self._take_away()
            return
        first = judged.first
        self._console.messages.show_message(
            "error",
            " ".join(part for part in (_answer(judged, wrong), _begins(first)) if part),
            tr("Its export would be refused."),
            action=(tr("Tune anyway"), lambda: self._console.commands.start(despite=True)),
            kind=KIND,
            look=None if first is None else (tr("Show node"), lambda: self._look(first)),
        )
        if first is not None and select:
            self._show_node(first.place)

    def _take_away(self) -> None:
        for row in self._console.messages.rows():
            if row.kind == KIND:
                row.dismiss()

    def _look(self, first: FirstDifference) -> None:
        self._console.go_to("graph")
        self._show_node(first.place)


def _answer(judged: Judged, wrong: Verdict) -> str:
    draw = tr(wrong.draw)
    if not wrong.ours:
        return tr(
            "The untuned module answers wrongly (inputs: {draw}). {note}",
            draw=draw,
            note=told(wrong.note),
        )
    return tr(
        "The untuned module answers wrongly: {output} is {ours}, {reference} has {theirs} "
        "(inputs: {draw}).",
        output=wrong.output,
        ours=wrong.ours,
        theirs=wrong.theirs,
        reference=judged.reference,
        draw=draw,
    )


def _begins(first: FirstDifference | None) -> str:
    if first is None:
        return ""
    node = f"{first.operator} {first.node}".strip()
    sides = {"ours": f"{first.ours:.{FIGURES}g}", "theirs": f"{first.theirs:.{FIGURES}g}"}
    if len(first.among) > 1:
        return tr(
            "It begins between {first} and {node}, the first that is seen to differ "
            "({ours} for {theirs}).",
            node=node,
            first=first.among[0],
            **sides,
        )
    return tr(
        "The first node that differs is {node} ({ours} for {theirs}).",
        node=node,
        **sides,
    )
