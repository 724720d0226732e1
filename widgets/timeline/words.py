"""The words of the timeline of an inference; nothing here draws."""

from __future__ import annotations

from collections.abc import Callable

from engine.history.inference import Bound, Inference, KernelRun
from engine.records.units import (
    format_bytes,
    format_flops,
    format_seconds,
    format_share,
    format_work,
)
from widgets.look.language import tr


def inference_sentence(found: Inference) -> str:
    """Which module it is, and how its kernels and the whole compare."""
    parts = [
        _module(found),
        tr(
            "%n kernels together take {sum}, each by itself; the whole takes {whole}.",
            "",
            len(found.kernels),
            sum=format_seconds(found.sum_s),
            whole=format_seconds(found.measured.latency_s),
        ),
        gap_text(found),
    ]
    if found.measured.disturbed:
        parts.append(tr("Disturbed: measure again while the machine does nothing else."))
    return " ".join(parts)


def _module(found: Inference) -> str:
    if not found.tuned:
        return tr("Untuned:")
    return tr("Tuned:") if found.current else tr("Tuned, with earlier schedules:")


def gap_text(found: Inference) -> str:
    """What the whole takes beyond its kernels, or how much less."""
    gap_s, whole_s = found.gap_s, found.measured.latency_s
    if gap_s < 0:
        return tr("Within the model they are faster by {time}.", time=format_seconds(-gap_s))
    share = format_share(gap_s / whole_s if whole_s else None)
    return tr("Not in kernels: {time}, {share}.", time=format_seconds(gap_s), share=share)


def describe_gap(found: Inference) -> str:
    """What is told of the part that no kernel takes."""
    why = tr("Launches, waits, and what runs between kernels. Where it is, is not known.")
    return f"{gap_text(found)}\n{why}"


def describe_whole(found: Inference) -> str:
    """What is told of the whole."""
    return tr("The whole: {time}", time=format_seconds(found.measured.latency_s, 5))


def describe_run(found: Inference, run: KernelRun) -> str:
    """A kernel with its exact time, what it moves and does, and its part of the peak."""
    share = format_share(run.seconds / found.sum_s if found.sum_s else None)
    lines = [
        run.name,
        tr("{time}, {share} of the kernels", time=format_seconds(run.seconds, 5), share=share),
        tr(
            "reads {read}, writes {written}{speed}",
            read=format_bytes(run.read_bytes),
            written=format_bytes(run.written_bytes),
            speed=_speed(format_bytes, run.read_bytes + run.written_bytes, run.seconds, "/s"),
        ),
    ]
    if run.flops:
        lines.append(format_work(run.flops) + _speed(format_flops, run.flops, run.seconds, ""))
    if run.share is not None:
        lines.append(share_text(run))
    return "\n".join(lines)


def share_text(run: KernelRun) -> str:
    """The part of the nearer peak."""
    share = format_share(run.share)
    if run.bound is Bound.MEMORY:
        return tr("{share} of the memory's peak", share=share)
    return tr("{share} of the arithmetic's peak", share=share)


def _speed(show: Callable[[float], str], amount: float, seconds: float, unit: str) -> str:
    return f" ({show(amount / seconds)}{unit})" if seconds > 0 else ""
