"""The contract of an allocation policy: given every task's history, who gets the next slot."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from engine.records.options import Checked


@dataclass(frozen=True, slots=True)
class TaskView:
    """What a policy sees of a task.

    `latencies` are those of its trials in order, in seconds, infinite after an error;
    `untuned_s` is None before it was measured. `slots` counts the slots it was given, those in
    flight included; while one is, `latencies` holds those of its results that have come.
    A task that is `open` may get a slot: it is neither finished nor in flight.
    `peak_flops` is the target's peak in FLOP/s, None where it is unknown; `slot_s` the mean
    seconds that a slot of this task took, None before its first; `slot_trials` the most trials
    that one more slot gives. `at_floor` tells that its best is about as short as a kernel can be:
    a policy is shown the task as finished while others are not.
    """

    index: int
    weight: float
    flops: float
    op_class: str
    latencies: Sequence[float]
    untuned_s: float | None
    slots: int
    in_flight: bool
    finished: bool
    peak_flops: float | None = None
    slot_s: float | None = None
    slot_trials: int = 16
    at_floor: bool = False

    @property
    def open(self) -> bool:
        """Whether the task may get a slot now."""
        return not (self.in_flight or self.finished)


@dataclass(frozen=True, slots=True)
class Choice:
    """A task for the next slot, why in one sentence, and the scores that led there."""

    task: int
    reason: str
    scores: dict[str, Any] = field(default_factory=dict)


class Policy(ABC):
    """Allocates slots. It neither sleeps nor keeps the views.

    `Options` is a frozen dataclass with defaults and bounds: settings forms are made from it.
    What a policy sees while other slots are in flight is their tasks' history without the
    results to come, and `in_flight` set; these slots count in `slots`. It answers only open
    tasks, so no task has two slots at once. `choose` may take tens of milliseconds, in any
    thread, one call at a time. Its answer depends on the views, the options, the seed and on
    what `state` says, so that a resumed run goes on as it would have.
    `live` is whether it needs nothing but the past, `wants_peak` whether it reads `peak_flops`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    live: ClassVar[bool] = True
    wants_peak: ClassVar[bool] = False

    @dataclass(frozen=True)
    class Options(Checked):
        """No options."""

    def __init__(self, options: Any = None, seed: int = 0) -> None:
        self.options: Any = options or self.Options()
        self.seed = seed

    @abstractmethod
    def choose(self, tasks: Sequence[TaskView]) -> Choice | None:
        """The next slot's task among the open ones, None where there is none."""

    def state(self) -> dict[str, Any]:
        """What a resumed run needs beside the history, JSON-ready."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:  # noqa: B027 - most have nothing to restore
        """Go on from what `state` gave."""
