"""A trace's JSON text: what a search decided, without what the postprocessors made of it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cache
from typing import Any

from engine.kernels import marks
from engine.storage.module_text import ARITHMETIC, read_nodes, require_kinds

_ENTER = "EnterPostproc"
_MOST = 2**31 - 1  # of a number in a trace
_BUFFERS = 64  # of a block
_SPLITS = 300  # of a trace: TVM takes a second for so many that are nested, minutes for thousands
_TILES_OF_A_LOOP = 16  # memory is reserved for as many as are asked for
_CHARACTERS = 4_000_000  # ours have up to 0.1 MB
# What each instruction is of, and what comes of it: blocks (b), loops (l), expressions (v); "c" is
# a loop or a place that is none, which only a block can be moved to, "f" is a factor, "a" the value
# of an annotation, "B" a list of blocks, "m" an index map, "*" any number.
# TVM follows a loop or a block that is none of them, and crashes.
_SIGNATURES = """
AddUnitLoop bl > l
Annotate bl a >
Bind l >
Blockize lB > b
CacheRead b B > b
CacheWrite b B > b
ComputeAt b c >
ComputeInline b >
DecomposeReduction b l > b
EnterPostproc >
Fuse l* > l
GetChildBlocks bl > b*
GetConsumers b > b*
GetLoops b > l*
GetOutputBlocks b > b*
GetProducers b > b*
GetSBlock > b
Merge l* > l
PadEinsum b >
Parallel l >
RFactor l > b
ReIndex b > b
Reorder l* >
ReorderBlockIterVar b >
ReverseComputeAt b c >
ReverseComputeInline b >
SampleCategorical > v
SampleComputeLocation b > c
SamplePerfectTile l > v*
SetScope b >
Split l f* > l*
StorageAlign b >
Tensorize bl >
TransformBlockLayout b m >
TransformLayout b m >
Unannotate bl >
Unroll l >
Vectorize l >
"""
_KINDS = frozenset(line.split()[0] for line in _SIGNATURES.strip().splitlines())
# Only with an intrinsic of ours; TVM compares it with the block that it takes the place of.
_TENSORIZE, _OURS = "Tensorize", "tunewright_"
_TILES = "meta_schedule.auto_tensorize"
_LAYOUTS = ("TransformLayout", "TransformBlockLayout")
# An annotation can also name code to be compiled into a kernel.
_ANNOTATIONS = (
    *("meta_schedule.", "software_pipeline_", "pragma_auto_unroll_", "pragma_unroll_"),
    *("warp_execution", "double_buffer_scope", "tirx.manifest_shared_memory_local_stage"),
    marks.KEY,
)
# Their values are numbers, but for these; on one of another type TVM loops without end.
_IN_TEXT = (
    *(_TILES, "meta_schedule.auto_tensorize_init", "meta_schedule.tiling_structure"),
    *("meta_schedule.tensor_core_enabled", "meta_schedule.inline_rule"),
)
_IN_LISTS = "software_pipeline_"
_PADDING = 4096  # to a multiple of it
_STEPS = 65_536  # of a number in an annotation: unrolled steps, threads, lanes


@dataclass(frozen=True, slots=True)
class TraceText:
    """A trace up to its postprocessors; nobody changes the lists.

    `instructions` are TVM's [kind, inputs, attributes, outputs]; `decisions` are what its
    sampling instructions chose, by their position.
    """

    instructions: list[list[Any]]
    decisions: dict[int, Any]

    @property
    def has_layouts(self) -> bool:
        """Whether it changes layouts: for extents of one task, which other tasks may not have."""
        return any(kind in _LAYOUTS for kind, *_ in self.instructions)

    @property
    def text(self) -> str:
        return json.dumps([self.instructions, list(self.decisions.items())], separators=(",", ":"))

    @property
    def key(self) -> str:
        """SHA-256 of the text; traces that differ in postprocessors alone share it."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def parse(trace: str) -> TraceText:
    """Read a trace (TVM's JSON text); ValueError, in a sentence, where it is none.

    It may come from a stranger's file. So it is not taken unless each instruction is one that
    changes how a task computes and never what, every value is of a kind that a trace holds (TVM
    crashes on others), and every variable is defined before it is used.
    """
    try:
        instructions, pairs = _loaded(trace)
        end = next((at for at, item in enumerate(instructions) if item[0] == _ENTER), None)
        kept = instructions[:end]
        decisions = {at: value for at, value in pairs if at < len(kept)}
        more = _LAYOUTS if _is_tensorized(kept) else ()
        foreign = next((kind for item in kept if (kind := _foreign(item, more))), "")
        if not foreign:
            _check(kept, decisions)
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise ValueError("The trace is damaged.") from error
    if foreign:
        raise ValueError(f"The trace uses {foreign}, which is not replayed.")
    return TraceText(kept, dict(sorted(decisions.items())))


def check(trace: str) -> list[Any]:
    """A whole trace's JSON, what the postprocessors did included; ValueError as in `parse`."""
    try:
        instructions, pairs = _loaded(trace)
        more = (_ENTER, *_LAYOUTS, _TENSORIZE)
        foreign = next((kind for item in instructions if (kind := _foreign(item, more))), "")
        if not foreign:
            _check(instructions, dict(pairs))
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError) as error:
        raise ValueError("The trace is damaged.") from error
    if foreign:
        raise ValueError(f"The trace uses {foreign}, which is not applied.")
    return [instructions, pairs]


def _loaded(trace: str) -> Any:
    _require(len(trace) <= _CHARACTERS)
    return json.loads(trace)


def _foreign(instruction: list[Any], more: tuple[str, ...] = ()) -> str:
    """What an instruction does that a schedule has no need of; empty where it is harmless."""
    kind, _, attributes, _ = instruction
    _require(isinstance(kind, str))
    if kind == _TENSORIZE and not str(*attributes[:1]).startswith(_OURS):
        return "Tensorize with an unknown intrinsic"
    if kind in more:
        return ""
    if kind not in _KINDS or kind in (_ENTER, _TENSORIZE, *_LAYOUTS):
        return kind[:40] or "a step without a name"
    if kind == "Annotate" and not str(*attributes[:1]).startswith(_ANNOTATIONS):
        return "an unknown annotation"
    return ""


def _check(instructions: list[list[Any]], decisions: dict[int, Any]) -> None:
    defined: dict[str, str] = {}
    _require(sum(kind in ("Split", "AddUnitLoop") for kind, *_ in instructions) <= _SPLITS)
    for kind, inputs, attributes, outputs in instructions:
        if kind in _LAYOUTS:
            _check_layout(kind, inputs, attributes, defined)
        else:
            _require(all(map(_is_plain, attributes)))
            _check_inputs(kind, inputs, defined)
        _require(all(isinstance(name, str) and name not in defined for name in outputs))
        if kind == "Annotate":
            _check_annotation(inputs[1], str(attributes[0]), defined)
        if kind == "SamplePerfectTile":
            _require(attributes[0] == len(outputs) <= _TILES_OF_A_LOOP)
        if kind == "PadEinsum":
            _require(all(0 < padding <= _PADDING for padding in attributes[0]))
        if kind == "SampleCategorical":  # postprocessors loop on a limit below zero
            _require(not any(map(_is_negative, attributes)))
        _, made = _signature(kind)
        _require(made.endswith("*") or len(outputs) == len(made))
        defined.update(dict.fromkeys(outputs, made[:1]))
    for at, value in decisions.items():
        _require(_is_int(at) and at >= 0 and instructions[at][0].startswith("Sample"))
        _require(_is_int(value) or (isinstance(value, list) and all(map(_is_factor, value))))


def _check_annotation(value: Any, key: str, defined: dict[str, str]) -> None:
    if key.startswith(marks.KEY):
        _require(key == marks.KEY and marks.is_text(json.loads(value)))
    elif key in _IN_TEXT:
        _require(isinstance(value, str) and value.startswith('"'))
    elif key.startswith(_IN_LISTS):
        _require(isinstance(value, list) and all(map(_is_step, value)))
    elif not (isinstance(value, str) and defined.get(value) == "v"):
        _require(_is_step(value))


def _check_inputs(kind: str, inputs: list[Any], defined: dict[str, str]) -> None:
    """Each input is what the instruction takes in its place."""
    wanted, _ = _signature(kind)
    if wanted and wanted[-1].endswith("*"):
        wanted = (*wanted[:-1], *[wanted[-1][:-1]] * (len(inputs) - len(wanted) + 1))
    pairs = zip(inputs, wanted, strict=True)
    _require(all(_suits(value, what, defined) for value, what in pairs))


@cache
def _signature(kind: str) -> tuple[tuple[str, ...], str]:
    """What an instruction is of, and what comes of it; it is a known one."""
    lines = _SIGNATURES.strip().splitlines()
    takes, _, gives = next(line for line in lines if line.split()[0] == kind).partition(">")
    return tuple(takes.split()[1:]), gives.strip()


def _suits(value: Any, what: str, defined: dict[str, str]) -> bool:
    if isinstance(value, list):
        if "B" in what:
            return all(_suits(item, "b", defined) for item in value)
        return what == "a" and all(_suits(item, what, defined) for item in value)
    if isinstance(value, str) and value in defined:
        return defined[value] in {"f": "v", "a": "v", "c": "cl"}.get(what, what)
    if what == "f":
        return value == "None" or _is_int(value)
    if what == "a" and isinstance(value, str):
        return value.startswith('"')
    return what == "a" and _is_plain(value)


def _check_layout(
    kind: str, inputs: list[Any], attributes: list[Any], defined: dict[str, str]
) -> None:
    """A block and an index map of plain arithmetic, and of the block's buffers which one, whether
    it is written, nothing to pad with, and whether the map is taken for injective."""
    block, text, *rest = (*inputs, *attributes)
    buffer, written, pad, sure = rest if kind == "TransformLayout" else (*rest, 0, 0, None, 0)
    _require(_is_int(buffer) and 0 <= buffer < _BUFFERS and pad is None)
    _require(written in (0, 1) and sure in (0, 1))
    _require(_suits(block, "b", defined))
    nodes, root = read_nodes(text)
    require_kinds(nodes, ARITHMETIC)
    _require(nodes[root]["type"] == "tirx.IndexMap")
    _require(_names(nodes) <= defined.keys())


def _names(nodes: list[dict[str, Any]]) -> set[str]:
    """The variables of an index map that are not its own indices: those of the trace."""
    maps = [node["data"]["initial_indices"] for node in nodes if "initial_indices" in _data(node)]
    own = {at for place in maps for at in nodes[place]["data"]}
    others = [at for at, node in enumerate(nodes) if node["type"] == "ir.Var" and at not in own]
    return {nodes[nodes[at]["data"]["name"]]["data"] for at in others}


def _data(node: dict[str, Any]) -> Any:
    data = node.get("data")
    return data if isinstance(data, dict) else {}


def _is_tensorized(instructions: list[list[Any]]) -> bool:
    """Whether it makes tiles for intrinsics of ours, which takes other layouts on the way."""
    return any(
        kind == "Annotate"
        and attributes == [_TILES]
        and str(inputs[1]).strip('"').startswith(_OURS)
        for kind, inputs, attributes, _ in instructions
    )


def _require(condition: bool) -> None:
    if not condition:
        raise ValueError


def _is_int(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MOST


def _is_step(value: Any) -> bool:
    return isinstance(value, bool) or (_is_int(value) and 0 <= value <= _STEPS)


def _is_negative(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_is_negative, value))
    return isinstance(value, int | float) and value < 0


def _is_factor(value: Any) -> bool:
    """TVM divides by a factor; -1 is that of a loop without a constant extent."""
    return _is_int(value) and (value > 0 or value == -1)


def _is_plain(value: Any) -> bool:
    if isinstance(value, list):
        return all(map(_is_plain, value))
    return isinstance(value, str | bool | float) or _is_int(value)
