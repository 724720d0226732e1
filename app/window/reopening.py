"""Offers to open the model again where a choice came after it: a project keeps its own."""

from __future__ import annotations

from app.document.commands import Commands
from app.document.document import Document
from widgets.look.language import tr
from widgets.parts.message_bar import MessageBar
from widgets.parts.precision_box import precision_name


def offer_target(document: Document, commands: Commands, messages: MessageBar) -> None:
    """Say that the open project stays with its target, and offer the other one."""
    if _can_reopen(document, commands):
        target = commands.target
        what = tr(
            "The open project stays with its target; {target} holds for the next model.",
            target=target,
        )
        action = tr("Open this model for {target}", target=target), commands.reopen
        messages.show_message("info", what, action=action, kind="target")


def offer_precision(document: Document, commands: Commands, messages: MessageBar) -> None:
    """The same of the precision."""
    if not _can_reopen(document, commands):
        return
    wanted = commands.precisions.wanted
    if wanted == document.head.precision:
        for row in messages.rows():
            if row.kind == "precision":
                row.dismiss()
        return
    name = precision_name(wanted)
    what = tr(
        "The open project stays with its precision; {precision} holds for the next model.",
        precision=name,
    )
    action = tr("Open this model in {precision}", precision=name), commands.reopen
    messages.show_message("info", what, action=action, kind="precision")


def _can_reopen(document: Document, commands: Commands) -> bool:
    return document.is_open and commands.source is not None and document.idle
