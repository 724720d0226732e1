"""The table of rewrite rules, by domain and operator."""

from __future__ import annotations

from collections.abc import Callable

from engine.models.rewriting.branches import branches
from engine.models.rewriting.emit import Emitter
from engine.models.rewriting.loops import loop, scan
from engine.models.rewriting.recurrent import recurrent
from engine.models.rewriting.sums import sums

Rule = Callable[[Emitter], None]
"""Adds the nodes that take a node's place; raises Declined where the node has to stay."""

MICROSOFT = "com.microsoft"

RULES: dict[tuple[str, str], Rule] = {
    ("", "GRU"): recurrent,
    ("", "If"): branches,
    ("", "LSTM"): recurrent,
    ("", "Loop"): loop,
    ("", "RNN"): recurrent,
    ("", "Scan"): scan,
    ("", "Sum"): sums,
    (MICROSOFT, "DynamicQuantizeLSTM"): recurrent,
}
