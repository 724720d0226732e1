"""What there is to read about a trial: its recorded trace, its error, how it was measured."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from engine.records.trial import BoardState, Trial
from engine.search.trace_text import parse
from widgets.look.language import QT_TR_NOOP, told, tr
from widgets.parts.facts import Fact
from widgets.parts.field_texts import PROTOCOL

TEXTS = ("trace", "tir", "source")
"""The texts of a trial that differ by its schedule; of these all but the first are compiled."""
_AS_IS = (bool, str, int, float)
# What a trial has beside the protocol of its run.
_OTHERS = {"device": QT_TR_NOOP("Device"), "in_graph": QT_TR_NOOP("In a CUDA Graph")}
_BOARD = {
    "answer_ms": (QT_TR_NOOP("Board answered within"), "ms"),
    "celsius": (QT_TR_NOOP("Board's temperature"), "°C"),
    "mhz": (QT_TR_NOOP("Board's frequency"), "MHz"),
    "throttled": (QT_TR_NOOP("Board held its cores back"), ""),
}


def text_title(key: str) -> str:
    """What a person calls a text of a trial, its error or its protocol."""
    return {
        "trace": tr("Trace"),
        "tir": "TensorIR",
        "source": tr("Source", "code"),
        "error": tr("Error"),
        "protocol": tr("Protocol"),
    }[key]


def recorded_trace(trial: Trial) -> str:
    """The steps of the schedule, one a line, with what was decided; "" where it cannot be read.

    It needs no compiler, so a candidate that failed to build has it too.
    """
    try:
        found = parse(trial.trace)
    except ValueError:
        return ""
    return "\n".join(
        _step(kind, inputs, attributes, outputs, found.decisions.get(place))
        for place, (kind, inputs, attributes, outputs) in enumerate(found.instructions)
    )


def error_text(trial: Trial) -> str:
    """All that is known of how it failed; "" where it did not."""
    if trial.error is None:
        return ""
    said = told(trial.error_text).strip() or tr("It said nothing.")
    return f"{tr(trial.error.value)}\n\n{said}"


def protocol_facts(protocol: Mapping[str, Any]) -> list[Fact]:
    """How it was measured; a stranger's file may say anything there."""
    known = [(key, PROTOCOL[key]) for key in PROTOCOL if key in protocol]
    facts = []
    for key, text in known:
        value = protocol[key]
        if type(value) in (int, float) and math.isfinite(value):
            facts.append((tr(text.label), f"{value * text.scale:g} {text.unit}".strip()))
    others = [
        (_label(key), str(value))
        for key, value in protocol.items()
        if key not in PROTOCOL and key not in _BOARD and isinstance(value, _AS_IS)
    ]
    return facts + others + board_facts(BoardState.of(protocol))


def board_facts(state: BoardState | None) -> list[Fact]:
    """What a board said of itself after a measurement."""
    known = state.as_dict() if state else {}
    return [
        (tr(label), f"{_said(known[key])} {unit}".strip())
        for key, (label, unit) in _BOARD.items()
        if key in known
    ]


def _said(value: bool | float) -> str:
    if isinstance(value, bool):
        return tr("yes") if value else tr("no")
    return f"{value:g}"


def _label(key: str) -> str:
    return tr(_OTHERS[key]) if key in _OTHERS else key.replace("_", " ").capitalize()


def _step(kind: str, inputs: Any, attributes: Any, outputs: Any, decision: Any) -> str:
    names = f"{', '.join(outputs)} = " if outputs else ""
    given = ", ".join(map(_value, [*inputs, *attributes]))
    chosen = "" if decision is None else f"  # {_value(decision)}"
    return f"{names}{kind}({given}){chosen}"


def _value(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
