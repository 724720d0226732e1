"""How the figure is known, in words: each a text and what stands in its fields."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TypeAlias

from engine.records.snapshot import Figure
from engine.records.trial import Measured
from engine.records.units import format_seconds, format_share

Said: TypeAlias = tuple["Note", dict[str, str]]
_FAR = 1.25  # a whole that takes this many times longer or less than its kernels is explained


class Note(StrEnum):
    """A sentence about the figure."""

    MEASURED = "Measured end to end with the schedules of now."
    UNTUNED = "Nothing is tuned: this is the untuned model."
    SCALED = "An estimate: {basis} as measured, scaled by what the kernels gained since."
    SUMMED = "An estimate: what the kernels take together, each measured by itself."
    CROWDED = "Disturbed: other programs had {load} of the cores that it needs."
    SPREAD = "Disturbed: half of its samples lie more than {spread} from it."
    THROTTLED = "Disturbed: the board was hot and held its cores back."
    ASIDE_CROWDED = (
        "A newer measurement, {latency}, is not taken: other programs had {load} of the cores "
        "that it needs."
    )
    ASIDE_SPREAD = (
        "A newer measurement, {latency}, is not taken: half of its samples lie more than {spread} "
        "from it."
    )
    ASIDE_THROTTLED = (
        "A newer measurement, {latency}, is not taken: the board was hot and held its cores back."
    )
    UNTUNED_CROWDED = (
        "The untuned latency is disturbed: other programs had {load} of the cores that it needs."
    )
    UNTUNED_SPREAD = (
        "The untuned latency is disturbed: half of its samples lie more than {spread} from it."
    )
    UNTUNED_THROTTLED = (
        "The untuned latency is disturbed: the board was hot and held its cores back."
    )
    REFERENCE_CROWDED = (
        "What it is compared with is disturbed: other programs had {load} of the cores that it "
        "needs."
    )
    REFERENCE_SPREAD = (
        "What it is compared with is disturbed: half of its samples lie more than {spread} from it."
    )
    REFERENCE_THROTTLED = (
        "What it is compared with is disturbed: the board was hot and held its cores back."
    )
    OVER = (
        "Its kernels take {sum} together when each runs alone: in the model they find their data "
        "out of the caches, and calling them takes time."
    )
    OVER_DISTURBED = "Its kernels take {sum} together: the rest may be the disturbance."
    UNDER = (
        "Its kernels take {sum} together when each runs alone: calling them took longer then, or "
        "the machine was slower."
    )
    AGAIN = "Measure again when the machine is quiet."


def notes(figure: Figure) -> list[Said]:
    """How the figure is known, what disturbed it, and why it is not what its kernels add up to."""
    if figure.latency_s is None:
        return []
    return [*_how(figure), *_disturbed(figure), *_gap(figure)]


def notes_text(figure: Figure) -> str:
    """The same in English."""
    return " ".join(note.format(**fields) for note, fields in notes(figure))


def doubts(figure: Figure) -> list[Said]:
    """What disturbed it, and why it is not what its kernels add up to: mostly nothing."""
    return [*_disturbed(figure), *_gap(figure)] if figure.latency_s is not None else []


def doubts_text(figure: Figure) -> str:
    """The same in English."""
    return " ".join(note.format(**fields) for note, fields in doubts(figure))


def word_of(figure: Figure) -> str:
    """What the figure is in a word: "measured", "estimate", "disturbed", "untuned"."""
    if figure.latency_s is None:
        return ""
    if figure.is_taken_disturbed:
        return "disturbed"
    if not figure.measured:
        return "estimate"
    return "measured" if figure.tuned else "untuned"


def _how(figure: Figure) -> Iterator[Said]:
    if figure.measured:
        yield (Note.MEASURED if figure.tuned else Note.UNTUNED), {}
    elif figure.basis is not None:
        yield Note.SCALED, {"basis": format_seconds(figure.basis.latency_s)}
    else:
        yield Note.SUMMED, {}


def _disturbed(figure: Figure) -> Iterator[Said]:
    found: list[Said] = []
    if figure.aside is not None:
        found += _of(figure.aside, Note.ASIDE_THROTTLED, Note.ASIDE_CROWDED, Note.ASIDE_SPREAD)
    elif figure.suspect is not None:
        found += _of(figure.suspect, Note.THROTTLED, Note.CROWDED, Note.SPREAD)
    if figure.tuned and figure.untuned is not None:
        found += _of(
            figure.untuned, Note.UNTUNED_THROTTLED, Note.UNTUNED_CROWDED, Note.UNTUNED_SPREAD
        )
    if figure.reference is not None:
        found += _of(
            figure.reference,
            Note.REFERENCE_THROTTLED,
            Note.REFERENCE_CROWDED,
            Note.REFERENCE_SPREAD,
        )
    yield from found
    if found:
        yield Note.AGAIN, {}


def _of(measured: Measured, throttled: Note, crowded: Note, spread: Note) -> Iterator[Said]:
    fields = {
        "latency": format_seconds(measured.latency_s),
        "load": format_share(measured.load),
        "spread": format_share((measured.spread_s or 0.0) / (measured.latency_s or 1.0)),
    }
    if measured.throttled:
        yield throttled, fields
    elif measured.is_crowded:
        yield crowded, fields
    elif measured.is_spread:
        yield spread, fields


def _gap(figure: Figure) -> Iterator[Said]:
    gap, fields = figure.gap, {"sum": format_seconds(figure.sum_s)}
    if gap is None:
        return
    if gap > _FAR:
        yield (Note.OVER_DISTURBED if figure.disturbed else Note.OVER), fields
    elif gap < 1 / _FAR:
        yield Note.UNDER, fields
