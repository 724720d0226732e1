"""How a schedule says that a ready kernel takes a task's place: one annotation of its root."""

from __future__ import annotations

import json
import re
from typing import Any

KEY = "tunewright.kernel"
_TEXT = re.compile(r"[a-z]{1,20}( [0-9]{1,4}){1,10}")
_ROOT = "b0"


def is_text(value: Any) -> bool:
    """Whether this is a kernel's name and its numbers, such as "attention 1 4 32 1"."""
    return isinstance(value, str) and _TEXT.fullmatch(value) is not None


def trace_of(text: str) -> str:
    """The trace (TVM's JSON text) that puts a ready kernel into a task's place."""
    found = ["GetSBlock", [], ["root", "main"], [_ROOT]]
    marked = ["Annotate", [_ROOT, json.dumps(text)], [KEY], []]
    return json.dumps([[found, marked], []], separators=(",", ":"))


def text_in(trace: str) -> str:
    """The ready kernel that a trace names; empty where it is a schedule."""
    if KEY not in trace:
        return ""
    (instructions, _) = json.loads(trace)
    return next(
        (json.loads(inputs[1]) for _, inputs, attributes, _ in instructions if attributes == [KEY]),
        "",
    )


def text_on(function: Any) -> str:
    """The ready kernel that a PrimFunc is marked with; empty where it is none."""
    block = getattr(function.body, "block", None)
    return str(block.annotations[KEY]) if block is not None and KEY in block.annotations else ""
