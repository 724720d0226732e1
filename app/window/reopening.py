"""Offers to open the model again where a choice came after it: a project keeps its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from widgets.look.language import tr
from widgets.parts.precision_box import precision_name

if TYPE_CHECKING:
    from app.window.main_window import MainWindow


def offer_target(window: MainWindow) -> None:
    """Say that the open project stays with its target, and offer the other one."""
    if _can_reopen(window):
        target = window.commands.target
        what = tr(
            "The open project stays with its target; {target} holds for the next model.",
            target=target,
        )
        _offer(window, "target", what, tr("Open this model for {target}", target=target))


def offer_precision(window: MainWindow) -> None:
    """The same of the precision."""
    document = window.document
    if not _can_reopen(window) or document.snapshot is None:
        return
    wanted = window.commands.precisions.wanted
    if wanted == document.snapshot.precision:
        for row in window.messages.rows():
            if row.kind == "precision":
                row.dismiss()
        return
    name = precision_name(wanted)
    what = tr(
        "The open project stays with its precision; {precision} holds for the next model.",
        precision=name,
    )
    _offer(window, "precision", what, tr("Open this model in {precision}", precision=name))


def _offer(window: MainWindow, kind: str, what: str, button: str) -> None:
    window.messages.show_message("info", what, action=(button, window.commands.reopen), kind=kind)


def _can_reopen(window: MainWindow) -> bool:
    document = window.document
    return document.is_open and window.commands.source is not None and document.idle
