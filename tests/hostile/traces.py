"""Traces of schedules, as a project stores them, with damage that a seed decides."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from typing import Any

Trace = list[Any]  # [[kind, inputs, attributes, outputs], ...], [[place, decision], ...]

NUMBERS = (-(2**63), -(2**31), -2, -1, 0, 1, 2, 3, 7, 64, 1023, 65_536, 2**31 - 1, 2**63 - 1)
KINDS = (
    *("Fuse", "Merge", "Split", "Reorder", "ReorderBlockIterVar", "Parallel", "Vectorize"),
    *("Unroll", "Bind", "GetConsumers", "GetProducers", "CacheRead", "CacheWrite", "ReIndex"),
    *("ComputeAt", "ReverseComputeAt", "ComputeInline", "ReverseComputeInline", "RFactor"),
    *("DecomposeReduction", "PadEinsum", "StorageAlign", "SetScope", "Blockize", "Tensorize"),
    *("Annotate", "Unannotate", "TransformLayout", "TransformBlockLayout", "UnsafeSetDType"),
    *("EnterPostproc", "AddUnitLoop", "UnsafeHideBufferAccess", "Nobody", ""),
)
TEXTS = (
    *('"global"', '"shared"', '"threadIdx.x"', '"vthread.x"', '"none"', "None", "", "main", "root"),
    *("pragma_import_c", "pragma_import_llvm", "meta_schedule.unroll_explicit", "\x1b[2J"),
    *(
        "meta_schedule.parallel",
        "meta_schedule.vectorize",
        "tunewright_tile",
        '"int f;"',
        "x" * 5000,
    ),
)


def damaged(text: str, dice: random.Random) -> str:
    """The text with one to four kinds of damage."""
    if dice.random() < 0.04:
        return dice.choice((text[: dice.randrange(len(text))], "[" * 50_000, "", "null", "[[],[]]"))
    trace = json.loads(text)
    for _ in range(dice.randint(1, 4)):
        dice.choice(_DAMAGES)(trace, dice)
    if dice.random() < 0.1:
        _wrong_type(trace, dice)
    return json.dumps(trace)


def _instruction(trace: Trace, dice: random.Random) -> list[Any]:
    found: list[Any] = dice.choice(trace[0])
    return found


def _places(trace: Trace, end: int, kind: type) -> list[tuple[list[Any], int]]:
    """Where values of a kind stand in the parts of instructions before the part `end`."""
    parts = [part for item in trace[0] for part in item[1:end]]
    return [(part, at) for part in parts for at, value in enumerate(part) if type(value) is kind]


def _number(trace: Trace, dice: random.Random) -> None:
    """A number in inputs or attributes."""
    places = _places(trace, 3, int)
    if places:
        part, at = dice.choice(places)
        part[at] = dice.choice(NUMBERS)


def _decision(trace: Trace, dice: random.Random) -> None:
    if not trace[1]:
        return
    pair = dice.choice(trace[1])
    if isinstance(pair[1], list) and pair[1] and dice.random() < 0.7:
        pair[1][dice.randrange(len(pair[1]))] = dice.choice(NUMBERS)
    elif isinstance(pair[1], list) and dice.random() < 0.5:
        pair[1] = dice.choices(NUMBERS, k=dice.randint(0, 8))
    else:
        pair[1] = dice.choice(NUMBERS)


def _kind(trace: Trace, dice: random.Random) -> None:
    _instruction(trace, dice)[0] = dice.choice(KINDS)


def _names(trace: Trace) -> list[str]:
    return [name for item in trace[0] for name in item[3]]


def _other_name(trace: Trace, dice: random.Random) -> None:
    """A variable that is another one, of this kind or of another."""
    item = _instruction(trace, dice)
    if item[1]:
        item[1][dice.randrange(len(item[1]))] = dice.choice([*_names(trace), "b999", "None"])


def _added(trace: Trace, dice: random.Random) -> None:
    """One more instruction, of loops and blocks that are there."""
    at = dice.randrange(len(trace[0]) + 1)
    names = [name for item in trace[0][:at] for name in item[3]]
    if not names:
        return
    kind, inputs, attributes, outputs = dice.choice(
        (
            ("Unroll", 1, [], 0),
            ("Vectorize", 1, [], 0),
            ("Parallel", 1, [], 0),
            ("Fuse", 2, [True], 1),
            ("Split", 1, [True, False], 2),
            ("GetLoops", 1, [], 3),
            ("ComputeInline", 1, [], 0),
            ("ReverseComputeInline", 1, [], 0),
            ("ComputeAt", 2, [True, -1], 0),
            ("ReverseComputeAt", 2, [True, -1], 0),
            ("CacheWrite", 1, [0, "global"], 1),
            ("CacheRead", 1, [dice.choice(NUMBERS), "global"], 1),
            ("ReIndex", 1, [dice.choice((0, 1, 9)), 0], 1),
            ("RFactor", 1, [dice.choice(NUMBERS)], 1),
            ("DecomposeReduction", 2, [], 1),
            ("Blockize", 1, [True], 1),
            ("PadEinsum", 1, [dice.choices(NUMBERS, k=3)], 0),
            ("StorageAlign", 1, [0, 0, dice.choice(NUMBERS), dice.choice(NUMBERS)], 0),
            ("SetScope", 1, [0, dice.choice(("shared", "global", "nonsense"))], 0),
            ("AddUnitLoop", 1, [], 1),
            ("Reorder", 3, [], 0),
        )
    )
    given: list[Any] = dice.choices(names, k=inputs)
    if kind == "Split":
        given += dice.choices((None, "None", 2, 3, 2**31 - 1), k=2)
    made = [f"{dice.choice('blv')}{1000 + at}{turn}" for turn in range(outputs)]
    trace[0].insert(at, [kind, given, attributes, made])
    for pair in trace[1]:
        if pair[0] >= at:
            pair[0] += 1


def _annotated(trace: Trace, dice: random.Random) -> None:
    at = dice.randrange(1, len(trace[0]) + 1)
    names = [name for item in trace[0][:at] for name in item[3]]
    if names:
        key = dice.choice(
            (
                *("pragma_auto_unroll_max_step", "pragma_unroll_explicit", "pragma_import_c"),
                *("meta_schedule.parallel", "meta_schedule.vectorize", "double_buffer_scope"),
                *("meta_schedule.unroll_explicit", "warp_execution", "software_pipeline_stage"),
                *("meta_schedule.thread_extent_low_inclusive", "software_pipeline_order"),
            )
        )
        value = dice.choice((*NUMBERS, '"x"', [0, 1, 99], [], 0.5))
        trace[0].insert(at, ["Annotate", [dice.choice(names), value], [key], []])
        for pair in trace[1]:
            if pair[0] >= at:
                pair[0] += 1


def _text(trace: Trace, dice: random.Random) -> None:
    places = _places(trace, 4, str)
    if places:
        part, at = dice.choice(places)
        part[at] = dice.choice(TEXTS)


def _lost(trace: Trace, dice: random.Random) -> None:
    if len(trace[0]) > 1:
        del trace[0][dice.randrange(len(trace[0]))]


def _twice(trace: Trace, dice: random.Random) -> None:
    at = dice.randrange(len(trace[0]))
    trace[0].insert(at, copy.deepcopy(trace[0][at]))


def _swapped(trace: Trace, dice: random.Random) -> None:
    one, other = (dice.randrange(len(trace[0])) for _ in range(2))
    trace[0][one], trace[0][other] = trace[0][other], trace[0][one]


def _wrong_type(trace: Trace, dice: random.Random) -> None:
    item = _instruction(trace, dice)
    value: Any = dice.choice((None, True, 1.5, [], {}, [[]], float("inf"), 10**400))
    part = dice.choice(item[1:4])
    if isinstance(part, list) and part:
        part[dice.randrange(len(part))] = value
    else:
        item[dice.randrange(4)] = value


_DAMAGES: tuple[Callable[[Trace, random.Random], None], ...] = (
    *(_number, _number, _decision, _decision, _decision, _kind, _other_name, _other_name),
    *(_added, _added, _added, _annotated, _annotated, _text, _lost, _twice, _swapped),
)
