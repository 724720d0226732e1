"""The engine's words for a person: what goes on, why runs end, what things are called."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from functools import reduce
from typing import TypeAlias

from engine.records.sentences import Sentence
from engine.records.settings import Budget
from engine.records.snapshot import REFERENCE, UNTUNED
from engine.records.trial import Measured, Source
from engine.records.units import format_duration, format_seconds, format_share

Say: TypeAlias = Callable[..., None]
"""Is told a `Doing`, "" where it is over, and the name that it is about where there is one."""

REPLAYED = "replayed"
"""Stands before the reason of a run that is only replayed."""


def replayed(reason: str) -> Sentence:
    """Why a run that is only replayed is in its state."""
    return Sentence("replayed: {reason}", reason=reason)


JOB_QUEUE = "the job queue"
"""Who has a device that a job of the queue is tuned on."""


class Doing(StrEnum):
    """A long step. `{about}` stands for a name that is told with it."""

    READING = "Reading the model"
    SHAPE = "Turning to the shape {about}"
    IMPORTING = "Importing the model into TVM"
    LOWERING = "Lowering and fusing operators"
    TRYING = "Running the file to compare with"
    LOOKING = "Looking at its operators"
    SPACES = "Finding design spaces"
    COMPARING = "Comparing the devices"
    WAITING = "Waiting for {about}, which is being tuned on this device"
    UNTUNED = "Compiling and measuring the untuned model"
    REFERENCE = "Measuring {about}"
    PEAK = "Looking up the target's peak speed"
    TUNED = "Compiling and measuring the tuned model"
    VALUES = "Checking what the tuned kernels compute"
    FINALS = "Measuring the finalists again"
    SHARING = "Sharing schedules"
    DONORS = "Trying donors"
    POLISHING = "Polishing"
    MERGING = "Merging operators"
    MEMBERS = "Trying members' schedules"
    COMPILING = "Compiling the model with its records"
    WAYS = "Measuring whole schedules in turns"
    NARROWER = "Comparing narrower searches"
    STAGED = "Comparing the schedule with one operator after another"
    CHECKING = "Checking the outputs against {about}"
    HALVING = "Looking for the first node that differs, nodes left: {about}"


AT_FLOOR = Sentence("at the launch's floor")
"""Why a task gets no slots: its kernel is about as short as any kernel can be."""
ALL_TRIED = Sentence("every schedule was tried")
"""Why a task is finished."""


class RunEnd(StrEnum):
    """Why a run ended that did not fail."""

    TRIALS = "the trials are spent"
    TIME = "the time is spent"
    OBJECTIVE = "the latency objective is met"
    KNOWN = "known schedules meet the latency objective"
    DISTURBED = "by its kernels the latency objective is met; the measurement is disturbed"
    EXHAUSTED = "nothing is left to try"
    PLAN = "the plan is carried out"
    STOPPED = "stopped"


_KINDS = {
    UNTUNED: Sentence("The untuned latency"),
    REFERENCE: Sentence("The latency of what it is compared with"),
}
WAYS = {
    "sequential_eager": "Sequential, eager",
    "sequential": "Sequential",
    "greedy": "Greedy, by levels",
    "ios_parallel": "IOS, side by side",
    "ios_merge": "IOS, merged",
    "ios_both": "IOS, both",
}
_SOURCES = {
    Source.SEARCH: "search",
    Source.SHARED: "shared",
    Source.TRANSFERRED: "transferred",
    Source.DROPLET: "polished",
    Source.STARTER: "starter",
    Source.READY: "ready kernel",
    Source.LIBRARY: "library",
}


def kind_text(kind: str) -> Sentence:
    """What a latency of the whole model is of, as a sentence begins."""
    return _KINDS.get(kind.partition(" ")[0], Sentence("The tuned latency"))


def disturbance_text(measured: Measured) -> Sentence:
    """What disturbed a measurement: "other programs had 68 % of the cores that it needs"."""
    if measured.throttled:
        return Sentence("the board was hot and held its cores back")
    if measured.is_crowded:
        load = format_share(measured.load)
        return Sentence("other programs had {load} of the cores that it needs", load=load)
    share = (measured.spread_s or 0.0) / (measured.latency_s or 1.0)
    spread = format_share(share)
    return Sentence("half of its samples lie more than {spread} from it", spread=spread)


def source_word(source: Source) -> str:
    """What a person calls a source."""
    return _SOURCES[source]


def way_name(way: str) -> str:
    """A way to schedule a program in a person's words."""
    return WAYS.get(way, way.replace("_", " "))


def budget_text(budget: Budget) -> Sentence:
    """A budget in words: "10:00 of tuning or 500 trials"."""
    parts = []
    if budget.seconds is not None:
        parts.append(Sentence("{time} of tuning", time=format_duration(budget.seconds)))
    if budget.trials is not None:
        parts.append(Sentence("{trials:,} trials", trials=budget.trials))
    if budget.latency_s is not None:
        parts.append(Sentence("a latency of {time}", time=format_seconds(budget.latency_s)))
    if not parts:
        return Sentence("no limit")
    return reduce(lambda one, or_: Sentence("{one} or {other}", one=one, other=or_), parts)


# What is never shown of a stranger's text: control characters but tab and line feed, which a
# terminal obeys, halves of characters, other ends of lines, and marks that turn the direction of
# writing, with which a name could pretend to be another.
_HARMFUL = {
    code: "\ufffd"
    for codes in (
        *(range(9), range(11, 32), range(127, 160), (0x061C, 0x200E, 0x200F)),
        *(range(0x2028, 0x202F), range(0x2066, 0x206A), range(0xD800, 0xE000), (0xFFFE, 0xFFFF)),
    )
    for code in codes
}
_IN_A_LINE = _HARMFUL | {ord("\t"): " ", ord("\n"): " "}
_LINE = 4000  # characters: more than any sentence or path
_NO_FILE = re.compile(r'[\s/\\:*?"<>|]+')


def harmless(text: str) -> str:
    """The text without characters that a terminal, a log or a page would obey; lines stay."""
    return text.translate(_HARMFUL)


def one_line(text: str, most: int = _LINE) -> str:
    """The text, harmless, in one line, the middle of a long one left out."""
    line = text[: 2 * most].translate(_IN_A_LINE)
    if len(text) <= most:
        return line
    return f"{line[: most // 2]}…{text[-most // 4 :].translate(_IN_A_LINE)}"


def file_stem(name: str) -> str:
    """A file's name made of a stranger's text: no folder, nothing hidden, not too long."""
    return _NO_FILE.sub("-", one_line(name, 100).replace("\ufffd", "")).strip(".- ") or "model"
