"""The stages of a process as spans, the newest ones."""

from __future__ import annotations

from dataclasses import replace

from engine.jobs.granting import Need
from engine.records.stage import StageSpan

KEPT = 20_000


class SpanLog:
    """Hears of stages (`StageListener`). The loop's own."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._spans: dict[int, StageSpan] = {}
        self._new: dict[int, StageSpan] = {}

    def began(self, number: int, job: str, need: Need, cores: int, at_s: float) -> None:
        """A stage begins; one of no kind is none of a run's."""
        if need.kind is None:
            return
        whose = int(job) if job.isdigit() else job
        lane = need.device or need.group
        self._put(StageSpan(number, whose, need.kind, need.task, lane, cores, at_s))

    def ended(self, number: int, at_s: float) -> None:
        """A stage is over."""
        span = self._spans.get(number)
        if span is not None:
            self._put(replace(span, until_s=at_s))

    def drain(self) -> tuple[StageSpan, ...]:
        """What began or ended since the last time."""
        new, self._new = self._new, {}
        return tuple(new.values())

    def all(self) -> tuple[StageSpan, ...]:
        """What is kept, in the order in which it began."""
        return tuple(self._spans.values())

    def _put(self, span: StageSpan) -> None:
        self._spans[span.number] = self._new[span.number] = span
        for log in (self._spans, self._new):
            if len(log) > self._kept:
                del log[next(iter(log))]
