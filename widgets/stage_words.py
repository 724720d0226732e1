"""What the Stages view says: of the schedule, of a stage, of the search."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.ios.found import FoundSchedule, SearchState, TradeOff, WayResult
from engine.ios.schedule import Schedule, Strategy
from engine.words import way_name
from widgets.pass_words import counted
from widgets.stage_series import SEQUENTIAL_LANE, StageBar, StageColumn, Timeline
from widgets.units import UNKNOWN, format_duration, format_ratio, format_seconds

Namer = Callable[[int], str]

STRATEGIES = {
    "both": "side by side and merged",
    "parallel": "side by side only",
    "merge": "merged only",
}
ENDS = {
    "exact": "The search is complete",
    "time": "The time ran out",
    "stopped": "It was stopped",
}
NAMES_SHOWN = 6


def lane_word(target: str) -> str:
    """What a group of operators runs on: a thread of a CPU, a stream of a GPU."""
    return "Thread" if target.split(" ", 1)[0].lower() in ("cpu", "llvm") else "Stream"


def big_count(count: float) -> str:
    """A count in digits, or as a power of ten: "51,230", "3.7 × 10⁹"."""
    if not math.isfinite(count):
        return "more than can be counted"
    if count < 1e6:
        return f"{count:,.0f}"
    mantissa, exponent = f"{count:.1e}".split("e")
    raised = str(int(exponent)).translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"{mantissa} × 10{raised}"


# The schedule


def schedule_sentence(found: FoundSchedule) -> str:
    """Which way it is, how fast, and against what."""
    chosen = way_of(found, found.way)
    before = way_of(found, "sequential")
    measured = chosen is not None and chosen.measured_s is not None
    now = chosen.measured_s if chosen and measured else found.schedule.latency_s
    first = before.measured_s if before and measured else found.search.sequential_s
    text = f"{way_name(found.way)}: {format_seconds(now)}"
    if found.way != "sequential" and first and now:
        text += f", {format_ratio(first / now)} as fast as sequential ({format_seconds(first)})"
    elif found.way == "sequential":
        text += ", and nothing was measured that is surely faster"
    return f"{text}. {stages_text(found.schedule)}."


def stages_text(schedule: Schedule) -> str:
    """How many stages there are, and of which kinds."""
    side = sum(
        len(stage.groups) > 1 and stage.strategy is Strategy.CONCURRENT for stage in schedule.stages
    )
    merged = sum(stage.strategy is Strategy.MERGE for stage in schedule.stages)
    kinds = [f"{side:,} of groups side by side"] if side else []
    kinds += [f"{merged:,} merged"] if merged else []
    text = counted(len(schedule.stages), "stage")
    return f"{text}, {' and '.join(kinds)}" if kinds else text


def end_sentence(found: FoundSchedule) -> str:
    """How its search ended, and what that means."""
    search, options = found.search, found.options
    text = ENDS.get(found.ended, "The search has ended")
    text += (
        f" after {format_duration(search.seconds)}, {counted(search.measured, 'stage')} measured"
    )
    if found.ended == "exact" and search.exact:
        text += ". Within these limits none is over 1 % faster"
    elif found.ended == "exact":
        text += ". Large blocks were searched in parts"
    elif search.open_stages:
        text += f", at most {search.open_stages:,} left. Search again to go on"
    return f"{text} (r = {options.r}, s = {options.s}, {STRATEGIES.get(options.strategies, '')})."


def way_of(found: FoundSchedule, way: str) -> WayResult | None:
    """The figures of a way."""
    return next((each for each in found.ways if each.way == way), None)


# What the pointer is told


def describe_bar(timeline: Timeline, bar: StageBar, name: Namer, found: FoundSchedule) -> str:
    """One bar: its operators with their latencies alone, then its stage."""
    lines = [_alone_line(operator, name, found) for operator in bar.operators]
    if bar.merged:
        lines.insert(0, f"{len(bar.operators)} operators merged into one")
    if not timeline.columns:
        return "\n".join(lines)
    column = timeline.columns[bar.stage]
    if bar.lane == SEQUENTIAL_LANE:
        return "\n".join([*lines, f"in {_stage_title(column, timeline)}"])
    return "\n".join([*lines, _stage_title(column, timeline), _gain_line(column)])


def describe_stage(
    column: StageColumn, timeline: Timeline, name: Namer, found: FoundSchedule
) -> str:
    """A whole stage: what is in it, what it takes, what that saves."""
    lines = [_stage_title(column, timeline), _gain_line(column)]
    operators = [operator for group in column.stage.groups for operator in group]
    lines += [_alone_line(operator, name, found) for operator in operators[:NAMES_SHOWN]]
    if len(operators) > NAMES_SHOWN:
        lines.append(f"and {len(operators) - NAMES_SHOWN:,} more")
    return "\n".join(lines)


def _stage_title(column: StageColumn, timeline: Timeline) -> str:
    how = "merged"
    if not column.merged:
        groups = len(column.stage.groups)
        how = f"{groups:,} groups side by side" if groups > 1 else "one group"
    return f"stage {column.place + 1:,} of {len(timeline.columns):,}: {how}"


def _gain_line(column: StageColumn) -> str:
    text = f"takes {format_seconds(column.latency_s, 4)}"
    if len(column.stage.operators) < 2:
        return text
    alone = format_seconds(column.alone_s, 4)
    return f"{text}, its operators one after another {alone}: {format_ratio(column.gain)}"


def _alone_line(operator: int, name: Namer, found: FoundSchedule) -> str:
    return f"{name(operator)}  {format_seconds(found.alone_s[operator], 4)} alone"


# The search


def search_facts(state: SearchState, best: Schedule | None) -> list[tuple[str, str, str]]:
    """Names, values and what they mean, for a search that goes on."""
    gain = state.sequential_s / state.best_s if state.sequential_s and state.best_s else None
    so_far = format_seconds(state.best_s)
    if gain is not None:
        so_far += f" ({format_ratio(gain)})"
    left = f", {format_duration(state.seconds_left)} left" if state.seconds_left is not None else ""
    bound = f" of {big_count(state.bound)}" if state.bound else ""
    most = state.measured + state.open_stages
    return [
        ("Best so far", so_far, f"Latency by its stages. {stages_text(best)}." if best else ""),
        ("Stages measured", f"{state.measured:,} of at most {most:,}",
         "Stages that cannot be part of a better schedule are never measured"),
        ("Time", f"{format_duration(state.seconds)}{left}", "Measurements included"),
        ("Sequential", format_seconds(state.sequential_s), "The sum of operators alone"),
        ("Floor", format_seconds(state.floor_s or None),
         "No schedule within these limits can take less"),
        ("Sets of operators", big_count(state.states),
         "Sets that may be left to run, explored so far"),
        ("Pairs", f"{big_count(state.pairs)}{bound}",
         "Sets with a last stage, explored so far, of at most (n/d + 1)^(2d) for n operators, of "
         "which at most d wait for none of each other; summed over the blocks"),
        ("Search", "exact" if state.exact else "large blocks in parts",
         "A block too large to search whole is cut where no stage may span"),
    ]  # fmt: skip


def search_sentence(state: SearchState) -> str:
    """The same in a line, for the status bar."""
    parts = [f"Finding stages: {state.measured:,} measured, at most {state.open_stages:,} to come"]
    if state.best_s is not None:
        gain = format_ratio(state.sequential_s / state.best_s) if state.sequential_s else UNKNOWN
        parts.append(f"best {format_seconds(state.best_s)} ({gain})")
    if state.seconds_left is not None:
        parts.append(f"{format_duration(state.seconds_left)} left")
    return "   ".join(parts)


def describe_tradeoff(point: TradeOff, chosen: bool) -> str:
    """One point of the plot."""
    lines = [
        f"at most {point.r} operators a group, {counted(point.s, 'group')} a stage",
        f"{format_seconds(point.latency_s, 4)} by the stages measured",
        f"{counted(point.stages, 'stage')} to measure",
        f"{counted(point.states, 'set')}, {counted(point.pairs, 'pair')}",
    ]
    return "\n".join([*lines, "what was searched"] if chosen else lines)
