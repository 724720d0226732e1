"""How long the engine has had no result, whether that is longer than usual, and why it may be."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine.records.outstanding import OutstandingStage, StageKind
from engine.records.units import format_duration
from widgets.jobs.words import kind_word
from widgets.look.language import tr

LEAST_S = 60.0
PACE = 3.0  # so many times the longest silence so far is not usual any more
STEP_PACE = 4.0  # and so many times what a step took the last time
STEP_LEAST = 3.0  # a step without trials gets so many times the limit
_SHOWN = 2


class Silence:
    """Counts the seconds without a result while results can be expected.

    `least_s` is the limit below which nothing is said, 0 for never. It grows with the longest
    silence that ended well, and for each kind of stage with the longest that it took.
    """

    def __init__(self, clock: Callable[[], float], least_s: float = LEAST_S) -> None:
        self._clock = clock
        self.least_s = least_s
        self._last: float | None = None
        self._longest = 0.0
        self._stages: tuple[OutstandingStage, ...] = ()
        self._stage_longest: dict[StageKind, float] = {}

    def end(self) -> None:
        """No result is expected, and nothing is known of their pace the next time."""
        self._last, self._longest = None, 0.0
        self._stages, self._stage_longest = (), {}

    def hold(self) -> None:
        """No result is expected for now; the pace is remembered."""
        self._last = None

    def go_on(self) -> None:
        """Results are expected from now on."""
        if self._last is None:
            self._last = self._clock()

    def result(self) -> None:
        if self._last is not None:
            now = self._clock()
            self._longest = max(self._longest, now - self._last)
            self._last = now

    def stages(self, stages: Sequence[OutstandingStage]) -> None:
        """The engine waits for these."""
        now = self._clock()
        for stage in set(self._stages) - set(stages):
            taken = now - stage.since
            self._stage_longest[stage.kind] = max(self._stage_longest.get(stage.kind, 0.0), taken)
        self._stages = tuple(stages)

    @property
    def waits(self) -> bool:
        """Whether the engine said what it waits for."""
        return bool(self._stages)

    @property
    def seconds(self) -> float:
        return 0.0 if self._last is None else self._clock() - self._last

    def alarm(self, name: Callable[[int], str]) -> str:
        """A sentence where the silence is longer than usual; `name` says a task's name."""
        if self._last is None or not self.least_s or self.seconds <= self._limit():
            return ""
        now = self._clock()
        if self._stages and all(now - stage.since <= self._usual(stage) for stage in self._stages):
            return ""
        words = [self._words(stage, name, now) for stage in self._stages[:_SHOWN]]
        time = format_duration(self.seconds)
        if not words:
            return tr("No result for {time}, and nothing is under way: see the log", time=time)
        return tr("No result for {time}: {waits}", time=time, waits=", ".join(words))

    def step_alarm(self, text: str, seconds: float, usual_s: float | None) -> str:
        """The same for a step that gives no results on its way."""
        limit = max(STEP_LEAST * self.least_s, STEP_PACE * (usual_s or 0.0))
        if not self.least_s or seconds <= limit:
            return ""
        time = format_duration(seconds)
        if not usual_s:
            return tr("No news for {time}: {step}", time=time, step=text)
        usual = format_duration(usual_s)
        return tr("No news for {time}: {step} (usually {usual})", time=time, step=text, usual=usual)

    def _limit(self) -> float:
        return max(self.least_s, PACE * self._longest)

    def _usual(self, stage: OutstandingStage) -> float:
        return max(self.least_s, PACE * self._stage_longest.get(stage.kind, 0.0))

    def _words(self, stage: OutstandingStage, name: Callable[[int], str], now: float) -> str:
        what, time = kind_word(stage.kind), format_duration(now - stage.since)
        if stage.task is None:
            return tr("{stage} for {time}", stage=what, time=time)
        return tr("{stage} of {task} for {time}", stage=what, task=name(stage.task), time=time)
