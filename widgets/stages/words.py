"""What the Stages view says: of the schedule, of a stage, of the search."""

from __future__ import annotations

import math
from collections.abc import Callable

from engine.records.schedule import (
    FoundSchedule,
    Schedule,
    SearchState,
    Strategy,
    TradeOff,
    WayResult,
)
from engine.records.trial import LOAD_LIMIT
from engine.records.units import (
    UNKNOWN,
    format_duration,
    format_ratio,
    format_seconds,
    format_share,
)
from engine.records.words import way_name
from widgets.look.language import QT_TR_NOOP, tr
from widgets.stages.series import SEQUENTIAL_LANE, StageBar, StageColumn, Timeline

Namer = Callable[[int], str]

STRATEGIES = {
    "both": QT_TR_NOOP("side by side and merged"),
    "parallel": QT_TR_NOOP("side by side only"),
    "merge": QT_TR_NOOP("merged only"),
}
ENDS = {
    "exact": QT_TR_NOOP("The search is complete"),
    "time": QT_TR_NOOP("The time ran out"),
    "stopped": QT_TR_NOOP("It was stopped"),
}
END = QT_TR_NOOP("The search has ended")
NAMES_SHOWN = 6


def lane_word(target: str) -> str:
    """What a group of operators runs on: a thread of a CPU, a stream of a GPU."""
    on_cpu = target.split(" ", 1)[0].lower() in ("cpu", "llvm")
    return tr("Thread") if on_cpu else tr("Stream")


def big_count(count: float) -> str:
    """A count in digits, or as a power of ten: "51,230", "3.7 × 10⁹"."""
    if not math.isfinite(count):
        return tr("more than can be counted")
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
    way, time = tr(way_name(found.way)), format_seconds(now)
    text = tr("{way}: {time}", way=way, time=time)
    if found.way != "sequential" and first and now:
        text = tr(
            "{way}: {time}, {ratio} as fast as sequential ({first})",
            way=way,
            time=time,
            ratio=format_ratio(first / now),
            first=format_seconds(first),
        )
    elif found.way == "sequential":
        text = tr(
            "{way}: {time}, and nothing was measured that is surely faster", way=way, time=time
        )
    return " ".join((f"{text}. {stages_text(found.schedule)}.", _disturbed(found))).strip()


def _disturbed(found: FoundSchedule) -> str:
    """Where other programs had the cores while the ways were compared."""
    load = max((way.load for way in found.ways if way.load is not None), default=0.0)
    if load <= LOAD_LIMIT:
        return ""
    return tr(
        "Disturbed: other programs had {load} of the cores that it needs.", load=format_share(load)
    )


def stages_text(schedule: Schedule) -> str:
    """How many stages there are, and of which kinds."""
    side = sum(
        len(stage.groups) > 1 and stage.strategy is Strategy.CONCURRENT for stage in schedule.stages
    )
    merged = sum(stage.strategy is Strategy.MERGE for stage in schedule.stages)
    fields = {
        "stages": tr("%n stages", "", len(schedule.stages)),
        "side": f"{side:,}",
        "merged": f"{merged:,}",
    }
    if side and merged:
        return tr("{stages}, {side} of groups side by side and {merged} merged", **fields)
    if side:
        return tr("{stages}, {side} of groups side by side", **fields)
    return tr("{stages}, {merged} merged", **fields) if merged else fields["stages"]


def end_sentence(found: FoundSchedule) -> str:
    """How its search ended, and what that means."""
    search, options = found.search, found.options
    text = tr(
        "{end} after {time}, {stages} measured",
        end=tr(ENDS.get(found.ended, END)),
        time=format_duration(search.seconds),
        stages=tr("%n stages", "", search.measured),
    )
    if found.ended == "exact" and search.exact:
        text = tr("{ended}. Within these limits none is over 1 % faster", ended=text)
    elif found.ended == "exact":
        text = tr("{ended}. Large blocks were searched in parts", ended=text)
    elif search.open_stages:
        left = f"{search.open_stages:,}"
        text = tr("{ended}, at most {count} left. Search again to go on", ended=text, count=left)
    strategies = tr(STRATEGIES.get(options.strategies, ""))
    return f"{text} (r = {options.r}, s = {options.s}, {strategies})."


def way_of(found: FoundSchedule, way: str) -> WayResult | None:
    """The figures of a way."""
    return next((each for each in found.ways if each.way == way), None)


# What the pointer is told


def describe_bar(timeline: Timeline, bar: StageBar, name: Namer, found: FoundSchedule) -> str:
    """One bar: its operators with their latencies alone, then its stage."""
    lines = [_alone_line(operator, name, found) for operator in bar.operators]
    if bar.merged:
        lines.insert(0, tr("%n operators merged into one", "", len(bar.operators)))
    if not timeline.columns:
        return "\n".join(lines)
    column = timeline.columns[bar.stage]
    if bar.lane == SEQUENTIAL_LANE:
        return "\n".join([*lines, tr("in {stage}", stage=_stage_title(column, timeline))])
    return "\n".join([*lines, _stage_title(column, timeline), _gain_line(column)])


def describe_stage(
    column: StageColumn, timeline: Timeline, name: Namer, found: FoundSchedule
) -> str:
    """A whole stage: what is in it, what it takes, what that saves."""
    lines = [_stage_title(column, timeline), _gain_line(column)]
    operators = [operator for group in column.stage.groups for operator in group]
    lines += [_alone_line(operator, name, found) for operator in operators[:NAMES_SHOWN]]
    if len(operators) > NAMES_SHOWN:
        lines.append(tr("and {count} more", count=f"{len(operators) - NAMES_SHOWN:,}"))
    return "\n".join(lines)


def _stage_title(column: StageColumn, timeline: Timeline) -> str:
    how = tr("merged")
    if not column.merged:
        groups = len(column.stage.groups)
        how = tr("%n groups side by side", "", groups) if groups > 1 else tr("one group")
    number, count = f"{column.place + 1:,}", f"{len(timeline.columns):,}"
    return tr("stage {number} of {count}: {how}", number=number, count=count, how=how)


def _gain_line(column: StageColumn) -> str:
    time = format_seconds(column.latency_s, 4)
    if len(column.stage.operators) < 2:
        return tr("takes {time}", time=time)
    return tr(
        "takes {time}, its operators one after another {alone}: {ratio}",
        time=time,
        alone=format_seconds(column.alone_s, 4),
        ratio=format_ratio(column.gain),
    )


def _alone_line(operator: int, name: Namer, found: FoundSchedule) -> str:
    time = format_seconds(found.alone_s[operator], 4)
    return tr("{name}  {time} alone", name=name(operator), time=time)


# The search


def search_facts(state: SearchState, best: Schedule | None) -> list[tuple[str, str, str]]:
    """Names, values and what they mean, for a search that goes on."""
    gain = state.sequential_s / state.best_s if state.sequential_s and state.best_s else None
    so_far = format_seconds(state.best_s)
    if gain is not None:
        so_far += f" ({format_ratio(gain)})"
    made_of = tr("Latency by its stages. {stages}.", stages=stages_text(best)) if best else ""
    return [
        (tr("Best so far"), so_far, made_of),
        (tr("Stages measured"), _measured_text(state),
         tr("Stages that cannot be part of a better schedule are never measured")),
        (tr("Time"), _time_text(state), tr("Measurements included")),
        (tr("Sequential"), format_seconds(state.sequential_s), tr("The sum of operators alone")),
        (tr("Floor"), format_seconds(state.floor_s or None),
         tr("No schedule within these limits can take less")),
        (tr("Sets of operators"), big_count(state.states),
         tr("Sets that may be left to run, explored so far")),
        (tr("Pairs"), _pairs_text(state),
         tr("Sets with a last stage, explored so far, of at most (n/d + 1)^(2d) for n operators, "
            "of which at most d wait for none of each other; summed over the blocks")),
        (tr("Search"), tr("exact") if state.exact else tr("large blocks in parts"),
         tr("A block too large to search whole is cut where no stage may span")),
    ]  # fmt: skip


def _measured_text(state: SearchState) -> str:
    most = state.measured + state.open_stages
    return tr("{count} of at most {most}", count=f"{state.measured:,}", most=f"{most:,}")


def _time_text(state: SearchState) -> str:
    time = format_duration(state.seconds)
    if state.seconds_left is None:
        return time
    return tr("{time}, {left} left", time=time, left=format_duration(state.seconds_left))


def _pairs_text(state: SearchState) -> str:
    pairs = big_count(state.pairs)
    if not state.bound:
        return pairs
    return tr("{count} of {all}", count=pairs, all=big_count(state.bound))


def search_sentence(state: SearchState) -> str:
    """The same in a line, for the status bar."""
    parts = [
        tr(
            "Finding stages: {measured} measured, at most {open} to come",
            measured=f"{state.measured:,}",
            open=f"{state.open_stages:,}",
        )
    ]
    if state.best_s is not None:
        gain = format_ratio(state.sequential_s / state.best_s) if state.sequential_s else UNKNOWN
        best = format_seconds(state.best_s)
        parts.append(tr("best {time} ({ratio})", time=best, ratio=gain))
    if state.seconds_left is not None:
        parts.append(tr("{time} left", time=format_duration(state.seconds_left)))
    return "   ".join(parts)


def describe_tradeoff(point: TradeOff, chosen: bool) -> str:
    """One point of the plot."""
    lines = [
        tr(
            "at most {count} operators a group, {groups} a stage",
            count=point.r,
            groups=tr("%n groups", "", point.s),
        ),
        tr("{time} by the stages measured", time=format_seconds(point.latency_s, 4)),
        tr("%n stages to measure", "", point.stages),
        tr("%n sets", "", point.states) + ", " + tr("%n pairs", "", point.pairs),
    ]
    return "\n".join([*lines, tr("what was searched")] if chosen else lines)
