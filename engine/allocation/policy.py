"""The contract of an allocation policy: given every task's history, who gets the next slot."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True, slots=True)
class TaskView:
    """What a policy sees of a task.

    `latencies` are those of its trials in order, in seconds, infinite after an error;
    `untuned_s` is None before it was measured. `slots` counts the slots it was given, those in
    flight included. A task that is `open` may get a slot: it is neither finished nor in flight.
    """

    index: int
    weight: int
    flops: float
    op_class: str
    latencies: Sequence[float]
    untuned_s: float | None
    slots: int
    in_flight: bool
    finished: bool

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
    """Allocates slots. Used from one thread; it neither sleeps nor keeps the views.

    `Options` is a frozen dataclass with defaults: settings forms and help are made from it.
    What a policy sees while other slots are in flight is their tasks' history without the
    results to come, and `in_flight` set.
    """

    name: ClassVar[str]
    title: ClassVar[str]

    @dataclass(frozen=True)
    class Options:
        """No options."""

    def __init__(self, options: Any = None, seed: int = 0) -> None:
        self.options = options or self.Options()
        self.seed = seed

    @abstractmethod
    def choose(self, tasks: Sequence[TaskView]) -> Choice | None:
        """The next slot's task among the open ones, None where there is none."""

    def state(self) -> dict[str, Any]:
        """What a resumed run needs beside the history, JSON-ready."""
        return {}

    def restore(self, state: dict[str, Any]) -> None:  # noqa: B027 - most have nothing to restore
        """Go on from what `state` gave."""
